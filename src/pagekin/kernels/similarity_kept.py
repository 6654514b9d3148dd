"""A similarity graph from a former one: the edges of the pages that have changed, and rows put together from both.

Edges and their bits are those of `similarity_graph`. A graph is kept in two tables, of the edges with sim ≥ δ and of
those a little below it, because δ moves as pages are added.
"""

import numpy as np

from pagekin.kernels import Ints, Longs
from pagekin.kernels.compiling import njit
from pagekin.kernels.similarity_graph import Flags, Sets, in_parts, met, similarity_of

NONE = np.int32(2**31 - 1)  # behind every page


@njit(cache=True, nogil=True)
def walked(
    rows: Ints,
    other: Flags,
    least: float,
    at_most: float,
    sets: Sets,
) -> tuple[Longs, Ints, Ints, Longs]:
    """The edges of some rows with least ≤ sim ≤ at_most, as `edges` gives them: lengths of rows, neighbours, bits.

    And, over all pairs with an end in these rows, which `other` marks: how many have a similarity that is not 0, and
    the sum of these in parts of `ONE`, as two numbers.
    """
    n, size = sets.size.size, sets.size
    common, bits, touched = np.zeros(n, np.int32), np.zeros(n, np.int32), np.empty(n + 1, np.int32)
    lengths, room, end = np.zeros(rows.size, np.int64), 1024, 0
    neighbours, kept = np.empty(room, np.int32), np.empty(room, np.int32)
    totals = np.zeros(2, np.int64)
    for r in range(rows.size):
        page = rows[r]
        found = met(page, 0, n, sets, common, bits, touched)
        if end + found > room:
            room = 2 * (end + found)
            more, more_kept = np.empty(room, np.int32), np.empty(room, np.int32)
            more[:end], more_kept[:end] = neighbours[:end], kept[:end]
            neighbours, kept = more, more_kept
        begin = end
        for i in range(found):
            p = touched[i]
            sim = similarity_of(bits[p], size[page], size[p])
            if not other[p] or p > page:  # of two rows that have the pair, one counts it
                totals[0] += 1
                totals[1] += in_parts(sim)
            if least <= sim <= at_most:
                neighbours[end] = p
                end += 1
            else:
                bits[p] = 0
        neighbours[begin:end].sort()
        for e in range(begin, end):
            kept[e] = bits[neighbours[e]]
            bits[neighbours[e]] = 0
        lengths[r] = end - begin
    return lengths, neighbours[:end].copy(), kept[:end].copy(), totals


@njit(cache=True, nogil=True)
def in_both_rows(rows: Ints, lengths: Longs, other: Ints, bits: Ints, mine: Flags) -> tuple[Longs, Ints, Ints]:
    """The edges of some rows, which `mine` marks and which have those among themselves twice, in the rows of both ends.

    Rows and their edges ascend, so that all rows do.
    """
    start, e = np.zeros(mine.size + 1, np.int64), 0
    for r in range(rows.size):
        start[rows[r] + 1] += lengths[r]
    for p in other:
        start[p + 1] += not mine[p]
    for p in range(mine.size):
        start[p + 1] += start[p]
    fill = start[:-1].copy()
    neighbours, kept = np.empty(start[-1], np.int32), np.empty(start[-1], np.int32)
    for r in range(rows.size):
        for _ in range(lengths[r]):
            at = fill[rows[r]]
            neighbours[at], kept[at] = other[e], bits[e]
            fill[rows[r]] += 1
            if not mine[other[e]]:
                at = fill[other[e]]
                neighbours[at], kept[at] = rows[r], bits[e]
                fill[other[e]] += 1
            e += 1
    return start, neighbours, kept


@njit(cache=True, nogil=True)
def parted(
    first: int, lengths: Ints, neighbours: Ints, bits: Ints, size: Ints, delta: float
) -> tuple[Ints, Ints, Ints, Ints, Ints, Ints]:
    """The rows from `first` on in two: the edges with sim ≥ δ, and the others; each as `edges` gives them."""
    above, below = np.zeros(lengths.size, np.int32), np.zeros(lengths.size, np.int32)
    of_above, of_below = np.empty((2, bits.size), np.int32), np.empty((2, bits.size), np.int32)
    at = ups = downs = 0
    for row in range(lengths.size):
        for _ in range(lengths[row]):
            if similarity_of(bits[at], size[first + row], size[neighbours[at]]) >= delta:
                of_above[0, ups], of_above[1, ups] = neighbours[at], bits[at]
                above[row] += 1
                ups += 1
            else:
                of_below[0, downs], of_below[1, downs] = neighbours[at], bits[at]
                below[row] += 1
                downs += 1
            at += 1
    return (
        above, of_above[0, :ups].copy(), of_above[1, :ups].copy(),
        below, of_below[0, :downs].copy(), of_below[1, :downs].copy(),
    )  # fmt: skip


@njit(cache=True, nogil=True)
def renewed(
    first: int,
    last: int,
    was: Ints,
    is_now: Ints,
    start: Longs,
    neighbour: Ints,
    bits: Ints,
    spare_start: Longs,
    spare: Ints,
    spare_bits: Ints,
    new_start: Longs,
    new: Ints,
    new_bits: Ints,
) -> tuple[Ints, Ints, Ints]:
    """The rows [first, last) from former rows and new edges, as `edges` gives them.

    `was` is the former number of a page whose edges to others like it are the former ones, in two tables, else −1;
    `is_now` the number of such a page, else −1. Edges with any other page are among the new ones.
    """
    room = new_start[last] - new_start[first]
    for page in range(first, last):
        if was[page] >= 0:
            room += start[was[page] + 1] - start[was[page]] + spare_start[was[page] + 1] - spare_start[was[page]]
    lengths, end = np.zeros(last - first, np.int32), 0
    neighbours, kept = np.empty(room, np.int32), np.empty(room, np.int32)
    for page in range(first, last):
        begin, old = end, was[page]
        a = a_end = b = b_end = 0
        if old >= 0:
            a, a_end, b, b_end = start[old], start[old + 1], spare_start[old], spare_start[old + 1]
        c, c_end = new_start[page], new_start[page + 1]
        while True:  # the three are ascending
            while a < a_end and is_now[neighbour[a]] < 0:
                a += 1
            while b < b_end and is_now[spare[b]] < 0:
                b += 1
            p = NONE
            p = min(p, is_now[neighbour[a]]) if a < a_end else p
            p = min(p, is_now[spare[b]]) if b < b_end else p
            p = min(p, new[c]) if c < c_end else p
            if p == NONE:
                break
            neighbours[end] = p
            if a < a_end and is_now[neighbour[a]] == p:
                kept[end] = bits[a]
                a += 1
            elif b < b_end and is_now[spare[b]] == p:
                kept[end] = spare_bits[b]
                b += 1
            else:
                kept[end] = new_bits[c]
                c += 1
            end += 1
        lengths[page - first] = end - begin
    return lengths, neighbours[:end].copy(), kept[:end].copy()
