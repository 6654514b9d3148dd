"""The similarity graph of paper 1: every pair of pages with sim ≥ δ, row by row, never all pairs at once.

`near` rows hold the sets C(p), `far` rows the pages that have a page in their sets. Any sets will do: if a page borrows
the set of another (`chop_below`), no row of links tells what is in the union, so membership is looked up.

An edge keeps the parts of its similarity in 32 bits, from which it is computed exactly (`similarity_of`):

    bits = common · 16 + direct · 4 + missing        sim = (common + direct) / (|C(a)| + |C(b)| − common + missing)

with missing = how many of a and b are not in the other's set, so that the union gains them (Eq. 4).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.compiling import njit

Flags = npt.NDArray[np.bool_]
ONE = 1 << 40  # a similarity of 1 in sums; eight million of them fit


class Sets(NamedTuple):
    """What is compared: the sets, the pages in whose sets a page is, the links either way, and |C(p)|."""

    near_start: Longs
    near: Ints
    far_start: Longs
    far: Ints
    out_start: Longs
    out: Ints
    in_start: Longs
    in_: Ints
    size: Ints


@njit(cache=True, nogil=True)
def similarity_of(bits: int, a: int, b: int) -> float:
    """The similarity of an edge between pages whose sets have `a` and `b` members (Eq. 4)."""
    common, direct, missing = bits >> 4, (bits >> 2) & 3, bits & 3
    return (common + direct) / (a + b - common + missing)


@njit(cache=True, nogil=True)
def in_parts(similarity: float) -> int:
    """A similarity in parts of `ONE`."""
    return int(similarity * ONE + 0.5)


@njit(cache=True, nogil=True)
def far_by_size(near_start: Longs, near: Ints, by_size: Ints, far: Ints) -> Longs:
    """Fill in the rows {p : q ∈ C(p)}, each in the order of `by_size`, which lists the pages by |C(p)|; returns where
    each begins."""
    n = near_start.size - 1
    start = np.zeros(n + 1, np.int64)
    for q in near:
        start[q + 1] += 1
    for i in range(n):
        start[i + 1] += start[i]
    fill = start[:-1].copy()
    for p in by_size:
        for e in range(near_start[p], near_start[p + 1]):
            far[fill[near[e]]] = p
            fill[near[e]] += 1
    return start


@njit(cache=True, nogil=True)
def _least_partner(size: int, delta: float) -> int:
    """The least size at which a smaller set can have a similarity of δ: sim < (|smaller| + 2) / |larger| (5.1)."""
    least = max(int(delta * size) - 4, 0)
    while (least + 2) / size < delta:
        least += 1
    return least


@njit(cache=True, nogil=True)
def _largest_partner(size: int, delta: float) -> int:
    """The greatest size at which a larger set can have a similarity of δ."""
    most = int((size + 2) / delta) + 2
    while (size + 2) / most < delta:
        most -= 1
    return most


@njit(cache=True, nogil=True)
def _first_of_size(far: Ints, first: int, last: int, size: Ints, wanted: int) -> int:
    """Where in far[first:last], which is ordered by size, the pages with at least the wanted size begin."""
    while first < last:
        middle = (first + last) // 2
        if size[far[middle]] < wanted:
            first = middle + 1
        else:
            last = middle
    return first


@njit(cache=True, nogil=True)
def met(
    page: int,
    least: int,
    most: int,
    sets: Sets,
    common: Ints,
    bits: Ints,
    touched: Ints,
) -> int:
    """The pages that share neighbours or links with a page: returns how many; `touched` gets them, `bits` their edges.

    The page itself is not among them. Sets smaller than `least` or larger than `most` are skipped unread. `common` is
    zeros, and is zeros again afterwards; the caller resets the bits of the pages touched to zero.
    """
    near_start, near, far_start, far, out_start, out, in_start, in_, size = sets
    found = 0
    for e in range(near_start[page], near_start[page + 1]):
        q = near[e]
        first, last = far_start[q], far_start[q + 1]
        if size[far[first]] < least:
            first = _first_of_size(far, first, last, size, least)
        if first < last and size[far[last - 1]] > most:
            last = _first_of_size(far, first, last, size, most + 1)
        for f in range(first, last):
            p = far[f]
            if common[p] == 0:
                touched[found] = p
                found += 1
            common[p] += 1
    kept = 0
    for i in range(found):
        p = touched[i]
        bits[p] = common[p] << 4 | 2
        common[p] = 0
        touched[kept] = p
        kept += p != page
    bits[page] = 0
    found = kept
    for e in range(out_start[page], out_start[page + 1]):
        found = _linked(out[e], found, bits, touched)
    for e in range(in_start[page], in_start[page + 1]):
        found = _linked(in_[e], found, bits, touched)
    for e in range(near_start[page], near_start[page + 1]):  # a page in this page's set is in the union already,
        if bits[near[e]]:
            bits[near[e]] -= 1
    for f in range(far_start[page], far_start[page + 1]):  # and so is this page if it is in the other's set
        if bits[far[f]]:
            bits[far[f]] -= 1
    return found


@njit(cache=True, nogil=True)
def _linked(p: int, found: int, bits: Ints, touched: Ints) -> int:
    """Count a direct link with p."""
    if bits[p] == 0:
        bits[p] = 2
        touched[found] = p
        found += 1
    bits[p] += 4
    return found


@njit(cache=True, nogil=True)
def totals(
    first: int,
    last: int,
    sets: Sets,
    pairs: Ints,
    sums: Longs,
) -> None:
    """For the rows [first, last): how many pages have a similarity that is not 0, and the sum of their similarities, in
    parts of `ONE`: whole numbers, so that the order of adding does not count."""
    n, size = sets.size.size, sets.size
    common, bits, touched = np.zeros(n, np.int32), np.zeros(n, np.int32), np.empty(n + 1, np.int32)
    for page in range(first, last):
        found = met(page, 0, n, sets, common, bits, touched)
        total = np.int64(0)
        for i in range(found):
            p = touched[i]
            total += in_parts(similarity_of(bits[p], size[page], size[p]))
            bits[p] = 0
        pairs[page] = found
        sums[page] = total


@njit(cache=True, nogil=True)
def edges(
    first: int,
    last: int,
    delta: float,
    at_most: float,
    bounded: bool,
    sets: Sets,
    left_out: Flags,
    capacity: int,
) -> tuple[Ints, Ints, Ints]:
    """The rows [first, last) of the graph: the length of each, the neighbours (ascending), and their bits.

    Edges with δ ≤ sim ≤ at_most are kept, except to pages left out. `capacity` is at least the size of all these rows.
    """
    n, size = sets.size.size, sets.size
    common, bits, touched = np.zeros(n, np.int32), np.zeros(n, np.int32), np.empty(n + 1, np.int32)
    lengths = np.zeros(last - first, np.int32)
    neighbours, kept = np.empty(capacity, np.int32), np.empty(capacity, np.int32)
    end = 0
    for page in range(first, last):
        if left_out[page]:
            continue
        least, most = 0, n
        if bounded and delta > 0.0 and size[page] > 0:
            least, most = _least_partner(size[page], delta), _largest_partner(size[page], delta)
        found = met(page, least, most, sets, common, bits, touched)
        begin = end
        for i in range(found):
            p = touched[i]
            sim = similarity_of(bits[p], size[page], size[p])
            if delta <= sim <= at_most and not left_out[p]:
                neighbours[end] = p
                end += 1
            else:
                bits[p] = 0
        neighbours[begin:end].sort()
        for e in range(begin, end):
            kept[e] = bits[neighbours[e]]
            bits[neighbours[e]] = 0
        lengths[page - first] = end - begin
    return lengths, neighbours[:end].copy(), kept[:end].copy()


@njit(cache=True, nogil=True)
def edges_of(first: int, last: int, start: Longs, neighbour: Ints, bits: Ints, size: Ints) -> tuple[Ints, Ints, Floats]:
    """The edges of some rows that lead to later pages: (a, b, sim) with a < b."""
    most = start[last] - start[first]
    a, b, sim = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most)
    found = 0
    for page in range(first, last):
        for e in range(start[page], start[page + 1]):
            p = neighbour[e]
            if p > page:
                a[found], b[found], sim[found] = page, p, similarity_of(bits[e], size[page], size[p])
                found += 1
    return a[:found].copy(), b[:found].copy(), sim[:found].copy()
