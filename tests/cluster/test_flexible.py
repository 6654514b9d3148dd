"""Flexible clustering against its slow twin, exact fractions, SciPy, R and the paper's example."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cophenet, is_valid_linkage, leaves_list, linkage
from scipy.spatial.distance import squareform

from pagekin.cluster.flexible import Hierarchy, flexible, ranking
from pagekin.errors import UsageError

ALPHAS = [0.02, 0.06, 0.25, 0.5, 0.625, 0.8, 1.0]
A, B, C, D = range(4)
EXAMPLE = [(A, B, 0.5), (A, C, 0.4), (A, D, 0.3), (B, D, 0.2)]  # 5.3: sim(b,c) and sim(c,d) are 0


def clustered(n, edges, alpha):
    a, b, sim = zip(*edges, strict=True) if edges else ((), (), ())
    return flexible(n, a, b, [float(s) for s in sim], float(alpha))


def twin(n, edges, alpha, window=1e-12):
    """Eq. 5 as it is written, in any kind of number: (smaller id, larger id, height, size) of every merge."""
    d = {(i, j): 1 for i in range(n) for j in range(i + 1, n)}
    d |= {(min(i, j), max(i, j)): 1 - sim for i, j, sim in edges}
    ident, size, merges = list(range(n)), [1] * n, []
    while d:
        low = min(d.values())
        i, j = min(pair for pair in d if d[pair] <= low + window * low)
        height = d.pop((i, j))
        for h in range(n):
            hi, hj = (min(h, i), max(h, i)), (min(h, j), max(h, j))
            if hi in d:
                d[hi] = alpha * d[hi] + alpha * d.pop(hj) + (1 - 2 * alpha) * height
        size[i] += size[j]
        merges.append((*sorted((ident[i], ident[j])), height, size[i]))
        ident[i] = n + len(merges) - 1
    return merges


def twin_heights(n, merges):
    """d(p) of all pages and d(p,q) of all pairs, with sets of pages."""
    members, first, together = {p: {p} for p in range(n)}, {}, {}
    for row, (i, j, height, _) in enumerate(merges):
        for p in members[i]:
            for q in members[j]:
                together[p, q] = together[q, p] = height
                first.setdefault(p, height)
                first.setdefault(q, height)
        members[n + row] = members[i] | members[j]
    return first, together


def twin_ranking(n, merges, page):
    first, together = twin_heights(n, merges)
    return sorted(
        set(range(n)) - {page},
        key=lambda q: (
            abs(first[page] - together[page, q]) + abs(first[q] - together[page, q]),
            together[page, q],
            q,
        ),
    )


def random_edges(rng, n, edges, levels):
    """A sparse graph full of ties: similarities are `levels` fractions."""
    values = [Fraction(int(rng.integers(1, 7)), int(rng.integers(7, 13))) for _ in range(levels)]
    pairs = {tuple(sorted(rng.choice(n, 2, replace=False).tolist())) for _ in range(edges)} if n > 1 else set()
    return [(i, j, values[rng.integers(levels)]) for i, j in sorted(pairs)]


def dense(rng, n):
    """No ties."""
    return [(i, j, 1 - rng.random()) for i in range(n) for j in range(i + 1, n)]


def condensed(n, edges):
    square = np.zeros((n, n))
    for i, j, sim in edges:
        square[i, j] = square[j, i] = 1 - sim
    return squareform(square)


# The paper


def test_the_example_at_one_half_gives_page_b_the_order_a_d_c():
    pages, distance = ranking(clustered(4, EXAMPLE, 0.5), B)
    assert pages.tolist() == [A, D, C]
    assert distance == pytest.approx([0, 0.25, 0.4])


@pytest.mark.parametrize("alpha", [0.001, *ALPHAS])
def test_the_example_by_hand(alpha):
    heights = clustered(4, EXAMPLE, alpha).merges[:, 2]
    assert heights == pytest.approx([0.5, 0.5 + 0.5 * alpha, 0.5 + alpha - 0.4 * alpha**2], rel=1e-12)


@pytest.mark.parametrize("alpha", [0.001, *ALPHAS])
def test_eq_5_puts_d_before_c_for_every_alpha_whatever_the_paper_prints_for_two_hundredths(alpha):
    assert 0.5 + 0.5 * alpha < 0.5 + 0.6 * alpha
    assert ranking(clustered(4, EXAMPLE, alpha), B)[0].tolist() == [A, D, C]


# Ties: sparse inputs against the twin


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("seed", range(25))
def test_merges_equal_the_twin_s_to_the_last_bit(seed, alpha):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 36))
    edges = [(i, j, float(sim)) for i, j, sim in random_edges(rng, n, int(rng.integers(0, 4 * n)), 1 + seed % 5)]
    assert clustered(n, edges, alpha).merges.tolist() == [list(merge) for merge in twin(n, edges, alpha)]


@pytest.mark.parametrize("alpha", ["1/50", "3/50", "1/4", "1/3", "1/2", "5/8", "4/5", "1"])
@pytest.mark.parametrize("seed", range(15))
def test_ties_are_those_of_exact_fractions(seed, alpha):
    """The last bits of floating point decide nothing."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 20))
    edges = random_edges(rng, n, int(rng.integers(n, 4 * n)), 1 + seed % 5)
    exact = twin(n, edges, Fraction(alpha), Fraction(1, 10**12))
    ours = clustered(n, edges, Fraction(alpha)).merges
    assert ours[:, [0, 1, 3]].tolist() == [[i, j, size] for i, j, _, size in exact]
    assert ours[:, 2] == pytest.approx([float(height) for *_, height, _ in exact], rel=1e-12)


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_merges_equal_the_twin_s_on_what_hypothesis_finds(data):
    n = data.draw(st.integers(1, 12))
    page = st.integers(0, n - 1)
    sims = st.sampled_from([0.1, 0.25, 0.3, 1 / 3, 0.5, 0.7, 1.0]) | st.floats(1e-6, 1)
    drawn = data.draw(st.dictionaries(st.tuples(page, page), sims, max_size=30))
    edges = [(i, j, sim) for (i, j), sim in drawn.items() if i < j]
    alpha = data.draw(st.sampled_from(ALPHAS) | st.floats(0, 1, exclude_min=True))
    ours = clustered(n, edges, alpha).merges
    assert ours.tolist() == [list(merge) for merge in twin(n, edges, alpha)]


