"""Connected pieces of a similarity graph, and the part of one that is nearest to a page."""

import heapq

import numpy as np
from numba import njit

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.similarity import rounded

_UNDERFLOW = 5e-324  # a path so long that its product vanishes still reaches; 0 means not reached


@njit(cache=True, nogil=True)
def labelled(n: int, a: Ints, b: Ints) -> Ints:
    """The number of each page's component, components numbered by their first page. Union–find, O(m log n) at worst."""
    parent = np.arange(n).astype(np.int32)
    for e in range(a.size):
        p, q = _root(parent, a[e]), _root(parent, b[e])
        parent[max(p, q)] = min(p, q)  # so that the root is the first page
    label = np.empty(n, np.int32)
    count = 0
    for p in range(n):
        if parent[p] == p:
            label[p] = count
            count += 1
        else:
            label[p] = label[parent[p]]  # an earlier page, so labelled
    return label


@njit(cache=True, nogil=True)
def _root(parent: Ints, p: int) -> int:
    while parent[p] != p:
        parent[p] = parent[parent[p]]  # halves the path as it goes
        p = parent[p]
    return p


@njit(cache=True, nogil=True)
def reached(start: Longs, neighbour: Ints, sim: Floats, page: int, limit: int, product: Floats) -> tuple[Ints, Floats]:
    """Pages and their keys (product of similarities on the best path, to 12 digits) by best-first search from `page`.

    At least the `limit` nearest, if there are so many, and all that tie with the last of them: the caller sorts by
    key, then page, and cuts. `product` is scratch, a zero for each page; the caller makes it with calloc, so that only
    the memory around the page is touched. Time O(m log m) for the m links of the pages reached.
    """
    pages, keys = [np.int32(page)], [1.0]
    product[page] = 1.0
    queue = [(-1.0, np.int32(page))]
    last = 0.0
    while queue:
        negative, p = heapq.heappop(queue)
        if product[p] != -negative:  # a better path came later
            continue
        key = rounded(-negative)
        if key < last:
            break
        if p != page:
            pages.append(p)
            keys.append(key)
        if len(pages) == limit:
            last = key
        for e in range(start[p], start[p + 1]):
            q, through = neighbour[e], max(-negative * sim[e], _UNDERFLOW)
            if through > product[q] and (last == 0.0 or rounded(through) >= last):
                product[q] = through
                heapq.heappush(queue, (-through, q))
    return np.array(pages, np.int32), np.array(keys)


@njit(cache=True, nogil=True)
def edges_among(start: Longs, neighbour: Ints, sim: Floats, pages: Ints) -> tuple[Ints, Ints, Floats]:
    """The edges between the given pages (ascending), each once, as places in `pages` with a < b."""
    size = 0
    for p in pages:
        size += start[p + 1] - start[p]
    a, b, kept = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size)
    size = 0
    for i in range(pages.size):
        for e in range(start[pages[i]], start[pages[i] + 1]):
            j = np.searchsorted(pages, neighbour[e])
            if i < j < pages.size and pages[j] == neighbour[e]:
                a[size], b[size], kept[size] = i, j, sim[e]
                size += 1
    return a[:size].copy(), b[:size].copy(), kept[:size].copy()
