"""The pages that share most neighbours with one page, as co-citation, coupling and Amsler count them.

This uses NumPy, not the kernel that does all pages (`all_pairs`): a question takes a few array operations, and a shell
command that never imports numba answers in half the time (docs/decisions.md). Both give the same to the last digit.
"""

import numpy as np
import numpy.typing as npt

from pagekin.graph.links import Direction, LinkArrays
from pagekin.graph.topk import best
from pagekin.kernels import Floats, Ints

# Above this share of all pages, counting into one array for all is faster than sorting the pages that were met.
MANY = 1 / 16


def most_shared(
    graph: LinkArrays, near: Direction, far: Direction, direct: bool, page: int, k: int
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
    # A page is in the union already if it is in the other's neighbourhood (kernels.similarity.similarity).
    missing = np.where(links > 0, 0, 2) if near == far else 2 - links
    return best(pages, (common + links) / (union + missing), k)


def shared(graph: LinkArrays, near: Direction, far: Direction, page: int) -> tuple[Ints, npt.NDArray[np.int64]]:
    """The pages that share a neighbour with a page, and how many: the two-step walk over `near` and `far` rows."""
    start, row = graph.rows(near)
    met, _ = graph.gathered(far, row[start[page] : start[page + 1]])
    return how_often(met, graph.size)


def how_often(met: Ints, size: int) -> tuple[Ints, npt.NDArray[np.int64]]:
    """The different pages in `met` (of `size` pages in all), ascending, and how often each was met."""
    if met.size > MANY * size:
        counts = np.bincount(met, minlength=size)
        pages = np.flatnonzero(counts).astype(np.int32)
        return pages, counts[pages]
    return np.unique(met, return_counts=True)
