"""The pages most related to each page, from what citing sites give pairs of pages (paper 3, Eq. 12–13).

With DS_d what a citing site d gives over all anchors, at most N, and in(p) the blocks that link to p:

    TS(p₁ → p₂) = Σ_d DS_d / (1 + ln in(p₂))
"""

import numpy as np

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.compiling import njit
from pagekin.kernels.similarity import in_order, keep, rounded

ONE = 10**17  # a score is kept as a whole number and so many parts of one, both exact


@njit(cache=True, nogil=True)
def most_related(
    start: Longs, other: Ints, whole: Longs, rest: Longs, weight: Floats, least: float, k: int
) -> tuple[Ints, Ints, Floats]:
    """For each page its k best others by score (to 12 digits), then page: how many, others, scores.

    What sites give the page in row r are the entries [start[r], start[r + 1]): another page and a score, `whole` and
    `rest` parts of `ONE`. They are added up by page, divided by the other's `weight`, and left out below `least`.
    O(entries), with three numbers for each page of the collection.
    """
    rows = start.size - 1
    sizes, pages, scores = np.zeros(rows, np.int32), np.empty(rows * k, np.int32), np.empty(rows * k)
    seen, ones, parts = (
        np.full(weight.size, -1, np.int32),
        np.zeros(weight.size, np.int64),
        np.zeros(weight.size, np.int64),
    )
    touched, end = np.empty(weight.size, np.int32), 0
    key_of, page_of, score_of = np.empty(k), np.empty(k, np.int32), np.empty(k)
    for r in range(rows):
        found = 0
        for e in range(start[r], start[r + 1]):
            p = other[e]
            if seen[p] != r:
                seen[p], ones[p], parts[p] = r, 0, 0
                touched[found] = p
                found += 1
            ones[p] += whole[e]
            parts[p] += rest[e]
            if parts[p] >= ONE:
                parts[p] -= ONE
                ones[p] += 1
        size = 0
        for i in range(found):
            p = touched[i]
            score = (ones[p] + parts[p] / ONE) / weight[p]
            key = rounded(score)
            if score >= least and (size < k or key > key_of[0] or (key == key_of[0] and p < page_of[0])):
                size = keep(key_of, page_of, score_of, size, key, p, score)
        in_order(key_of, page_of, score_of, size)
        sizes[r] = size
        pages[end : end + size], scores[end : end + size] = page_of[:size], score_of[:size]
        end += size
    return sizes, pages[:end].copy(), scores[:end].copy()
