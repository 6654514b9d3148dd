"""The k pages that share most neighbours with a page, for one page (a question) or row after row (a batch).

A neighbourhood is a set of pages C(p): I(p) for co-citation, O(p) for coupling, I(p) ∪ O(p) for Amsler. Page b shares
the neighbour q with page a exactly when b is in q's row of the opposite graph, so every measure is one walk of two
steps: `near` rows hold C, `far` rows the opposite (O for I, I for O, and I ∪ O for itself).
"""

import math

import numpy as np

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.compiling import njit
from pagekin.kernels.csr import two_steps

# The scores that `strongest` can give a pair.
COUNT = 0  # |C(a) ∩ C(b)|
SETS = 1  # Eq. 1–3: |C(a) ∩ C(b)| / |C(a) ∪ C(b)|
DIRECT = 2  # Eq. 4: (|C(a) ∩ C(b)| + direct) / |C(a) ∪ C(b) ∪ {a} ∪ {b}|

SIGNIFICANT_DIGITS = 12  # scores equal to so many digits are ties, so the order of summation does not matter
_TINY = 1e-290  # below this, the power of ten that scales the digits up would overflow
_NEARLY = 1.0 - 1e-11  # a raw score under this share of the worst kept one cannot round up to it


@njit(cache=True, nogil=True)
def rounded(value: float) -> float:
    """The value to 12 significant digits, by which results are ordered."""
    if abs(value) < _TINY or not math.isfinite(value):
        return value
    scale = 10.0 ** (SIGNIFICANT_DIGITS - 1 - math.floor(math.log10(abs(value))))
    return float(np.round(value * scale) / scale)


@njit(cache=True, nogil=True)
def similarity(common: int, direct: int, a: int, b: int, formula: int, symmetric: bool) -> float:
    """Eq. 1–4 for two pages with `a` and `b` neighbours, `common` of them shared, and `direct` links (0, 1, 2).

    In Eq. 4, a page is already in the union if it is in the other's neighbourhood. One direct link puts one of the two
    there if neighbourhoods look one way, and both if they look both ways (`symmetric`).
    """
    union = a + b - common
    if formula == SETS:
        return common / union if union else 0.0
    missing = (0 if direct else 2) if symmetric else 2 - direct
    return (common + direct) / (union + missing)


@njit(cache=True, nogil=True)
def _worse(keys: Floats, pages: Ints, i: int, j: int) -> bool:
    """Whether entry i ranks behind entry j: a lower key, or an equal one and a later page."""
    return bool(keys[i] < keys[j] or (keys[i] == keys[j] and pages[i] > pages[j]))


@njit(cache=True, nogil=True)
def _swap(keys: Floats, pages: Ints, scores: Floats, i: int, j: int) -> None:
    keys[i], keys[j] = keys[j], keys[i]
    pages[i], pages[j] = pages[j], pages[i]
    scores[i], scores[j] = scores[j], scores[i]


@njit(cache=True, nogil=True)
def _sift(keys: Floats, pages: Ints, scores: Floats, at: int, size: int) -> None:
    """Restore the heap, worst entry first, below position `at`."""
    while True:
        child = 2 * at + 1
        if child >= size:
            return
        if child + 1 < size and _worse(keys, pages, child + 1, child):
            child += 1
        if not _worse(keys, pages, child, at):
            return
        _swap(keys, pages, scores, at, child)
        at = child


@njit(cache=True, nogil=True)
def keep(keys: Floats, pages: Ints, scores: Floats, size: int, key: float, page: int, score: float) -> int:
    """Put a page on a bounded list of the best, a heap with its worst entry first; returns the list's size.

    The list is ordered by `key` (the score to 12 digits), then page. A full list drops its worst entry, so the caller
    offers only pages that rank before that.
    """
    at = size if size < keys.size else 0
    keys[at], pages[at], scores[at] = key, page, score
    if size == keys.size:
        _sift(keys, pages, scores, 0, size)
        return size
    if size + 1 == keys.size:
        _heap(keys, pages, scores, size + 1)
    return size + 1


@njit(cache=True, nogil=True)
def _heap(keys: Floats, pages: Ints, scores: Floats, size: int) -> None:
    for at in range(size // 2 - 1, -1, -1):
        _sift(keys, pages, scores, at, size)


@njit(cache=True, nogil=True)
def in_order(keys: Floats, pages: Ints, scores: Floats, size: int) -> None:
    """Sort a list that `keep` filled, best first, in place."""
    _heap(keys, pages, scores, size)
    for end in range(size - 1, 0, -1):
        _swap(keys, pages, scores, 0, end)
        _sift(keys, pages, scores, 0, end)


@njit(cache=True, nogil=True)
def strongest(
    rows: Ints,
    k: int,
    formula: int,
    symmetric: bool,
    near_start: Longs,
    near: Ints,
    far_start: Longs,
    far: Ints,
    out_start: Longs,
    out: Ints,
    in_start: Longs,
    in_: Ints,
    common: Ints,
    direct: Ints,
) -> tuple[Ints, Ints, Floats]:
    """For each page in `rows`, its k best by score (to 12 digits), then page: (how many, pages, scores).

    `common` and `direct` are scratch, one zero for each page of the collection, and are zeros again at the end. The
    caller makes them with calloc (`np.zeros`), so that a question touches only the memory of its candidates.
    Time: the two-step walk, Σ_q∈C(p) |far(q)|, and O(log k) for each candidate that makes the list.
    """
    sizes = np.zeros(rows.size, np.int32)
    pages = np.full((rows.size, k), -1, np.int32)
    scores = np.zeros((rows.size, k), np.float64)
    touched = np.empty(common.size, np.int32)
    key_of, page_of, score_of = np.empty(k, np.float64), np.empty(k, np.int32), np.empty(k, np.float64)
    for r in range(rows.size):
        page = rows[r]
        found = two_steps(page, near_start, near, far_start, far, common, touched)
        if formula == DIRECT:
            for e in range(out_start[page], out_start[page + 1]):
                direct[out[e]] += 1
            for e in range(in_start[page], in_start[page + 1]):
                direct[in_[e]] += 1
            for e in range(out_start[page], out_start[page + 1]):
                if common[out[e]] == 0:
                    touched[found] = out[e]
                    found += 1
            for e in range(in_start[page], in_start[page + 1]):
                if common[in_[e]] == 0 and direct[in_[e]] == 1:  # direct = 2 came with the out-links
                    touched[found] = in_[e]
                    found += 1
        size = 0
        a = near_start[page + 1] - near_start[page]
        for i in range(found):
            p = touched[i]
            if formula == COUNT:  # without the other page's degree, a cache miss for each candidate
                score = float(common[p])
            else:
                score = similarity(common[p], direct[p], a, near_start[p + 1] - near_start[p], formula, symmetric)
                direct[p] = 0
            common[p] = 0
            if p == page or (size == k and score < key_of[0] * _NEARLY):
                continue
            key = score if formula == COUNT else rounded(score)
            if size < k or key > key_of[0] or (key == key_of[0] and p < page_of[0]):
                size = keep(key_of, page_of, score_of, size, key, p, score)
        in_order(key_of, page_of, score_of, size)
        sizes[r] = size
        pages[r, :size] = page_of[:size]
        scores[r, :size] = score_of[:size]
    return sizes, pages, scores
