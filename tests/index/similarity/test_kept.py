"""What has changed since a former graph, and the edges of a few nodes, against the rows of all."""

import numpy as np
import pytest

from pagekin.collection.store import Store
from pagekin.index.similarity.graph import Similarity, write
from pagekin.index.similarity.kept import Changed, Kept, totals_with, walked
from pagekin.index.similarity.neighbourhoods import neighbourhoods
from tests.small_webs import from_edges, random_pairs


@pytest.fixture
def made(tmp_path):
    from_edges(tmp_path / "s.kin", [(f"p{a}", f"p{b}") for a, b in random_pairs(1, 60, 300)])
    store, folder = Store(tmp_path / "s.kin"), tmp_path / "made"
    folder.mkdir()
    return store, write(store, Similarity(delta=0.0), folder), Kept.read(folder)


def test_the_edges_of_a_few_nodes_are_those_of_all_rows(made):
    store, about, kept = made
    rows = np.array([0, 3, 4, 17], np.int32)
    found = walked(rows, neighbourhoods(store, "co-citation", max_out=1_000).sets(), 0.0, np.inf, 2)
    start, neighbour, bits = kept.edges
    for node in range(kept.head.size):
        all_of, mine = slice(start[node], start[node + 1]), slice(found.start[node], found.start[node + 1])
        touching = np.isin(neighbour[all_of], rows) | np.isin(node, rows)
        assert found.neighbour[mine].tolist() == neighbour[all_of][touching].tolist()
        assert found.bits[mine].tolist() == bits[all_of][touching].tolist()
    every = np.arange(kept.head.size, dtype=np.int32)
    assert totals_with(kept, every, None, 2) == (about.pairs, kept.sum)
    assert totals_with(kept, rows, None, 1) == (found.pairs, found.sum)


def test_a_link_changes_both_its_ends_and_no_other(made):
    store, _, kept = made
    urls = [store.url(page) for page in range(store.size)]
    one, other = next((a, b) for a in range(5) for b in range(5, 20) if b not in store.arrays.targets(a))
    later = from_edges(store.path, [(urls[one], urls[other])])
    changed = Changed.since(kept, neighbourhoods(later, "co-citation"), later.graph.ids)
    assert np.flatnonzero(changed.was < 0).tolist() == np.flatnonzero(changed.is_now < 0).tolist() == [one, other]
    assert 0 < changed.share < 1
