"""How much a citing page counts: by its PageRank or its hub score, or the same for every page.

Scores differ by orders of magnitude, and most hub scores are 0 outside the strongest community. So a page counts by its
rank among all: w(p) = (1 + share of the pages with a lower score) / 2, from ½ for the lowest to nearly 1.
"""

from typing import Any, Literal

import numpy as np

from pagekin.graph.links import LinkArrays
from pagekin.kernels import Floats, Ints, Longs

Weight = Literal["none", "pagerank", "hub"]

DAMPING = 0.85  # Brin and Page 1998
TOLERANCE = 1e-10  # of the sum of all changes
MOST_STEPS = 200
DIGITS = 9  # scores that ought to be equal may differ beyond so many digits


def weights(graph: LinkArrays, by: Weight) -> Floats:
    """The weight of every page as a citing page."""
    if by == "none":
        return np.ones(graph.size)
    score = pagerank(graph) if by == "pagerank" else hub_scores(graph)
    score = np.round(score / max(score.max(initial=0), 1e-300), DIGITS)
    lower = np.searchsorted(np.sort(score), score, "left")
    return np.asarray((1 + lower / max(graph.size, 1)) / 2)


def pagerank(graph: LinkArrays) -> Floats:
    """PageRank, which sums to 1; a page without links leads to all pages equally."""
    n, degree = graph.size, np.diff(graph.out_start)
    shares = np.divide(1.0, degree, out=np.zeros(n), where=degree > 0)
    inward = _matrix(graph.in_start, graph.in_)
    rank = np.full(n, 1 / max(n, 1))
    for _ in range(MOST_STEPS):
        new = DAMPING * (inward @ (rank * shares) + rank[degree == 0].sum() / n) + (1 - DAMPING) / n
        done = np.abs(new - rank).sum() < TOLERANCE
        rank = new
        if done:
            break
    return rank


def hub_scores(graph: LinkArrays) -> Floats:
    """Kleinberg's hub scores, as a vector of length 1."""
    outward, inward = _matrix(graph.out_start, graph.out), _matrix(graph.in_start, graph.in_)
    hub = np.full(graph.size, 1 / max(graph.size, 1) ** 0.5)
    for _ in range(MOST_STEPS):
        new = outward @ (inward @ hub)
        new /= max(np.linalg.norm(new), 1e-300)
        done = np.abs(new - hub).sum() < TOLERANCE
        hub = new
        if done:
            break
    return hub


def _matrix(start: Longs, row: Ints) -> Any:
    from scipy.sparse import csr_array

    n = start.size - 1
    return csr_array((np.ones(row.size), row, start), shape=(n, n))
