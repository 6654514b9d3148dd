"""Names in somebody's table: addresses, identifiers, and the last element of a path if it is unique."""

import pyarrow as pa
import pytest

from pagekin.collection.store import Store
from pagekin.collection.tabulate import tabulate
from pagekin.collection.writer import writing
from pagekin.evaluate.names import pages_named
from pagekin.model import Capture, Page, Redirect, Rows


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    path = tmp_path_factory.mktemp("names") / "n.kin"
    fetched = ["http://m.example/category", "http://m.example/a/G%C3%B6del/", "http://m.example/C%23"]
    known = [
        "http://other.example/category",  # never fetched: the fetched one is meant
        "http://m.example/x/twice", "http://m.example/y/twice",
        "http://m.example/q?/hidden", "http://m.example/one?q", "plain",
        "http://m.example/x/plain", "http://only.example", "http://m.example/target",
    ]  # fmt: skip
    pages = [(Capture(url, b"x", fetched=1), Page()) for url in fetched]
    with writing(path) as writer:
        rows = Rows(pages=pa.table({"url": known}))
        moved = [Redirect("http://m.example/moved", "http://m.example/category")]
        writer.add(tabulate(pages, [rows], moved)[0])
        writer.fold()
    return Store(path)


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("http://m.example/category", "http://m.example/category"),
        ("https://www.m.example/category/", "http://m.example/category"),
        ("category", "http://m.example/category"),
        ("moved", "http://m.example/category"),
        ("Gödel", "http://m.example/a/G%C3%B6del/"),
        ("C#", "http://m.example/C%23"),
        ("target", "http://m.example/target"),
        ("plain", "plain"),
        ("twice", None),
        ("hidden", None),
        ("one", None),
        ("C", None),
        ("x/plain", None),
        ("only.example", None),  # a host is no name of a page, unless as http://only.example/
        ("Category", None),
        ("..", None),
        ("", None),
    ],
)
def test_a_name(store: Store, name: str, url: str | None) -> None:
    found = pages_named(store, [name])
    assert {name: store.url(page) for name, page in found.items()} == ({name: url} if url else {})


def test_many_at_once(store: Store) -> None:
    assert len(pages_named(store, ["category", "category", "plain", "twice", "none", "moved"])) == 3
    assert pages_named(store, []) == {}