def test_the_least_pair_of_names_merges_first():
    """(0,3) before (1,2); then 3, now in cluster 0, with it before 2 with 4."""
    half = [(1, 2, 0.5), (3, 0, 0.5), (2, 4, 0.5), (4, 3, 1 / 3)]
    assert clustered(5, half, 0.5).merges[:2, :2].tolist() == [[0, 3], [1, 2]]


def test_an_edge_may_be_given_both_ways():
    both = EXAMPLE + [(j, i, sim) for i, j, sim in EXAMPLE]
    assert np.array_equal(clustered(4, both, 0.3).merges, clustered(4, EXAMPLE, 0.3).merges)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_all_similarities_equal(alpha):
    n = 30
    hierarchy = clustered(n, [(i, j, 0.3) for i in range(n) for j in range(i + 1, n)], alpha)
    assert hierarchy.merges[:, 2] == pytest.approx(np.full(n - 1, 0.7), rel=1e-12)
    pages, distance = ranking(hierarchy, 7)
    assert pages.tolist() == [page for page in range(n) if page != 7], "page order"
    assert distance == pytest.approx(np.zeros(n - 1), abs=1e-12)
    assert np.unique(distance).size == 1, "equal is equal"


@pytest.mark.parametrize("alpha", [0.02, 0.25, 0.5, 0.8])
def test_what_is_not_connected_comes_together_all_the_same(alpha):
    """Two pairs and a page between which there is nothing: 1 for α = 0.5, nearer below, further above (by hand)."""
    heights = clustered(5, [(0, 1, 0.5), (3, 4, 0.5)], alpha).merges[:, 2]
    assert heights[:2].tolist() == [0.5, 0.5]
    assert heights[2] == pytest.approx(0.5 + min(alpha, 2 * alpha**2))


