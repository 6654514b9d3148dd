"""The layout of a dendrogram, ready to be drawn: rows from top to bottom, and the joins between them.

A drawing is a tree like the hierarchy, with rows instead of pages. A row is a page, a cluster that is drawn closed, or
everything outside the part that is shown; so two thousand pages can be drawn as the forty rows around one of them.
"""

import heapq
import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pagekin.cluster.flexible import Hierarchy
from pagekin.kernels import Floats

HANG = 0.08  # the share of the scale's length from the lowest join to the pages
# Above α = ½, heights grow with the size of clusters. If the last is over so many times the median, a linear scale
# would squeeze most joins into one line, so the scale is logarithmic.
SQUEEZED = 5


class Row(NamedTuple):
    """A line of the drawing."""

    pages: int  # how many it represents
    page: int | None  # the page, if it is one
    joins: float  # the height at which it comes together with the page asked about; 0 for that page itself
    inside: float  # the height of the closed cluster, or of the last join outside; 0 for a page


class Join(NamedTuple):
    """Two nodes that come together: rows are the nodes 0 … r − 1 from top to bottom, join j makes the node r + j."""

    upper: int
    lower: int
    height: float
    pages: int


@dataclass(frozen=True)
class Drawing:
    """Rows, and joins with children before parents; `page` is the row asked about."""

    rows: tuple[Row, ...]
    joins: tuple[Join, ...]
    page: int
    outside: bool = False  # whether the last row is everything outside

    @cached_property
    def y(self) -> Floats:
        """The vertical place of every node: a row is at its number, a join halfway between its two nodes."""
        places = list(map(float, range(len(self.rows))))
        for join in self.joins:
            places.append((places[join.upper] + places[join.lower]) / 2)
        return np.array(places)

    @cached_property
    def path(self) -> frozenset[int]:
        """The nodes that contain the page asked about."""
        nodes = {self.page}
        for node, join in enumerate(self.joins, len(self.rows)):
            if join.upper in nodes or join.lower in nodes:
                nodes.add(node)
        return frozenset(nodes)

    @cached_property
    def scale(self) -> "Scale":
        """The scale of heights; pages hang a little below the lowest join, so that no join is a point."""
        heights = np.array([join.height for join in self.joins] or [1.0])
        low, high, middle = heights.min(), heights.max() or 1.0, np.median(heights)
        if low > 0 and high > SQUEEZED * middle:
            return Scale(float(low * (low / high) ** HANG), float(high), logarithmic=True)
        return Scale(float(max(0.0, low - max(HANG * (high - low), 0.02 * high))), float(high))


@dataclass(frozen=True)
class Scale:
    """Maps heights to places: 0 at the pages, 1 at the last join."""

    low: float
    high: float
    logarithmic: bool = False

    def at(self, height: float) -> float:
        low, high = self.low, self.high
        if self.logarithmic:
            low, high, height = math.log(low), math.log(high), math.log(height)
        return (height - low) / (high - low)

    def ticks(self, most: int) -> list[float]:
        """Round heights to label, at most `most`."""
        if not self.logarithmic:
            return ticks(self.low, self.high, most)
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        for steps in ((1, 2, 5), (1,)):
            found = [float(f"{step}e{power}") for power in powers for step in steps]
            found = [height for height in found if self.low <= height <= self.high]
            if len(found) <= most:
                break
        return found[:: -(-len(found) // most)]


def around(hierarchy: Hierarchy, page: int, most: int) -> Drawing:
    """The part of a hierarchy around a page in about `most` rows; all of it, if it has no more pages than that.

    At most half of the rows go to the clusters that join the page one after another, nearest first. These are then
    opened, nearest first and from the top, while there is room; any room left goes to clusters further away. Whatever
    joins later is one row, the last.
    """
    n, merges = hierarchy.size, hierarchy.merges
    parent = np.full(2 * n - 1, -1)
    parent[merges[:, :2].astype(np.int64)] = np.arange(n, 2 * n - 1)[:, None]
    top, rows, climbed, opened = page, 1, 0, set[int]()
    closed: list[tuple[int, float, int]] = []  # clusters that may be opened: (order of joining, −height, cluster)

    def may_open(cluster: int, joined: int) -> None:
        if cluster >= n:
            heapq.heappush(closed, (joined, -merges[cluster - n, 2], cluster))

    while rows < max(most, 2) and (closed or parent[top] >= 0):
        if parent[top] >= 0 and (not closed or climbed < most // 2):
            below, top = top, int(parent[top])
            opened.add(top)
            for part in merges[top - n, :2].astype(int).tolist():
                if part != below:
                    may_open(part, climbed)
            climbed += 1
        else:
            joined, _, cluster = heapq.heappop(closed)
            opened.add(cluster)
            for part in merges[cluster - n, :2].astype(int).tolist():
                may_open(part, joined)
        rows += 1
    return _drawn(hierarchy, page, top, opened, None if parent[top] < 0 else float(merges[parent[top] - n, 2]))


def _drawn(hierarchy: Hierarchy, page: int, top: int, opened: set[int], above: float | None) -> Drawing:
    """The tree under `top`, closed except for the clusters opened; what joins it from height `above` on is one row."""
    n, merges = hierarchy.size, hierarchy.merges
    together = hierarchy.heights_with(page)
    leaves: list[int] = []
    todo = [top]
    while todo:
        node = todo.pop()
        if node in opened:
            todo += merges[node - n, 1::-1].astype(int).tolist()  # the first part is popped first, and so comes above
        else:
            leaves.append(node)
    rows = []
    for leaf in leaves:
        page_of, inside, pages = leaf, 0.0, 1
        if leaf >= n:
            inside, pages = float(merges[leaf - n, 2]), int(merges[leaf - n, 3])
        while page_of >= n:  # any page of a closed cluster: all of them join the page asked about together
            page_of = int(merges[page_of - n, 0])
        rows.append(Row(pages, leaf if leaf < n else None, float(together[page_of]), inside))
    if above is not None:
        rows.append(Row(n - int(merges[top - n, 3]), None, above, float(merges[-1, 2])))
    place = {leaf: row for row, leaf in enumerate(leaves)}
    joined: list[Join] = []
    for node in sorted(opened):  # a cluster has a higher number than its parts
        upper, lower, height, pages = merges[node - n].tolist()
        place[node] = len(rows) + len(joined)
        joined.append(Join(place[int(upper)], place[int(lower)], height, int(pages)))
    if above is not None:
        joined.append(Join(place[top], len(rows) - 1, above, n))
    return Drawing(tuple(rows), tuple(joined), place[page], above is not None)


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers from low to high, at most `most`, in steps of 1, 2 or 5 times a power of ten.

    >>> ticks(0.43, 0.9, 5), ticks(0, 1, 6)
    ([0.5, 0.6, 0.7, 0.8, 0.9], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    """
    span = high - low
    if span <= 0:
        return [high]
    power = math.floor(math.log10(span / most))
    steps = (step * 10.0**power for step in (1, 2, 5, 10, 20))
    counted = ((size, math.ceil(low / size - 1e-9), math.floor(high / size + 1e-9)) for size in steps)
    size, first, last = next(found for found in counted if found[2] - found[1] < most)
    return [round(at * size, max(0, -power)) for at in range(first, last + 1)]
