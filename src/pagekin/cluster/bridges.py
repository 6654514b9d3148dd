"""Cross-topic pages (paper 1, 6.3.4): pages whose own related pages have little to do with each other.

Over the first 15 pages of a page's list at α = 0.5, with d(p) the height of a page's first merge, d(p, q) the height at
which two pages come together, and D the height of the root,

    score = max over B, C of that list  (|d(B) − d(B, C)| + |d(C) − d(B, C)|) / 2D

and the B and C of the maximum are its witnesses: two pages related to it that are far from each other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pagekin.cluster.flexible import DEFAULT_ALPHA
from pagekin.cluster.hierarchy import PageHierarchy, hierarchy_around
from pagekin.engine.local import over_rows
from pagekin.index.similarity.graph import SimilarityGraph

LIST = 15
# Clustering 2,000 candidates takes 50 ms, which is too long for every page of a collection; the first 15 are among the
# nearest, so the nearest 200 are clustered here.
CANDIDATES = 200


@dataclass(frozen=True)
class Bridge:
    """How far apart a page's related pages are (0 … 1), and the two that are farthest apart, as nodes."""

    score: float
    witnesses: tuple[int, int]


def bridge(graph: SimilarityGraph, node: int) -> Bridge | None:
    """The score of one page; none if fewer than two pages are related to it."""
    return (
        bridge_of(hierarchy_around(graph, node, DEFAULT_ALPHA, CANDIDATES))
        if graph.start[node + 1] > graph.start[node]
        else None
    )


def bridge_of(found: PageHierarchy) -> Bridge | None:
    """The score of the page that a hierarchy is around."""
    places = found.ranking[0][:LIST] if found.hierarchy.size > 1 else np.empty(0, np.int32)
    if places.size < 2:
        return None
    together = np.array([found.hierarchy.heights_with(int(place))[places] for place in places])
    first = found.hierarchy.first_merge_heights()[places]
    apart = np.abs(first[:, None] - together) + np.abs(first[None, :] - together)
    np.fill_diagonal(apart, -1)
    apart = np.round(apart, 12)  # ties go to the pair that comes first in the list
    b, c = divmod(int(np.argmax(apart)), places.size)
    root = float(found.hierarchy.merges[-1, 2])
    score = float(apart[b, c]) / (2 * root) if root > 0 else 0.0
    return Bridge(score, (int(found.nodes[places[b]]), int(found.nodes[places[c]])))


def bridges(graph: SimilarityGraph, nodes: Sequence[int]) -> Iterator[tuple[int, Bridge]]:
    """The nodes that have a score, each with its score, in the order given."""

    def block(first: int, last: int) -> list[tuple[int, Bridge | None]]:
        return [(node, bridge(graph, node)) for node in nodes[first:last]]

    for rows in over_rows(block, len(nodes)):
        yield from ((node, found) for node, found in rows if found is not None)
