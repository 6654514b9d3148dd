"""Flexible clustering at α = ½ in memory that goes with the edges (paper 1, Eq. 5), exactly as `kernels.flexible`.

At α = ½, d(h,k) = ½ d(h,i) + ½ d(h,j). Two clusters without an edge between them are at distance 1 and stay there, so
only pairs with an edge need a number, and a merge never makes more of them. A pair is two entries, 2p and 2p + 1, one
in the list of each of its clusters, so that either finds the other. A cluster lives in the slot of its first page.

Which pair is next: `waiting` is a heap of pairs by distance. When two pairs become one, the nearer one goes on, so a
pair's distance never falls, and what the heap says about it is a lower bound until it is on top. The pairs within the
window of the least distance move on to `ready`, a heap by names, of which the first merges. The least distance never
falls either (a mean is no less than both its parts), so nothing ever leaves the window again without being changed.
"""

import heapq
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pagekin.kernels import Floats, Ints
from pagekin.kernels.compiling import njit
from pagekin.kernels.flexible import WINDOW

# As lists that `heapq` keeps: (distance, pair), and (smaller slot, larger slot, pair).
_ByDistance = list[tuple[float, np.int32]]
_ByName = list[tuple[np.int32, np.int32, np.int32]]

_GONE = np.inf  # the distance of a pair that is no more
_NONE = np.int32(-1)


class _Pairs(NamedTuple):
    """The pairs of clusters that have an edge, in lists that are linked both ways."""

    distance: Floats  # of each pair
    ready: npt.NDArray[np.bool_]  # whether the pair is in the window, and not waiting
    other: Ints  # for each entry, the slot at the other end
    following: Ints  # for each entry, the next in its cluster's list, or −1
    before: Ints  # and the one before, or −1
    head: Ints  # for each slot, the first entry of its list, or −1


@njit(cache=True, nogil=True)
def merged_half(n: int, a: Ints, b: Ints, sim: Floats) -> Floats:
    """The n − 1 merges of `kernels.flexible.merged` at α = ½; each edge is given once, and a connected graph is assumed
    only for speed.

    Time: the numbers of neighbours of all clusters that merge, times the logarithm for the heap: at worst O(n²), and
    near the number of edges on every graph tried. Memory: 56 bytes for each edge.
    """
    pairs = _linked(n, a, b, sim)
    waiting: _ByDistance = [
        (pairs.distance[p], np.int32(p)) for p in np.argsort(pairs.distance, kind="mergesort")
    ]  # a sorted list is a heap
    ready = [(np.int32(0), np.int32(0), np.int32(0)) for _ in range(0)]
    least = [(0.0, np.int32(0)) for _ in range(0)]  # the same pairs as in `ready`, by distance
    marks = np.full(n, _NONE, np.int32)
    lives, name, size = np.ones(n, np.bool_), np.arange(n), np.ones(n, np.int64)
    merges = np.empty((n - 1, 4))
    apart, last = False, 0
    for step in range(n - 1):
        if not apart:
            limit = _limit(pairs, waiting, least)
            apart = limit >= 1.0  # within the window of all pairs, with an edge or without
        if apart:
            last += 1
            while not lives[last]:
                last += 1
            i, j, p = 0, last, _between(pairs, 0, last)
        else:
            _make_ready(pairs, waiting, ready, least, limit)
            i, j, p = _first(pairs, ready)
        height = pairs.distance[p] if p >= 0 else 1.0
        size[i] += size[j]
        merges[step, 0], merges[step, 1] = min(name[i], name[j]), max(name[i], name[j])
        merges[step, 2], merges[step, 3] = height, size[i]
        name[i], lives[j] = n + step, False
        if p >= 0:
            _remove(pairs, p)
        _fuse(pairs, waiting, i, j, marks)
    return merges


@njit(cache=True, nogil=True)
def _linked(n: int, a: Ints, b: Ints, sim: Floats) -> _Pairs:
    m = a.size
    pairs = _Pairs(
        1.0 - sim, np.zeros(m, np.bool_), np.empty(2 * m, np.int32), np.empty(2 * m, np.int32),
        np.empty(2 * m, np.int32), np.full(n, _NONE, np.int32),
    )  # fmt: skip
    for p in range(m):
        _put(pairs, 2 * p, a[p], b[p])
        _put(pairs, 2 * p + 1, b[p], a[p])
    return pairs


@njit(cache=True, nogil=True)
def _put(pairs: _Pairs, entry: int, slot: int, other: int) -> None:
    """Put an entry into the list of a slot."""
    first = pairs.head[slot]
    pairs.other[entry], pairs.following[entry], pairs.before[entry] = other, first, _NONE
    if first >= 0:
        pairs.before[first] = entry
    pairs.head[slot] = entry


