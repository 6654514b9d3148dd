"""Base sets against a breadth-first search one can read, and their limit."""

import numpy as np
import pytest

from pagekin.errors import UsageError
from pagekin.graph.base_set import base_set
from pagekin.graph.links import link_arrays
from pagekin.methods import method
from tests.small_webs import random_pairs


def graph_of(pairs, n):
    source, target = np.array(pairs, np.int32).T
    return link_arrays(source, target, n)


def slow_distances(pairs, page, radius):
    near = {page: 0}
    for step in range(1, radius + 1):
        for s, t in pairs:
            for here, there in ((s, t), (t, s)):
                if near.get(here) == step - 1 and there not in near:
                    near[there] = step
    return near


@pytest.mark.parametrize("radius", [1, 2, 3, 50])
@pytest.mark.parametrize("seed", range(3))
def test_pages_distances_and_links_are_those_of_a_breadth_first_search(seed, radius):
    pairs = random_pairs(seed, 80, 120)
    graph = graph_of(pairs, 80)
    for page in range(0, 80, 9):
        base, slow = base_set(graph, page, radius), slow_distances(pairs, page, radius)
        assert dict(zip(base.pages.tolist(), base.distance.tolist(), strict=True)) == slow
        assert base.pages[base.place] == page
        found = list(zip(base.pages[base.source].tolist(), base.pages[base.target].tolist(), strict=True))
        assert found == sorted({(s, t) for s, t in pairs if s in slow and t in slow and s != t})
        assert base.left_out == 0
        assert base.note is None


def test_over_the_limit_the_pages_with_most_links_to_nearer_ones_stay():
    # 0 – 1, 2, 3; at distance two: 4 (linked with all three), 5 (with two), 6 and 7 (with one)
    pairs = [(0, 1), (2, 0), (0, 3), (1, 4), (4, 2), (3, 4), (5, 1), (2, 5), (6, 3), (7, 3), (7, 8)]
    base = base_set(graph_of(pairs, 9), 0, 3, max_pages=7)
    assert base.pages.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert base.left_out == 1
    assert base.note == (
        "the base set is full at 7 pages: of those 2 links away, 1 are left out (those with fewest links to nearer "
        "pages), as are all beyond; raise max_pages to keep more"
    )


def test_statistics_by_hand():
    statistics = base_set(graph_of([(0, 1), (0, 2), (3, 0)], 5), 0, 2).statistics()
    assert statistics == {
        "pages": 4, "links": 3, "mean_out": 1.5, "mean_in": 1.0, "max_out": 2, "max_in": 1, "pendants": 2,
        "rings": [1, 3], "left_out": 0,
    }  # fmt: skip


def test_a_page_alone_is_its_own_base_set():
    base = base_set(graph_of([(0, 1)], 3), 2, 5)
    assert base.pages.tolist() == [2]
    assert base.source.size == 0


@pytest.mark.parametrize("name", ["hits", "hamming"])
@pytest.mark.parametrize(
    ("setting", "words"),
    [("radius=0", "radius must be at least 1, not 0"), ("max_pages=1", "max_pages must be at least 2, not 1")],
)
def test_base_sets_that_could_hold_no_other_page_are_refused(name, setting, words):
    with pytest.raises(UsageError, match=words):
        method(f"{name}({setting})")
