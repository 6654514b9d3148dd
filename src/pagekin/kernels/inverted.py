"""The inverted index, term → pages, from rows of (term, page, count), and the scores of pages for a query's terms."""

import math

import numpy as np
from numba import njit

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.similarity import in_order, keep, rounded

_LOW = np.int64(0xFFFFFFFF)


@njit(cache=True, nogil=True)
def inverted(term: Ints, page: Ints, count: Ints, terms: int) -> tuple[Longs, Ints, Ints]:
    """For each term, its pages and counts, largest count first, then page order; a repeated page has its largest count.

    A counting sort by term, then a sort of each row by (count, page): O(rows · log of the longest).
    """
    first = np.zeros(terms + 1, np.int64)
    for t in term:
        first[t + 1] += 1
    for t in range(terms):
        first[t + 1] += first[t]
    fill, key = first[:-1].copy(), np.empty(term.size, np.int64)
    for e in range(term.size):
        key[fill[term[e]]] = (np.int64(page[e]) << 32) | (_LOW - count[e])  # by page, the largest count first
        fill[term[e]] += 1
    start = np.zeros(terms + 1, np.int64)
    size = 0
    for t in range(terms):
        row = np.sort(key[first[t] : first[t + 1]])
        kept = 0
        for i in range(row.size):
            if i == 0 or row[i] >> 32 != row[i - 1] >> 32:
                row[kept] = row[i]
                kept += 1
        for i in range(kept):
            row[i] = ((row[i] & _LOW) << 32) | (row[i] >> 32)
        key[size : size + kept] = np.sort(row[:kept])
        size += kept
        start[t + 1] = size
    pages, counts = np.empty(size, np.int32), np.empty(size, np.int32)
    for e in range(size):
        pages[e] = key[e] & _LOW
        counts[e] = _LOW - (key[e] >> 32)
    return start, pages, counts


@njit(cache=True, nogil=True)
def damped(count: int) -> float:
    """1 + ln(1 + ln(tf + 1)): the part of x_v(t) that depends on the page."""
    return 1.0 + math.log(1.0 + math.log(count + 1.0))


@njit(cache=True, nogil=True)
def own(first: Longs, last: Longs, weight: Floats, page: Ints, count: Ints, score: Floats) -> None:
    """Add Σ_t x_v(t) to the score of every page v; the terms' rows are [first, last), and `weight` is (n/df)^0.2."""
    for q in range(first.size):
        before, value = -1, 0.0
        for e in range(first[q], last[q]):
            if count[e] != before:
                before = count[e]
                value = damped(before) * weight[q]
            score[page[e]] += value


@njit(cache=True, nogil=True)
def led_to(
    first: Longs,
    last: Longs,
    weight: Floats,
    page: Ints,
    count: Ints,
    start: Longs,
    member: Ints,
    of_start: Longs,
    of: Ints,
    score: Floats,
    seen: Ints,
    top: Floats,
) -> None:
    """Add Σ_t y_v(t) to the score of every page v, where y is the largest x of the pages in any of v's clusters.

    `seen` (one number per page) and `top` (one per cluster) are zeros at first. A term's pages come largest count
    first, so a cluster's top is that of its first page, and clusters are opened best first. If these are few, their
    members are visited, and at the first visit a page's y is known. If they are most of the clusters, as for any word
    on one page in a hundred, it is faster to look up the best of every page's clusters: there are far fewer clusters
    than pages, and their tops stay in the cache.
    """
    opened = np.empty(top.size, np.int32)
    for q in range(first.size):
        count_opened = members = 0
        before, value = -1, 0.0
        for e in range(first[q], last[q]):
            if count[e] != before:
                before = count[e]
                value = damped(before) * weight[q]
            v = page[e]
            if of_start[v] == of_start[v + 1]:  # in no cluster: added after they were made
                score[v] += value
            for f in range(of_start[v], of_start[v + 1]):
                c = of[f]
                if top[c] == 0.0:
                    top[c] = value
                    opened[count_opened] = c
                    count_opened += 1
                    members += start[c + 1] - start[c]
        if members > member.size // 4:
            _asked(of_start, of, top, score)
        else:
            _told(opened[:count_opened], start, member, top, score, seen, q + 1)
        for i in range(count_opened):
            top[opened[i]] = 0.0


@njit(cache=True, nogil=True)
def _told(opened: Ints, start: Longs, member: Ints, top: Floats, score: Floats, seen: Ints, turn: int) -> None:
    """Every cluster, best first, gives its top to the members that have none yet."""
    for c in opened:
        for g in range(start[c], start[c + 1]):
            u = member[g]
            if seen[u] != turn:
                seen[u] = turn
                score[u] += top[c]


@njit(cache=True, nogil=True)
def _asked(of_start: Longs, of: Ints, top: Floats, score: Floats) -> None:
    """Every page takes the best top of its clusters."""
    for u in range(score.size):
        y = 0.0
        for f in range(of_start[u], of_start[u + 1]):
            y = max(y, top[of[f]])
        score[u] += y


@njit(cache=True, nogil=True)
def bm25(
    first: Longs, last: Longs, weight: Floats, page: Ints, count: Ints, length: Ints, score: Floats, k1: float, b: float
) -> None:
    """Add Okapi BM25 to the score of every page; `weight` is the terms' inverse document frequency."""
    pages = total = 0
    for words in length:
        pages += words > 0
        total += words
    for q in range(first.size):
        for e in range(first[q], last[q]):
            tf, v = count[e], page[e]
            norm = k1 * (1.0 - b + b * length[v] * pages / total)
            score[v] += weight[q] * tf * (k1 + 1.0) / (tf + norm)


@njit(cache=True, nogil=True)
def best(own: Floats, led: Floats, alpha: float, length: Ints, k: int) -> tuple[Ints, Floats]:
    """The k pages with text that have the highest (1 − α)·own + α·led, by score (to 12 digits), then page."""
    key_of, page_of, score_of = np.empty(k), np.empty(k, np.int32), np.empty(k)
    size = 0
    for p in range(own.size):
        score = (1.0 - alpha) * own[p] + alpha * led[p] if alpha else own[p]
        if score <= 0 or length[p] == 0 or (size == k and score < key_of[0] * (1.0 - 1e-11)):
            continue
        key = rounded(score)
        if size < k or key > key_of[0]:  # pages come in order, so of equals the earlier is listed already
            size = keep(key_of, page_of, score_of, size, key, p, score)
    in_order(key_of, page_of, score_of, size)
    return page_of[:size].copy(), score_of[:size].copy()
