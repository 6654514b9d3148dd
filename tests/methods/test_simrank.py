"""SimRank against NetworkX and its definition; the single-source form against the exact one, within its error."""

import networkx as nx
import numpy as np
import pytest

from pagekin.errors import UsageError
from pagekin.graph.links import link_arrays
from pagekin.methods import method, simrank
from pagekin.methods.simrank import ERROR, exact, pairs_of_walks, single_source
from tests.small_webs import from_edges, random_pairs


def web(seed, n, m):
    return link_arrays(*(np.array(side, np.int32) for side in zip(*random_pairs(seed, n, m), strict=True)), n)


def template(n):
    """What breaks methods that drop small steps: n pages under one menu page, all linked from all of 50 others."""
    pairs = [(0, page) for page in range(1, n)] + [(s, t) for s in range(1, 50) for t in range(50, n)]
    return link_arrays(*(np.array(side, np.int32) for side in zip(*pairs, strict=True)), n)


@pytest.mark.parametrize("seed", range(4))
def test_exact_scores_are_networkx_s_and_symmetric(seed):
    graph = web(seed, 40, 150)
    peer = nx.DiGraph()
    peer.add_nodes_from(range(40))
    peer.add_edges_from((p, int(q)) for p in range(40) for q in graph.targets(p))
    theirs = nx.simrank_similarity(peer, importance_factor=0.8, tolerance=1e-10)
    scores = exact(graph, 1e-12)
    # NetworkX stops when nothing moves by 1e-5 of itself, whatever tolerance it is given.
    assert scores == pytest.approx(np.array([[theirs[p][q] for q in range(40)] for p in range(40)]), abs=1e-5)
    for p in range(40):
        for q in range(40):  # Eq. 2
            pairs = [scores[i, j] for i in graph.citers(p) for j in graph.citers(q)]
            assert scores[p, q] == pytest.approx(1 if p == q else 0.8 * sum(pairs) / max(len(pairs), 1), abs=1e-10)
    assert scores == pytest.approx(scores.T, abs=1e-15)
    # Until no score moves by 1e-4: at most 1e-4 · C / (1 − C) from the limit.
    assert np.abs(exact(graph) - scores).max() <= 4e-4


@pytest.mark.parametrize(
    "graph",
    [web(0, 60, 100), web(1, 300, 2000), web(2, 200, 250), template(300)],
    ids=["few links", "many links", "sparse", "template"],
)
def test_one_page_s_scores_are_within_the_error(graph):
    for c, every in ((0.8, 19), (0.5, 61), (0.9, 61)):
        scores = exact(graph, 1e-10, c)
        for page in range(0, graph.size, every):
            assert np.abs(single_source(graph, page, c) - scores[page]).max() <= ERROR


def test_the_error_is_what_the_parts_leave():
    """Truncation, values not carried on, pages without a pair and Hoeffding's bound for all pages fill the error."""
    for pages in (10, 10_000, 10_000_000):
        for c in (0.1, 0.6, 0.8, 0.95):
            m, steps = pairs_of_walks(pages, c), simrank.steps(c)
            spread = c / simrank.least_diagonal(c) * c**4
            chance = c ** (steps + 1) + simrank.least(c) / (1 - c) + steps * (1 - simrank.middle(c)) / m
            assert chance + np.sqrt(np.log(2 * pages / 0.01) * spread / (2 * m)) <= ERROR * (1 + 1e-12)
    assert simrank.steps(0.8) == 26 and simrank.least(0.8) == pytest.approx(1e-4)


def test_another_c_is_eq_2_with_it(tmp_path):
    graph, nx = web(3, 30, 90), pytest.importorskip("networkx")
    links = nx.DiGraph([(p, int(q)) for p in range(30) for q in graph.targets(p)])
    links.add_nodes_from(range(30))
    theirs = nx.simrank_similarity(links, importance_factor=0.6, max_iterations=1_000)
    ours = exact(graph, 1e-12, 0.6)
    assert ours == pytest.approx(np.array([[theirs[p][q] for q in range(30)] for p in range(30)]), abs=1e-4)
    store = from_edges(tmp_path / "s.kin", [("hub", "a"), ("hub", "b")])
    page = [store.url(p) for p in range(store.size)].index("a")
    assert method("simrank(c=0.6)").related(store, page, 1).scores.tolist() == [0.6]
    assert method("simrank").related(store, page, 1).scores.tolist() == [0.8]


@pytest.mark.parametrize("c", ["0", "1", "0.96", "-1", "nan"])
def test_a_c_that_cannot_be(c):
    with pytest.raises(UsageError, match=r"expected more than 0 and at most 0\.95"):
        method(f"simrank(c={c})")


def test_large_graphs_are_answered_page_by_page_with_the_same_ranking(tmp_path, monkeypatch):
    store = from_edges(tmp_path / "s.kin", [(f"s{s}", f"t{t}") for s, t in random_pairs(5, 80, 300)])
    asked = method("simrank")
    small = [asked.related(store, page, 3) for page in range(0, store.size, 5)]
    monkeypatch.setattr(simrank, "EXACT_PAGES", 0)
    for page, exactly in zip(range(0, store.size, 5), small, strict=True):
        found = asked.related(store, page, 3)
        again = asked.related(store, page, 3)
        assert found.scores.tolist() == again.scores.tolist()
        assert found.scores == pytest.approx(exactly.scores, abs=ERROR)


def test_why_names_where_the_walks_meet(tmp_path):
    store = from_edges(tmp_path / "s.kin", [("hub", "a", "A"), ("hub", "b", "B"), ("top", "x"), ("top", "y"),
                                            ("x", "c"), ("y", "d")])  # fmt: skip
    number = {store.url(p): p for p in range(store.size)}
    [reason] = method("simrank").why(store, number["a"], number["b"])
    assert reason.as_dict() == {
        "kind": "cited-by", "page": "hub", "title": "", "anchors": ["A", "B"], "chance": 0.8, "of": 1,
    }  # fmt: skip
    [further] = method("simrank").why(store, number["c"], number["d"])
    assert (further.kind, further.detail["page"], further.detail["steps"]) == ("walk", "top", 2)
    assert method("simrank").related(store, number["c"], 3).scores.tolist() == pytest.approx([0.64])
    assert "no page links to this one" in method("simrank").related(store, number["hub"], 3).note
