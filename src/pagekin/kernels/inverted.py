"""The inverted index, term → pages, from rows of (term, page, counts), and the scores of pages for a question."""

import numpy as np
import numpy.typing as npt

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.compiling import njit
from pagekin.kernels.similarity import in_order, keep, rounded

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Singles = npt.NDArray[np.float32]
Values = npt.NDArray[np.float32] | npt.NDArray[np.float64]

_LOW = np.int64(0xFFFFFFFF)
MOST = 255  # anchors of a page that say a term; more make no difference
AT_ONCE = 4  # frequent words whose clusters' tops are looked up in one pass: most questions have no more


@njit(cache=True, nogil=True)
def inverted(
    rows: Ints, plain: int, first_term: int, terms: int, factor: Singles, bounds: Floats
) -> tuple[Longs, Ints, Ints, Singles, Bools]:
    """For each term its pages, ascending; its count in body and title there, its weight, whether the title has it.

    A row (term, page, body, others) says how often a page has a term in its body and, a byte each, the first lowest, in
    its headings, title, anchors and address. Only the first `plain` rows are counted, all are weighed: with whole
    sums over the rows of the page, in which a title has a term once or not and anchors `MOST` times at the most,
    T = Σ factor · sum of body and headings and N that of the others make (k + 1) T / (T + k) + w N / (N + m), with
    bounds k, w, m; so the order of rows does not count. A counting sort by term, which puts what a term needs side by
    side; then its rows are merged, which come in a few runs of pages: O(rows · log of the runs).
    """
    first = np.zeros(terms + 1, np.int64)
    for e in range(rows.shape[0]):
        first[rows[e, 0] - first_term + 1] += 1
    for t in range(terms):
        first[t + 1] += first[t]
    fill, counted = first[:-1].copy(), first[:-1].copy()
    key, told = np.empty(rows.shape[0], np.int64), np.empty((rows.shape[0], 2), np.int32)
    for e in range(rows.shape[0]):
        t = rows[e, 0] - first_term
        at = fill[t]
        key[at] = (np.int64(rows[e, 1]) << 32) | (at - first[t])
        told[at, 0], told[at, 1] = rows[e, 2], rows[e, 3]
        fill[t] += 1
        counted[t] += e < plain
    start, size = np.zeros(terms + 1, np.int64), 0
    pages, counts = np.empty(key.size, np.int32), np.zeros(key.size, np.int32)
    weight, titled = np.empty(key.size, np.float32), np.zeros(key.size, np.bool_)
    said, (k, w, m) = np.zeros(5, np.int64), bounds
    spare, ends = np.empty((2, (first[1:] - first[:-1]).max() if terms else 0), np.int64)
    for t in range(terms):
        own = merged(key[first[t] : first[t + 1]], spare, ends)
        for i in range(own.size):
            v, e = own[i] >> 32, first[t] + (own[i] & _LOW)
            if i == 0 or own[i - 1] >> 32 != v:
                pages[size] = v
                size += 1
                said[:] = 0
            at, body, others = size - 1, told[e, 0], told[e, 1]
            title = (others >> 8) & 255
            counts[at] += body + title if e < counted[t] else 0
            titled[at] |= title > 0
            said[0] += body
            said[1] += others & 255
            said[2] += min(title, 1)
            said[3] += (others >> 16) & 255
            said[4] += (others >> 24) & 255
            if i + 1 == own.size or own[i + 1] >> 32 != v:
                text = factor[v, 0] * said[0] + factor[v, 1] * said[1]
                names = factor[v, 2] * said[2] + factor[v, 3] * min(said[3], MOST) + factor[v, 4] * said[4]
                weight[at] = (k + 1.0) * text / (text + k) + w * names / (names + m)
        start[t + 1] = size
    return start, pages[:size], counts[:size], weight[:size], titled[:size]


@njit(cache=True, nogil=True)
def merged(key: Longs, spare: Longs, ends: Longs) -> Longs:
    """Numbers in ascending order, by merging neighbours of the runs that ascend, in place or in as much spare room."""
    runs = 0
    for i in range(1, key.size + 1):
        if i == key.size or key[i] < key[i - 1]:
            ends[runs] = i
            runs += 1
    while runs > 1:
        first, left = 0, 0
        for run in range(0, runs, 2):
            middle, last = ends[run], ends[min(run + 1, runs - 1)]
            a, b = first, middle
            for at in range(first, last):
                if b == last or (a < middle and key[a] < key[b]):
                    spare[at] = key[a]
                    a += 1
                else:
                    spare[at] = key[b]
                    b += 1
            ends[left], first = last, last
            left += 1
        key, spare, runs = spare[: key.size], key, left
    return key


