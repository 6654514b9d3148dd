"""Preparation, THP and clusters against twins made of sets, fractions and NetworkX's Dijkstra."""

from dataclasses import replace
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

from pagekin.collection.store import Store
from pagekin.collection.strings import coded
from pagekin.collection.writer import writing
from pagekin.errors import UsageError
from pagekin.graph.links import link_arrays
from pagekin.index.base import derive, index, opened
from pagekin.index.subrelevant import Subrelevant, clusters, prepared, thp
from tests.small_webs import from_edges, random_pairs

KINDS = ("fan-out", "fan-in", "cyclic")
WEBS = [(seed, n, m, hosts) for seed in range(6) for n, m, hosts in ((40, 60, 1), (40, 160, 3), (60, 90, 7))]


def web(seed, n, m, hosts):
    """The arrays of a random web, its links, and the host of each page, hosts mixed in page order."""
    pairs = random_pairs(seed, n, m)
    host = np.random.default_rng(seed).integers(0, hosts, n).astype(np.int32)
    source, target = (np.array(side, np.int32) for side in zip(*pairs, strict=True))
    return link_arrays(source, target, n), {(a, b) for a, b in pairs if a != b}, host


def twin_graph(links, host):
    """Links within hosts, and those that the two rules add, both by the graph before."""
    n = len(host)
    kept = {(a, b) for a, b in links if host[a] == host[b]}
    full = set(kept)
    for v in range(n):
        if not any(a == v for a, _ in kept):
            full |= {(v, a) for a, b in kept if b == v}
        if not any(b == v for _, b in kept):
            full |= {(b, v) for a, b in kept if a == v}
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(full)
    return graph


def twin_thp(graph):
    d = graph.out_degree
    return [sum((Fraction(1, d(v) * d(u)) for u in graph[v] if graph.has_edge(u, v)), Fraction()) for v in graph]


def twin_clusters(graph, kind, tau):
    """Seed → members with their distances, in order of the seeds; the paper's four steps, word for word."""
    cost = {v: graph.out_degree(v) for v in graph}
    score = twin_thp(graph)
    found, held = {}, set()
    for seed in sorted(graph, key=lambda v: (-score[v], v)):
        if seed in held:
            continue
        out = nx.single_source_dijkstra_path_length(graph, seed, weight=lambda u, v, _: cost[u])
        back = nx.single_source_dijkstra_path_length(graph.reverse(), seed, weight=lambda u, v, _: cost[v])
        if kind == "fan-out":
            near = out
        elif kind == "fan-in":
            near = back
        else:
            near = {u: out[u] + back[u] for u in out.keys() & back.keys()}
        found[seed] = {u: far for u, far in near.items() if far <= tau} | {seed: 0}
        held |= found[seed].keys()
    return found


def as_dict(found):
    """Seed → members, in order."""
    rows = [found.members(c).tolist() for c in range(found.start.size - 1)]
    return {row[0]: set(row) for row in rows}


@pytest.mark.parametrize(("seed", "n", "m", "hosts"), WEBS)
def test_the_prepared_graph_and_thp_equal_their_twins(seed, n, m, hosts):
    graph, links, host = web(seed, n, m, hosts)
    made = prepared(graph.out_start, graph.out, host)
    expected = twin_graph(links, host)
    rows = np.split(made.out, made.out_start[1:-1])
    assert {(int(made.page[v]), int(made.page[u])) for v, row in enumerate(rows) for u in row.tolist()} == set(
        expected.edges
    )
    score = twin_thp(expected)
    assert thp(made) == pytest.approx([float(score[p]) for p in made.page.tolist()], rel=1e-12)


@pytest.mark.parametrize("tau", [0, 1, 5, 12, 20, 45])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("seed", "n", "m", "hosts"), WEBS[::2])
def test_clusters_equal_dijkstra_s(seed, n, m, hosts, kind, tau):
    graph, links, host = web(seed, n, m, hosts)
    found = clusters(prepared(graph.out_start, graph.out, host), kind, tau)
    expected = twin_clusters(twin_graph(links, host), kind, tau)
    assert as_dict(found) == {seed: set(members) for seed, members in expected.items()}
    assert sorted(set(found.member.tolist())) == list(range(n))
    for page in range(n):
        mine = [c for c in range(found.start.size - 1) if page in found.members(c)]
        assert found.holding(page).tolist() == mine


def test_seeds_come_in_order_of_thp_within_a_host():
    graph, links, host = web(3, 60, 90, 2)
    found = clusters(prepared(graph.out_start, graph.out, host), "fan-out", 6)
    score = twin_thp(twin_graph(links, host))
    seeds = [int(found.members(c)[0]) for c in range(found.start.size - 1)]
    assert seeds == sorted(seeds, key=lambda v: (host[v], -score[v], v))


