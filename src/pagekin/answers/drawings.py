"""Drawings of a hierarchy: for the terminal, as SVG or PNG, and as Newick or JSON for programs that draw it themselves.

The root is on the left and the pages are on the right, one below the other, so that names can be long.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

import numpy as np

from pagekin.answers.export.files import whole
from pagekin.answers.export.graphs import xml
from pagekin.cluster.dendrogram import Drawing, Row, around
from pagekin.cluster.flexible import Hierarchy
from pagekin.errors import UsageError
from pagekin.harmless import as_json, clean
from pagekin.wording import option

MOST_ROWS = 40  # rows of a drawing in a terminal
MOST_DRAWN = 60  # of a picture; files for programs hold every page
NARROWEST, WIDEST = 16, 48  # width of the tree in a terminal, in columns

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
# The character that has lines to these sides.
BOX = {
    LEFT: "╴", RIGHT: "╶", LEFT | RIGHT: "─", UP: "╵", DOWN: "╷", UP | DOWN: "│", DOWN | RIGHT: "┌", UP | RIGHT: "└",
    DOWN | LEFT: "┐", UP | LEFT: "┘", UP | DOWN | RIGHT: "├", UP | DOWN | LEFT: "┤", LEFT | RIGHT | DOWN: "┬",
    LEFT | RIGHT | UP: "┴", LEFT | RIGHT | UP | DOWN: "┼",
}  # fmt: skip


def draw(
    hierarchy: Hierarchy, names: Sequence[str], query: int, out: Path | None = None, most: int = MOST_DRAWN
) -> str:
    """Draw a hierarchy with a name for each page and the query page marked.

    With `out`, write a file in the format that its ending names and return a sentence saying so; without, return the
    drawing for a terminal. A picture has about `most` rows, around the query page.
    """
    if most < 2:
        raise UsageError(f"{option('size')} must be at least 2, not {most}")
    if len(names) != hierarchy.size:
        raise ValueError(f"{len(names)} names for {hierarchy.size} pages")
    if out is None:
        return in_terminal(hierarchy, names, query)
    ending = out.suffix.lower()
    if ending not in FILES:
        given = f"not '{ending}'" if ending else f"but '{out}' has no ending"
        raise UsageError(f"the ending gives the format of a dendrogram: use {' '.join(FILES)}, {given}")
    with whole(out) as beside:
        FILES[ending](hierarchy, names, query, beside, most)
    told = f"wrote the dendrogram of {hierarchy.size:,} page{'s' * (hierarchy.size > 1)} to {out}"
    if ending in PICTURES and hierarchy.size > most:
        told += f", those around the page open; {option('size', hierarchy.size)} opens all"
    return told


def said(row: Row, names: Sequence[str], outside: bool) -> str:
    """The text beside a row: the name of its page, or a summary of a closed cluster."""
    if row.page is not None:
        return clean(names[row.page]) or "(no name)"
    if outside:
        return f"… {row.pages:,} more page{'s' * (row.pages > 1)}, the last at {row.inside:.4g}"
    return f"… {row.pages:,} pages, joined at {row.inside:.4g}"


# In the terminal


def in_terminal(hierarchy: Hierarchy, names: Sequence[str], query: int, width: int = 0, most: int = MOST_ROWS) -> str:
    """The hierarchy around the query page as text, at most `width` columns wide (0: the terminal's width).

    To the left of each name is the height at which it joins the query page, which has an arrow. Joins are spaced
    evenly, by rank and not by height, because most heights of a real hierarchy are too close to each other.
    """
    from rich.cells import cell_len, set_cell_size

    width = width or get_terminal_size().columns
    drawing = around(hierarchy, query, most)
    columns = min(WIDEST, max(NARROWEST, width * 2 // 5))
    levels = sorted({float(f"{join.height:.12g}") for join in drawing.joins}, reverse=True)
    column = {height: rank * (columns - 2) // len(levels) for rank, height in enumerate(levels)}
    at = [columns - 1] * len(drawing.rows)
    for join in drawing.joins:
        x = column[float(f"{join.height:.12g}")]
        at.append(
            min(x, at[join.upper], at[join.lower])
        )  # rounding can make a height slightly lower than the one below it
    room = max(10, width - columns - 9)
    lines = _scale(column, columns)
    for number, (tree, row) in enumerate(zip(_boxes(drawing, at, columns), drawing.rows, strict=True)):
        joins = "▶     " if number == drawing.page else f"{row.joins:<6.4g}"
        name = said(row, names, drawing.outside and number == len(drawing.rows) - 1)
        if cell_len(name) > room:
            name = set_cell_size(name, room - 1).rstrip() + "…"
        lines.append(f"{tree} {joins}  {name}")
    return "\n".join(lines)


def _scale(column: Mapping[float, int], columns: int) -> list[str]:
    """The scale above the tree: the heights of the joins over their columns, as many as fit."""
    label, marks = [" "] * columns, ["─"] * columns
    free, last = 0, ""
    for height, x in column.items():
        text = f"{height:.4g}"
        if free <= x <= columns - len(text) and text != last:
            label[x : x + len(text)], marks[x] = text, "┬"
            free, last = x + len(text) + 2, text
    return ["".join(label) + " joins at", "".join(marks)] if column else []


def _boxes(drawing: Drawing, at: Sequence[int], columns: int) -> list[str]:
    """The tree in box-drawing characters, one line for each row."""
    cells = np.zeros((len(drawing.rows), columns), np.int64)
    y = np.floor(drawing.y).astype(int).tolist()

    def level(row: int, first: int, last: int) -> None:
        cells[row, first:last] |= RIGHT
        cells[row, first + 1 : last + 1] |= LEFT

    for x, join in zip(at[len(drawing.rows) :], drawing.joins, strict=True):
        for part in (join.upper, join.lower):
            level(y[part], x, at[part])
        cells[y[join.upper] : y[join.lower], x] |= DOWN
        cells[y[join.upper] + 1 : y[join.lower] + 1, x] |= UP
    level(y[-1], 0, at[-1])  # from the left edge to the root, so that a single page has a line too
    cells[:, -1] |= LEFT
    return ["".join(BOX.get(cell, " ") for cell in line) for line in cells.tolist()]


# Files


SVG_TREE, SVG_ROW, SVG_MARGIN = 560, 18, 24  # pixels: width of the tree, height of a row, margin
SVG_NAME = 100  # characters of a name that are shown; the tooltip has the whole name
SVG_STYLE = """
text { font: 12px system-ui, "Segoe UI", "Noto Sans", sans-serif; fill: #1f2328 }
.axis { fill: #6a737d; font-size: 11px }
.grid { stroke: #e6e8eb }
.join { fill: none; stroke: #7d8590 }
.path { fill: none; stroke: #c2410c; stroke-width: 2 }
.query { fill: #c2410c; font-weight: 600 }
.closed { fill: #6a737d; font-style: italic }
"""


def svg(hierarchy: Hierarchy, names: Sequence[str], query: int, most: int = MOST_DRAWN) -> str:
    """The hierarchy around the query page as SVG; text stays text, and hovering shows heights and long names."""
    drawing = around(hierarchy, query, most)
    scale, shown = drawing.scale, _rows(drawing, names)
    top, bottom = SVG_MARGIN + 22, SVG_MARGIN + 22 + SVG_ROW * len(shown)
    longest = max(min(len(name), SVG_NAME) for name in shown)
    width, height = SVG_MARGIN * 2 + SVG_TREE + 24 + 7 * longest, bottom + SVG_MARGIN
    x = [float(SVG_MARGIN + SVG_TREE)] * len(shown)
    x += [round(SVG_MARGIN + (1 - scale.at(join.height)) * SVG_TREE, 2) for join in drawing.joins]
    y = (top + SVG_ROW * (drawing.y + 0.5)).round(2).tolist()
    marked = xml(shown[drawing.page])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f"<title>{hierarchy.size:,} pages around {marked}</title>",
        f"<style>{SVG_STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text class="axis" x="{SVG_MARGIN}" y="{SVG_MARGIN - 8}">height at which pages join</text>',
    ]
    for tick in scale.ticks(8) if drawing.joins else ():
        at = round(SVG_MARGIN + (1 - scale.at(tick)) * SVG_TREE, 2)
        parts.append(f'<line class="grid" x1="{at}" x2="{at}" y1="{top}" y2="{bottom}"/>')
        ends = [top - 6] + ([bottom + 14] if len(shown) > 30 else [])
        parts += [f'<text class="axis" x="{at}" y="{end}" text-anchor="middle">{tick:g}</text>' for end in ends]
    for kind in ("join", "path"):  # the query page's own path is drawn last, on top of the others
        for node, join in enumerate(drawing.joins, len(shown)):
            for part in (join.upper, join.lower):
                if (part in drawing.path) == (kind == "path"):
                    line = f"M{x[part]} {y[part]}H{x[node]}V{y[node]}"
                    told = f"<title>{join.height:.6g}, {join.pages:,} pages</title>"
                    parts.append(f'<path class="{kind}" d="{line}">{told}</path>')
    for number, name in enumerate(shown):
        closed = ' class="closed"' if drawing.rows[number].page is None else ""
        kind = ' class="query"' if number == drawing.page else closed
        cut = name if len(name) <= SVG_NAME else name[: SVG_NAME - 1] + "…"
        parts.append(
            f'<text{kind} x="{x[number] + 8:g}" y="{y[number] + 4:g}">{xml(cut)}<title>{xml(name)}</title></text>'
        )
    return "\n".join([*parts, "</svg>\n"])


def _rows(drawing: Drawing, names: Sequence[str]) -> list[str]:
    last = len(drawing.rows) - 1
    return [said(row, names, drawing.outside and number == last) for number, row in enumerate(drawing.rows)]


def newick(hierarchy: Hierarchy, names: Sequence[str]) -> str:
    """The hierarchy in Newick format, names in quotes. A page's distance to a join above it is the height of the join.

    >>> from pagekin.cluster.flexible import flexible
    >>> newick(flexible(3, [0, 1], [1, 2], [0.5, 0.25]), ["a", "b's", "c"]).rstrip()
    "('c':0.875,('a':0.5,'b''s':0.5):0.375);"
    """
    n, merges = hierarchy.size, hierarchy.merges
    height = np.concatenate([np.zeros(n), merges[:, 2]])
    written: list[str] = []
    todo: list[int | str] = [2 * n - 2]  # a stack, not recursion: at a small α the tree is one long chain
    while todo:
        node = todo.pop()
        if isinstance(node, str):
            written.append(node)
        elif node < n:
            written.append("'" + clean(names[node]).replace("'", "''") + "'")
        else:
            first, last = merges[node - n, :2].astype(int).tolist()
            length = [f":{max(0.0, float(height[node] - height[part]))!r}" for part in (first, last)]
            todo += [length[1] + ")", last, length[0] + ",", first, "("]
    return "".join(written) + ";\n"


def as_dict(hierarchy: Hierarchy, names: Sequence[str]) -> dict[str, Any]:
    """The whole linkage in SciPy's form, so that a reader can cut it anywhere."""
    merges = [[int(i), int(j), height, int(size)] for i, j, height, size in hierarchy.merges.tolist()]
    return {"pages": list(names), "merges": merges, "order": hierarchy.order().tolist()}


def _write_svg(hierarchy: Hierarchy, names: Sequence[str], query: int, path: Path, most: int) -> None:
    path.write_text(svg(hierarchy, names, query, most), encoding="utf-8")


def _write_png(hierarchy: Hierarchy, names: Sequence[str], query: int, path: Path, most: int) -> None:
    from pagekin.evaluate.figures import dendrogram, figure, save

    drawing = around(hierarchy, query, most)
    shown = _rows(drawing, names)
    page = figure(12, 0.9 + 0.17 * len(shown))
    axes = page.add_axes((0.02, 0.5 / page.get_figheight(), 0.5, 1 - 0.9 / page.get_figheight()))
    dendrogram(axes, drawing, [name if len(name) <= 80 else name[:79] + "…" for name in shown])
    save(page, path, "png")


def _write_newick(hierarchy: Hierarchy, names: Sequence[str], query: int, path: Path, most: int) -> None:
    path.write_text(newick(hierarchy, names), encoding="utf-8")


def _write_json(hierarchy: Hierarchy, names: Sequence[str], query: int, path: Path, most: int) -> None:
    path.write_text(as_json(as_dict(hierarchy, names)) + "\n", encoding="utf-8")


PICTURES = (".svg", ".png")
FILES: dict[str, Callable[[Hierarchy, Sequence[str], int, Path, int], None]] = {
    ".svg": _write_svg, ".png": _write_png, ".nwk": _write_newick, ".newick": _write_newick, ".json": _write_json,
}  # fmt: skip
