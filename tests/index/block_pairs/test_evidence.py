"""The evidence of block co-citation as it is read: once for a page, from its citing pages only, and from 2,000 at most.

What it says is held against the twin of block_twin.py.
"""

import numpy as np
import pytest

from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.index.base import derive
from pagekin.index.block_pairs import evidence
from pagekin.index.block_pairs.evidence import pairs_between, written
from pagekin.index.block_pairs.index import BlockPairs
from pagekin.url import page_id
from tests.index.block_pairs.test_index import collection
from tests.methods.block_twin import Twin


def made(path, links, rule=None, **more):
    collection(path, links, **more)
    with writing(path) as writer:
        derive(writer, rule or BlockPairs())
    return Store(path)


def number(store, url):
    return store.number(page_id(url))


def lists(hubs, *names):
    """Pages of many sites that each have the same list."""
    return [
        (f"http://h{hub}.example/", 0, i, f"http://{name}.example/", name)
        for hub in hubs
        for i, name in enumerate(names)
    ]


@pytest.fixture
def runs(monkeypatch):
    """How many links each run of the steps was given."""
    counted = []
    tables = evidence._Citations._tables
    monkeypatch.setattr(
        evidence._Citations,
        "_tables",
        lambda self, *given: counted.append((made := tables(self, *given))["links"].num_rows) or made,
    )
    return counted


def test_the_steps_run_once_for_a_page_over_the_blocks_that_hold_it(tmp_path, runs):
    links = lists(range(3), "a", "b", "c") + lists(range(3, 200), "x", "y", "z")
    links += [("http://h0.example/", 1, 3 + i, f"http://{name}.example/", name) for i, name in enumerate("xyz")]
    store = made(tmp_path / "s.kin", links)
    a, b, c = (number(store, f"http://{name}.example/") for name in "abc")
    for _ in range(2):
        assert [len(pairs_between(store, BlockPairs(), a, other)) for other in (b, c)] == [3, 3]
    assert runs == [9]
    assert not pairs_between(store, BlockPairs(), a, number(store, "http://x.example/"))
    assert runs == [9]


def test_blocks_too_large_to_count_are_not_read(tmp_path, runs):
    links = lists(range(2), "a", "b") + [
        ("http://big.example/", 0, i, f"http://{name}.example/", name)
        for i, name in enumerate(["a", "b", *(f"t{i}" for i in range(80))])
    ]
    store = made(tmp_path / "s.kin", links)
    assert len(pairs_between(store, BlockPairs(), *(number(store, f"http://{name}.example/") for name in "ab"))) == 2
    assert runs == [4]


@pytest.mark.parametrize("extra", [0, 1])
def test_of_more_than_2_000_citing_pages_the_first_2_000_that_cite_both_count(tmp_path, runs, extra):
    links = lists(range(2_000 + extra), "a", "b") + lists([1, 5, 7], "c", "d")
    links += [("http://only.example/", 0, i, f"http://{name}.example/", name) for i, name in enumerate("bd")]
    links += [(f"http://h{hub}.example/", 0, 2, "http://c.example/", "c") for hub in range(3_000, 3_010)]
    links += [(f"http://h{hub}.example/", 0, 3, "http://a.example/", "a") for hub in range(3_000, 3_000 + 10 * extra)]
    store = made(tmp_path / "s.kin", links)
    a, b, c = (number(store, f"http://{name}.example/") for name in "abc")
    assert store.arrays.citers(a).size == 2_000 + 11 * extra
    twin = Twin(store, BlockPairs())
    for one, other in ((a, b), (a, c), (c, a)):
        found = pairs_between(store, BlockPairs(), one, other)
        expected = twin.why(one, other)
        assert [(store.url(pair.page), pair.score) for pair in found] == [(e["page"], e["score"]) for e in expected]
        assert [written(store, pair) for pair in found] == [e["anchors"] for e in expected]
    cited = np.sort([number(store, f"http://h{hub}.example/") for hub in range(2_000 + extra)])
    assert sorted(pair.page for pair in pairs_between(store, BlockPairs(), a, b)) == cited[:2_000].tolist()
    assert len(runs) == (3 if extra else 2)  # with too many, each result by itself


def test_links_of_two_tables_at_one_position_are_told_apart(tmp_path):
    names = [("a", "The hive"), ("b", "Honey"), ("c", "Wax")]
    links = [("http://h.example/", 0, 0, f"http://{name}.example/", anchor) for name, anchor in names]
    store = made(tmp_path / "s.kin", links)
    (pair,) = pairs_between(store, BlockPairs(), *(number(store, f"http://{name}.example/") for name in "ca"))
    assert written(store, pair) == ["Wax", "The hive"]
    assert pair.gap == 0


def test_pages_without_citers_and_a_page_and_itself_have_no_evidence(tmp_path):
    store = made(tmp_path / "s.kin", lists(range(2), "a", "b"))
    a, hub = number(store, "http://a.example/"), number(store, "http://h0.example/")
    assert pairs_between(store, BlockPairs(), hub, a) == pairs_between(store, BlockPairs(), a, a) == []


def test_a_page_that_came_after_the_index_does_not_disturb_it(tmp_path):
    """Numbers change as pages are added; the index has ids."""
    store = made(tmp_path / "s.kin", lists(range(3), "m", "n"), BlockPairs(scope="site"))
    with writing(store.path) as writer:
        more = collection(tmp_path / "more.kin", lists(range(3, 6), "a", "m", "n", "z"))
        writer.add(_tables(more))
        writer.fold()
    store = Store(store.path)
    m, n = (number(store, f"http://{name}.example/") for name in "mn")
    assert len(pairs_between(store, BlockPairs(scope="site"), m, n)) == 6


def _tables(store):
    from pagekin.collection import parts

    (part,) = store.manifest.parts
    return {
        name: parts.read(store.path, part, name) for name in ("pages", "text", "blocks", "links", "terms", "aliases")
    }
