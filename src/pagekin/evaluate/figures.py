"""Draw dendrograms, and similarity graphs with their categories, with matplotlib. Nothing here opens a window."""

import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import numpy as np

from pagekin.cluster.dendrogram import Drawing
from pagekin.errors import MissingExtraError
from pagekin.kernels import Floats, Ints

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKED = "#c2410c"
LINE = "#7d8590"
MOST_PIXELS = 60_000  # Agg draws no more than 65,536 in either direction
DPI = 100


def check_drawing() -> None:
    """Refuse to draw without matplotlib. Work that takes long, and ends in a figure, asks before it begins."""
    if not find_spec("matplotlib"):
        raise MissingExtraError("matplotlib, which draws figures,", "figures")


def figure(width: float, height: float) -> "Figure":
    """An empty figure of this size in inches; the height is cut to what can be drawn."""
    check_drawing()
    from matplotlib.figure import Figure

    return Figure(figsize=(width, min(height, MOST_PIXELS / DPI)), dpi=DPI)


def dendrogram(axes: "Axes", drawing: Drawing, labels: Sequence[str] | None = None) -> None:
    """Draw a dendrogram: root left, rows and labels right; the path from the page asked about to the root is marked."""
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


def categories(
    axes: "Axes", a: Ints, b: Ints, sim: Floats, category: Sequence[str], labels: Sequence[str], page: int
) -> None:
    """Draw a similarity graph: similar pages are close, colours are categories, the page asked about has a ring."""
    from matplotlib import colormaps
    from matplotlib.collections import LineCollection

    at = spread(len(category), a, b, sim)
    if sim.size:
        lines, strength = list(at[np.stack([a, b], 1)]), 0.15 + 0.85 * sim / sim.max()
        axes.add_collection(LineCollection(lines, colors=LINE, alpha=strength, linewidths=0.8, zorder=1))
    names = sorted(set(category))
    colours = colormaps["tab10" if len(names) <= 10 else "tab20"]
    for number, name in enumerate(names):
        theirs = [node for node, each in enumerate(category) if each == name]
        shown = f" {printable(name)} ({len(theirs)})".replace(
            "$", r"\$"
        )  # the space: matplotlib hides names that begin with _
        colour = colours(number % colours.N)
        axes.scatter(
            at[theirs, 0], at[theirs, 1], s=60, color=colour, edgecolors="white", linewidths=0.8, label=shown, zorder=2
        )
    axes.scatter(at[page, 0], at[page, 1], s=160, facecolors="none", edgecolors=MARKED, linewidths=2, zorder=3)
    for node, label in enumerate(labels):
        axes.annotate(printable(label), at[node], (4, 3), textcoords="offset points", fontsize=6, parse_math=False)
    axes.legend(loc="upper left", bbox_to_anchor=(0, 1), fontsize=8, frameon=False)
    axes.set_axis_off()


def spread(n: int, a: Ints, b: Ints, sim: Floats, steps: int = 300) -> Floats:
    """Positions for n nodes: all nodes repel, edges attract (Fruchterman & Reingold 1991). O(n²) for each step.

    It starts from a spiral, not at random, so that the same graph gives the same picture.
    """
    turn = np.arange(n) * np.pi * (3 - np.sqrt(5))
    at: Floats = np.sqrt((np.arange(n) + 0.5) / n)[:, None] * np.stack([np.cos(turn), np.sin(turn)], 1)
    apart = 2 / np.sqrt(n)  # the length of an edge at rest
    pull = (0.3 + sim / sim.max())[:, None] if sim.size else sim[:, None]
    for step in range(steps):
        gap = at[:, None] - at[None]
        distance = np.maximum(np.linalg.norm(gap, axis=2), 1e-6)
        force = (gap * (apart / distance)[:, :, None] ** 2).sum(1)
        edge = at[b] - at[a]
        drawn = edge * np.linalg.norm(edge, axis=1, keepdims=True) / apart * pull
        np.add.at(force, a, drawn)
        np.add.at(force, b, -drawn)
        force -= 0.3 * at  # towards the middle, or unconnected nodes would leave the picture
        length = np.maximum(np.linalg.norm(force, axis=1, keepdims=True), 1e-9)
        at += force / length * np.minimum(length, 0.15 * (1 - step / steps))
    return at


def printable(text: str) -> str:
    """Text without characters that no font draws and XML forbids.

    >>> printable("a\\x1b[31m\\u202eb\\ufffe")
    'a[31mb'
    """
    return "".join(char for char in text if char.isprintable())


def save(page: "Figure", path: Path | TextIO, format: str) -> None:
    """Write a figure; in SVG, text stays text. A letter missing from the font becomes a box, without a warning."""
    import matplotlib

    with warnings.catch_warnings(), matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "pagekin"}):
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        page.savefig(path, format=format, metadata={"Date": None} if format == "svg" else None)