@njit(cache=True, nogil=True)
def _take(pairs: _Pairs, entry: int) -> None:
    """Take an entry out of its list."""
    before, following = pairs.before[entry], pairs.following[entry]
    if before >= 0:
        pairs.following[before] = following
    else:
        pairs.head[pairs.other[entry ^ 1]] = following
    if following >= 0:
        pairs.before[following] = before


@njit(cache=True, nogil=True)
def _remove(pairs: _Pairs, p: int) -> None:
    _take(pairs, 2 * p)
    _take(pairs, 2 * p + 1)
    pairs.distance[p] = _GONE


@njit(cache=True, nogil=True)
def _between(pairs: _Pairs, i: int, j: int) -> int:
    """The pair of two slots, or −1."""
    entry = pairs.head[j]
    while entry >= 0 and pairs.other[entry] != i:
        entry = pairs.following[entry]
    return int(entry >> 1)


@njit(cache=True, nogil=True)
def _limit(pairs: _Pairs, waiting: _ByDistance, least: _ByDistance) -> float:
    """The end of the window that begins at the least distance of all; 1 or more if no edge is left."""
    low = 1.0
    while waiting:
        known, p = waiting[0]
        if pairs.distance[p] == _GONE:
            heapq.heappop(waiting)
        elif pairs.distance[p] > known:
            heapq.heapreplace(waiting, (pairs.distance[p], p))
        else:
            low = min(low, known)
            break
    while least and not (pairs.ready[least[0][1]] and pairs.distance[least[0][1]] == least[0][0]):
        heapq.heappop(least)
    if least:
        low = min(low, least[0][0])
    return low + WINDOW * low


@njit(cache=True, nogil=True)
def _make_ready(
    pairs: _Pairs,
    waiting: _ByDistance,
    ready: _ByName,
    least: _ByDistance,
    limit: float,
) -> None:
    """Move all pairs within the limit from `waiting` to `ready`."""
    while waiting and waiting[0][0] <= limit:
        _, p = heapq.heappop(waiting)
        distance = pairs.distance[p]
        if distance == _GONE:
            continue
        if distance > limit:
            heapq.heappush(waiting, (distance, np.int32(p)))
            continue
        one, other = pairs.other[2 * p], pairs.other[2 * p + 1]
        pairs.ready[p] = True
        heapq.heappush(ready, (min(one, other), max(one, other), np.int32(p)))
        heapq.heappush(least, (distance, p))


@njit(cache=True, nogil=True)
def _first(pairs: _Pairs, ready: _ByName) -> tuple[int, int, int]:
    """The least pair of names that is ready; what has changed since it came is skipped."""
    while True:
        i, j, p = heapq.heappop(ready)
        one, other = pairs.other[2 * p], pairs.other[2 * p + 1]
        if pairs.ready[p] and pairs.distance[p] != _GONE and min(one, other) == i and max(one, other) == j:
            return int(i), int(j), int(p)


@njit(cache=True, nogil=True)
def _fuse(pairs: _Pairs, waiting: _ByDistance, i: int, j: int, marks: Ints) -> None:
    """Eq. 5: the pairs of slot j become pairs of slot i. `marks` is −1 everywhere, and is so again afterwards."""
    entry = pairs.head[i]
    while entry >= 0:
        marks[pairs.other[entry]] = entry
        entry = pairs.following[entry]
    entry = pairs.head[j]
    while entry >= 0:
        following, h = pairs.following[entry], pairs.other[entry]
        mine, p = marks[h], entry >> 1
        if mine < 0:
            mean = 0.5 + 0.5 * pairs.distance[p]
        else:
            mean = 0.5 * pairs.distance[mine >> 1] + 0.5 * pairs.distance[p]
            marks[h] = _NONE
        if mine >= 0 and pairs.distance[mine >> 1] <= pairs.distance[p]:
            _remove(pairs, p)
            _change(pairs, waiting, mine >> 1, mean)
        else:
            if mine >= 0:
                _remove(pairs, mine >> 1)
            _take(pairs, entry)
            _put(pairs, entry, i, h)
            pairs.other[entry ^ 1] = i
            _change(pairs, waiting, p, mean)
        entry = following
    entry = pairs.head[i]
    while entry >= 0:
        following, h = pairs.following[entry], pairs.other[entry]
        if marks[h] >= 0:
            marks[h] = _NONE
            _change(pairs, waiting, entry >> 1, 0.5 * pairs.distance[entry >> 1] + 0.5)
        entry = following


@njit(cache=True, nogil=True)
def _change(pairs: _Pairs, waiting: _ByDistance, p: int, distance: float) -> None:
    """Give a pair its new distance. At 1 it is as if it had no edge; if it was ready, it waits again."""
    if distance >= 1.0:
        _remove(pairs, p)
        return
    pairs.distance[p] = distance
    if pairs.ready[p]:
        pairs.ready[p] = False
        heapq.heappush(waiting, (distance, np.int32(p)))
