"""What the bounds r and N of paper 3 stand on: how often a site repeats an anchor, and how much it gives two pages.

Figure 6: for each citing site, page linked to and anchor, how often the site has that link. Figure 7: the domain
similarities DS_d(p₁ → p₂) of Eq. 12, before they are bounded. In the paper 75 % of the links stand once, fewer than 5 %
more than 9 times, and fewer than 1 % of the similarities are over 10: hence r = 9 and N = 10.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from pagekin.collection.store import Store
from pagekin.methods.blockindex import BlockPairs, given_by_sites
from pagekin.methods.blocktables import folded_anchor

Counts = Mapping[int, int]


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
    times = np.unique(rows, axis=0, return_counts=True)[1]
    return {int(n): int(count) for n, count in zip(*np.unique(times, return_counts=True), strict=True)}


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


def plot_distribution(counts: Counts, path: Path, of: str) -> None:
    """The share of each value, on a logarithmic scale, as in Figures 6 and 7; `of` names the values."""
    from matplotlib.figure import Figure  # a second, and only a plot needs it

    whole = max(sum(counts.values()), 1)
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.add_subplot()
    axes.bar(list(counts), [count / whole for count in counts.values()])
    axes.set(xlabel=of, ylabel="share", yscale="log" if counts else "linear")
    figure.savefig(path)
