"""The truncated SVD against the full one of NumPy, and that of scikit-learn where it is installed."""

import numpy as np
import pytest
import scipy.sparse as sp
from threadpoolctl import threadpool_limits

from pagekin.index.text.svd import truncated


def falling(seed, rows, columns):
    """A sparse matrix whose singular values fall slowly, as those of text do."""
    rng = np.random.default_rng(seed)
    made = sp.random_array((rows, columns), density=0.05, rng=rng, dtype=np.float32)
    return sp.csr_array(made @ sp.diags_array(np.arange(1, columns + 1, dtype=np.float32) ** -0.5))


def test_it_is_the_full_one_cut_off():
    x = falling(1, 300, 200)
    s, w = truncated(x, 20)
    exact, turned = np.linalg.svd(x.toarray())[1:]
    assert s == pytest.approx(exact[:20], rel=0.01)
    # The same subspace: what the exact directions lose when they are projected on ours.
    assert np.linalg.norm(turned[:10] - turned[:10] @ w @ w.T) < 0.05
    assert w.T @ w == pytest.approx(np.eye(20), abs=1e-4)


def test_all_dimensions_are_exact_and_those_that_are_not_there_are_left_out():
    x = falling(2, 40, 30)
    x = sp.csr_array(sp.vstack([x, x]))
    s, w = truncated(x, 100)
    exact = np.linalg.svd(x.toarray())[1]
    assert s.size == np.count_nonzero(exact > 1e-3 * exact[0])
    assert s == pytest.approx(exact[: s.size], rel=1e-3)
    assert x @ w @ w.T == pytest.approx(x.toarray(), abs=1e-3)
    assert truncated(sp.csr_array(np.ones((5, 4), np.float32)), 3)[0].size == 1


def test_the_same_matrix_has_the_same_basis():
    x = falling(3, 200, 100)
    assert np.array_equal(truncated(x, 10)[1], truncated(x, 10)[1])


def test_the_number_of_threads_does_not_change_a_digit():
    x = falling(5, 20_000, 2_000)  # smaller tables are multiplied by one thread anyhow
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads, "blas"):
            found.append(truncated(x, 60)[1].tobytes())
    assert found[0] == found[1]


def test_it_is_as_good_as_a_peer():
    decomposition = pytest.importorskip("sklearn.decomposition")
    x = falling(4, 500, 400)
    peer = decomposition.TruncatedSVD(50, random_state=0).fit(x).components_.T
    _, w = truncated(x, 50)
    ours, theirs = (np.linalg.norm((x @ basis).astype(np.float64)) for basis in (w, peer))
    assert ours >= 0.999 * theirs
