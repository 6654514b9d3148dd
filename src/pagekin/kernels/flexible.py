"""Flexible Lance–Williams clustering (paper 1, Eq. 5), and what is read off its merges.

A cluster lives in the slot of its first page. The distance between two clusters never changes while both live: a merge
makes a *new* cluster with new distances, and two old ones die. So each pair is kept in the row of its younger cluster.
Then the least distance of a row can never be too large: it is exact until that partner dies, and a lower bound from
then on. Only a stale row whose bound is the lowest is scanned again. If pairs were kept in the row of the first page,
all rows would depend on the one growing cluster of a small α and be stale after every merge, which takes cubic time;
kept by age, each row was scanned one to ten times on every input tried.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pagekin.kernels import Floats, Ints
from pagekin.kernels.compiling import njit

# Distances this close to the least one, relatively, count as equal to it. That is 12 digits as everywhere, but as a
# window above the least: rounding would separate equal values that summation put on either side of a half.
WINDOW = 1e-12
_DEAD = np.int32(2**31 - 1)  # younger than every row, so in none


class _Rows(NamedTuple):
    """What is known about the rows; row s is about the clusters older than the one in slot s."""

    distance: Floats  # n × n, both halves
    born: Ints  # when the cluster in a slot was made
    least: Floats  # the least distance in a row, or a lower bound if the row is stale
    nearest: Ints  # a cluster at that distance
    first: Ints  # the first cluster at that distance, within the window
    fresh: npt.NDArray[np.bool_]  # whether `nearest` and `first` both still live; if not, the row is stale


@njit(cache=True, nogil=True)
def distances(n: int, a: Ints, b: Ints, sim: Floats) -> Floats:
    """1 − sim for the pairs given, 1 for all others; n² numbers."""
    distance = np.ones((n, n))
    for e in range(a.size):
        distance[a[e], b[e]] = distance[b[e], a[e]] = 1.0 - sim[e]
    return distance


@njit(cache=True, nogil=True)
def merged(distance: Floats, alpha: float) -> Floats:
    """The n − 1 merges in SciPy's linkage form: two clusters (page, or n + row), height, size. Overwrites `distance`.

    The pair at the least distance merges; of those within the window, the least pair of first pages, compared as
    (smaller, larger). Time O(n²), and n for each scan of a stale row.
    """
    n = distance.shape[0]
    rows = _Rows(
        distance, np.arange(n).astype(np.int32), np.empty(n), np.empty(n, np.int32), np.empty(n, np.int32),
        np.empty(n, np.bool_),
    )  # fmt: skip
    for s in range(n):
        _look(rows, s)
    name, size = np.arange(n), np.ones(n, np.int64)
    merges = np.empty((n - 1, 4))
    for step in range(n - 1):
        low = _lowest(rows)
        i, j = _first_pair(rows, low + WINDOW * low)
        size[i] += size[j]
        merges[step, 0], merges[step, 1] = min(name[i], name[j]), max(name[i], name[j])
        merges[step, 2], merges[step, 3] = distance[i, j], size[i]
        name[i] = n + step
        _fuse(rows, i, j, alpha, n + step)
    return merges


@njit(cache=True, nogil=True)
def _look(rows: _Rows, s: int) -> None:
    """Scan a row, and note its least distance."""
    row, born = rows.distance[s], rows.born
    least = _least(row, born, born[s])
    rows.least[s], rows.nearest[s], rows.first[s], rows.fresh[s] = least, -1, -1, True
    if least < np.inf:  # else it is the eldest
        first = _first(row, born, born[s], least + WINDOW * least)
        rows.first[s] = first
        rows.nearest[s] = first if row[first] == least else _first(row, born, born[s], least)


@njit(cache=True, nogil=True, fastmath={"nnan", "nsz"})  # there is no NaN and no -0, which allows SIMD
def _least(row: Floats, born: Ints, before: int) -> float:
    least = np.inf
    for t in range(row.size):
        least = min(least, row[t] if born[t] < before else np.inf)
    return least


@njit(cache=True, nogil=True)
def _first(row: Floats, born: Ints, before: int, limit: float) -> int:
    """The first older cluster within the limit, which gives the row's least pair of names there."""
    t = 0
    while born[t] >= before or row[t] > limit:
        t += 1
    return t


