"""Upper bounds of the best-match means of one page with all pages, at a small part of the cost of the means.

From the strong pairs of words alone, with their thresholds τ (`kernels.strongpairs`),

    loose   Sim_s(A, B) · (|A| + |B|) ≤ Σ_{w∈A} τ(w) + Σ_{v∈B} τ(v) + Σ_{strong w∈A, v∈B} (r − τ(w))⁺ + (r − τ(v))⁺
    tight   Sim_s(A, B) · (|A| + |B|) ≤ Σ_{w∈A} max(τ(w), max_{strong v∈B} r) + Σ_{v∈B} max(τ(v), max_{strong w∈A} r)

Both hold for every τ. The loose bound is a plain sum, so it is computed for `WIDE` pages A at once. The tight one is
for the few pages B that are highest by the loose one: of the many pages linked with a page only the most similar
counts. The bound of the mean over linked pages is that mean with bounds in place of Sim_s (`link_bounds`).

Then few pages are left that can be among the best (`kernels.matchneeded`).

Bounds are whole multiples of 1 / `ONE`, rounded up, so that `WIDE` of them fit a line of the cache.
"""

import numpy as np
from numba import uintp

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.compiling import njit
from pagekin.kernels.keywords import Words
from pagekin.kernels.strongpairs import BINS, ONE, Shorts, Strong

WIDE = 32  # columns worked on at once: 64 bytes
TIGHT = 16  # one page in so many gets the tight bound


@njit(cache=True, nogil=True)
def _mean_up(total: float, size: int) -> int:
    """The mean of a sum of steps over `size` members, rounded up (or up by one more)."""
    return min(int(total / size) + 1, ONE)


