"""The best-match mean (paper 4, Eq. 14–15 and 17–18): the similarity of two sets, from that of their members.

    mean(A, B) = (Σ_{a∈A} max_{b∈B} r(a, b) + Σ_{b∈B} max_{a∈A} r(a, b)) / (|A| + |B|),   0 if A or B is empty

One operator, `_mean`, is used twice: over the keywords of two pages, r is the relevance of words; over the pages that
they link to, r is that very mean of words, one level below. A is the set of the page asked about, and the matrix holds
r(a, b) with a row for each b and a column for each a, so that one b's values lie side by side.
"""

import numpy as np
import numpy.typing as npt
from numba import uintp

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.compiling import njit
from pagekin.kernels.csr import two_steps
from pagekin.kernels.keywords import Words, relevance
from pagekin.kernels.similarity import _NEARLY, in_order, keep, rounded

Singles = npt.NDArray[np.float32]

# How far a bound may fall short of its score: its terms are in single precision, so that all words fit the cache.
_ROUNDING = 1.0 + 1e-6


@njit(cache=True, nogil=True)
def _padded(size: int) -> int:
    """The number of columns rounded up to fours, with zeros in the last: four maxima at a time stay in registers."""
    return (size + 3) // 4 * 4


@njit(cache=True, nogil=True)
def _mean(size: int, members: Ints, place: Ints, matrix: Floats, high: Floats) -> float:
    """The best-match mean of A = the `size` columns and B = `members`, whose rows are at `place`; `high` is each row's
    greatest value."""
    if members.size == 0 or size == 0:
        return 0.0
    total = 0.0
    for b in members:
        total += high[place[b]]
    for a in range(0, matrix.shape[1], 4):
        first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
        for b in members:
            row = uintp(place[b])
            value = matrix[row, uintp(a)]
            first = value if value > first else first
            value = matrix[row, uintp(a + 1)]
            second = value if value > second else second
            value = matrix[row, uintp(a + 2)]
            third = value if value > third else third
            value = matrix[row, uintp(a + 3)]
            fourth = value if value > fourth else fourth
        total += first + second + third + fourth
    return float(total / (size + members.size))


@njit(cache=True, nogil=True)
def means(rows: Ints, start: Longs, member: Ints, place: Ints, values: Floats) -> Floats:
    """The best-match mean of the columns of `values` with the members of each row."""
    size = values.shape[1]
    matrix, high = np.zeros((values.shape[0], _padded(size))), np.zeros(values.shape[0])
    matrix[:, :size] = values
    for b in range(values.shape[0]):
        for a in range(size):
            high[b] = max(high[b], matrix[b, a])
    found = np.empty(rows.size, np.float64)
    for r in range(rows.size):
        found[r] = _mean(size, member[start[rows[r]] : start[rows[r] + 1]], place, matrix, high)
    return found


@njit(cache=True, nogil=True)
def _related_words(page: int, words: Words, place: Ints, matrix: Floats, high: Floats, met: Ints) -> int:
    """Fill `matrix` and `high` for the keywords of a page; returns how many words have a row of their own, in `met`.

    A word that meets none of the page's keywords needs no row: it shares that of its group, for pairs that never meet.
    """
    first, last = words.start[page], words.start[page + 1]
    groups, width = words.group_pages.size, last - first
    matrix[:groups, width:] = 0.0
    for i in range(width):
        a = words.pages[words.word[first + i]]
        for g in range(groups):
            matrix[g, i] = relevance(0, a, words.group_pages[g], words.plogp, words.scale)
    size = 0
    for i in range(width):
        w = words.word[first + i]
        if place[w] < groups:
            for j in range(matrix.shape[1]):
                matrix[groups + size, j] = matrix[place[w], j]
            place[w] = groups + size
            met[size] = w
            size += 1
        a = words.pages[w]
        for e in range(words.pair_start[w], words.pair_start[w + 1]):
            v = words.pair[e]
            at = place[v]
            if at < groups:
                for j in range(matrix.shape[1]):
                    matrix[groups + size, j] = matrix[at, j]
                at = groups + size
                place[v] = at
                met[size] = v
                size += 1
            matrix[at, i] = relevance(words.together[e], a, words.pages[v], words.plogp, words.scale)
        matrix[place[w], i] = 1.0
    for b in range(groups + size):
        high[b] = 0.0
        for i in range(width):
            high[b] = matrix[b, i] if matrix[b, i] > high[b] else high[b]
    return size


