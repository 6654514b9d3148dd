"""Scores of all pages by how near to one page others link to them."""

import numpy as np
import numpy.typing as npt
from numba import njit

from pagekin.kernels import Floats, Ints, Longs


@njit(cache=True, nogil=True)
def add_beside(
    page: int, citers: Ints, start: Longs, target: Ints, weight: Floats, reach: int, score: npt.NDArray[np.float32]
) -> None:
    """Add weight / steps for each page within reach of a link to `page`, on each citer by the fewest steps."""
    near = np.empty(0, np.int32)  # the pages near a link to `page` on one citer, and their fewest steps
    steps = np.empty(0, np.int32)
    for c in citers:
        first, last = start[c], start[c + 1]
        room = 2 * reach * np.count_nonzero(target[first:last] == page)
        if near.size < room:
            near, steps = np.empty(room, np.int32), np.empty(room, np.int32)
        size = 0
        for at in range(first, last):
            if target[at] != page:
                continue
            for other in range(max(first, at - reach), min(last, at + reach + 1)):
                if target[other] != page:
                    near[size], steps[size] = target[other], abs(other - at)
                    size += 1
        order = np.argsort(near[:size] * np.int64(reach + 1) + steps[:size])  # by page, fewest steps first
        for i in range(size):
            p = near[order[i]]
            if i == 0 or p != near[order[i - 1]]:
                score[p] += weight[c] / steps[order[i]]
