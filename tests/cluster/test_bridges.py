"""Cross-topic pages: a page between two topics scores high, with one of each as its witnesses; twins by hand."""

from itertools import combinations

import numpy as np
import pytest

from pagekin.answers.collection import Collection
from pagekin.cluster.bridges import LIST, bridge_of
from pagekin.cluster.hierarchy import hierarchy_around
from pagekin.collection.store import Store
from pagekin.index.similarity.graph import Similarity, similarity_graph
from pagekin.methods import method
from tests.small_webs import from_edges, random_pairs, ring_of_groups

CANDIDATES = 400  # in the place of 2,000: a whole component is the same of fewer, and quicker


def test_the_score_is_the_formula_over_the_first_fifteen(tmp_path):
    pairs = [(f"p{s}", f"p{t}") for s, t in random_pairs(3, 50, 300)]
    graph = similarity_graph(from_edges(tmp_path / "s.kin", pairs), Similarity())
    scored = 0
    for node in range(graph.nodes):
        tree = hierarchy_around(graph, node)
        found = bridge_of(tree)
        if tree.hierarchy.size < 3:
            assert found is None
            continue
        listed = tree.ranked()[0][:LIST].tolist()
        first = tree.hierarchy.first_merge_heights
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


@pytest.fixture(scope="module")
def ring(tmp_path_factory):
    """A component larger than the candidates."""
    path = tmp_path_factory.mktemp("bridges") / "s.kin"
    ring_of_groups(path, CANDIDATES + 200)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("pagekin.methods.assisted.MAX_CANDIDATES", CANDIDATES)
        yield path


def whole_scores(store, asked):
    """The formula on the lists and the hierarchy that `assisted` itself shows, page by page."""
    scores = {}
    for page in range(0, store.size, 7):
        graph, tree, _ = asked.hierarchy(store, page)
        listed = asked.related(store, page, LIST).pages.tolist()
        if len(listed) < 2:
            continue
        places = [int(np.searchsorted(tree.nodes, graph.node_of(int(store.graph.ids[q])))) for q in listed]
        first, best = tree.hierarchy.first_merge_heights, 0.0
        for b, c in combinations(places, 2):
            height = tree.hierarchy.heights_with(b)[c]
            best = max(best, abs(first[b] - height) + abs(first[c] - height))
        scores[store.url(page)] = best / (2 * tree.hierarchy.merges[-1, 2]), {store.url(q) for q in listed}
    return scores


def test_scores_and_witnesses_come_from_the_list_that_assisted_gives(ring):
    site = Collection(ring)
    site.build(method="assisted")
    store, told = Store(ring), []
    expected = whole_scores(store, method("assisted"))
    found = site.bridges(k=100_000, progress=told.append)
    assert found.note is None
    shown = {row.url: row for row in found}
    assert shown.keys() & expected.keys() == {url for url, (score, _) in expected.items() if score > 1e-11}
    for url, row in shown.items():
        if url in expected:
            score, listed = expected[url]
            assert row.score == pytest.approx(score, abs=1e-11)
            assert set(row.witnesses) <= listed
    assert told[-1].done == told[-1].total > CANDIDATES


def test_without_the_whole_component_the_answer_names_the_build_that_changes_it(tmp_path, monkeypatch):
    path = tmp_path / "s.kin"
    from_edges(path, [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")])  # each alike to the next
    site = Collection(path)
    site.build(index="similarity")
    assert site.bridges().note is None  # all are among the candidates
    cut = site.bridges("assisted(max_candidates=3)")
    assert "clustered only with those nearest to them" in cut.note
    monkeypatch.setattr("pagekin.methods.assisted.MAX_CANDIDATES", 3)
    assert 'run: Collection("' in site.bridges().note and 'build(method="assisted")' in site.bridges().note
    site.build(method="assisted")
    assert site.bridges().note is None


def test_scores_that_tell_nothing_apart_are_said(tmp_path):
    """Two groups that one page of each holds together: every list has both, and the same two pages are farthest."""
    path = tmp_path / "s.kin"
    groups = [(f"{group}hub{i}", f"{group}{j}") for group in "ab" for i in range(4) for j in range(5)]
    from_edges(path, [*groups, ("ahub0", "b0"), ("bhub0", "a0")])
    site = Collection(path)
    site.build(method="assisted")
    found = site.bridges(k=3)
    assert len({row.score for row in found}) == 1
    assert found.note.startswith("18 pages have the first score, so their order says nothing")
    assert site.bridges(k=18).note is None


def test_a_page_whose_related_pages_are_one_group_is_no_bridge(tmp_path):
    """Twenty pages with the same six citers merge at one height, so the first fifteen are not apart at all."""
    store = from_edges(tmp_path / "s.kin", [(f"hub{i}", f"p{j}") for i in range(6) for j in range(20)])
    graph = similarity_graph(store, Similarity())
    assert bridge_of(hierarchy_around(graph, store.graph.pages["url"].to_pylist().index("p0"))).score == 0


def test_a_page_with_fewer_than_two_related_pages_has_no_score(tmp_path):
    graph = similarity_graph(from_edges(tmp_path / "s.kin", [("a", "b")]), Similarity())
    assert [bridge_of(hierarchy_around(graph, node)) for node in (0, 1)] == [None, None]
