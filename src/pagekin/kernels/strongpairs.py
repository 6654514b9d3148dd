"""The pairs of words that tell how similar two pages can be: those that are strongly relevant to each other.

Most words are hardly relevant to each other. With a threshold τ(w) for every word, above which about one of a page's
keywords is relevant to w, only the *strong* pairs, r(w, v) > τ(w) or r(w, v) > τ(v), need to be looked at
(`kernels.matchbounds`).

Values are whole multiples of 1 / `ONE`, rounded up.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.compiling import njit
from pagekin.kernels.keywords import Words, relevance

Shorts = npt.NDArray[np.uint16]

ONE = 65_535  # what stands for 1
BINS = 1024  # bins of values, to find a quantile without sorting

# Lower thresholds make the bounds tighter and strong pairs more. On a wiki of 20,000 pages and 2 million links (four
# pages of it), 0.01 leaves 16 to 18 pages that can be among the best 15, 0.03 17 to 19 in two thirds of the time, and
# 0.05 21 to 33.
LEAST = 0.03


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
    met, bins = np.zeros(groups, np.int64), np.zeros(BINS, np.int64)
    for w in range(words.pages.size):
        first, last = words.pair_start[w], words.pair_start[w + 1]
        bins[:] = 0
        met[words.group[w]] += 1
        for e in range(first, last):
            bins[values[e] * BINS // (ONE + 1)] += words.pages[words.pair[e]]
            met[words.group[words.pair[e]]] += 1
        above, at = words.pages[w], BINS
        while at > 1 and above + bins[at - 1] <= pages:
            at -= 1
            above += bins[at]
        h = groups - 1
        while h >= 0 and met[h] == members[h]:
            h -= 1
        least[w] = min(max(at * (ONE + 1) // BINS, _up(LEAST), most[words.group[w], h] if h >= 0 else 0), ONE)
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
