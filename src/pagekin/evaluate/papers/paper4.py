"""The evaluation of paper 4 (section 6.2.2, Figure 5): precision, recall and F-score of the first N, for N = 1 … 20.

For a page v with the list top_N(v), at most N long, and similar(v), the other pages of its label (Eq. 26–31):

    precision   |top_N ∩ similar| / |top_N|
    recall_n    |top_N ∩ similar| / N             the paper's recall
    recall      |top_N ∩ similar| / |similar|     the usual one
    F           2 · precision · recall_n / (precision + recall_n)

each averaged over all pages that share a label with another page (of many, over some that a seed draws); an empty list
scores 0. The averages are repeated over only the pages that SimRank answers, because SimRank says nothing about a page
without in-links.
"""

import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.evaluate.papers.tables import Options, PaperTables, labels
from pagekin.evaluate.truth import Labels
from pagekin.index.base import make_ready
from pagekin.kernels import Floats
from pagekin.methods import Method, ask_all, method
from pagekin.wording import option

LONGEST = 20
WHOLE = {"integrated": "(links=all, words=all)", "semantic": "(links=all, words=all)", "link": "(links=all, words=all)"}
METHODS = ("integrated", "semantic", "link", "simrank", "co-citation")
MEASURES = ("precision", "recall_n", "recall", "F")
ALL, ANSWERED = "all", "answered by simrank"
MEANS = "Means"
SEED = 4


@dataclass(frozen=True)
class Settings:
    """How many pages are asked about."""

    # Five methods of up to a second a page: of 1,000 pages a mean is known to about ± 0.02, of all of WebKB's 8,000 it
    # takes an hour.
    pages: int | None = 1_000

    def __post_init__(self) -> None:
        if self.pages is not None and self.pages < 1:
            raise UsageError(f"pages must be at least 1, or none for all, not {self.pages}")


def table(store: Store, options: Options) -> PaperTables:
    """A row for the mean over N for each set of pages and method, and a row for each N."""
    truth = labels(store, options)
    asked, note = _drawn(truth, (options.settings or Settings()).pages)
    measured = {name: _measured(store, method(name + WHOLE.get(name, "(links=all)")), truth, asked) for name in METHODS}
    answered = measured["simrank"][0][:, 0] > 0
    results = []
    for pages, chosen in ((ALL, np.ones_like(answered)), (ANSWERED, answered)):
        for name, (_, values) in measured.items():
            means = values[chosen].mean(axis=0) if chosen.any() else np.zeros(values.shape[1:])
            for n, row in enumerate([*means, means.mean(axis=0)], 1):
                told = {"table": "Figure 5", "pages": pages, "method": name, "N": n}
                told |= {} if n <= LONGEST else {"table": MEANS, "N": "mean"}
                results.append(told | dict(zip(MEASURES, row.tolist(), strict=True)))
    results.sort(key=lambda row: row["table"] != MEANS)
    about = {"pages": len(asked), "answered by simrank": int(answered.sum())}
    captions = {
        MEANS: f"Means over N = 1 … {LONGEST}; SimRank answers {answered.sum():,} of {len(asked):,} pages",
        "Figure 5": "The same for each N",
    }
    return PaperTables((), "; ".join([*truth.notes, *note]) or None, tuple(results), "paper4", about, captions)


def _drawn(truth: Labels, most: int | None) -> tuple[list[int], list[str]]:
    """The pages asked about, ascending, and a note if they are not all."""
    every = list(truth.asked)
    if most is None or len(every) <= most:
        return every, []
    whole = option("tables", "paper4(pages=none)")
    said = f"{most:,} of the {len(every):,} pages with labels are asked about, drawn by a seed; {whole} asks about all"
    return sorted(random.Random(SEED).sample(every, most)), [said]


def _measured(store: Store, by: Method, truth: Labels, asked: list[int]) -> tuple[npt.NDArray[np.int64], Floats]:
    """The length of the list and the four measures, for each page asked about and each N."""
    make_ready(by.seen(store), by.index)  # plain `build` makes that of the content alone
    sizes, pages, _ = ask_all(by, store, LONGEST, np.array(asked, np.int32))
    hits = np.zeros((len(asked), LONGEST))
    relevant = np.array([truth.count(page) for page in asked])[:, None]
    for row, page in enumerate(asked):
        found = pages[row, : sizes[row]].tolist()
        hits[row, : len(found)] = [truth.grade(page, other) for other in found]
    n = np.arange(1, LONGEST + 1)
    lengths = np.minimum(sizes.astype(np.int64)[:, None], n)
    hits = hits.cumsum(axis=1)
    precision, recall_n = hits / np.maximum(lengths, 1), hits / n
    f = 2 * precision * recall_n / np.maximum(precision + recall_n, 1e-300)
    return lengths, np.stack((precision, recall_n, hits / relevant, f), axis=2)


def plot(store: Store, options: Options, answer: PaperTables, path: Path) -> None:
    """Draw Figure 5: precision, recall and F-score against N; top: all pages, bottom: those SimRank answers."""
    from pagekin.evaluate.figures import figure, save

    page = figure(12, 7)
    grid = page.subplots(2, 3, sharex=True)
    for line, pages in zip(grid, (ALL, ANSWERED), strict=True):
        for axes, measure in zip(line, ("precision", "recall_n", "F"), strict=True):
            for name in METHODS:
                rows = [row for row in answer if (row["pages"], row["method"]) == (pages, name) and row["N"] != "mean"]
                axes.plot([row["N"] for row in rows], [row[measure] for row in rows], marker=".", label=name)
            axes.set_title(f"{'recall / N' if measure == 'recall_n' else measure}, {pages}", fontsize=10)
            axes.set_xticks(range(0, LONGEST + 1, 5))
            axes.set_ylim(0, 1)
    grid[1][1].set_xlabel("N")
    grid[0][2].legend(fontsize=8)
    page.set_layout_engine("constrained")
    save(page, path, path.suffix.lower()[1:])
