"""Connected components of a similarity graph, and the part of one that is nearest to a page."""

import heapq

import numpy as np

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.compiling import njit
from pagekin.kernels.similarity import rounded
from pagekin.kernels.similarity_graph import similarity_of

_UNDERFLOW = 5e-324  # for a path so long that its product underflows: it still reaches, and 0 means not reached


@njit(cache=True, nogil=True)
def labelled(n: int, a: Ints, b: Ints) -> Ints:
    """The number of each page's component, components numbered by their first page. Union–find, O(m log n) at worst."""
    parent = np.arange(n).astype(np.int32)
    for e in range(a.size):
        p, q = root(parent, a[e]), root(parent, b[e])
        parent[max(p, q)] = min(p, q)  # so that the root is the first page
    return numbered(parent)


@njit(cache=True, nogil=True)
def labelled_rows(start: Longs, neighbour: Ints) -> Ints:
    """The same for a graph in rows, in which each edge stands at both of its ends."""
    parent = np.arange(start.size - 1).astype(np.int32)
    for page in range(parent.size):
        for e in range(start[page], start[page + 1]):
            if neighbour[e] < page:
                p, q = root(parent, page), root(parent, neighbour[e])
                parent[max(p, q)] = min(p, q)
    return numbered(parent)


@njit(cache=True, nogil=True)
def numbered(parent: Ints) -> Ints:
    """The number of each page's class, by classes' first pages."""
    label = np.empty(parent.size, np.int32)
    count = 0
    for p in range(parent.size):
        if parent[p] == p:
            label[p] = count
            count += 1
        else:
            label[p] = label[parent[p]]  # an earlier page, so labelled
    return label


@njit(cache=True, nogil=True)
def root(parent: Ints, p: int) -> int:
    """The page that represents p's class."""
    while parent[p] != p:
        parent[p] = parent[parent[p]]  # halves the path as it goes
        p = parent[p]
    return p


@njit(cache=True, nogil=True)
def reached(
    start: Longs, neighbour: Ints, bits: Ints, size: Ints, page: int, limit: int, product: Floats
) -> tuple[Ints, Floats]:
    """Pages and their keys (product of similarities on the best path, to 12 digits) by best-first search from `page`.

    Finds at least the `limit` nearest, if there are so many, and all that tie with the last of them: the caller sorts
    by key, then page, and cuts. `product` is scratch, a zero for each page; the caller makes it with calloc, so that
    only the memory around the page is touched. Time O(m log m) for the m links of the pages reached.
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
            q = neighbour[e]
            through = max(-negative * similarity_of(bits[e], size[p], size[q]), _UNDERFLOW)
            if through > product[q] and (last == 0.0 or rounded(through) >= last):
                product[q] = through
                heapq.heappush(queue, (-through, q))
    return np.array(pages, np.int32), np.array(keys)


@njit(cache=True, nogil=True)
def edges_among(start: Longs, neighbour: Ints, bits: Ints, size: Ints, pages: Ints) -> tuple[Ints, Ints, Floats]:
    """The edges among some pages (ascending), each once, as places in `pages` with a < b."""
    place = np.full(size.size, -1, np.int32)
    for i in range(pages.size):
        place[pages[i]] = i
    return edges_between(start, neighbour, bits, size, pages, place)


@njit(cache=True, nogil=True)
def edges_between(
    start: Longs, neighbour: Ints, bits: Ints, size: Ints, pages: Ints, place: Ints
) -> tuple[Ints, Ints, Floats]:
    """The same with the place of every neighbour known: it must be −1 for a page that is not among them."""
    most = 0
    for p in pages:
        most += start[p + 1] - start[p]
    a, b, sim = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most)
    found = 0
    for i in range(pages.size):
        p = pages[i]
        for e in range(start[p], start[p + 1]):
            q = neighbour[e]
            if place[q] > i:
                a[found], b[found], sim[found] = i, place[q], similarity_of(bits[e], size[p], size[q])
                found += 1
    return a[:found].copy(), b[:found].copy(), sim[:found].copy()


@njit(cache=True, nogil=True)
def strongest(
    start: Longs, neighbour: Ints, bits: Ints, size: Ints, some: Ints, others: Ints
) -> tuple[int, int, float]:
    """The edge of greatest similarity from one of some pages to one of others, or (−1, −1, 0). Equal ones: the first,
    compared as (smaller page, larger page)."""
    among = np.zeros(size.size, np.bool_)
    for q in others:
        among[q] = True
    a, b, best = -1, -1, 0.0
    for p in some:
        for e in range(start[p], start[p + 1]):
            q = neighbour[e]
            if not among[q]:
                continue
            sim = similarity_of(bits[e], size[p], size[q])
            before = min(p, q) < min(a, b) or (min(p, q) == min(a, b) and max(p, q) < max(a, b))
            if sim > best or (sim == best and before):
                a, b, best = p, q, sim
    return a, b, best