@njit(cache=True, nogil=True)
def own(first: Longs, last: Longs, factor: Floats, page: Ints, value: Values, score: Floats) -> None:
    """Add Σ_t x_v(t) to the score of every page v; x is factor · value, and the rows of a word are [first, last)."""
    for q in range(first.size):
        for e in range(first[q], last[q]):
            score[page[e]] += factor[q] * value[e]


@njit(cache=True, nogil=True)
def own_tops(page: Ints, value: Values, of_start: Longs, of: Ints, top: Values, opened: Ints) -> int:
    """Raise the top of every cluster to the largest value of a word on its pages; returns how many there are.

    These clusters are put into `opened`; the tops of all are 0 at first.
    """
    found = 0
    for e in range(page.size):
        v = np.uint32(page[e])  # a number without a sign needs no look whether it counts from the end
        for f in range(of_start[v], of_start[v + np.uint32(1)]):
            c = np.uint32(of[f])
            if top[c] == 0.0:
                opened[found] = c
                found += 1
            top[c] = value[e] if value[e] > top[c] else top[c]
    return found


@njit(cache=True, nogil=True)
def all_tops(first: int, last: int, dense: Values, start: Longs, member: Ints, top: Values) -> None:
    """The same for the clusters [first, last) from the values of all pages, 0 where a page has none."""
    for c in range(first, last):
        best = dense.dtype.type(0)
        for g in range(start[c], start[c + 1]):
            x = dense[np.uint32(member[g])]
            best = x if x > best else best
        top[c] = best


@njit(cache=True, nogil=True)
def told(opened: Ints, top: Floats, start: Longs, member: Ints, score: Floats, seen: Ints, turn: int) -> None:
    """Every cluster, best first, adds its top to the scores of members that have none yet; `seen` tells by `turn`."""
    for at in range(opened.size):
        for g in range(start[opened[at]], start[opened[at] + 1]):
            u = member[g]
            if seen[u] != turn:
                seen[u] = turn
                score[u] += top[at]


@njit(cache=True, nogil=True)
def asked(first: int, last: int, of_start: Longs, of: Ints, top: Values, factor: Floats, score: Floats) -> None:
    """Every page of [first, last) adds to its score the best top of its clusters, for each of `AT_ONCE` words.

    There are far fewer clusters than pages, and the tops of a cluster lie side by side: they stay in the cache.
    """
    for u in range(first, last):
        y1 = y2 = y3 = y4 = top.dtype.type(0)
        for f in range(of_start[u], of_start[u + 1]):
            c = np.uint32(of[f])
            y1 = top[c, 0] if top[c, 0] > y1 else y1  # one instruction; `max` also looks for NaN
            y2 = top[c, 1] if top[c, 1] > y2 else y2
            y3 = top[c, 2] if top[c, 2] > y3 else y3
            y4 = top[c, 3] if top[c, 3] > y4 else y4
        score[u] = score[u] + factor[0] * y1 + factor[1] * y2 + factor[2] * y3 + factor[3] * y4


@njit(cache=True, nogil=True)
def best_mates(clusters: Ints, start: Longs, member: Ints, own: Floats, page: int, k: int) -> Ints:
    """The k pages of some clusters that have the highest own scores, all higher than that of a page; by score, page."""
    found, size = np.empty(k, np.int32), 0
    for c in clusters:
        for g in range(start[c], start[c + 1]):
            u = member[g]
            if own[u] <= own[page] or (size == k and own[u] < own[found[k - 1]]):
                continue
            at = size
            while at > 0 and (own[found[at - 1]] < own[u] or (own[found[at - 1]] == own[u] and found[at - 1] > u)):
                at -= 1
            if at == k or (at > 0 and found[at - 1] == u):  # beyond the best, or listed already
                continue
            size = min(size + 1, k)
            for later in range(size - 1, at, -1):
                found[later] = found[later - 1]
            found[at] = u
    return found[:size].copy()


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
def best(own: Floats, led: Floats, alpha: float, eligible: Bools, k: int) -> tuple[Ints, Floats]:
    """The k eligible pages that have the highest (1 − α)·own + α·led, by score (to 12 digits), then page."""
    key_of, page_of, score_of = np.empty(k), np.empty(k, np.int32), np.empty(k)
    size = 0
    for p in range(own.size):
        score = (1.0 - alpha) * own[p] + alpha * led[p] if alpha else own[p]
        if score <= 0 or not eligible[p] or (size == k and score < key_of[0] * (1.0 - 1e-11)):
            continue
        key = rounded(score)
        if size < k or key > key_of[0]:  # pages come in order, so of equals the earlier is listed already
            size = keep(key_of, page_of, score_of, size, key, p, score)
    in_order(key_of, page_of, score_of, size)
    return page_of[:size].copy(), score_of[:size].copy()
