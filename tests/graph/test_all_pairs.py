"""All pages at once give what each page asked alone gives."""

import numpy as np
import pytest

from pagekin.graph.all_pairs import all_strongest, strongest_of
from pagekin.graph.links import link_arrays
from pagekin.kernels import frozen
from pagekin.kernels.allpairs import row_hashes, twins
from pagekin.kernels.similarity import COUNT, DIRECT, SETS, strongest
from tests.small_webs import random_pairs


def template_web(seed, n=40):
    """A random web in which a third of the pages are copies of others' links."""
    pairs = random_pairs(seed, n, 90)
    rng = np.random.default_rng(seed)
    for copy, page in zip(rng.choice(n, n // 3, False).tolist(), rng.integers(0, n, n // 3).tolist(), strict=True):
        pairs = [pair for pair in pairs if pair[0] != copy] + [(copy, t) for s, t in pairs if s == page]
    return link_arrays(*(np.array(side, np.int32) for side in zip(*pairs, strict=True)), n)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("near", "far"), [("in", "out"), ("out", "in"), ("either", "either")])
@pytest.mark.parametrize("formula", [COUNT, SETS, DIRECT])
@pytest.mark.parametrize(("workers", "k"), [(1, 4), (3, 4), (2, 100)])
def test_all_at_once_equals_one_by_one(seed, near, far, formula, workers, k):
    graph = template_web(seed)
    n = graph.size
    want = strongest(
        frozen(np.arange(n, dtype=np.int32)), k, formula, near == far,
        *graph.rows(near), *graph.rows(far), *graph.rows("out"), *graph.rows("in"),
        np.zeros(n, np.int32), np.zeros(n, np.int32),
    )  # fmt: skip
    found = all_strongest(graph, near, far, formula, k, workers)
    for ours, one_by_one in zip(found, want, strict=True):
        assert ours.tolist() == one_by_one.tolist()
    some = np.random.default_rng(seed).permutation(n)[: n // 2].astype(np.int32)
    for ours, one_by_one in zip(strongest_of(some, graph, near, far, formula, k, workers), want, strict=True):
        assert ours.tolist() == one_by_one[some].tolist()


@pytest.mark.parametrize("hashing", ["real", "all collide"])
def test_twins_are_the_pages_with_the_same_row(hashing):
    graph = template_web(3)
    start, neighbour = graph.rows("out")
    hashes = row_hashes(start, neighbour) if hashing == "real" else np.zeros(graph.size, np.int64)
    class_of, firsts = twins(start, neighbour, hashes, np.argsort(hashes, kind="stable"))
    rows = [tuple(graph.targets(p).tolist()) for p in range(graph.size)]
    for p, row in enumerate(rows):
        assert (class_of[p] == -1) == (row == ())
        if row:
            assert firsts[class_of[p]] == rows.index(row)


def test_no_pages_and_no_links():
    nothing = np.empty(0, np.int32)
    for n in (0, 3):
        for formula in (COUNT, DIRECT):
            sizes, pages, _ = all_strongest(link_arrays(nothing, nothing, n), "in", "out", formula, 5)
            assert sizes.tolist() == [0] * n
            assert pages.shape == (n, 5)
