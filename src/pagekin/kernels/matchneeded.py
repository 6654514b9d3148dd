"""The similarities that can be a best match, in full precision: what the bounds leave open (`kernels.matchbounds`).

Of the pages linked with a page, few can be the most similar one. Only those are computed, with the code of
`kernels.bestmatch`.
"""

import numpy as np
import numpy.typing as npt
from numba import uintp

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.bestmatch import _mean, _padded
from pagekin.kernels.compiling import njit
from pagekin.kernels.keywords import Words, relevance
from pagekin.kernels.matchbounds import WIDE
from pagekin.kernels.strongpairs import ONE, Shorts, Strong

Marks = npt.NDArray[np.bool_]

NEAR_TOP = 0.9  # of the highest bound: pages above it are compared at once, as their own bounds may be too high


@njit(cache=True, nogil=True)
def _fill(page: int, rows: Ints, words: Words, strong: Strong, place: Ints, met: Ints, found: Floats) -> None:
    """Put Sim_s of a page with the pages `rows` into `found`; `place` (all −1) is left as it was."""
    mine, size = words.word[words.start[page] : words.start[page + 1]], 0
    for p in rows:
        for v in words.word[words.start[p] : words.start[p + 1]]:
            if place[v] < 0:
                place[v] = size
                met[size] = v
                size += 1
    matrix, high = np.zeros((size, _padded(mine.size))), np.zeros(size)
    for r in range(size):
        for i in range(mine.size):
            matrix[r, i] = strong.apart[words.group[mine[i]], words.group[met[r]]]
    for i in range(mine.size):
        w = mine[i]
        for e in range(words.pair_start[w], words.pair_start[w + 1]):
            r = place[uintp(words.pair[e])]
            if r >= 0:
                pages = words.pages[w], words.pages[words.pair[e]]
                matrix[r, i] = relevance(words.together[e], pages[0], pages[1], words.plogp, words.scale)
        if place[w] >= 0:
            matrix[place[w], i] = 1.0
    for r in range(size):
        for i in range(mine.size):
            high[r] = max(high[r], matrix[r, i])
    for j in range(rows.size):
        members = words.word[words.start[rows[j]] : words.start[rows[j] + 1]]
        found[j] = 1.0 if rows[j] == page else _mean(mine.size, members, place, matrix, high)
    for v in met[:size]:
        place[v] = -1


@njit(cache=True, nogil=True)
def _compute(mine: Ints, theirs: Ints, wanted: Marks, words: Words, strong: Strong, found: Floats) -> None:
    """Compute Sim_s of the pages `theirs` (a row each) with the pages `mine` (a column each) where it is `wanted`."""
    place, met = np.full(words.pages.size, -1, np.int32), np.empty(words.pages.size, np.int32)
    rows, values = np.empty(theirs.size, np.int64), np.empty(theirs.size)
    for i in range(mine.size):
        size = 0
        for b in range(theirs.size):
            if wanted[b, i] and found[b, i] < 0.0:
                rows[size] = b
                size += 1
        if size:
            _fill(mine[i], theirs[rows[:size]], words, strong, place, met, values)
            for r in range(size):
                found[rows[r], i] = values[r]


@njit(cache=True, nogil=True)
def needed_similarities(
    mine: Ints,
    theirs: Ints,
    alike: Shorts,
    rows: Ints,
    start: Longs,
    member: Ints,
    place: Ints,
    words: Words,
    strong: Strong,
) -> Floats:
    """Sim_s of the pages `theirs` (at `place`, a row each) with the pages `mine` (a column each) where it can be a best
    match of one of `rows`, and 0 elsewhere: first where the bound is highest, then where it is above what that gave.
    """
    found, wanted = np.full((theirs.size, mine.size), -1.0), np.zeros((theirs.size, mine.size), np.bool_)
    bound, top = np.empty((theirs.size, mine.size), np.uint16), np.empty(mine.size)
    for b in range(theirs.size):
        for i in range(mine.size):
            bound[b, i] = alike[i // WIDE, theirs[b], i % WIDE]
        least = bound[b].max() * NEAR_TOP
        for i in range(mine.size):
            wanted[b, i] = bound[b, i] >= least
    for r in rows:
        members = member[start[r] : start[r + 1]]
        top[:] = 0.0
        for m in members:
            for i in range(mine.size):
                top[i] = max(top[i], bound[place[m], i] * NEAR_TOP)
        for m in members:
            for i in range(mine.size):
                if bound[place[m], i] >= top[i]:
                    wanted[place[m], i] = True
    _compute(mine, theirs, wanted, words, strong, found)
    best = np.empty(mine.size)
    for b in range(theirs.size):
        reached = found[b].max() * ONE
        for i in range(mine.size):
            wanted[b, i] = bound[b, i] > reached
    for r in rows:
        best[:] = 0.0
        for m in member[start[r] : start[r + 1]]:
            for i in range(mine.size):
                best[i] = max(best[i], found[place[m], i] * ONE)
        for m in member[start[r] : start[r + 1]]:
            for i in range(mine.size):
                if bound[place[m], i] > best[i]:
                    wanted[place[m], i] = True
    _compute(mine, theirs, wanted, words, strong, found)
    for b in range(theirs.size):
        for i in range(mine.size):
            found[b, i] = max(found[b, i], 0.0)
    return found
