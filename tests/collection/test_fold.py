"""Parts folded slice by slice, on disk, are what all rows at once in memory give (tests/fold_twin.py)."""

from random import Random

import numpy as np
import pyarrow as pa
import pytest

from pagekin.collection import few_runs
from pagekin.collection import fold as folding
from pagekin.collection import graph as graphs
from pagekin.collection import tabulate as tabulating
from pagekin.collection.compact import compact
from pagekin.collection.fold import winners
from pagekin.collection.manifest import GRAPH
from pagekin.collection.runs import PartRun
from pagekin.collection.store import Store
from pagekin.collection.tabulate import tabulate
from pagekin.collection.writer import writing
from pagekin.engine.addresses import ids as ids_of
from pagekin.model import Capture, Missing, Redirect, Rows
from pagekin.parse import parse
from pagekin.url import page_id
from tests.fold_twin import merged
from tests.role_twin import capture, random_sites
from tests.small_webs import edges

OUTSIDE = [f"http://{name}.example/{n}" for name in ("t", "u") for n in range(6)]
OUTSIDE += ["http://t.example/?q=1", "https://roots.example:8443/find?q=/2"]  # whose roots nobody links to


def history(random):
    """Items of all kinds, about the same pages again and again."""
    sites = random_sites(random.randrange(5))
    urls = [each.url for each in sites] + OUTSIDE
    anchors = ["", "x", "y", "Bees & co"]
    items = random.sample(sites, len(sites))
    for _ in range(12):
        pairs = [
            (random.choice(urls), random.choice(urls[-20:]), random.choice(anchors))
            for _ in range(random.randint(1, 9))
        ]
        titles = pa.table({"url": random.sample(urls, 3), "title": ["one", "", random.choice(["two", "a"])]})
        items.append(Rows(edges(*pairs).links, titles if random.random() < 0.5 else None))
        items.append(Redirect(random.choice(OUTSIDE), random.choice(urls)))
        items.append(Redirect(random.choice(urls), random.choice(OUTSIDE), "canonical"))
        items.append(Missing(random.choice(OUTSIDE), random.choice([404, 410])))
        url = random.choice([*urls, *OUTSIDE[5:8] * 10])  # often the same, fetched at the same time, with other words
        items.append(capture(url, f"<p>As it was {random.randrange(3)}.<a href={random.choice(urls)}>x</a>", fetched=1))
    random.shuffle(items)
    return items


def tables_of(items):
    kinds = {kind: [item for item in items if isinstance(item, kind)] for kind in (Capture, Rows, Redirect, Missing)}
    latest = {each.url: each for each in sorted(kinds[Capture], key=lambda each: each.fetched)}
    parsed = [(each, parse(each)) for each in latest.values()]
    return tabulate(parsed, kinds[Rows], kinds[Redirect], kinds[Missing])[0]


def twin(path):
    store = Store(path)
    return graphs.from_snapshot(merged([store.contribution(i) for i in range(len(store.manifest.parts))]))


@pytest.fixture(params=["tiny", "small", "whole"])
def slices(request, monkeypatch):
    """Slices, blocks and batches of a few rows, so that every border is seen, and merged parts; or all at once."""
    rows = {"tiny": 1, "small": 17, "whole": folding.MOST_ROWS}[request.param]
    monkeypatch.setattr(folding, "MOST_ROWS", rows)
    monkeypatch.setattr(few_runs, "_most_open", lambda: {"tiny": 1, "small": 2, "whole": 99}[request.param])
    if request.param != "whole":
        monkeypatch.setattr("pagekin.collection.arrow_files.BATCH_ROWS", 2 * rows + 1)
        monkeypatch.setattr("pagekin.collection.repeats.BLOCK", rows)
        monkeypatch.setattr("pagekin.collection.row_files.memory", lambda: 100 * rows)
    return rows


def colliding(monkeypatch):
    """Have some pairs of addresses share an id."""
    taken = {OUTSIDE[1]: 7, OUTSIDE[4]: 7, OUTSIDE[2]: -9, OUTSIDE[9]: -9}
    monkeypatch.setattr(tabulating, "page_id", lambda url: taken.get(url, page_id(url)))
    monkeypatch.setattr(graphs, "page_id", lambda url: taken.get(url, page_id(url)))

    def ids(urls):
        found = zip(urls.to_pylist(), ids_of(urls).tolist(), strict=True)
        return np.array([taken.get(url, number) for url, number in found], np.int64)

    monkeypatch.setattr(tabulating, "ids_of", ids)


