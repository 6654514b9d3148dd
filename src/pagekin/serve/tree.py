"""The dendrogram of a page and those found for it as shapes for a template: lines, names, and the groups of a cut.

The root is on the left and the pages are on the right, one below the other, as in `answers.drawings`. Only the pages of
the list are drawn: the heights at which each two of them come together are an ultrametric, whose tree single linkage
finds. A cut at some height colours what has come together below it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pagekin.cluster.dendrogram import Drawing, Scale, around
from pagekin.cluster.flexible import Hierarchy
from pagekin.collection.lookup import known
from pagekin.collection.store import Store
from pagekin.kernels import Ints
from pagekin.methods.assisted import Assisted

TREE, NAMES, ROW, TOP = 150, 250, 21, 22  # user units: width of the lines and of the names, height of a row, the scale
LEFT = 6
MOST_TICKS = 5


@dataclass(frozen=True)
class TreeRow:
    """A page, with the group it is in."""

    name: str
    url: str
    pages: int
    y: float
    joins: float  # the height at which it comes together with the page asked about
    is_asked: bool
    group: int = -1  # −1: without a cut, or alone


@dataclass(frozen=True)
class TreeLine:
    """The line from a node to the join above it."""

    d: str
    height: float
    pages: int
    leads: bool  # from the page asked about to the root
    joined: bool  # at or below the cut


@dataclass(frozen=True)
class Tree:
    """A dendrogram ready to be drawn."""

    rows: tuple[TreeRow, ...]
    lines: tuple[TreeLine, ...]
    ticks: tuple[tuple[float, str], ...]
    cut: float | None = None  # the height
    cut_x: float | None = None
    width: int = LEFT + TREE + NAMES
    names_at: int = LEFT + TREE + 8

    @property
    def height(self) -> int:
        return TOP + ROW * len(self.rows) + 4

    @property
    def own_group(self) -> int:
        """How many pages are together with the page asked about below the cut, itself included."""
        asked = next(row for row in self.rows if row.is_asked)
        return 1 if asked.group < 0 else sum(row.pages for row in self.rows if row.group == asked.group)


def tree_of(store: Store, page: str, others: Sequence[str], asked: Assisted, cut: float | None = None) -> Tree | None:
    """The dendrogram of a page and others; None if it is alone. Others that do not cluster with it are left out.

    cut: where to cut the drawing, from 0 (at the root, everything is one group) to 1 (at the pages).
    """
    graph, found, _ = asked.hierarchy(asked.seen(store), known(store, page).page)
    if found is None:
        return None
    numbers = [known(store, url).page for url in others]
    nodes = [graph.node_of(int(store.graph.ids[number])) for number in numbers]
    inside = {node: url for node, url in zip(nodes, others, strict=True) if node is not None and node in found.nodes}
    inside.pop(int(found.nodes[found.place]), None)
    if not inside:
        return None
    places = np.array([found.place, *np.searchsorted(found.nodes, list(inside))], np.int32)
    urls = [page, *inside.values()]
    drawing = around(induced(found.hierarchy, places), 0, len(urls))
    rows = []
    for at, (row, y) in enumerate(zip(drawing.rows, drawing.y.tolist(), strict=False)):
        assert row.page is not None  # there is room for all
        url = urls[row.page]
        title = store.title(known(store, url).page)
        rows.append(TreeRow(title, url, row.pages, _y(y), row.joins, at == drawing.page))
    return _drawn(drawing, rows, cut)


def induced(hierarchy: Hierarchy, places: Ints) -> Hierarchy:
    """The hierarchy of some of the pages: they come together at the heights at which they do among all."""
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    heights = hierarchy.heights_among(places)
    np.fill_diagonal(heights, 0.0)
    return Hierarchy(linkage(squareform((heights + heights.T) / 2, checks=False), "single"))


def _y(row: float) -> float:
    return round(TOP + ROW * (row + 0.5), 1)


def _drawn(drawing: Drawing, rows: Sequence[TreeRow], share: float | None) -> Tree:
    scale, nodes, path = drawing.scale, len(rows), drawing.path
    cut = None if share is None else height_at(scale, 1 - share)

    def x(height: float) -> float:
        return round(LEFT + (1 - scale.at(max(height, scale.low))) * TREE, 1)

    at = [float(LEFT + TREE)] * nodes + [x(join.height) for join in drawing.joins]
    y = [_y(place) for place in drawing.y.tolist()]
    lines = [
        TreeLine(f"M{at[part]:g} {y[part]:g}H{at[node]:g}V{y[node]:g}", join.height, join.pages, part in path,
                 cut is not None and join.height <= cut)
        for node, join in enumerate(drawing.joins, nodes)
        for part in (join.upper, join.lower)
    ]  # fmt: skip
    lines.sort(key=lambda line: line.leads)  # the page's own way is drawn on top
    if cut is not None:
        rows = [replace(row, group=group) for row, group in zip(rows, groups(drawing, cut), strict=True)]
    ticks = tuple((x(height), f"{height:g}") for height in (scale.ticks(MOST_TICKS) if drawing.joins else ()))
    return Tree(tuple(rows), tuple(lines), ticks, cut, None if cut is None else x(cut))


def height_at(scale: Scale, place: float) -> float:
    """The height at a place of a scale, the inverse of `Scale.at`."""
    if scale.logarithmic:
        return float(scale.low * (scale.high / scale.low) ** place)
    return scale.low + place * (scale.high - scale.low)


def groups(drawing: Drawing, cut: float) -> list[int]:
    """The group of each row below a cut, numbered from the top; −1 for a row that has joined nothing."""
    rows = len(drawing.rows)
    members: list[list[int]] = [[row] for row in range(rows)]
    whole: list[list[int]] = []  # groups, largest last
    for join in drawing.joins:
        together = members[join.upper] + members[join.lower] if join.height <= cut else []
        members.append(together)
        if together:
            whole.append(together)
    of = [-1] * rows
    for group in whole:  # children come before parents, so the last one that a row is in is the largest
        for row in group:
            of[row] = group[0]
    numbers = {first: number for number, first in enumerate(sorted({each for each in of if each >= 0}))}
    return [numbers.get(each, -1) for each in of]
