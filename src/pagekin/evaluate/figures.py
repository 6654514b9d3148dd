"""Drawings with matplotlib: dendrograms, and similarity graphs with their categories. Nothing here opens a window."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pagekin.cluster.dendrogram import Drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKED = "#c2410c"
LINE = "#7d8590"
MOST_PIXELS = 60_000  # Agg draws no more than 65,536 in either direction
DPI = 100


def figure(width: float, height: float) -> "Figure":
    """An empty figure of so many inches, or as many as can be drawn."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, min(height, MOST_PIXELS / DPI)), dpi=DPI)


def dendrogram(axes: "Axes", drawing: Drawing, labels: Sequence[str] | None = None) -> None:
    """The root on the left, the rows on the right with their labels; the way up from the page asked about is marked."""
    from matplotlib.collections import LineCollection

    scale = drawing.scale
    x = [0.0] * len(drawing.rows) + [scale.at(join.height) for join in drawing.joins]
    lines: dict[bool, list[list[tuple[float, float]]]] = {False: [], True: []}
    for node, join in enumerate(drawing.joins, len(drawing.rows)):
        for part in (join.upper, join.lower):
            corner = [(x[part], drawing.y[part]), (x[node], drawing.y[part]), (x[node], drawing.y[node])]
            lines[part in drawing.path].append(corner)
    for marked, colour, width in ((False, LINE, 0.8), (True, MARKED, 1.6)):
        axes.add_collection(LineCollection(lines[marked], colors=colour, linewidths=width))
    axes.set_xlim(1.02, 0)
    axes.set_ylim(len(drawing.rows) - 0.5, -0.5)
    axes.set_xlabel("height", fontsize=8)
    axes.set_xticks([scale.at(tick) for tick in scale.ticks(8)], [f"{tick:g}" for tick in scale.ticks(8)], fontsize=8)
    axes.set_yticks([])
    axes.spines[["left", "right", "top"]].set_visible(False)
    size = min(9.0, 0.75 * axes.bbox.height * 72 / DPI / len(drawing.rows))
    for row, label in enumerate(labels or ()):
        colour, weight = (MARKED, "bold") if row == drawing.page else ("#1f2328", "normal")
        axes.annotate(
            printable(label), (0, row), (5, 0), textcoords="offset points", va="center", annotation_clip=False,
            fontsize=size, color=colour, fontweight=weight, parse_math=False,
        )  # fmt: skip


def printable(text: str) -> str:
    """Text without what no font draws and no XML may hold.

    >>> printable("a\\x1b[31m\\u202eb\\ufffe")
    'a[31mb'
    """
    return "".join(char for char in text if char.isprintable())


def save(page: "Figure", path: Path, format: str) -> None:
    """Write a figure; text in SVG is text. A letter that the font does not have is a box, and no warning."""
    import matplotlib

    with warnings.catch_warnings(), matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "pagekin"}):
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        page.savefig(path, format=format, metadata={"Date": None} if format == "svg" else None)