def test_clusters_overlap():
    """Two contents pages with a page in common; each leads to it, neither to the other."""
    pairs = np.array([(0, 2), (0, 3), (1, 3), (1, 4), (2, 0), (4, 1), (3, 3)], np.int32)
    graph = link_arrays(pairs[:, 0], pairs[:, 1], 5)
    found = clusters(prepared(graph.out_start, graph.out, np.zeros(5, np.int32)), "fan-out", 2)
    assert as_dict(found) == {0: {0, 2, 3}, 1: {1, 3, 4}}


def test_trivial_clusters_are_pages_with_their_links():
    graph, links, host = web(1, 40, 160, 3)
    found = clusters(prepared(graph.out_start, graph.out, host), "trivial")
    expected = twin_graph(links, host)
    assert as_dict(found) == {v: {v, *expected[v]} for v in expected}


def test_both_rules_may_add_the_same_link_once():
    """0 refers to 1 only: 0 has no in-links, 1 no out-links, and both rules add 1 → 0."""
    made = prepared(np.array([0, 1, 1]), np.array([1], np.int32), np.zeros(2, np.int32))
    assert (made.out.tolist(), made.out_start.tolist()) == ([1, 0], [0, 1, 2])


@pytest.mark.parametrize("kind", [*KINDS, "trivial"])
def test_the_number_of_workers_does_not_matter(kind):
    graph, _, host = web(5, 400, 1600, 25)
    made = prepared(graph.out_start, graph.out, host)
    one, many = clusters(made, kind, 20, workers=1), clusters(made, kind, 20, workers=7)
    assert all(
        np.array_equal(getattr(one, name), getattr(many, name)) for name in ("start", "member", "of_start", "of")
    )


def test_one_host_alone_is_as_among_others():
    graph, _, host = web(2, 60, 240, 3)
    whole = as_dict(clusters(prepared(graph.out_start, graph.out, host)))
    made = prepared(graph.out_start, graph.out, host, only=1)
    places = as_dict(clusters(replace(made, page=np.arange(made.page.size, dtype=np.int32))))
    alone = {int(made.page[seed]): {int(made.page[u]) for u in members} for seed, members in places.items()}
    assert alone == {seed: members for seed, members in whole.items() if host[seed] == 1}


def test_no_pages_and_no_links():
    empty = prepared(np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0, np.int32))
    assert clusters(empty).member.size == 0
    alone = prepared(np.zeros(4, np.int64), np.empty(0, np.int32), np.zeros(3, np.int32))
    assert as_dict(clusters(alone)) == {0: {0}, 1: {1}, 2: {2}}
    assert as_dict(clusters(alone, "cyclic", 0)) == {0: {0}, 1: {1}, 2: {2}}


def test_the_index_is_its_text_and_what_cannot_be_asked():
    assert repr(Subrelevant()) == "subrelevant"
    assert index("subrelevant(kind=cyclic, tau=30)") == Subrelevant("cyclic", 30)
    for text, says in [
        ("subrelevant(tau=-1)", "tau is -1; expected 0 to"),
        ("subrelevant(tau=99999)", "expected 0 to 10,000"),
        ("subrelevant(kind=fan)", "did you mean 'fan-in'|did you mean 'fan-out'"),
        ("subrelevant(kind=trivial, tau=5)", "trivial clusters have no tau"),
    ]:
        with pytest.raises(UsageError, match=says):
            index(text)
    with pytest.raises(UsageError, match="unknown kind of clusters 'round'"):
        Subrelevant("round")  # type: ignore[arg-type]


def test_on_disk_it_survives_pages_that_come_later(tmp_path):
    path = tmp_path / "s.kin"
    url = "http://{}.example/{}".format
    from_edges(path, [(url("h", a), url("h", b)) for a, b in [("a", "b"), ("b", "a"), ("b", "c")]])
    with writing(path) as writer:
        assert "clusters" in derive(writer, Subrelevant())
    before = Store(path)
    assert opened(before, Subrelevant()).for_pages(before.graph.ids) is opened(before, Subrelevant()).clusters
    from_edges(path, [(url("h", "x"), url("h", "a")), (url("i", "x"), url("i", "y"))])
    store = Store(path)
    found = opened(store, Subrelevant()).for_pages(store.graph.ids)
    urls = [{store.url(page) for page in found.members(c).tolist()} for c in range(found.start.size - 1)]
    assert urls == [{url("h", name) for name in "abc"}]
    assert sum(found.holding(page).size for page in range(store.size)) == 3
    assert coded(store.graph.pages["host"])[0].size == store.size
