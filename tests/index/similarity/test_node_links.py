"""Links between nodes in files, the same as in memory, however many are made at a time."""

import numpy as np
import pytest

from pagekin.graph.links import link_arrays
from pagekin.index.similarity.neighbourhoods import _between
from pagekin.index.similarity.node_links import write_between, write_limited
from tests.small_webs import random_pairs

N = 90


def rows(links):
    return [each.tolist() for each in links.values()]


@pytest.fixture(params=range(3))
def graph(request):
    source, target = np.array(random_pairs(request.param, N, 6 * N), np.int32).T
    return link_arrays(np.ascontiguousarray(source), np.ascontiguousarray(target), N)


@pytest.mark.parametrize("memory", ["1KB", "1GB"])
@pytest.mark.parametrize("nodes", [1, 30, N])
def test_pages_that_are_one_node_or_none(graph, tmp_path, monkeypatch, nodes, memory):
    monkeypatch.setenv("PAGEKIN_MEMORY", memory)
    node = np.random.default_rng(nodes).integers(-1, nodes, N).astype(np.int32)
    assert rows(write_between(graph, node, nodes, tmp_path)) == rows(_between(graph, node, nodes))


@pytest.mark.parametrize("memory", ["1KB", "1GB"])
@pytest.mark.parametrize(("max_in", "max_out"), [(None, 5), (3, None), (2, 7), (None, 1_000), (1, 1), (None, None)])
def test_links_within_limits(graph, tmp_path, monkeypatch, max_in, max_out, memory):
    monkeypatch.setenv("PAGEKIN_MEMORY", memory)
    assert rows(write_limited(graph, max_in, max_out, tmp_path)) == rows(graph.limited(max_in, max_out))


def test_a_graph_without_links(tmp_path):
    empty = link_arrays(np.zeros(0, np.int32), np.zeros(0, np.int32), 3)
    node = np.array([0, -1, 0], np.int32)
    assert rows(write_between(empty, node, 1, tmp_path)) == rows(_between(empty, node, 1))
    assert rows(write_limited(empty, 2, 2, tmp_path)) == rows(empty)
