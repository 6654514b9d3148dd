"""Counts of keywords that meet on a page, or across links from one's pages to the other's, and the relevance of pairs.

With N pages, of which a and b have one of two words and t have both (paper 4, Eq. 5–12):

    support             S = t / N
    mutual information  M = Σ p log p of the four cells of the table (both, one, other, none) − Σ p log p of its margins
    relevance           r = s·S̄ + (1−s)·M̄,  S̄ and M̄ scaled to 0 … 1 over all pairs of different words

`plogp[i]` is i/N · log(i/N), so that no pair costs a logarithm. For a pair that never meets, t = 0, and the formula
depends on a and b alone. So words are grouped by their number of pages, and only pairs that meet are stored.
"""

from typing import NamedTuple

import numpy as np

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.compiling import njit
from pagekin.kernels.csr import two_steps


class Words(NamedTuple):
    """The keywords of pages and what relates them, in the form that kernels take; arrays are read-only (`frozen`)."""

    start: Longs  # the keywords of page p are word[start[p] : start[p + 1]], ascending
    word: Ints
    pages: Ints  # for each word, the number of pages that have it
    group: Ints  # for each word, its group: the words on equally many pages
    group_pages: Ints  # for each group, that number of pages
    pair_start: Longs  # the words that word w meets are pair[pair_start[w] : …], ascending
    pair: Ints
    together: Ints  # and on how many pages
    plogp: Floats
    scale: Floats  # r = scale[0] + scale[1]·t + scale[2]·M


@njit(cache=True, nogil=True)
def information(t: int, a: int, b: int, plogp: Floats) -> float:
    """The mutual information of two words on a and b pages, t of them the same (Eq. 7, in nats)."""
    n = plogp.size - 1
    neither = max(n - a - b + t, 0)  # if negative, such words must meet, and the value is never used
    joint = plogp[t] + plogp[a - t] + plogp[b - t] + plogp[neither]
    return float(joint - plogp[a] - plogp[n - a] - plogp[b] - plogp[n - b])


@njit(cache=True, nogil=True)
def relevance(t: int, a: int, b: int, plogp: Floats, scale: Floats) -> float:
    """r_s of two different words (Eq. 12)."""
    return float(max(scale[0] + scale[1] * t + scale[2] * information(t, a, b, plogp), 0.0))


@njit(cache=True, nogil=True)
def relevance_of(one: int, other: int, words: Words) -> float:
    """r_s of two words by number; a word is wholly relevant to itself."""
    if one == other:
        return 1.0
    first, last = words.pair_start[one], words.pair_start[one + 1]
    at = first + np.searchsorted(words.pair[first:last], other)
    t = words.together[at] if at < last and words.pair[at] == other else 0
    return relevance(t, words.pages[one], words.pages[other], words.plogp, words.scale)


@njit(cache=True, nogil=True)
def relevance_to_all(word: int, words: Words) -> Floats:
    """r_s of a word to every word."""
    found = np.empty(words.pages.size, np.float64)
    by_group = np.empty(words.group_pages.size, np.float64)
    for g in range(by_group.size):
        by_group[g] = relevance(0, words.pages[word], words.group_pages[g], words.plogp, words.scale)
    for w in range(found.size):
        found[w] = by_group[words.group[w]]
    for e in range(words.pair_start[word], words.pair_start[word + 1]):
        w = words.pair[e]
        found[w] = relevance(words.together[e], words.pages[word], words.pages[w], words.plogp, words.scale)
    found[word] = 1.0
    return found


@njit(cache=True, nogil=True)
def meetings(
    first: int, last: int, start: Longs, word: Ints, holder_start: Longs, holder: Ints
) -> tuple[Longs, Ints, Ints]:
    """For the words [first, last): how many words each meets, which (ascending), and on how many pages.

    `holder` rows are the pages of each word. Time: the total number of keywords on the words' pages.
    """
    sizes = np.zeros(last - first, np.int64)
    count = np.zeros(holder_start.size - 1, np.int32)
    touched = np.empty(count.size, np.int32)
    pair, together = np.empty(1024, np.int32), np.empty(1024, np.int32)
    end = 0
    for w in range(first, last):
        found = 0
        for e in range(holder_start[w], holder_start[w + 1]):
            p = holder[e]
            for f in range(start[p], start[p + 1]):
                v = word[f]
                if v != w:
                    if count[v] == 0:
                        touched[found] = v
                        found += 1
                    count[v] += 1
        if end + found > pair.size:
            pair = np.append(pair, np.empty(end + found, np.int32))
            together = np.append(together, np.empty(end + found, np.int32))
        met = np.sort(touched[:found])
        for v in met:
            pair[end], together[end] = v, count[v]
            count[v] = 0
            end += 1
        sizes[w - first] = found
    return sizes, pair[:end].copy(), together[:end].copy()


