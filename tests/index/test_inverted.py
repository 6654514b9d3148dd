"""The inverted index against the terms table, on disk, stale, damaged, and of pages told of twice."""

import json
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.errors import CollectionError
from pagekin.index.base import derive, opened
from pagekin.index.inverted import Inverted, inverted
from pagekin.model import Rows
from tests.small_webs import collection, page

URL = "http://h.example/{}".format


def read(store, postings):
    """(url, term) → count in title and body."""
    found = {
        (store.url(p), term): count
        for t, term in enumerate(postings.terms.to_pylist())
        for p, count in zip(
            postings.page[postings.start[t] : postings.start[t + 1]].tolist(),
            postings.count[postings.start[t] : postings.start[t + 1]].tolist(),
            strict=True,
        )
    }
    return {key: count for key, count in found.items() if count}


@pytest.fixture
def path(tmp_path):
    items = [
        page(URL("a"), URL("b"), words="hive hive hive wax", title="Hives"),
        page(URL("b"), words="wax und hive", title="Wax"),
        page(URL("c"), words="Der Honig und die Bienen sind nicht von der Imkerin", title="Honig"),
    ]
    collection(tmp_path / "s.kin", *items)
    return tmp_path / "s.kin"


def test_it_says_what_the_terms_table_says(path):
    store = Store(path)
    postings = inverted(store)
    expected = Counter()
    for rows in store.rows("terms"):
        for row in rows.to_pylist():
            expected[store.url(store.number(row["page"])), row["term"]] += row["body"] + row["title"]
    assert read(store, postings) == expected
    assert expected[URL("a"), "hive"] == 4
    terms = postings.terms.to_pylist()
    assert terms == sorted(terms)
    assert [postings.find(term) for term in terms] == list(range(len(terms)))
    assert postings.find("zzz") is None
    for t in range(len(terms)):
        row = slice(postings.start[t], postings.start[t + 1])
        assert np.all(np.diff(postings.page[row]) > 0)
    assert {store.url(p): int(postings.length[p]) for p in range(store.size)} == {
        url: sum(count for (of, _), count in expected.items() if of == url) for url in map(URL, "abc")
    }
    assert postings.pages == 3
    assert postings.languages == {"en": 2, "de": 1}


def test_on_disk_and_after_pages_have_come_and_gone(path):
    with writing(path) as writer:
        assert derive(writer, Inverted()).endswith("on 3 pages")
    before = Store(path)
    made = opened(before, Inverted())
    assert made.for_pages(before.graph.ids) is made.postings
    collection(path, page(URL("d"), URL("e"), words="wax"))
    store = Store(path)
    assert read(store, made.for_pages(store.graph.ids)) == read(before, made.postings)
    fewer = before.graph.ids[1:]
    postings = made.for_pages(fewer)
    assert postings.pages == 2
    assert postings.start[-1] == postings.page.size == postings.count.size
    assert np.count_nonzero(made.postings.page) == postings.page.size
    assert postings.weight.size == postings.titled.size == postings.page.size


def test_pages_that_tables_tell_of_twice_count_once(tmp_path):
    def terms(count):
        table = {
            "url": ["x", "y"],
            "term": ["wax", "wax"],
            "surface": ["wax", "wax"],
            "body": [count, 1],
            "title": [0, 0],
        }
        return Rows(pages=pa.table({"url": ["x", "y"], "title": [f"t{count}", ""]}), terms=pa.table(table))

    collection(tmp_path / "s.kin", terms(2))
    store = collection(tmp_path / "s.kin", terms(5))
    assert read(store, inverted(store)) == {("x", "wax"): 5, ("y", "wax"): 1}


def test_an_index_of_another_version_is_said_to_be(path):
    with writing(path) as writer:
        derive(writer, Inverted())
    store = Store(path)
    folder = path / store.manifest.indexes["inverted"].path
    about = json.loads((folder / "about.json").read_text())
    (folder / "about.json").write_text(json.dumps(about | {"version": 1}))
    with pytest.raises(ValueError, match="version 1 of the index"):
        Inverted().open(folder)


def test_nothing_to_index(tmp_path):
    store = collection(tmp_path / "s.kin", page(URL("a")))
    with writing(store.path) as writer:
        derive(writer, Inverted())
    assert opened(Store(store.path), Inverted()).postings.pages <= 1


def test_damage_names_the_command(path):
    with writing(path) as writer:
        derive(writer, Inverted())
    store = Store(path)
    np.save(path / store.manifest.indexes["inverted"].path / "page.npy", np.zeros(1, np.int32))
    with pytest.raises(CollectionError, match=r"page\.npy is damaged: .* run: Collection\(.*\.scrub\(\)"):
        opened(store, Inverted())


def test_what_a_killed_build_leaves_is_swept(path, monkeypatch):
    """Rows that wait on disk are in files of our kinds; else the folder would be taken for somebody else's and stay."""
    from pagekin.collection.writer import _is_ours
    from pagekin.index import inverted as module

    seen = []
    write = module._write_rows

    def looked_at(spool, folder):
        left = [file for file in folder.rglob("*") if file.is_file()]
        seen.append((len(left), _is_ours(folder)))
        return write(spool, folder)

    monkeypatch.setattr(module, "_write_rows", looked_at)
    with writing(path) as writer:
        derive(writer, Inverted())
    assert seen[0][0] > 0
    assert seen[0][1]