def test_no_edges_at_all():
    assert clustered(4, [], 0.25).merges.tolist() == [[0, 1, 1, 2], [2, 4, 1, 3], [3, 5, 1, 4]]


def test_one_page_and_two():
    alone = clustered(1, [], 0.5)
    assert (alone.size, alone.merges.shape, alone.order().tolist()) == (1, (0, 4), [0])
    assert alone.heights_with(0).tolist() == [0]
    assert np.isnan(alone.first_merge_heights).all()
    assert [side.tolist() for side in ranking(alone, 0)] == [[], []]
    pair = clustered(2, [(1, 0, 0.25)], 0.02)
    assert pair.merges.tolist() == [[0, 1, 0.75, 2]]
    assert [side.tolist() for side in ranking(pair, 1)] == [[0], [0]]


@pytest.mark.parametrize("alpha", ALPHAS)
def test_heights_do_not_fall_and_every_run_gives_the_same(alpha):
    rng = np.random.default_rng(5)
    n = 300
    edges = random_edges(rng, n, 10 * n, 12)
    merges = clustered(n, edges, alpha).merges
    assert (np.diff(merges[:, 2]) >= -1e-12 * merges[1:, 2]).all()
    assert is_valid_linkage(merges)
    assert np.array_equal(merges, clustered(n, edges[::-1], alpha).merges)


# Other people's programs: dense inputs without ties


@pytest.mark.parametrize("seed", range(20))
def test_one_half_is_scipy_s_weighted(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60))
    edges = dense(rng, n)
    assert clustered(n, edges, 0.5).merges == pytest.approx(linkage(condensed(n, edges), "weighted"), rel=1e-12)


AGNES = """
suppressMessages(library(cluster))
options(digits = 17)
for (line in readLines("inputs")) {
  x <- scan(text = line, quiet = TRUE)
  d <- structure(x[-(1:2)], Size = x[2], Diag = FALSE, Upper = FALSE, class = "dist")
  tree <- agnes(d, diss = TRUE, method = "flexible", par.method = x[1])
  cat(sprintf("%.17g", sort(tree$height)), "\\n")
}
"""
INSTALL = ["apt-get", "install", "-y", "--no-install-recommends", "r-base-core", "r-cran-cluster"]


def agnes_is_there():
    return (
        shutil.which("Rscript")
        and not subprocess.run(["Rscript", "-e", "library(cluster)"], capture_output=True, check=False).returncode
    )


@pytest.fixture(scope="session")
def rscript():
    """R with its package cluster, from Debian where that can be; one process at a time tries."""
    with (Path(tempfile.gettempdir()) / "pagekin-r.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not agnes_is_there() and os.geteuid() == 0 and shutil.which("apt-get"):
            quiet = {"capture_output": True, "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"}, "timeout": 600}
            if subprocess.run(INSTALL, check=False, **quiet).returncode:  # on a new machine there are no lists
                subprocess.run(["apt-get", "update"], check=False, **quiet)
                subprocess.run(INSTALL, check=False, **quiet)
        if not agnes_is_there():
            pytest.skip(f"R's package cluster is not installed and could not be; as root: {' '.join(INSTALL)}")
    return "Rscript"


@pytest.mark.slow
def test_heights_are_those_of_r_s_agnes(rscript, tmp_path):
    rng = np.random.default_rng(2026)
    sizes = [2, 3, 4, 5, *rng.integers(6, 50, 26).tolist()]
    inputs = [(alpha, n, dense(rng, n)) for alpha in ALPHAS for n in sizes]
    assert len(inputs) >= 200
    (tmp_path / "inputs").write_text(
        "".join(f"{alpha} {n} {' '.join(map(repr, condensed(n, edges).tolist()))}\n" for alpha, n, edges in inputs)
    )
    (tmp_path / "agnes.R").write_text(AGNES)
    done = subprocess.run([rscript, "agnes.R"], cwd=tmp_path, capture_output=True, text=True, check=True)
    for line, (alpha, n, edges) in zip(done.stdout.splitlines(), inputs, strict=True):
        assert clustered(n, edges, alpha).merges[:, 2] == pytest.approx(
            [float(height) for height in line.split()], rel=1e-9
        )


