"""Hubs and authorities against a dense twin, NetworkX and scikit-network, and on real base sets."""

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix
from sknetwork.ranking import HITS

from pagekin.acquire.sources import open_sources
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.kernels.hits import TOLERANCE, hubs_and_authorities, is_simple
from tests.small_webs import random_pairs


def links(pairs):
    source, target = np.array(sorted({(s, t) for s, t in pairs if s != t}), np.int32).reshape(-1, 2).T
    return source, target


def dense_twin(source, target, to_authority, to_hub, n):
    """Eq. 4, with whole matrices and a Python loop over the steps."""
    hubward, authorityward = np.zeros((n, n)), np.zeros((n, n))
    for s, t, a, h in zip(source, target, to_authority, to_hub, strict=True):
        hubward[s, t], authorityward[t, s] = h, a
    hub = authority = np.ones(n) / np.sqrt(n)
    for _ in range(5_000):
        hub = hubward @ authority
        hub /= np.linalg.norm(hub)
        authority = authorityward @ hub
        authority /= np.linalg.norm(authority)
    return authority, hub


@pytest.mark.parametrize("seed", range(8))
def test_weighted_scores_equal_the_dense_twin(seed):
    rng = np.random.default_rng(seed)
    source, target = links(random_pairs(seed, 40, 160))
    weights = rng.random(source.size), rng.random(source.size)
    authority, hub, changes = hubs_and_authorities(source, target, *weights, 40)
    for ours, twin in zip((authority, hub), dense_twin(source, target, *weights, 40), strict=True):
        assert np.abs(ours - twin).max() < 1e-8
        assert (ours >= 0).all()
    assert changes[-1].max() < TOLERANCE
    assert (np.diff(changes[3:].max(axis=1)) < 0).all()


@pytest.mark.parametrize("seed", range(4))
def test_without_weights_they_are_those_of_networkx_and_scikit_network(seed):
    source, target = links(random_pairs(seed, 200, 900))
    same_as_the_libraries(source, target, 200)


@pytest.mark.data
@pytest.mark.parametrize("name", ["Cars", "Education", "Movies", "Parks", "cheese"])
def test_on_the_query_graphs_they_are_those_of_networkx_and_scikit_network(data, tmp_path, name):
    ingest(tmp_path / "s.kin", open_sources([data("query-graphs") / name], "auto", None))
    graph = Store(tmp_path / "s.kin").arrays
    source = np.repeat(np.arange(graph.size, dtype=np.int32), np.diff(graph.out_start))
    assert source.size > 1_000
    same_as_the_libraries(source, np.asarray(graph.out), graph.size)


def same_as_the_libraries(source, target, n):
    ones = np.ones(source.size)
    authority, hub, _ = hubs_and_authorities(source, target, ones, ones, n)
    assert is_simple(source, target, authority, hub)
    web = nx.DiGraph()
    web.add_nodes_from(range(n))
    web.add_edges_from(zip(source.tolist(), target.tolist(), strict=True))
    hubs, authorities = nx.hits(web, max_iter=10_000, tol=1e-12)
    assert np.abs(authority / authority.sum() - [authorities[page] for page in range(n)]).max() < 1e-6
    assert np.abs(hub / hub.sum() - [hubs[page] for page in range(n)]).max() < 1e-6
    other = HITS().fit(csr_matrix(csr_array((ones, (source, target)), shape=(n, n))))
    assert np.abs(authority - other.scores_col_ / np.linalg.norm(other.scores_col_)).max() < 1e-6
    assert np.abs(hub - other.scores_row_ / np.linalg.norm(other.scores_row_)).max() < 1e-6


def test_two_groups_that_tie_are_seen_and_scored_evenly():
    # Two hubs with two authorities each: the eigenvalue 2 twice.
    source, target = links([(0, 1), (0, 2), (3, 4), (3, 5)])
    ones = np.ones(4)
    authority, hub, changes = hubs_and_authorities(source, target, ones, ones, 6)
    assert authority[[1, 2, 4, 5]].tolist() == pytest.approx([0.5] * 4)
    assert hub[[0, 3]].tolist() == pytest.approx([np.sqrt(0.5)] * 2)
    assert changes[-1].max() < TOLERANCE
    assert not is_simple(source, target, authority, hub)


def test_a_smaller_group_beside_a_larger_one_has_no_score():
    source, target = links([(0, 1), (0, 2), (0, 6), (3, 4), (3, 5)])
    authority, hub, _ = hubs_and_authorities(source, target, np.ones(5), np.ones(5), 7)
    assert authority[[4, 5]].tolist() == [0, 0]
    assert is_simple(source, target, authority, hub)


def test_weights_that_are_all_zero_give_zeros_not_nan():
    source, target = links([(0, 1), (1, 2)])
    authority, hub, changes = hubs_and_authorities(source, target, np.zeros(2), np.zeros(2), 3)
    assert not authority.any()
    assert not hub.any()
    assert np.isfinite(changes).all()


def test_steps_that_do_not_suffice_are_seen():
    source, target = links(random_pairs(3, 60, 240))
    ones = np.ones(source.size)
    *_, changes = hubs_and_authorities(source, target, ones, ones, 60, most_steps=3)
    assert len(changes) == 3
    assert changes[-1].max() > TOLERANCE
