"""Cross-topic pages: a page between two topics scores high, with one of each as its witnesses; twins by hand."""

from itertools import combinations

import numpy as np
import pytest

from pagekin.cluster.bridges import LIST, bridge, bridges
from pagekin.cluster.hierarchy import hierarchy_around
from pagekin.index.similarity.graph import Similarity, similarity_graph
from tests.small_webs import from_edges, random_pairs


def test_the_score_is_the_formula_over_the_first_fifteen(tmp_path):
    pairs = [(f"p{s}", f"p{t}") for s, t in random_pairs(3, 50, 300)]
    graph = similarity_graph(from_edges(tmp_path / "s.kin", pairs), Similarity())
    scored = 0
    for node in range(graph.nodes):
        found = bridge(graph, node)
        tree = hierarchy_around(graph, node, 0.5, 200)
        if tree.hierarchy.size < 3:
            assert found is None
            continue
        listed = tree.ranking[0][:LIST].tolist()
        first = tree.hierarchy.first_merge_heights()
        apart = {}
        for b, c in combinations(listed, 2):
            height = tree.hierarchy.heights_with(b)[c]
            apart[b, c] = abs(first[b] - height) + abs(first[c] - height)
        assert found.score == pytest.approx(max(apart.values()) / (2 * tree.hierarchy.merges[-1, 2]), abs=1e-11)
        places = tuple(int(np.searchsorted(tree.nodes, witness)) for witness in found.witnesses)
        assert apart[places] == pytest.approx(max(apart.values()), abs=1e-11)
        assert 0 <= found.score <= 1
        scored += 1
    assert scored > 20
    assert [node for node, _ in bridges(graph, range(graph.nodes))] == [
        node for node in range(graph.nodes) if bridge(graph, node)
    ]


def test_a_page_whose_related_pages_are_one_group_is_no_bridge(tmp_path):
    """Twenty pages with the same six citers merge at one height, so the first fifteen are not apart at all."""
    store = from_edges(tmp_path / "s.kin", [(f"hub{i}", f"p{j}") for i in range(6) for j in range(20)])
    graph = similarity_graph(store, Similarity())
    assert bridge(graph, store.graph.pages["url"].to_pylist().index("p0")).score == 0


def test_a_page_with_fewer_than_two_related_pages_has_no_score(tmp_path):
    graph = similarity_graph(from_edges(tmp_path / "s.kin", [("a", "b")]), Similarity())
    assert [bridge(graph, node) for node in (0, 1)] == [None, None]