# What is read off the merges


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("seed", range(6))
def test_heights_and_leaf_order(seed, alpha):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 30))
    hierarchy = clustered(n, random_edges(rng, n, 3 * n, 4), alpha)
    first, together = twin_heights(n, hierarchy.merges.tolist())
    assert hierarchy.first_merge_heights.tolist() == [first[p] for p in range(n)]
    square = np.array([hierarchy.heights_with(p) for p in range(n)])
    assert square.tolist() == [[together.get((p, q), 0) for q in range(n)] for p in range(n)]
    assert square == pytest.approx(squareform(cophenet(hierarchy.merges)))
    assert np.array_equal(hierarchy.order(), leaves_list(hierarchy.merges))
    some = rng.permutation(n)[:15].astype(np.int32)
    assert np.array_equal(hierarchy.heights_among(some), square[np.ix_(some, some)])


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("seed", range(8))
def test_the_first_of_a_ranking_are_those_of_the_whole(seed, alpha):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 80))
    hierarchy = clustered(n, random_edges(rng, n, (1 + seed % 3) * n, 1 + seed % 5), alpha)
    for page in range(0, n, 3):
        pages, distance = ranking(hierarchy, page)
        for k in (1, 2, 5, 15, n):
            first = ranking(hierarchy, page, k)
            assert first[0].tolist() == pages[:k].tolist()
            assert first[1].tolist() == distance[:k].tolist()


@pytest.mark.parametrize("alpha", ["1/4", "1/3", "1/2", "5/8", "4/5", "1"])
@pytest.mark.parametrize("seed", range(20))
def test_the_ranking_is_that_of_exact_fractions(seed, alpha):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 12))
    edges = random_edges(rng, n, 2 * n, 1 + seed % 3)
    exact = twin(n, edges, Fraction(alpha), Fraction(1, 10**12))
    for page in range(n):
        pages, distance = ranking(clustered(n, edges, Fraction(alpha)), page)
        assert pages.tolist() == twin_ranking(n, exact, page)
        assert (np.diff(distance) >= 0).all()


def test_equal_distances_go_by_the_height_of_the_meeting_then_by_page():
    """d(p) = 0.2 for p = 0; page 2 meets it at 0.6 from 0.5, page 4 at 0.5 from 0.3 …: both 0.4 + 0.1 = 0.3 + 0.2."""
    merges = np.array(
        [[0, 1, 0.2, 2], [4, 5, 0.3, 2], [6, 7, 0.5, 4], [2, 3, 0.5, 2], [8, 9, 0.6, 6]]
    )  # pages 0 … 5, clusters 6 …
    pages, distance = ranking(Hierarchy(merges), 0)
    assert pages.tolist() == [1, 4, 5, 2, 3]
    assert distance.tolist() == pytest.approx([0, 0.5, 0.5, 0.5, 0.5])
    assert np.unique(distance).size == 2


# What cannot be


@pytest.mark.parametrize("alpha", [0, -0.1, 1.0000001, float("nan"), float("inf")])
def test_alpha_outside_its_range_is_a_usage_error(alpha):
    with pytest.raises(UsageError, match=rf"alpha is {alpha}; expected more than 0 and at most 1"):
        flexible(2, [0], [1], [0.5], alpha)


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ((0, [], [], []), "0 pages"),
        ((2, [0], [1, 0], [0.5]), "1, 2 and 1"),
        ((2, [0], [2], [0.5]), r"outside 0 … 1"),
        ((2, [-1], [1], [0.5]), r"outside 0 … 1"),
        ((2, [1], [1], [0.5]), "to itself"),
        ((2, [0], [1], [0.0]), "expected more than 0"),
        ((2, [0], [1], [1.5]), "at most 1"),
        ((2, [0], [1], [float("nan")]), "at most 1"),
    ],
)
def test_edges_that_cannot_be(edges, message):
    with pytest.raises(ValueError, match=message):
        flexible(*edges)


def test_a_page_that_is_not_there():
    with pytest.raises(IndexError, match="there is no page 4; the pages of this hierarchy are 0 … 3"):
        ranking(clustered(4, EXAMPLE, 0.5), 4)
