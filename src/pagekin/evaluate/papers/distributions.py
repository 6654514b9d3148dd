"""Counts for paper 3: sizes of blocks, repetitions of an anchor by a site, and a site's similarity of two pages."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from pagekin.collection.store import Store
from pagekin.collection.strings import coded
from pagekin.index.block_pairs.index import BlockPairs, given_by_sites
from pagekin.index.block_pairs.tables import folded_anchor
from pagekin.kernels import Longs
from pagekin.model import ALONE

Counts = Mapping[int, int]


def block_sizes(store: Store) -> dict[int, int]:
    """Number of links → number of blocks; a link in no block counts as a block of 1. Memory: all links."""
    source, block = (store.graph.links[name].to_numpy().astype(np.int64) for name in ("source", "block"))
    alone = block == ALONE
    size = np.unique(np.column_stack((source, block))[~alone], axis=0, return_counts=True)[1]
    return _counted(np.concatenate((size, np.ones(alone.sum(), np.int64))))


def page_sizes(store: Store) -> dict[int, int]:
    """Number of links → number of pages."""
    return _counted(np.unique(store.graph.links["source"].to_numpy(), return_counts=True)[1])


def _counted(values: Longs) -> dict[int, int]:
    return {int(value): int(count) for value, count in zip(*np.unique(values, return_counts=True), strict=True)}


def anchor_repetitions(store: Store) -> dict[int, int]:
    """Number of times → number of distinct links (citing site, page, anchor) repeated so often. Memory: all links."""
    links, graph = store.graph.links, store.graph
    text = links["anchor"].combine_chunks().dictionary_encode()
    number: dict[str, int] = {}
    folded = [number.setdefault(folded_anchor(anchor), len(number)) for anchor in text.dictionary.to_pylist()]
    anchor = np.array(folded, np.int64)[np.asarray(text.indices)] if folded else np.empty(0, np.int64)
    sites, _ = coded(graph.pages["site"])
    source = sites[links["source"].to_numpy()]
    rows = np.column_stack((source, graph.page_of[links["target"].to_numpy()], anchor))[anchor != number.get("", -1)]
    return _counted(np.unique(rows, axis=0, return_counts=True)[1])


def domain_similarities(store: Store, rule: BlockPairs) -> dict[int, int]:
    """Upper end → number of domain similarities in the interval (0, 1], (1, 2] …"""
    counts: dict[int, int] = {}
    for scores in given_by_sites(store, replace(rule, min_score=0.0)):
        ends, found = np.unique(np.maximum(np.ceil(np.round(scores, 9)), 1).astype(np.int64), return_counts=True)
        for end, count in zip(ends.tolist(), found.tolist(), strict=True):
            counts[end] = counts.get(end, 0) + count
    return dict(sorted(counts.items()))


def share_over(counts: Counts, limit: int) -> float:
    """The share of the counted values that are above a limit.

    >>> share_over({1: 90, 5: 8, 12: 2}, 9)
    0.02
    """
    whole = sum(counts.values())
    return sum(count for value, count in counts.items() if value > limit) / whole if whole else 0.0
