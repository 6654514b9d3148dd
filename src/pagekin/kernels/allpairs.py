"""The k best of every page by shared neighbours, for all pages at once, never keeping more than k per page.

Pages with exactly the same neighbours (the pages of a template, the papers cited by one survey) are *twins*: whatever
one shares with another page, all do. So the walk goes over classes of twins instead of pages, and each class gives its
list to all its members. Of cnr-2000's 238,598 pages with links, 141,743 are different, and the large classes are the
costly ones: counting classes takes a fraction of the steps of counting pages (bench/allpairs.py).

Only for scores that shared neighbours alone decide (`COUNT`, `SETS`): a direct link tells twins apart.
"""

import numpy as np
from numba import uintp

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.compiling import njit
from pagekin.kernels.csr import two_steps
from pagekin.kernels.similarity import _NEARLY, COUNT, in_order, keep, rounded, similarity


@njit(cache=True, nogil=True)
def row_hashes(start: Longs, neighbour: Ints) -> Longs:
    """A 64-bit hash of each row (FNV-1a over its members); rows with equal hashes are still compared."""
    hashes = np.empty(start.size - 1, np.int64)
    for p in range(start.size - 1):
        value = np.int64(-3750763034362895579)
        for e in range(start[p], start[p + 1]):
            value = (value ^ np.int64(neighbour[e])) * np.int64(1099511628211)
            value ^= value >> np.int64(29)
        hashes[p] = value
    return hashes


@njit(cache=True, nogil=True)
def _same_row(start: Longs, neighbour: Ints, a: int, b: int) -> bool:
    size = start[a + 1] - start[a]
    if size != start[b + 1] - start[b]:
        return False
    for i in range(size):
        if neighbour[start[a] + i] != neighbour[start[b] + i]:
            return False
    return True


@njit(cache=True, nogil=True)
def twins(start: Longs, neighbour: Ints, hashes: Longs, by_hash: Longs) -> tuple[Ints, Ints]:
    """The class of each page (-1: no neighbours) and the first page of each class, numbered in order of first pages.

    `by_hash` lists the pages by hash, then page.
    """
    first_of = np.full(start.size - 1, -1, np.int32)
    group = 0
    for i in range(by_hash.size):
        page = by_hash[i]
        if i and hashes[page] != hashes[by_hash[i - 1]]:
            group = i
        if start[page + 1] == start[page]:
            continue
        first_of[page] = page
        for j in range(group, i):  # one comparison, unless hashes collide
            other = by_hash[j]
            if first_of[other] == other and _same_row(start, neighbour, page, other):
                first_of[page] = other
                break
    class_of = np.full(start.size - 1, -1, np.int32)
    firsts = np.empty(start.size - 1, np.int32)
    size = 0
    for page in range(start.size - 1):
        if first_of[page] == page:
            class_of[page] = size
            firsts[size] = page
            size += 1
        elif first_of[page] >= 0:
            class_of[page] = class_of[first_of[page]]
    return class_of, firsts[:size].copy()


_LOW = np.int64(0xFFFFFFFF)


@njit(cache=True, nogil=True)
def most_shared_of_classes(
    first: int,
    last: int,
    k: int,
    near_start: Longs,
    near: Ints,
    far_start: Longs,
    far: Ints,
    firsts: Ints,
    member_start: Longs,
    member: Ints,
    sizes: Ints,
    pages: Ints,
    scores: Floats,
) -> None:
    """`strongest_of_classes` for `COUNT`, twice as fast: one number holds count and page (count, earlier page first).

    The list of the best is kept sorted by insertion, which beats a heap for small k, and indexes are unsigned, which
    saves numba's check for negative ones.
    """
    n = near_start.size - 1
    common = np.zeros(n, np.int32)
    touched = np.empty(n, np.int32)
    best = np.zeros(k + 1, np.int64)
    for c in range(first, last):
        found = uintp(0)
        for e in range(near_start[c], near_start[c + 1]):
            q = uintp(near[e])
            for f in range(uintp(far_start[q]), uintp(far_start[q + uintp(1)])):
                d = uintp(far[f])
                count = common[d]
                if count == 0:
                    touched[found] = np.int32(d)
                    found += uintp(1)
                common[d] = count + np.int32(1)
        best[:] = 0
        for i in range(found):
            d = uintp(touched[i])
            shared = np.int64(common[d]) << np.int64(32)
            common[d] = 0
            if shared + _LOW - np.int64(firsts[d]) <= best[k]:
                continue
            for e in range(member_start[d], member_start[d + uintp(1)]):
                key = shared + _LOW - np.int64(member[e])
                if key <= best[k]:
                    break  # members ascend: the others rank behind this one
                at = k
                while at > 0 and best[at - 1] < key:
                    best[at] = best[at - 1]
                    at -= 1
                best[at] = key
        for e in range(member_start[c], member_start[c + 1]):
            page = member[e]
            filled = 0
            for key in best:
                other = _LOW - (key & _LOW)
                if key and other != page and filled < k:
                    pages[page, filled] = other
                    scores[page, filled] = key >> np.int64(32)
                    filled += 1
            sizes[page] = filled


@njit(cache=True, nogil=True)
def strongest_of_classes(
    first: int,
    last: int,
    k: int,
    formula: int,
    near_start: Longs,
    near: Ints,
    far_start: Longs,
    far: Ints,
    firsts: Ints,
    member_start: Longs,
    member: Ints,
    sizes: Ints,
    pages: Ints,
    scores: Floats,
) -> None:
    """Fill in the lists of the members of the classes [first, last): how many, pages, scores, best first.

    `near` holds each class's neighbours, `far` the classes that have each page as a neighbour. A class's list has k + 1
    entries, because each member leaves itself out. Blocks of classes write to different rows, so may run in parallel.
    """
    n = near_start.size - 1
    common = np.zeros(n, np.int32)
    touched = np.empty(n, np.int32)
    keys, names, raw = np.empty(k + 1, np.float64), np.empty(k + 1, np.int32), np.empty(k + 1, np.float64)
    for c in range(first, last):
        found = two_steps(c, near_start, near, far_start, far, common, touched)
        size = 0
        a = near_start[c + 1] - near_start[c]
        for i in range(found):
            d = touched[i]
            if formula == COUNT:
                score = float(common[d])
            else:
                score = similarity(common[d], 0, a, near_start[d + 1] - near_start[d], formula, False)
            common[d] = 0
            if size > k and score < keys[0] * _NEARLY:
                continue
            key = score if formula == COUNT else rounded(score)
            if size > k and key == keys[0] and firsts[d] > names[0]:
                continue  # as the loop below would find, without reading the members: most candidates end here
            for e in range(member_start[d], member_start[d + 1]):
                if size > k and (key < keys[0] or (key == keys[0] and member[e] > names[0])):
                    break  # members ascend: the others rank behind this one
                size = keep(keys, names, raw, size, key, member[e], score)
        in_order(keys, names, raw, size)
        for e in range(member_start[c], member_start[c + 1]):
            page = member[e]
            filled = 0
            for i in range(size):
                if names[i] != page and filled < k:
                    pages[page, filled] = names[i]
                    scores[page, filled] = raw[i]
                    filled += 1
            sizes[page] = filled
