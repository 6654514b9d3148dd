"""SimRank against NetworkX and its definition; the single-source form against the exact one, within its error."""

import networkx as nx
import numpy as np
import pytest

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
    scores = exact(graph, 1e-10)
    for page in range(0, graph.size, 7):
        assert np.abs(single_source(graph, page) - scores[page]).max() <= ERROR


def test_the_error_is_what_the_parts_leave():
    """Truncation, values not carried on, pages without a pair and Hoeffding's bound for all pages fill the error."""
    for pages in (10, 10_000, 10_000_000):
        m = pairs_of_walks(pages)
        spread = 0.8 / simrank.LEAST_DIAGONAL * 0.8**4
        chance = 0.8 ** (simrank.STEPS + 1) + simrank.LEAST / 0.2 + simrank.STEPS * (1 - simrank.MIDDLE) / m
        assert chance + np.sqrt(np.log(2 * pages / 0.01) * spread / (2 * m)) <= ERROR


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