@njit(cache=True, nogil=True)
def reached(start: Longs, member: Ints, sizes: Longs) -> Longs:
    """For each row, the sum of the sizes of its members."""
    found = np.zeros(start.size - 1, np.int64)
    for row in range(found.size):
        for e in range(start[row], start[row + 1]):
            found[row] += sizes[member[e]]
    return found


@njit(cache=True, nogil=True)
def measure_ranges(
    first: int,
    last: int,
    member_start: Longs,
    member: Ints,
    group: Ints,
    group_pages: Ints,
    pair_start: Longs,
    pair: Ints,
    together: Ints,
    plogp: Floats,
) -> tuple[int, int, float, float]:
    """The least and the greatest t, and M, of a word of the groups [first, last) and another of the same or a later
    group; `member` rows are the words of each group.

    All pairs of two groups that never meet have one value. It counts if fewer pairs meet than there are.
    """
    groups, total = group_pages.size, plogp.size - 1
    least, most, low, high = total, 0, np.inf, -np.inf
    met = np.zeros(groups, np.int64)
    for g in range(first, last):
        met[:] = 0
        for i in range(member_start[g], member_start[g + 1]):
            w = member[i]
            for e in range(pair_start[w], pair_start[w + 1]):
                h, t = group[pair[e]], together[e]
                if h > g or (h == g and pair[e] > w):
                    met[h] += 1
                    least, most = min(least, t), max(most, t)
                    value = information(t, group_pages[g], group_pages[h], plogp)
                    low, high = min(low, value), max(high, value)
        size = member_start[g + 1] - member_start[g]
        for h in range(g, groups):
            pairs = size * (member_start[h + 1] - member_start[h]) if h > g else size * (size - 1) // 2
            if met[h] < pairs:
                least = 0
                value = information(0, group_pages[g], group_pages[h], plogp)
                low, high = min(low, value), max(high, value)
    return least, most, low, high


@njit(cache=True, nogil=True)
def words_of_targets(
    first: int, last: int, start: Longs, word: Ints, out_start: Longs, out: Ints, words: int
) -> tuple[Longs, Ints]:
    """For the pages [first, last): how many different keywords are on the pages that each links to, and which."""
    sizes = np.zeros(last - first, np.int64)
    seen = np.full(words, -1, np.int32)
    held = np.empty(1024, np.int32)
    end = 0
    for p in range(first, last):
        begin = end
        for e in range(out_start[p], out_start[p + 1]):
            q = out[e]
            if end + start[q + 1] - start[q] > held.size:
                held = np.append(held, np.empty(held.size + start[q + 1] - start[q], np.int32))
            for f in range(start[q], start[q + 1]):
                if seen[word[f]] != p:
                    seen[word[f]] = p
                    held[end] = word[f]
                    end += 1
        sizes[p - first] = end - begin
    return sizes, held[:end].copy()


@njit(cache=True, nogil=True)
def confidence_range(
    first: int, last: int, holder_start: Longs, holder: Ints, next_start: Longs, next_word: Ints
) -> tuple[float, float]:
    """The least and greatest confidence C(w→v) of the words [first, last) to any other word (Eq. 11)."""
    low, high = np.inf, 0.0
    n = holder_start.size - 1
    count, met = np.zeros(n, np.int32), np.empty(n, np.int32)
    for w in range(first, last):
        # How many pages with w link to a page with each word: the numerator of Eq. 10.
        found = two_steps(w, holder_start, holder, next_start, next_word, count, met)
        pages = max(holder_start[w + 1] - holder_start[w], 1)
        others = n - 1
        for v in met[:found]:
            if v != w:
                low, high = min(low, count[v] / pages), max(high, count[v] / pages)
                others -= 1
            count[v] = 0
        if others:
            low = 0.0
    return low, high


@njit(cache=True, nogil=True)
def link_relevance(
    first: int,
    last: int,
    words: Words,
    confidence: Floats,
    holder_start: Longs,
    holder: Ints,
    next_start: Longs,
    next_word: Ints,
    out_start: Longs,
    out: Ints,
) -> Floats:
    """For each link, its greatest r_l over the keywords [first, last) of its source and all of its target (Eq. 16).

    r_l(w→v) is `words`' formula plus confidence[0] + confidence[1]·C(w→v); a word that both pages have counts 1.
    """
    found = np.zeros(out.size, np.float64)
    n = words.pages.size
    count, met, value = np.zeros(n, np.int32), np.empty(n, np.int32), np.empty(n, np.float64)
    for w in range(first, last):
        size = two_steps(w, holder_start, holder, next_start, next_word, count, met)
        pages = max(holder_start[w + 1] - holder_start[w], 1)
        for v in met[:size]:
            value[v] = relevance_of(w, v, words) + confidence[0] + confidence[1] * count[v] / pages
            count[v] = 0
        value[w] = 1.0
        for e in range(holder_start[w], holder_start[w + 1]):
            p = holder[e]
            for f in range(out_start[p], out_start[p + 1]):
                q = out[f]
                for g in range(words.start[q], words.start[q + 1]):
                    found[f] = max(found[f], value[words.word[g]])
    return found
