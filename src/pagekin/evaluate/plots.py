"""The two figures of an evaluation: the mean of each method with its interval, and the precision down the lists."""

from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from pagekin.evaluate.experiment import Evaluation
from pagekin.evaluate.figures import MARKED, figure, printable, save
from pagekin.evaluate.rscore import average_r_scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PLAIN = "#57606a"
MARKS = "osD^vP*X"  # more methods than colours are told apart by these
WIDTH, ROW = 9.0, 0.34  # inches: the page of a report, and a line of text


def means(axes: "Axes", made: Evaluation) -> None:
    """A point and an interval for each method, the best on top."""
    name = f"nDCG@{made.k}"
    rows = sorted(made, key=lambda row: row[name])
    for at, row in enumerate(rows):
        colour = MARKED if row is made[made.best] else PLAIN
        axes.plot([row["low"], row["high"]], [at, at], color=colour, linewidth=2, solid_capstyle="round")
        axes.plot([row[name]], [at], "o", color=colour)
    axes.set_yticks(range(len(rows)), [_label(row["method"]) for row in rows])
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_xlim(left=0)
    axes.set_xlabel(f"{name}, and the interval of 95 %")
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)


def curves(axes: "Axes", made: Evaluation) -> None:
    """The mean grade of the first R results, for each R up to k (Figure 10 of paper 3)."""
    from matplotlib import colormaps

    colours = colormaps["tab10"]
    places = range(1, made.k + 1)
    for at, each in enumerate(made.measured):
        scores = average_r_scores(each.grades.tolist(), made.k)
        axes.plot(
            places, scores, color=colours(at % 10), marker=MARKS[at % len(MARKS)], markersize=4, label=_label(each.name)
        )
    graded = any((each.grades > 1).any() for each in made.measured)
    axes.set(xlabel="R", ylabel="mean grade of the first R results" if graded else "precision of the first R results")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8, ncols=1 + len(made) // 9)


def _label(name: str) -> str:
    return printable(name).replace("$", r"\$")


def figures(made: Evaluation) -> "dict[str, Figure]":
    """Each figure by its caption."""
    top = figure(WIDTH, 1.0 + ROW * len(made))
    means(top.add_subplot(), made)
    low = figure(WIDTH, 4.2)
    curves(low.add_subplot(), made)
    for each in (top, low):
        each.set_layout_engine("constrained")
    return {
        "Means and their intervals. Even if two overlap, a difference may be sure: see the table of differences.": top,
        "How good the lists are down to each place. A line that falls steeply has its right answers on top.": low,
    }


def svg(page: "Figure") -> str:
    """A figure as an element of an HTML page."""
    text = StringIO()
    save(page, text, "svg")
    return text.getvalue()[text.getvalue().index("<svg") :]


def draw(made: Evaluation, path: Path, format: str) -> None:
    """Both figures in one file."""
    page = figure(WIDTH, 5.4 + ROW * len(made))
    page.set_layout_engine("constrained")
    upper, lower = page.subplots(2, 1, height_ratios=[1.0 + ROW * len(made), 4.2])
    means(upper, made)
    curves(lower, made)
    save(page, path, format)
