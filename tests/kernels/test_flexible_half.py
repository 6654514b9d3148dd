"""Clustering over edges alone gives the merges of clustering over all pairs, to the last bit, with all ties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform

from pagekin.cluster.flexible import Hierarchy, bytes_needed, flexible
from pagekin.index.similarity.candidates import MAX_CANDIDATES
from pagekin.kernels import frozen
from pagekin.kernels.flexible import distances, merged
from pagekin.kernels.flexible_half import merged_half


def random_edges(seed, n, m, levels):
    """Up to m different edges with few different similarities."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, n, (2, m))
    key = np.unique((np.minimum(a, b) * n + np.maximum(a, b))[a != b])
    sim = rng.integers(1, levels + 1, key.size) / (levels + rng.integers(0, 3, key.size))
    return tuple(map(frozen, ((key // n).astype(np.int32), (key % n).astype(np.int32), sim)))


def both(n, edges):
    return merged_half(n, *edges), merged(distances(n, *edges), 0.5)


@pytest.mark.parametrize("seed", range(60))
def test_small_graphs_with_many_ties(seed):
    n = 2 + seed % 40
    ours, theirs = both(n, random_edges(seed, n, (1 + seed % 6) * n, 1 + seed % 7))
    assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("edges, levels", [(4_000, 1), (6_000, 3), (60_000, 9)])
def test_graphs_larger_than_the_candidates(edges, levels):
    n = MAX_CANDIDATES + 300
    ours, theirs = both(n, random_edges(edges, n, edges, levels))
    assert np.array_equal(ours, theirs)


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_similarities_near_nothing_meet_the_window_of_those_that_are_nothing(data):
    n = data.draw(st.integers(2, 12))
    page = st.integers(0, n - 1)
    sims = st.sampled_from([1e-11, 3e-12, 1e-12, 8e-13, 1e-13, 1e-17, 0.5, 1.0])
    drawn = data.draw(st.dictionaries(st.tuples(page, page), sims, max_size=30))
    rows = sorted((i, j, sim) for (i, j), sim in drawn.items() if i < j)
    a, b = (frozen(np.array([row[k] for row in rows], np.int32)) for k in (0, 1))
    ours, theirs = both(n, (a, b, frozen(np.array([row[2] for row in rows]))))
    assert np.array_equal(ours, theirs)


def test_against_scipy_where_nothing_ties():
    """One dense group of a thousand pages, without ties."""
    n = 300
    a, b = (frozen(each.astype(np.int32)) for each in np.triu_indices(n, 1))
    sim = frozen(1 - np.random.default_rng(1).random(a.size))
    theirs = linkage(squareform(distances(n, a, b, sim) - np.eye(n)), "weighted")
    ours = merged_half(n, a, b, sim)
    assert ours[:, 2] == pytest.approx(theirs[:, 2], rel=1e-9)
    together = squareform(cophenet(theirs))
    for page in range(0, n, 50):
        assert Hierarchy(ours).heights_with(page) == pytest.approx(together[page], rel=1e-9)


def test_few_edges_need_little_memory_and_many_no_more_than_all_pairs():
    assert bytes_needed(100_000, 2_000_000, 0.5) < 1e9 < bytes_needed(100_000, 2_000_000, 0.4)
    assert bytes_needed(1_000, 400_000, 0.5) == bytes_needed(1_000, 400_000, 0.4)


def test_an_edge_may_be_given_both_ways_and_in_any_order():
    n, (a, b, sim) = 40, random_edges(3, 40, 60, 3)
    order = np.random.default_rng(2).permutation(2 * a.size)
    both_ways = (np.concatenate(each)[order] for each in ((a, b), (b, a), (sim, sim)))
    assert np.array_equal(flexible(n, *both_ways).merges, merged_half(n, a, b, sim))
