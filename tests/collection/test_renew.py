"""Pages that a server says have not changed."""

from dataclasses import replace

import pytest

from pagekin.collection.compact import compact
from pagekin.collection.graph import same
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.model import Capture, Confirmed
from pagekin.url import page_id

A, B = "http://a.example/a", "http://a.example/b"
PAGES = [
    Capture(A, b"<title>A</title><p>Bees<ul><li><a href=b>b</a><li><a href=c>c</a></ul>", fetched=1000, etag="1"),
    Capture(B, b"<title>B</title><p>Kites <a href=a>The a</a>", fetched=1000, last_modified="then"),
]  # fmt: skip


@pytest.fixture
def site(tmp_path):
    ingest(tmp_path / "a.kin", [PAGES])
    return tmp_path / "a.kin"


def times(path):
    pages = Store(path).graph.pages
    return {
        url: at.value // 1000 for url, at in zip(pages["url"].to_pylist(), pages["fetched"], strict=True) if at.value
    }


def rows(path):
    """Everything that a collection says about its pages, except when they were fetched."""
    store = Store(path)
    tables = {
        name: [row for part in store.rows(name) for row in part.to_pylist()] for name in ("text", "blocks", "terms")
    }
    pages = [{**row, "fetched": None, "part": None} for row in store.graph.pages.to_pylist()]
    return {name: sorted(map(repr, some)) for name, some in tables.items()}, pages, store.graph.links.to_pylist()


def test_its_age_is_renewed_and_nothing_else_changes(site):
    before, version = rows(site), Store(site).manifest.version
    with writing(site) as writer:
        writer.derive("x", lambda folder: (folder / "x.json").write_text("1"))
    ingest(site, [[Confirmed(A, 2000, etag="1")]])
    assert times(site) == {A: 2000, B: 1000}
    ingest(site, [[Confirmed(B, 3000, last_modified="then"), Confirmed(A, 3000, etag="1")]])
    assert times(site) == {A: 3000, B: 3000}
    assert rows(site) == before
    store = Store(site, in_full=True)
    assert (store.manifest.version, store.stale()) == (version, [])  # indexes stay good
    graph = store.graph
    with writing(site) as writer:
        compact(writer)
    assert same(Store(site).graph, graph)
    assert rows(site) == before


@pytest.mark.parametrize(
    "said",
    [
        Confirmed(A, 2000, etag="2"), Confirmed(A, 2000), Confirmed(A, 1000, etag="1"), Confirmed(A, 900, etag="1"),
        Confirmed("http://a.example/c", 2000), Confirmed("http://a.example/unknown", 2000, etag="1"),
    ],
)  # fmt: skip
def test_another_version_or_an_earlier_time_changes_nothing(site, said):
    parts = Store(site).manifest.parts
    ingest(site, [[said]])
    assert Store(site).manifest.parts == parts


def test_a_later_capture_wins_over_a_renewal_and_the_other_way_round(site, tmp_path):
    new = replace(PAGES[0], body=b"<title>New</title>", fetched=1500, etag="2")
    ingest(site, [[Confirmed(A, 2000, etag="1")]])
    ingest(site, [[new]])
    assert times(site)[A] == 2000
    ingest(site, [[replace(new, fetched=2500)]])
    assert times(site)[A] == 2500
    store = Store(site)
    assert store.title(store.number(page_id(A))) == "New"