@njit(cache=True, nogil=True)
def _lowest(rows: _Rows) -> float:
    """The least distance of all; afterwards no stale row's bound is below it."""
    low = np.inf
    for s in range(rows.least.size):
        if rows.fresh[s] and rows.least[s] < low:
            low = rows.least[s]
    for s in range(rows.least.size):
        if not rows.fresh[s] and rows.least[s] < low:
            _look(rows, s)
            low = min(low, rows.least[s])
    return low


@njit(cache=True, nogil=True)
def _first_pair(rows: _Rows, limit: float) -> tuple[int, int]:
    """The least pair of names within the limit.

    The `first` of a stale row is still a bound, as partners only die. So fresh rows go first, and then only those stale
    rows are scanned that might have a lesser pair. With all distances equal there are none.
    """
    i = j = rows.least.size
    for turn in (True, False):
        for s in range(rows.least.size):
            if rows.fresh[s] != turn or rows.least[s] > limit or not _before(s, rows.first[s], i, j):
                continue
            if not turn:
                _look(rows, s)
                if rows.least[s] > limit:
                    continue
            t = rows.first[s]
            if rows.distance[s, t] > limit:  # within the row's own window, but not that of the least of all
                t = _first(rows.distance[s], rows.born, rows.born[s], limit)
            if _before(s, t, i, j):
                i, j = min(s, t), max(s, t)
    return i, j


@njit(cache=True, nogil=True)
def _before(s: int, t: int, i: int, j: int) -> bool:
    """Whether the pair of s and t precedes (i, j)."""
    return bool(min(s, t) < i or (min(s, t) == i and max(s, t) < j))


@njit(cache=True, nogil=True)
def _fuse(rows: _Rows, i: int, j: int, alpha: float, now: int) -> None:
    """Eq. 5: the cluster in slot j joins that in slot i, and rows that depended on either become stale."""
    distance, height = rows.distance, rows.distance[i, j]
    rows.born[i], rows.born[j] = now, _DEAD
    rows.least[j], rows.fresh[j] = np.inf, True  # never looked at again
    for h in range(rows.least.size):
        if rows.born[h] == _DEAD or h == i:
            continue
        distance[i, h] = alpha * distance[i, h] + alpha * distance[j, h] + (1.0 - 2.0 * alpha) * height
        distance[h, i] = distance[i, h]
        if rows.nearest[h] == i or rows.nearest[h] == j or rows.first[h] == i or rows.first[h] == j:
            rows.fresh[h] = False
    _look(rows, i)


@njit(cache=True, nogil=True)
def heights_with(merges: Floats, page: int) -> Floats:
    """The height at which each page comes together with this one; 0 for itself. O(n)."""
    n = merges.shape[0] + 1
    around = np.zeros(2 * n - 1, np.bool_)  # the clusters that hold the page
    around[page] = True
    for row in range(n - 1):
        around[n + row] = around[int(merges[row, 0])] or around[int(merges[row, 1])]
    height = np.zeros(2 * n - 1)
    for row in range(n - 2, -1, -1):
        for side in range(2):
            part = int(merges[row, side])
            if not around[part]:
                height[part] = merges[row, 2] if around[n + row] else height[n + row]
    return height[:n].copy()


@njit(cache=True, nogil=True)
def heights_among(merges: Floats, parents: Ints, pages: Ints) -> Floats:
    """The heights at which every two of some pages come together; `parents` says which row takes in what."""
    n = merges.shape[0] + 1
    height = np.zeros((pages.size, pages.size))
    for k in range(pages.size):
        for m in range(k):
            a, b = parents[pages[k]], parents[pages[m]]
            while a != b:  # a later row is further up
                if a < b:
                    a = parents[n + a]
                else:
                    b = parents[n + b]
            height[k, m] = height[m, k] = merges[a, 2]
    return height