@njit(cache=True, nogil=True)
def _widest(rows: Ints, start: Longs) -> int:
    wide = 0
    for page in rows:
        wide = max(wide, start[page + 1] - start[page])
    return wide


@njit(cache=True, nogil=True)
def page_similarities(rows: Ints, others: Ints, words: Words) -> Floats:
    """Sim_s of each of `others` (a row each) with each of `rows` (a column each); 1 for a page with itself."""
    tall, wide = words.group_pages.size + words.pages.size, _padded(_widest(rows, words.start))
    space, high = np.empty(tall * wide), np.empty(tall)
    place, met = words.group.copy(), np.empty(words.pages.size, np.int32)
    found = np.empty((others.size, rows.size), np.float64)
    for i in range(rows.size):
        page = rows[i]
        width = words.start[page + 1] - words.start[page]
        matrix = space[: tall * _padded(width)].reshape((tall, _padded(width)))
        size = _related_words(page, words, place, matrix, high, met) if width else 0
        for j in range(others.size):
            other = others[j]
            members = words.word[words.start[other] : words.start[other + 1]]
            found[j, i] = 1.0 if other == page else _mean(width, members, place, matrix, high)
        for w in met[:size]:
            place[w] = words.group[w]
    return found


_SAMPLE = 400  # keywords of pages, evenly spaced, to estimate which relevance is high


