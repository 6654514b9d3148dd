"""Compressed sparse rows: a graph as `start` (n + 1 offsets) and `neighbour` (the rows one after another)."""

import numpy as np
import numpy.typing as npt

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.compiling import njit


@njit(cache=True, nogil=True)
def rows_from_pairs(source: Ints, target: Ints, n: int) -> tuple[Longs, Ints]:
    """The rows of n sources, each with its targets in the order given; a counting sort, O(n + m)."""
    start = np.zeros(n + 1, np.int64)
    for s in source:
        start[s + 1] += 1
    for i in range(n):
        start[i + 1] += start[i]
    fill = start[:-1].copy()
    neighbour = np.empty(source.size, np.int32)
    for e in range(source.size):
        s = source[e]
        neighbour[fill[s]] = target[e]
        fill[s] += 1
    return start, neighbour


@njit(cache=True, nogil=True)
def transposed(start: Longs, neighbour: Ints) -> tuple[Longs, Ints]:
    """The same links from their other end; every row of the result ascends. O(n + m)."""
    return turned(start, neighbour, start.size - 1)


@njit(cache=True, nogil=True)
def turned(start: Longs, neighbour: Ints, n: int) -> tuple[Longs, Ints]:
    """For each of n members, the rows that hold it, ascending: `transposed` for rows whose members are not rows."""
    back = np.zeros(n + 1, np.int64)
    for t in neighbour:
        back[t + 1] += 1
    for i in range(n):
        back[i + 1] += back[i]
    fill = back[:-1].copy()
    source = np.empty(neighbour.size, np.int32)
    for s in range(start.size - 1):
        for e in range(start[s], start[s + 1]):
            t = neighbour[e]
            source[fill[t]] = s
            fill[t] += 1
    return back, source


@njit(cache=True, nogil=True)
def turned_part(start: Longs, neighbour: Ints, back: Longs, first: int, last: int) -> Ints:
    """Of `transposed`, the rows from `first` up to `last`, given where all of them begin (`back`)."""
    fill = back[first:last] - back[first]
    source = np.empty(back[last] - back[first], np.int32)
    for s in range(start.size - 1):
        for e in range(start[s], start[s + 1]):
            t = neighbour[e]
            if first <= t < last:
                source[fill[t - first]] = s
                fill[t - first] += 1
    return source


@njit(cache=True, nogil=True)
def simplified(start: Longs, neighbour: Ints) -> tuple[Longs, Ints]:
    """Ascending rows without repetitions and self-links, as the methods' sets I(p) and O(p) need to be."""
    n = start.size - 1
    kept_start = np.zeros(n + 1, np.int64)
    kept = np.empty(neighbour.size, np.int32)
    size = 0
    for s in range(n):
        last = -1
        for e in range(start[s], start[s + 1]):
            t = neighbour[e]
            if t != last and t != s:
                kept[size] = t
                size += 1
            last = t
        kept_start[s + 1] = size
    return kept_start, kept[:size].copy()


@njit(cache=True, nogil=True)
def union_rows(a_start: Longs, a: Ints, b_start: Longs, b: Ints) -> tuple[Longs, Ints]:
    """For each row, its neighbours in either of two graphs, ascending: I(p) ∪ O(p). The rows of both must ascend."""
    n = a_start.size - 1
    start = np.zeros(n + 1, np.int64)
    union = np.empty(a.size + b.size, np.int32)
    size = 0
    for p in range(n):
        i, i_end, j, j_end = a_start[p], a_start[p + 1], b_start[p], b_start[p + 1]
        while i < i_end or j < j_end:
            if j == j_end or (i < i_end and a[i] < b[j]):
                union[size] = a[i]
                i += 1
            else:
                if i < i_end and a[i] == b[j]:
                    i += 1
                union[size] = b[j]
                j += 1
            size += 1
        start[p + 1] = size
    return start, union[:size].copy()


@njit(cache=True, nogil=True)
def row_sums(start: Longs, neighbour: Ints, weight: Floats) -> Floats:
    """The sum of the weights of each row's neighbours."""
    sums = np.zeros(start.size - 1)
    for p in range(sums.size):
        for e in range(start[p], start[p + 1]):
            sums[p] += weight[neighbour[e]]
    return sums


@njit(cache=True, nogil=True)
def kept_citers(
    begin: int, end: int, in_start: Longs, in_: Ints, out_start: Longs, max_in: int, max_out: int
) -> npt.NDArray[np.bool_]:
    """Which in-links of the pages [begin, end) stay: those from pages with at most `max_out` out-links; of these, per
    page, the `max_in` whose sources have most in-links themselves, ties in page order. A negative limit: no limit."""
    kept = np.zeros(in_start[end] - in_start[begin], np.bool_)
    for p in range(begin, end):
        first, last = in_start[p], in_start[p + 1]
        rank = np.empty(last - first, np.int64)
        size = 0
        for e in range(first, last):
            q = in_[e]
            if max_out < 0 or out_start[q + 1] - out_start[q] <= max_out:
                # Rows ascend, so among equals the earlier place is the earlier page.
                rank[size] = ((in_start[q + 1] - in_start[q]) << 32) | (0xFFFFFFFF - (e - first))
                size += 1
        if max_in >= 0 and size > max_in:
            rank[:size] = -np.sort(-rank[:size])
            size = max_in
        for i in range(size):
            kept[first - in_start[begin] + (0xFFFFFFFF - (rank[i] & 0xFFFFFFFF))] = True
    return kept


@njit(cache=True, nogil=True)
def two_steps(row: int, start: Longs, middle: Ints, far_start: Longs, far: Ints, count: Ints, met: Ints) -> int:
    """Walk from a row to its members, and on to the rows that these lead to. `count`, all zero at first, gets in how
    many ways each row is reached, and `met` the rows reached; returns how many these are."""
    found = 0
    for e in range(start[row], start[row + 1]):
        q = middle[e]
        for f in range(far_start[q], far_start[q + 1]):
            p = far[f]
            if count[p] == 0:
                met[found] = p
                found += 1
            count[p] += 1
    return found
