"""Components against NetworkX, the candidates of best-first search against exact products of all paths."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.errors import UsageError
from pagekin.index.similarity.candidates import MAX_CANDIDATES, candidates, edges_among, labels

SIZE = 3 * 7 * 23 * 120  # so that 1/2, 2/5, 1/5, 3/20 and many more can be made of whole members
HALF = Fraction(1, 2)


def rows(n, edges):
    """The CSR form, every edge at both ends: sets of SIZE members that share as many as make the similarity."""
    both = sorted((p, q, sim) for i, j, sim in edges for p, q in ((i, j), (j, i)))
    start = np.searchsorted([p for p, _, _ in both], np.arange(n + 1)).astype(np.int64)
    common = [2 * SIZE * sim / (1 + sim) for *_, sim in both]  # sim = common / (2 SIZE - common)
    assert all(Fraction(shared).denominator == 1 for shared in common)
    neighbour, bits = ([q for _, q, _ in both], [int(shared) << 4 for shared in common])
    return start, np.array(neighbour, np.int32), np.array(bits, np.int32), np.full(n, SIZE, np.int32)


def twin(n, edges, page, limit):
    """Products of all paths by fixpoint, in fractions; sorted by product, then page, the page itself first."""
    product = {page: Fraction(1)}
    for _ in range(n):
        for i, j, sim in edges:
            for p, q in ((i, j), (j, i)):
                if p in product:
                    product[q] = max(product.get(q, Fraction(0)), product[p] * sim)
    return sorted(product, key=lambda q: (q != page, -product[q], q))[:limit]


def random_edges(seed, n, edges, most=8):
    """Similarities of few values, 1 among them: full of paths with equal products."""
    rng = np.random.default_rng(seed)
    values = [Fraction(k, m) for m in range(1, most + 1) for k in range(1, m + 1) if 2 * SIZE * k % (m + k) == 0]
    found = {}
    for _ in range(edges):
        i, j = sorted(rng.choice(n, 2, replace=False).tolist())
        found[i, j] = values[rng.integers(len(values))]
    return [(i, j, sim) for (i, j), sim in sorted(found.items())]


@settings(deadline=None)
@given(st.data())
def test_components_are_networkx_s_numbered_by_their_first_page(data):
    n = data.draw(st.integers(1, 30))
    page = st.integers(0, n - 1)
    pairs = data.draw(st.lists(st.tuples(page, page), max_size=30))
    graph = nx.Graph(pairs)
    graph.add_nodes_from(range(n))
    expected = [0] * n
    for number, component in enumerate(sorted(nx.connected_components(graph), key=min)):
        for member in component:
            expected[member] = number
    assert labels(n, [a for a, _ in pairs], [b for _, b in pairs]).tolist() == expected


def test_a_long_path_is_one_component_from_either_end():
    n = 100_000
    ends = np.arange(n - 1)
    assert not labels(n, ends, ends + 1).any()
    assert not labels(n, ends[::-1] + 1, ends[::-1]).any()


@pytest.mark.parametrize("limit", [1, 2, 5, 12, 100])
@pytest.mark.parametrize("seed", range(25))
def test_candidates_equal_the_twin_s(seed, limit):
    n = 30
    edges = random_edges(seed, n, 15 + 4 * seed, most=3 + seed)
    for page in (0, 11, 29):
        assert candidates(*rows(n, edges), page, limit).tolist() == twin(n, edges, page, limit)


def test_a_path_counts_the_product_of_its_similarities():
    """5.1: 0.5 × 0.4 = 0.2 is more than a direct 0.15, and as much as a direct 0.2 of a later page."""
    edges = [(3, 1, HALF), (1, 2, Fraction(2, 5)), (3, 0, Fraction(3, 20)), (3, 4, Fraction(1, 5))]
    assert candidates(*rows(5, edges), 3).tolist() == [3, 1, 2, 4, 0]


def test_pages_as_near_as_one_do_not_displace_the_page_itself_and_are_in_page_order():
    """Page 0 is found by way of 2 only, and comes before it all the same."""
    graph = rows(4, [(3, 2, 1), (2, 0, 1), (3, 1, HALF)])
    assert candidates(*graph, 3, 1).tolist() == [3]
    assert candidates(*graph, 3, 2).tolist() == [3, 0]
    assert candidates(*graph, 3).tolist() == [3, 0, 2, 1]


def test_products_too_small_for_a_float_still_reach():
    n = 400
    path = rows(n, [(p, p + 1, Fraction(1, 160)) for p in range(n - 1)])
    assert sorted(candidates(*path, 0).tolist()) == list(range(n))


def test_a_page_without_neighbours_is_its_own_only_candidate():
    assert candidates(*rows(3, [(0, 1, HALF)]), 2).tolist() == [2]


def test_there_is_a_limit_by_default():
    n = MAX_CANDIDATES + 50
    star = rows(n, [(0, p, HALF) for p in range(1, n)])
    assert candidates(*star, 0).tolist() == list(range(MAX_CANDIDATES))


@pytest.mark.parametrize("seed", range(5))
def test_edges_among_are_the_induced_subgraph(seed):
    n = 30
    edges = random_edges(seed, n, 90)
    pages = np.sort(np.random.default_rng(seed).choice(n, 12, replace=False)).astype(np.int32)
    expected = [(i, j, float(sim)) for i, j, sim in edges if i in pages and j in pages]
    a, b, sim = edges_among(*rows(n, edges), pages)
    assert list(zip(pages[a].tolist(), pages[b].tolist(), sim.tolist(), strict=True)) == expected


def test_what_cannot_be_asked():
    graph = rows(2, [(0, 1, HALF)])
    with pytest.raises(UsageError, match="max_candidates must be at least 1, not 0"):
        candidates(*graph, 0, 0)
    with pytest.raises(IndexError, match="there is no page 2; the pages of this graph are 0 … 1"):
        candidates(*graph, 2)