@njit(cache=True, nogil=True)
def _reaches(width: int, rows: int, words: Words, place: Ints, matrix: Floats, high: Floats, reach: Singles) -> float:
    """The most that each word adds to the two sums of a mean (into `reach`); returns what the sums are before any word.

    For any threshold τ(a),  max_{b∈B} r(a, b) ≤ τ(a) + Σ_{b∈B} max(r(a, b) − τ(a), 0).  The bound is valid for every τ,
    and tight if about one keyword of a page is above it: τ(a) is that quantile of a sample of keywords.
    """
    values, total = np.empty(_SAMPLE), 0.0
    threshold = np.empty(width)
    over = int(_SAMPLE * (words.start.size - 1) / words.word.size)  # one per page's number of keywords
    for i in range(width):
        for j in range(_SAMPLE):
            values[j] = matrix[place[words.word[j * words.word.size // _SAMPLE]], i]
        threshold[i] = np.sort(values)[max(_SAMPLE - 1 - over, 0)]
        total += threshold[i]
    row_reach = high[:rows].copy()
    for b in range(rows):
        for i in range(width):
            row_reach[b] += max(matrix[b, i] - threshold[i], 0.0)
    for w in range(reach.size):
        reach[w] = np.float32(row_reach[place[w]])
    return total


@njit(cache=True, nogil=True)
def strongest_matches(rows: Ints, k: int, words: Words) -> tuple[Ints, Ints, Floats]:
    """For each page in `rows`, its k best by Sim_s (to 12 digits), then page: (how many, pages, scores).

    This is exact without computing every mean: one sum over a page's keywords bounds it (`_reaches`), at a twentieth of
    the cost. The k highest bounds are tried first, and then all pages that could still make the list.
    """
    n = words.start.size - 1
    tall, wide = words.group_pages.size + words.pages.size, _padded(_widest(rows, words.start))
    space, high = np.empty(tall * wide), np.empty(tall)
    place, met = words.group.copy(), np.empty(words.pages.size, np.int32)
    reach, bound = np.empty(words.pages.size, np.float32), np.empty(n)
    sizes = np.zeros(rows.size, np.int32)
    pages, scores = np.full((rows.size, k), -1, np.int32), np.zeros((rows.size, k), np.float64)
    key_of, page_of, score_of = np.empty(k), np.empty(k, np.int32), np.empty(k)
    tried = np.empty(k, np.int32)
    for r in range(rows.size):
        page = rows[r]
        width = words.start[page + 1] - words.start[page]
        if width == 0:
            continue
        matrix = space[: tall * _padded(width)].reshape((tall, _padded(width)))
        own = _related_words(page, words, place, matrix, high, met)
        slack = _reaches(width, words.group_pages.size + own, words, place, matrix, high, reach)
        size = 0
        for p in range(n):
            first, last = words.start[p], words.start[p + 1]
            total = slack
            for e in range(uintp(first), uintp(last)):
                total += reach[uintp(words.word[e])]  # unsigned: saves numba's check for negative indexes
            bound[p] = total / (width + last - first) * _ROUNDING if last > first and p != page else 0.0
            if bound[p] > 0.0 and (size < k or bound[p] > key_of[0]):
                size = keep(key_of, page_of, score_of, size, bound[p], p, 0.0)
        tries = size
        tried[:tries] = page_of[:tries]
        size = 0
        for i in range(tries + n):
            p = tried[i] if i < tries else i - tries
            if bound[p] == 0.0 or (size == k and bound[p] < key_of[0] * _NEARLY):
                continue
            bound[p] = 0.0
            score = _mean(width, words.word[words.start[p] : words.start[p + 1]], place, matrix, high)
            if score <= 0.0 or (size == k and score < key_of[0] * _NEARLY):
                continue
            key = rounded(score)
            if size < k or key > key_of[0] or (key == key_of[0] and p < page_of[0]):
                size = keep(key_of, page_of, score_of, size, key, p, score)
        in_order(key_of, page_of, score_of, size)
        sizes[r] = size
        pages[r, :size] = page_of[:size]
        scores[r, :size] = score_of[:size]
        for w in met[:own]:
            place[w] = words.group[w]
    return sizes, pages, scores


@njit(cache=True, nogil=True)
def dice(page: int, words: Words, holder_start: Longs, holder: Ints) -> Floats:
    """Sim_s of a page with every page as if only equal words were relevant: 2·shared / (keywords of both)."""
    n = words.start.size - 1
    count, met, found = np.zeros(n, np.int32), np.empty(n, np.int32), np.zeros(n, np.float64)
    width = words.start[page + 1] - words.start[page]
    for p in met[: two_steps(page, words.start, words.word, holder_start, holder, count, met)]:
        found[p] = 2.0 * count[p] / (width + words.start[p + 1] - words.start[p])
    return found


_BINS = 1000  # bins for the shares of keywords in common, to find the highest without sorting


@njit(cache=True, nogil=True)
def link_estimates(
    mine: Ints,
    nearest: int,
    words: Words,
    holder_start: Longs,
    holder: Ints,
    near_start: Longs,
    near: Ints,
    far_start: Longs,
    far: Ints,
) -> Floats:
    """Estimates of Sim_l between a page with linked pages `mine` and every page, for choosing candidates.

    They are the best-match mean over `near` rows, with `dice` in place of Sim_s, and for each linked page only itself
    and at most `nearest` pages that share most keywords with it. Time: those pages' `far` rows.
    """
    n = words.start.size - 1
    count, met = np.zeros(n, np.int32), np.empty(n, np.int32)
    alike = np.zeros(n, np.float64)  # the greatest similarity of a page to one of mine
    best, total = np.zeros(n, np.float64), np.zeros(n, np.float64)
    chosen, reached = np.empty(nearest + 1, np.int32), np.empty(n, np.int32)
    value = np.empty(n, np.float64)
    bins = np.zeros(_BINS + 1, np.int64)
    for page in mine:
        found = two_steps(page, words.start, words.word, holder_start, holder, count, met)
        width = words.start[page + 1] - words.start[page]
        bins[:] = 0
        for i in range(found):
            p = met[i]
            value[p] = 2.0 * count[p] / (width + words.start[p + 1] - words.start[p])
            count[p] = 0
            bins[int(value[p] * _BINS)] += 1
        lowest, left = _BINS + 1, nearest
        while lowest > 0 and bins[lowest - 1] <= left:
            lowest -= 1
            left -= bins[lowest]
        chosen[0] = page
        value[page] = 1.0
        size = 1
        for i in range(found):
            p = met[i]
            if p != page and int(value[p] * _BINS) >= lowest and size <= nearest:
                chosen[size] = p
                size += 1
        far_found = 0
        for p in chosen[:size]:
            alike[p] = max(alike[p], value[p])
            for e in range(far_start[p], far_start[p + 1]):
                q = far[e]
                if best[q] == 0.0:
                    reached[far_found] = q
                    far_found += 1
                best[q] = max(best[q], value[p])
        for q in reached[:far_found]:
            total[q] += best[q]
            best[q] = 0.0
    for p in range(n):
        if alike[p] > 0.0:
            for e in range(far_start[p], far_start[p + 1]):
                total[far[e]] += alike[p]
    for q in range(n):
        if total[q] > 0.0:
            total[q] /= mine.size + near_start[q + 1] - near_start[q]
    return total