@njit(cache=True, nogil=True)
def around(merges: Floats, parents: Ints, first: Floats, page: int, k: int) -> tuple[Ints, Floats, Floats]:
    """The pages that can be among the k nearest of a page by |d(p) − d(p,q)| + |d(q) − d(p,q)|, or equal to the last of
    them, and d(p,q) of each; and all heights d(p,q) that were looked at. `first` is d(p) of every page.

    Going up from the page, the heights D = d(p,q) grow. The d(q) of a cluster's pages are at most its own height H, so
    none of them is nearer than 2D − d(p) − H, and none further up than D − d(p). Most of the tree is not looked at.
    """
    n = merges.shape[0] + 1
    slack = 2.0 * WINDOW * merges[n - 2, 2]
    nearest, known = np.full(k, np.inf), 0  # the k least distances, ascending
    pages, heights = np.empty(2 * k, np.int32), np.empty(2 * k)
    waiting, path, steps = np.empty(64, np.int32), np.empty(64), 0
    at = page
    while parents[at] >= 0:
        row = parents[at]
        height = merges[row, 2]
        if height - first[page] > nearest[k - 1] + slack:
            break
        if steps == path.size:
            path = np.append(path, np.empty_like(path))
        path[steps] = height
        steps += 1
        left = int(merges[row, 0])
        waiting[0], open_ = int(merges[row, 1]) if left == at else left, 1
        while open_:
            open_ -= 1
            part = waiting[open_]
            if part >= n:
                if 2 * height - first[page] - merges[part - n, 2] > nearest[k - 1] + slack:
                    continue
                if open_ + 2 > waiting.size:
                    waiting = np.append(waiting, np.empty_like(waiting))
                waiting[open_], waiting[open_ + 1] = int(merges[part - n, 0]), int(merges[part - n, 1])
                open_ += 2
                continue
            apart = abs(first[page] - height) + abs(first[part] - height)
            if apart > nearest[k - 1] + slack:
                continue
            if known == pages.size:
                pages, heights = np.append(pages, np.empty_like(pages)), np.append(heights, np.empty_like(heights))
            pages[known], heights[known] = part, height
            known += 1
            if apart < nearest[k - 1]:
                place = np.searchsorted(nearest, apart)
                for m in range(k - 1, place, -1):
                    nearest[m] = nearest[m - 1]
                nearest[place] = apart
        at = n + row
    kept = 0
    for m in range(known):  # those that are still near enough
        if abs(first[page] - heights[m]) + abs(first[pages[m]] - heights[m]) <= nearest[k - 1] + slack:
            pages[kept], heights[kept] = pages[m], heights[m]
            kept += 1
    return pages[:kept].copy(), heights[:kept].copy(), path[:steps].copy()


@njit(cache=True, nogil=True)
def members(merges: Floats, cluster: int) -> Ints:
    """The pages of a cluster, which is a page or n + the row that made it, in no order."""
    n = merges.shape[0] + 1
    waiting, found = [cluster], np.empty(1 if cluster < n else int(merges[cluster - n, 3]), np.int32)
    size = 0
    while waiting:
        part = waiting.pop()
        if part < n:
            found[size] = part
            size += 1
        else:
            waiting.append(int(merges[part - n, 0]))
            waiting.append(int(merges[part - n, 1]))
    return found


@njit(cache=True, nogil=True)
def leaf_order(merges: Floats) -> Ints:
    """The pages from left to right in a drawing without crossings, each row's first cluster on the left. O(n)."""
    n = merges.shape[0] + 1
    place = np.zeros(2 * n - 1, np.int64)
    for row in range(n - 2, -1, -1):
        left, right = int(merges[row, 0]), int(merges[row, 1])
        place[left] = place[n + row]
        place[right] = place[n + row] + (1 if left < n else int(merges[left - n, 3]))
    order = np.empty(n, np.int32)
    for page in range(n):
        order[place[page]] = page
    return order


@njit(cache=True, nogil=True)
def levelled(ascending: Floats, noise: Floats) -> Floats:
    """Ascending values, where those that differ from the first of a run by the noise or less are set to that first."""
    level = ascending.copy()
    for k in range(1, level.size):
        if level[k] - level[k - 1] <= max(noise[k], noise[k - 1]):
            level[k] = level[k - 1]
    return level
