"""The hierarchy around a page: the paper's example, chains of merges, and what is remembered."""

import numpy as np
import pytest

from pagekin.cluster.hierarchy import REMEMBERED, hierarchy_around
from pagekin.index.similarity.candidates import MAX_CANDIDATES
from pagekin.index.similarity.graph import Similarity, similarity_graph
from tests.small_webs import from_edges, random_pairs


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    pairs = [(f"p{s}", f"p{t}") for s, t in random_pairs(5, 60, 300)]
    return similarity_graph(from_edges(tmp_path_factory.mktemp("around") / "s.kin", pairs), Similarity())


@pytest.mark.parametrize("alpha", [0.06, 0.5, 0.9])
def test_a_chain_ends_where_the_two_come_together_and_holds_all_that_either_joined_before(graph, alpha):
    tree = hierarchy_around(graph, 4, alpha)
    for other in tree.ranked()[0].tolist():
        last, *earlier = tree.chain(other)
        merge = tree.merge(last)
        assert merge.height == pytest.approx(tree.hierarchy.heights_with(tree.place)[other])
        sides = {tree.place in merge.left, other in merge.left}
        assert sides == {True, False}
        assert earlier == sorted(earlier, reverse=True)
        for row in earlier:
            before = tree.merge(row)
            assert {tree.place, other} & {*before.left.tolist(), *before.right.tolist()}
        members = {*merge.left.tolist(), *merge.right.tolist()}
        assert len(members) == tree.hierarchy.merges[last, 3]


def test_the_strongest_edge_goes_across(graph):
    tree = hierarchy_around(graph, 4, 0.5)
    a, b, sim = graph.edges_among(tree.nodes)
    for row in range(len(tree.hierarchy.merges)):
        merge = tree.merge(row)
        across = [
            s
            for x, y, s in zip(a.tolist(), b.tolist(), sim.tolist(), strict=True)
            if (x in merge.left and y in merge.right) or (x in merge.right and y in merge.left)
        ]
        assert (merge.strongest is None) == (not across)
        if merge.strongest:
            left, right, strongest = merge.strongest
            assert left in merge.left
            assert right in merge.right
            assert strongest == max(across)


def test_cut_is_whether_a_candidate_is_alike_to_a_page_that_is_none(graph):
    seen = set()
    for node in range(graph.nodes):
        for most in (2, 10, 40, graph.nodes):
            inside = set((tree := hierarchy_around(graph, node, most=most)).nodes.tolist())
            beyond = {q for p in inside for q in graph.neighbour[graph.start[p] : graph.start[p + 1]].tolist()} - inside
            assert tree.cut == bool(beyond)
            seen.add(tree.cut)
    assert seen == {True, False}


def test_another_alpha_has_the_same_candidates_and_what_is_remembered_is_bounded(graph):
    one, other = hierarchy_around(graph, 7, 0.2), hierarchy_around(graph, 7, 0.3)
    assert one.nodes is other.nodes
    assert hierarchy_around(graph, 7, 0.2) is one
    for node in range(REMEMBERED):
        hierarchy_around(graph, node, 0.5)
    assert graph.memo.held("hierarchy", (7, MAX_CANDIDATES, 0.2)) is None
    again = hierarchy_around(graph, 7, 0.2)
    assert np.array_equal(again.hierarchy.merges, one.hierarchy.merges)