@njit(cache=True, nogil=True)
def _loose(some: Ints, words: Words, strong: Strong, table: Shorts, found: Shorts) -> None:
    """Put the loose bound of at most `WIDE` pages, a column each, with every page, a row each, into `found`."""
    floor, size = np.zeros(WIDE, np.int64), np.zeros(WIDE, np.int64)
    for i in range(some.size):
        floor[i], size[i] = strong.floor[some[i]], words.start[some[i] + 1] - words.start[some[i]]
    coarse = 2 * ONE * size.max() // (ONE - size.max()) + 1  # in such steps a word's sum over any column's words fits
    table[:] = 0
    for i in range(some.size):
        for w in words.word[words.start[some[i]] : words.start[some[i] + 1]]:
            for e in range(strong.start[w], strong.start[w + 1]):
                v, value = strong.word[e], np.int64(strong.value[e])
                over = max(value - strong.least[w], 0) + max(value - strong.least[v], 0)
                table[v, i] += np.uint16((over + coarse - 1) // coarse)
    total = np.empty(WIDE, np.int32)
    for p in range(found.shape[0]):
        first, last = words.start[p], words.start[p + 1]
        total[:] = 0
        e = first
        while e + 4 <= last:  # four rows at a time: fewer stores, each of which the next must wait for
            a, b = uintp(words.word[uintp(e)]), uintp(words.word[uintp(e + 1)])
            c, d = uintp(words.word[uintp(e + 2)]), uintp(words.word[uintp(e + 3)])
            for i in range(WIDE):
                j = uintp(i)
                two = np.int32(table[a, j]) + np.int32(table[b, j])
                total[j] += two + np.int32(table[c, j]) + np.int32(table[d, j])
            e += 4
        while e < last:
            a = uintp(words.word[uintp(e)])
            for i in range(WIDE):
                total[uintp(i)] += np.int32(table[a, uintp(i)])
            e += 1
        found[p] = 0
        if first < last:
            for i in range(some.size):
                if size[i]:
                    whole = float(total[i]) * coarse + floor[i] + strong.floor[p]
                    found[p, i] = _mean_up(whole, size[i] + last - first)


@njit(cache=True, nogil=True)
def _highest(rows: Ints, table: Shorts, high: Shorts) -> int:
    """Raise `high` to the greatest value of each column among some rows of a table; returns the sum of `high`."""
    e = 0
    while e + 4 <= rows.size:  # as in `_loose`
        a, b, c, d = uintp(rows[e]), uintp(rows[e + 1]), uintp(rows[e + 2]), uintp(rows[e + 3])
        for i in range(WIDE):
            j = uintp(i)
            high[j] = max(high[j], max(max(table[a, j], table[b, j]), max(table[c, j], table[d, j])))
        e += 4
    for row in rows[e:]:
        for i in range(WIDE):
            high[uintp(i)] = max(high[uintp(i)], table[uintp(row), uintp(i)])
    total = 0
    for i in range(WIDE):
        total += high[uintp(i)]
    return total


@njit(cache=True, nogil=True)
def _picked(columns: int, found: Shorts) -> tuple[Longs, Ints]:
    """The rows that are highest in each column, about one in `TIGHT`: how many, and which."""
    bins = np.zeros((WIDE, BINS), np.int64)
    for p in range(found.shape[0]):
        for i in range(columns):
            bins[i, found[p, i] * BINS // (ONE + 1)] += 1
    lowest, size = np.empty(WIDE, np.uint16), np.zeros(columns, np.int64)
    for i in range(columns):
        at, left = BINS, found.shape[0] // TIGHT + 1
        while at > 1 and bins[i, at - 1] <= left:
            at -= 1
            left -= bins[i, at]
        lowest[i] = min(at * (ONE + 1) // BINS, ONE)
    rows = np.empty((columns, found.shape[0]), np.int32)
    for p in range(found.shape[0]):
        for i in range(columns):
            if found[p, i] >= lowest[i]:
                rows[i, size[i]] = p
                size[i] += 1
    return size, rows


@njit(cache=True, nogil=True)
def _tighten(
    page: int,
    picked: Ints,
    widest: int,
    words: Words,
    strong: Strong,
    found: Shorts,
    place: Ints,
    table: Shorts,
    high: Shorts,
) -> None:
    """Put the tight bound of a page with the pages `picked` in place of the loose one, where it is lower.

    No page has more keywords than `widest`. `place` (all 0) and `high` (`strong.least`) are left as they were.
    """
    first, last = words.start[page], words.start[page + 1]
    best = np.empty(WIDE, np.uint16)
    sums, met, at = np.zeros(picked.size, np.int64), np.empty(words.pages.size, np.int32), np.empty(widest, np.int32)
    for begin in range(first, last, WIDE):
        some, rows = words.word[begin : min(begin + WIDE, last)], 0
        table[0] = 0
        for i in range(some.size):
            table[0, i] = strong.least[some[i]]
        for i in range(some.size):
            for e in range(strong.start[some[i]], strong.start[some[i] + 1]):
                v = strong.word[e]
                if place[v] == 0:
                    met[rows] = v
                    rows += 1
                    place[v] = rows
                    table[rows] = table[0]
                table[place[v], i] = max(table[place[v], i], strong.value[e])
                high[v] = max(high[v], strong.value[e])
        for r in range(picked.size):
            best[:] = table[0]
            members = words.word[words.start[picked[r]] : words.start[picked[r] + 1]]
            for j in range(members.size):
                at[j] = place[uintp(members[j])]
            sums[r] += _highest(at[: members.size], table, best)
        for v in met[:rows]:
            place[v] = 0
    for r in range(picked.size):
        begin, end = words.start[picked[r]], words.start[picked[r] + 1]
        for e in range(begin, end):
            sums[r] += high[uintp(words.word[uintp(e)])]
        if begin < end and first < last:
            bound = _mean_up(sums[r], last - first + end - begin)
            if bound < found[picked[r]]:
                found[picked[r]] = bound
    for w in words.word[first:last]:
        for e in range(strong.start[w], strong.start[w + 1]):
            high[strong.word[e]] = strong.least[strong.word[e]]


@njit(cache=True, nogil=True)
def similarity_bounds(mine: Ints, words: Words, strong: Strong) -> Shorts:
    """Bounds of Sim_s of the pages `mine` with all pages, in steps: by block of `WIDE` columns, page, and column."""
    n = words.start.size - 1
    found = np.empty(((mine.size + WIDE - 1) // WIDE, n, WIDE), np.uint16)
    table = np.empty((words.pages.size + 1, WIDE), np.uint16)
    place, high, widest = np.zeros(words.pages.size, np.int32), strong.least.copy(), np.diff(words.start).max()
    for block in range(found.shape[0]):
        some = mine[block * WIDE : (block + 1) * WIDE]
        _loose(some, words, strong, table, found[block])
        size, rows = _picked(some.size, found[block])
        for i in range(some.size):
            _tighten(some[i], rows[i, : size[i]], widest, words, strong, found[block, :, i], place, table, high)
            found[block, some[i], i] = ONE
    return found


@njit(cache=True, nogil=True)
def link_bounds(size: int, alike: Shorts, start: Longs, member: Ints) -> Floats:
    """Bounds of the best-match mean of `size` pages, with similarities of at most `alike`, and each row's members."""
    n = alike.shape[1]
    sums, own, high = np.zeros(n, np.int64), np.zeros(n, np.uint16), np.empty(WIDE, np.uint16)
    for block in range(alike.shape[0]):
        table = alike[block]
        for p in range(n):
            high[:] = 0
            sums[p] += _highest(member[start[p] : start[p + 1]], table, high)
            for i in range(WIDE):
                own[p] = max(own[p], table[p, i])
    found = np.zeros(n, np.float64)
    for p in range(n):
        if size and start[p] < start[p + 1]:
            for e in range(start[p], start[p + 1]):
                sums[p] += own[uintp(member[uintp(e)])]
            found[p] = sums[p] / ((size + start[p + 1] - start[p]) * ONE)
    return found
