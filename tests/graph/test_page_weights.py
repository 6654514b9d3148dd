"""Weights of citing pages: PageRank and hubs against networkx."""

import networkx as nx
import numpy as np
import pytest

from pagekin.graph.links import link_arrays
from pagekin.graph.page_weights import hub_scores, pagerank, weights
from tests.small_webs import random_pairs

N = 50


@pytest.fixture(scope="module")
def webs():
    pairs = random_pairs(3, N, 200)
    graph = nx.DiGraph((s, t) for s, t in pairs if s != t)
    graph.add_nodes_from(range(N))
    source, target = (np.array(side, np.int32) for side in zip(*pairs, strict=True))
    return link_arrays(source, target, N), graph


def test_pagerank_and_hubs_are_networkx_s(webs):
    ours, theirs = webs
    expected = nx.pagerank(theirs, alpha=0.85, tol=1e-13, max_iter=500)
    assert pagerank(ours) == pytest.approx([expected[n] for n in range(N)], abs=1e-9)
    hub = nx.hits(theirs, tol=1e-13, max_iter=1000)[0]
    assert hub_scores(ours) / hub_scores(ours).sum() == pytest.approx([hub[n] for n in range(N)], abs=1e-7)


def test_a_weight_is_a_place_among_all(webs):
    rank, weight = pagerank(webs[0]), weights(webs[0], "pagerank")
    assert weight.min() == 0.5
    assert weight.max() < 1
    best = int(rank.argmax())
    assert weight[best] == (1 + (N - 1) / N) / 2
    assert np.array_equal(weights(webs[0], "none"), np.ones(N))
    assert (np.argsort(rank)[-5:] == np.argsort(weight, kind="stable")[-5:]).all()
