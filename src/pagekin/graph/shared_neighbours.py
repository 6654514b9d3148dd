"""One page's most related pages by co-citation, coupling or Amsler: what a question asks for.

With NumPy, not with the kernel that does all pages (`allpairs`): a question is a few array operations, and a shell
command that never imports numba answers in half the time (docs/decisions.md). Both give the same to the last digit.
"""

import numpy as np
import numpy.typing as npt

from pagekin.collection.graph import Arrays, Direction
from pagekin.kernels import Floats, Ints

SIGNIFICANT_DIGITS = 12  # scores equal to so many digits are equal: the order of summation cannot matter
# From this share of all pages on, counting into one array for all is faster than sorting the pages that were met.
MANY = 1 / 16


def one_strongest(
    graph: Arrays, near: Direction, far: Direction, direct: bool, page: int, k: int
) -> tuple[Ints, Floats]:
    """The k pages that share most neighbours with a page, and their scores: Eq. 4, or Eq. 1–3 without `direct`."""
    start, _ = graph.rows(near)
    pages, common = shared(graph, near, far, page)
    if direct:
        linked = np.setdiff1d(graph.linked(page), pages, assume_unique=True)
        pages, common = np.append(pages, linked), np.append(common, np.zeros(linked.size, np.int64))
    others = pages != page
    pages, common = pages[others], common[others]
    union = (start[page + 1] - start[page]) + (start[pages + 1] - start[pages]) - common
    if not direct:
        return best(pages, common / union, k)
    links = np.isin(pages, graph.targets(page)).astype(np.int64) + np.isin(pages, graph.citers(page))
    # The two pages themselves: there already when in the other's neighbourhood (kernels.similarity.similarity).
    missing = np.where(links > 0, 0, 2) if near == far else 2 - links
    return best(pages, (common + links) / (union + missing), k)


def shared(graph: Arrays, near: Direction, far: Direction, page: int) -> tuple[Ints, npt.NDArray[np.int64]]:
    """The pages that share a neighbour with a page, and how many: the two-step walk over `near` and `far` rows."""
    start, row = graph.rows(near)
    met, _ = graph.gathered(far, row[start[page] : start[page + 1]])
    return counted(met, graph.size)


def counted(met: Ints, size: int) -> tuple[Ints, npt.NDArray[np.int64]]:
    """The pages among `met`, of `size` that there are, ascending, and how often each was met."""
    if met.size > MANY * size:
        counts = np.bincount(met, minlength=size)
        pages = np.flatnonzero(counts).astype(np.int32)
        return pages, counts[pages]
    return np.unique(met, return_counts=True)


def best(pages: Ints, scores: Floats, k: int) -> tuple[Ints, Floats]:
    """The k best by score to 12 significant digits, then page."""
    if scores.size > k:
        worst = np.partition(scores, scores.size - k)[scores.size - k]
        near_enough = scores >= worst * (1 - 1e-11)  # what may round up to the worst that is kept
        pages, scores = pages[near_enough], scores[near_enough]
    order = np.lexsort((pages, -rounded(scores)))[:k]
    return pages[order], scores[order]


def rounded(scores: Floats) -> Floats:
    """Scores, none of them 0, to 12 significant digits.

    >>> rounded(np.array([0.1 + 0.2, 2 / 3]))
    array([0.3       , 0.66666667])
    """
    scale = 10.0 ** (SIGNIFICANT_DIGITS - 1 - np.floor(np.log10(scores)))
    return np.asarray(np.round(scores * scale) / scale)
