"""What the bounds S, r and N of paper 3 stand on: sizes of blocks, repeated anchors, what a site gives two pages.

Figure 4: links a block, beside links a page, which is a block where nothing is cut. Figure 6: for each citing site,
page linked to and anchor, how often the site has that link. Figure 7: the domain similarities DS_d(p₁ → p₂) of Eq. 12,
before they are bounded. In the paper very few blocks have more than 80 links, 75 % of the links stand once, fewer than
5 % more than 9 times, and fewer than 1 % of the similarities are over 10: hence S = 80, r = 9 and N = 10.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from pagekin.collection.store import Store
from pagekin.evaluate.figures import MARKED, figure, save
from pagekin.evaluate.segmentation import SIZES, classes
from pagekin.kernels import Longs
from pagekin.methods.blockindex import BlockPairs, given_by_sites
from pagekin.methods.blocktables import folded_anchor
from pagekin.model import ALONE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Counts = Mapping[int, int]
LONG = 100  # a value larger than this is drawn on a logarithmic scale


def block_sizes(store: Store) -> dict[int, int]:
    """How many blocks there are of each size: links → blocks; links alone are blocks of 1. Memory: all links."""
    source, block = (store.graph.links[name].to_numpy().astype(np.int64) for name in ("source", "block"))
    alone = block == ALONE
    size = np.unique(np.column_stack((source, block))[~alone], axis=0, return_counts=True)[1]
    return _counted(np.concatenate((size, np.ones(alone.sum(), np.int64))))


def page_sizes(store: Store) -> dict[int, int]:
    """How many pages there are of each size: links → pages."""
    return _counted(np.unique(store.graph.links["source"].to_numpy(), return_counts=True)[1])


def _counted(values: Longs) -> dict[int, int]:
    return {int(value): int(count) for value, count in zip(*np.unique(values, return_counts=True), strict=True)}


def anchor_repetitions(store: Store) -> dict[int, int]:
    """How many links (citing site, page, anchor) there are once, twice …: times → links. Memory: all links."""
    links, graph = store.graph.links, store.graph
    text = links["anchor"].combine_chunks().dictionary_encode()
    number: dict[str, int] = {}
    folded = [number.setdefault(folded_anchor(anchor), len(number)) for anchor in text.dictionary.to_pylist()]
    anchor = np.array(folded, np.int64)[np.asarray(text.indices)] if folded else np.empty(0, np.int64)
    page = np.arange(store.size)
    page[list(graph.folded)] = list(graph.folded.values())
    sites = graph.pages["site"].cast(pa.large_string()).dictionary_encode().unify_dictionaries().combine_chunks()
    source = np.asarray(sites.indices)[links["source"].to_numpy()]
    rows = np.column_stack((source, page[links["target"].to_numpy()], anchor))[anchor != number.get("", -1)]
    return _counted(np.unique(rows, axis=0, return_counts=True)[1])


def domain_similarities(store: Store, rule: BlockPairs) -> dict[int, int]:
    """How many domain similarities are over 0 and up to 1, up to 2 …: upper end → how many."""
    counts: dict[int, int] = {}
    for scores in given_by_sites(store, replace(rule, min_score=0.0)):
        ends, found = np.unique(np.maximum(np.ceil(np.round(scores, 9)), 1).astype(np.int64), return_counts=True)
        for end, count in zip(ends.tolist(), found.tolist(), strict=True):
            counts[end] = counts.get(end, 0) + count
    return dict(sorted(counts.items()))


def share_over(counts: Counts, limit: int) -> float:
    """The share of what is counted that lies over a limit.

    >>> share_over({1: 90, 5: 8, 12: 2}, 9)
    0.02
    """
    whole = sum(counts.values())
    return sum(count for value, count in counts.items() if value > limit) / whole if whole else 0.0


def plot_sizes(series: Mapping[str, Counts], path: Path) -> None:
    """Figure 4: a line for each way to cut pages, with the share of its blocks in each class of sizes."""
    page = figure(7, 4)
    axes = page.add_subplot()
    for name, counts in series.items():
        found, whole = classes(counts), max(sum(counts.values()), 1)
        label = f"{name} ({share_over(counts, SIZES[-1]):.2%} over {SIZES[-1]})"
        axes.plot(list(found), [count / whole or np.nan for count in found.values()], "o-", label=label)
    axes.axvline(len(SIZES) + 0.5, color=MARKED, linestyle="--", label=f"S = {SIZES[-1]}")
    axes.set(xlabel="links in a block", ylabel="share of the blocks")
    axes.legend(frameon=False)
    _finish(page, axes, path, min((0.5 / sum(counts.values()) for counts in series.values() if counts), default=None))


def plot_distribution(counts: Counts, path: Path, of: str, limit: int) -> None:
    """Figures 6 and 7: the share of each value, and the limit that is to be judged; `of` names the values."""
    page = figure(7, 4)
    axes = page.add_subplot()
    whole = max(sum(counts.values()), 1)
    least = 0.5 / whole
    axes.vlines(list(counts), least, [count / whole for count in counts.values()], linewidth=4)
    axes.axvline(limit + 0.5, color=MARKED, linestyle="--")
    axes.set_title(f"{share_over(counts, limit):.2%} over {limit}", loc="right", color=MARKED, fontsize=10)
    long = max(counts, default=0) > LONG
    axes.set(xlabel=of, ylabel="share", xscale="log" if long else "linear", xlim=(0.9 if long else 0, None))
    _finish(page, axes, path, least if counts else None)


def _finish(page: "Figure", axes: "Axes", path: Path, least: float | None) -> None:
    """Shares from the least on a logarithmic scale, in percent; none: there is nothing to draw."""
    from matplotlib.ticker import FuncFormatter

    if least:
        axes.set(yscale="log", ylim=(least, 1.5))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:g} %"))
    axes.spines[["right", "top"]].set_visible(False)
    page.set_layout_engine("constrained")
    save(page, path, path.suffix.removeprefix(".") or "png")
