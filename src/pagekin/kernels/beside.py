"""Scores of all pages by how near to one page others link to them."""

import numpy as np
import numpy.typing as npt

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.compiling import njit


@njit(cache=True, nogil=True)
def in_order(source: Ints, target: Ints, page_of: Ints, last: Ints, at: Longs, into: Ints) -> None:
    """Put the targets of some links where those of their pages go on (`at`), or only count them if there is no room.

    Of links to one page in a row, one; none from a page to itself. `last` is what each page linked to last, −1 before
    the first; it and `at` are for the next links.
    """
    for link in range(source.size):
        page, other = page_of[source[link]], page_of[target[link]]
        if other != page and other != last[page]:
            if into.size:
                into[at[page]] = other
            at[page] += 1
            last[page] = other


@njit(cache=True, nogil=True)
def add_beside(
    page: int, citers: Ints, start: Longs, target: Ints, weight: Floats, reach: int, score: npt.NDArray[np.float32]
) -> None:
    """Add weight / steps for each page within reach of a link to `page`, on each citer by the fewest steps."""
    near = np.empty(0, np.int64)  # of one citer: the pages within reach and their steps, as one number each
    for c in citers:
        first, last = start[c], start[c + 1]
        room = 2 * reach * np.count_nonzero(target[first:last] == page)
        if near.size < room:
            near = np.empty(room, np.int64)
        size = 0
        for at in range(first, last):
            if target[at] != page:
                continue
            for other in range(max(first, at - reach), min(last, at + reach + 1)):
                if target[other] != page:
                    near[size] = np.int64(target[other]) * (reach + 1) + abs(other - at)
                    size += 1
        before = -1
        for number in np.sort(near[:size]):  # not argsort: docs/kernels.md
            p, steps = number // (reach + 1), number % (reach + 1)
            if p != before:
                score[p] += weight[c] / steps
            before = p