@pytest.mark.parametrize(("seed", "collide"), [(0, True), (1, False), pytest.param(2, True, marks=pytest.mark.slow)])
def test_every_fold_is_what_the_twin_makes(tmp_path, monkeypatch, slices, seed, collide):
    if collide:
        colliding(monkeypatch)
    random, path = Random(seed), tmp_path / "s.kin"
    items = history(random)
    with writing(path) as writer:
        while items:
            some, items = items[:15], items[15:]
            writer.add(tables_of(some))
            if random.random() < 0.5:  # the next fold begins from what this one has written
                writer.fold()
                assert graphs.equal(Store(path).graph, twin(path))
        writer.fold()
        made = Store(path)
        assert made.manifest.indexes[GRAPH].parts == tuple(part.name for part in made.manifest.parts)
        assert graphs.equal(made.graph, twin(path))
        assert graphs.equal(made.graph, graphs.from_snapshot(made.snapshot()))
        ids, part = winners(made.runs(), tmp_path)
        in_parts = np.isin(made.graph.ids, ids)  # the others are roots
        assert np.array_equal(ids, made.graph.ids[in_parts]) and np.array_equal(part, made.graph.part[in_parts])
        assert not list((path / made.manifest.indexes[GRAPH].path).glob("*.tmp")), "what was needed meanwhile is gone"
        before = made.graph
        compact(writer)
        assert graphs.same(Store(path).graph, before)


def test_few_parts_are_open_at_once(tmp_path, monkeypatch):
    """Memory for hundreds of parts of a crawl would grow with them."""
    together = []

    def watched(runs, *others):
        together.append(sum(isinstance(run, PartRun) for run in runs))
        return slices_of(runs, *others)

    slices_of = few_runs.slices
    for module in (few_runs, folding):
        monkeypatch.setattr(module, "slices", watched)
    monkeypatch.setattr(few_runs, "_most_open", lambda: 3)
    path = tmp_path / "s.kin"
    with writing(path) as writer:
        for item in history(Random(2)):
            writer.add(tables_of([item]))
        writer.fold()
        assert len(writer.manifest.parts) > 20
        assert graphs.equal(Store(path).graph, twin(path))
        compact(writer)
    assert max(together) == 3


@pytest.mark.parametrize("collide", [False, True])
def test_what_several_parts_say_in_one_run_counts_as_in_several(tmp_path, monkeypatch, collide):
    """A link that two tables have is one; of two addresses with one id, the links of the refused one go, by part."""
    if collide:
        colliding(monkeypatch)
    monkeypatch.setattr(few_runs, "_most_open", lambda: 2)
    one, other, third = OUTSIDE[1], OUTSIDE[4], OUTSIDE[0]
    parts = [
        [(third, one, "x")],
        [(third, one, "x"), (third, other, "y"), (other, third, "z")],
        [(OUTSIDE[3], third, "w")],
    ]
    with writing(tmp_path / "s.kin") as writer:
        for rows in parts if not collide else [parts[0], parts[1][1:], parts[2]]:
            writer.add(tables_of([edges(*rows)]))
        writer.fold()
    graph = Store(tmp_path / "s.kin").graph
    assert graphs.equal(graph, twin(tmp_path / "s.kin"))
    assert sorted(graph.links["anchor"].to_pylist()) == (["w", "x"] if collide else ["w", "x", "y", "z"])


def test_the_histories_have_everything(tmp_path, monkeypatch):
    colliding(monkeypatch)
    path = tmp_path / "s.kin"
    with writing(path) as writer:
        for item in history(Random(1)):
            writer.add(tables_of([item]))
        writer.fold()
    graph, made = Store(path).graph, twin(path)
    assert made.refused and graph.folded and graph.content is not graph.arrays and graph.repeated.any()
    assert len(graph.aliases) > len(graph.folded) and len(set(graph.part.tolist())) > 10
    assert {0, 1, 2} == set(graph.links["role"].to_pylist())
    assert {page_id("http://t.example/"), page_id("https://roots.example:8443/")} <= set(graph.ids.tolist())


def test_a_collection_without_pages_can_be_folded(tmp_path):
    with writing(tmp_path / "s.kin") as writer:
        writer.fold()
    assert Store(tmp_path / "s.kin").size == 0
