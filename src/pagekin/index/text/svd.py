"""A truncated singular value decomposition of a sparse matrix, by a randomised range finder with power iterations.

    X ≈ U S Wᵀ        X: pages × terms; the rows of X W are the pages in few dimensions

Halko, Martinsson and Tropp, "Finding structure with randomness" (2011), algorithms 4.4 and 5.1. The random numbers are
drawn from a seed, so the same matrix gives the same basis. Products with the matrix run on blocks of rows, on all
cores; dense ones on one, since a BLAS with two threads sums in another order than with one, and the last digits of a
score would then tell who built the index.
"""

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from threadpoolctl import threadpool_limits

from pagekin.engine.local import over_rows
from pagekin.kernels import Floats

Table = npt.NDArray[np.float32]

SEED = 18
SPARE = 10  # dimensions more than wanted: what Halko et al. recommend
STEPS = 4  # power iterations: text has singular values that fall slowly
NOTHING = 1e-3  # a singular value below this share of the largest is what rounding left of 0
ROWS = 8_192  # at once in 64 bits


def truncated(x: sp.csr_array, dimensions: int) -> tuple[Floats, Table]:
    """The largest singular values, at most so many, and their right singular vectors as columns."""
    turned = sp.csr_array(x.T)
    start = np.random.default_rng(SEED).standard_normal((x.shape[1], min(dimensions + SPARE, *x.shape)), np.float32)
    with threadpool_limits(1, "blas"):
        found = _orthogonal(_product(x, start))[1]
        for _ in range(STEPS):
            found = _orthogonal(_product(x, _orthogonal(_product(turned, found))[1]))[1]
        s, w = _orthogonal(_product(turned, found))  # the left singular vectors of Xᵀ Q are the right ones of X
    return s[:dimensions], np.ascontiguousarray(w[:, :dimensions])


def _orthogonal(table: Table) -> tuple[Floats, Table]:
    """The singular values of a tall table, largest first, and its left singular vectors, by those of AᵀA.

    Squares of small values drown in those of large ones, but nobody needs the small ones; and all that is tall is a
    product, which is many times faster than a decomposition.
    """
    square = np.zeros((table.shape[1],) * 2)
    for first in range(0, table.shape[0], ROWS):
        rows = table[first : first + ROWS].astype(np.float64)
        square += rows.T @ rows
    squares, turn = np.linalg.eigh(square)
    s, turn = np.sqrt(np.maximum(squares[::-1], 0)), turn[:, ::-1]
    some = s > NOTHING * s.max(initial=0)
    return s[some], table @ (turn[:, some] / s[some]).astype(np.float32)


def _product(matrix: sp.csr_array, table: Table) -> Table:
    out = np.empty((matrix.shape[0], table.shape[1]), np.float32)

    def block(first: int, last: int) -> None:
        out[first:last] = matrix[first:last] @ table

    over_rows(block, matrix.shape[0])
    return out
