"""Upper bounds of the best-match means of one page with all pages, at a small part of the cost of the means.

Most words are hardly relevant to each other. With a threshold τ(w) for every word, above which about one of a page's
keywords is relevant to w, only the *strong* pairs, r(w, v) > τ(w) or r(w, v) > τ(v), need to be looked at:

    loose   Sim_s(A, B) · (|A| + |B|) ≤ Σ_{w∈A} τ(w) + Σ_{v∈B} τ(v) + Σ_{strong w∈A, v∈B} (r − τ(w))⁺ + (r − τ(v))⁺
    tight   Sim_s(A, B) · (|A| + |B|) ≤ Σ_{w∈A} max(τ(w), max_{strong v∈B} r) + Σ_{v∈B} max(τ(v), max_{strong w∈A} r)

Both hold for every τ. The loose bound is a plain sum, so it is computed for `WIDE` pages A at once. The tight one is
for the few pages B that are highest by the loose one: of the many pages linked with a page only the most similar
counts. The bound of the mean over linked pages is that mean with bounds in place of Sim_s (`link_bounds`).

Then few pages are left that can be among the best, and of their linked pages few that can be a best match: only those
are computed in full precision (`needed_similarities`), with the code of `kernels.bestmatch`.

Bounds are whole multiples of 1 / `ONE`, rounded up, so that `WIDE` of them fit a line of the cache.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import uintp

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.bestmatch import _mean, _padded
from pagekin.kernels.compiling import njit
from pagekin.kernels.keywords import Words, relevance

Shorts = npt.NDArray[np.uint16]
Marks = npt.NDArray[np.bool_]

ONE = 65_535  # what stands for 1
WIDE = 32  # columns worked on at once: 64 bytes

# Lower thresholds make the bounds tighter and strong pairs more. On a wiki of 20,000 pages and 2 million links (four
# pages of it), 0.01 leaves 16 to 18 pages that can be among the best 15, 0.03 17 to 19 in two thirds of the time, and
# 0.05 21 to 33.
LEAST = 0.03
NEAR_TOP = 0.9  # of the highest bound: pages above it are compared at once, as their own bounds may be too high
TIGHT = 16  # one page in so many gets the tight bound
_BINS = 1024  # bins of values, to find a quantile without sorting


class Strong(NamedTuple):
    """The strong pairs of words; arrays are read-only (`frozen`)."""

    least: Shorts  # τ of each word
    start: Longs  # the words strongly related to word w, itself among them, are word[start[w] : start[w + 1]]
    word: Ints
    value: Shorts  # and their relevance
    floor: Longs  # for each page, the sum of τ over its keywords
    apart: Floats  # the relevance of words that never meet, by their groups, in full precision


@njit(cache=True, nogil=True)
def _up(value: float) -> int:
    """A number from 0 to 1 as a whole number of steps, rounded up."""
    return min(int(np.ceil(value * ONE)), ONE)


@njit(cache=True, nogil=True)
def _thresholds(words: Words, values: Shorts, apart: Floats) -> Shorts:
    """τ of each word: what one keyword of a page exceeds on average, and no less than its relevance to any word that it
    never meets, as those pairs are not stored. `values` are of the pairs that meet."""
    groups, pages = words.group_pages.size, words.start.size - 1
    least, members = np.zeros(words.pages.size, np.uint16), np.zeros(groups, np.int64)
    for g in words.group:
        members[g] += 1
    most = np.zeros((groups, groups), np.int64)  # of words of group g and of groups up to h
    for g in range(groups):
        for h in range(groups):
            most[g, h] = max(_up(apart[g, h]), most[g, h - 1] if h else 0)
    met, bins = np.zeros(groups, np.int64), np.zeros(_BINS, np.int64)
    for w in range(words.pages.size):
        first, last = words.pair_start[w], words.pair_start[w + 1]
        bins[:] = 0
        met[words.group[w]] += 1
        for e in range(first, last):
            bins[values[e] * _BINS // (ONE + 1)] += words.pages[words.pair[e]]
            met[words.group[words.pair[e]]] += 1
        above, at = words.pages[w], _BINS
        while at > 1 and above + bins[at - 1] <= pages:
            at -= 1
            above += bins[at]
        h = groups - 1
        while h >= 0 and met[h] == members[h]:
            h -= 1
        least[w] = min(max(at * (ONE + 1) // _BINS, _up(LEAST), most[words.group[w], h] if h >= 0 else 0), ONE)
        met[words.group[w]] = 0
        for e in range(first, last):
            met[words.group[words.pair[e]]] = 0
    return least


@njit(cache=True, nogil=True)
def strong_pairs(words: Words) -> Strong:
    """The strong pairs of all words. Time: the number of pairs that meet."""
    values = np.empty(words.pair.size, np.uint16)
    for w in range(words.pages.size):
        for e in range(words.pair_start[w], words.pair_start[w + 1]):
            pages = words.pages[w], words.pages[words.pair[e]]
            values[e] = _up(relevance(words.together[e], pages[0], pages[1], words.plogp, words.scale))
    groups = words.group_pages.size
    apart = np.empty((groups, groups))
    for g in range(groups):
        for h in range(groups):
            apart[g, h] = relevance(0, words.group_pages[g], words.group_pages[h], words.plogp, words.scale)
    least = _thresholds(words, values, apart)
    start = np.zeros(words.pages.size + 1, np.int64)
    for w in range(words.pages.size):
        start[w + 1] = start[w] + 1
        for e in range(words.pair_start[w], words.pair_start[w + 1]):
            start[w + 1] += values[e] > min(least[w], least[words.pair[e]])
    word, value = np.empty(start[-1], np.int32), np.empty(start[-1], np.uint16)
    for w in range(words.pages.size):
        at = start[w]
        word[at], value[at] = w, ONE
        for e in range(words.pair_start[w], words.pair_start[w + 1]):
            if values[e] > min(least[w], least[words.pair[e]]):
                at += 1
                word[at], value[at] = words.pair[e], values[e]
    floor = np.zeros(words.start.size - 1, np.int64)
    for p in range(floor.size):
        for w in words.word[words.start[p] : words.start[p + 1]]:
            floor[p] += least[w]
    return Strong(least, start, word, value, floor, apart)


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
    bins = np.zeros((WIDE, _BINS), np.int64)
    for p in range(found.shape[0]):
        for i in range(columns):
            bins[i, found[p, i] * _BINS // (ONE + 1)] += 1
    lowest, size = np.empty(WIDE, np.uint16), np.zeros(columns, np.int64)
    for i in range(columns):
        at, left = _BINS, found.shape[0] // TIGHT + 1
        while at > 1 and bins[i, at - 1] <= left:
            at -= 1
            left -= bins[i, at]
        lowest[i] = min(at * (ONE + 1) // _BINS, ONE)
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
