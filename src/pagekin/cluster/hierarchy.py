"""The hierarchy around a page, for one α (paper 1, 5.3): of its whole component, or of its candidates."""

from dataclasses import dataclass

import numpy as np

from pagekin.cluster.flexible import DEFAULT_ALPHA, Hierarchy, flexible, ranking
from pagekin.graph.edges import Edges
from pagekin.index.similarity.candidates import MAX_CANDIDATES
from pagekin.index.similarity.graph import SimilarityGraph
from pagekin.kernels import Floats, Ints, frozen

# Candidates and hierarchies kept for the next question, often about the same page: for its evidence, or another α.
REMEMBERED = 16


@dataclass(frozen=True)
class Merge:
    """Two clusters becoming one: the places of the pages on each side, and the strongest edge between them, if any."""

    height: float
    left: Ints
    right: Ints
    strongest: tuple[int, int, float] | None


@dataclass(frozen=True)
class PageHierarchy:
    """The pages clustered with a page as places 0 … n − 1, in page order, and how they merge."""

    graph: SimilarityGraph
    nodes: Ints  # the node at each place
    place: int  # of the page itself
    hierarchy: Hierarchy
    cut: bool  # whether pages similar to a candidate were left out because there are enough

    def ranked(self, k: int | None = None) -> tuple[Ints, Floats]:
        """The k most related places (or all others), best first, and their distances."""
        return ranking(self.hierarchy, self.place, k)

    def chain(self, other: int) -> list[int]:
        """The merges (rows of the hierarchy) that bring the page and another place together, the last one first."""
        mine, theirs = self._path(self.place), self._path(other)
        met = set(theirs)
        joined = next(row for row in mine if row in met)
        return [joined, *sorted((row for row in mine + theirs if row < joined), reverse=True)]

    def _path(self, place: int) -> list[int]:
        rows, n, parent = [], self.hierarchy.size, self.hierarchy.parents
        while parent[place] >= 0:
            rows.append(int(parent[place]))
            place = n + rows[-1]
        return rows

    def merge(self, row: int) -> Merge:
        """The details of one merge, by its row."""
        from pagekin.kernels.components import strongest
        from pagekin.kernels.flexible import members

        first, second, height, _ = self.hierarchy.merges[row].tolist()
        merges = frozen(self.hierarchy.merges)
        left, right = np.sort(members(merges, int(first))), np.sort(members(merges, int(second)))
        fewer, more = (left, right) if left.size <= right.size else (right, left)
        start, neighbour, bits, size = self.graph.rows
        some, others = frozen(self.nodes[fewer]), frozen(self.nodes[more])
        a, b, sim = strongest(start, neighbour, bits, size, some, others)
        if a < 0:
            return Merge(height, left, right, None)
        ends = (a, b) if fewer is left else (b, a)
        one, other = (int(np.searchsorted(self.nodes, end)) for end in ends)
        return Merge(height, left, right, (one, other, float(sim)))


def hierarchy_around(
    graph: SimilarityGraph, node: int, alpha: float = DEFAULT_ALPHA, most: int = MAX_CANDIDATES
) -> PageHierarchy:
    """The hierarchy of a node's candidates for one α; another α for the same node reuses its candidates."""

    def candidates() -> tuple[Ints, Edges]:
        nodes = graph.candidates(node, most)
        return nodes, graph.edges_among(nodes)

    def clustered() -> PageHierarchy:
        nodes, edges = graph.memo.get("candidates", (node, most), candidates, REMEMBERED)
        ends = int((graph.start[nodes + 1] - graph.start[nodes]).sum())  # an edge inside has both ends here
        hierarchy = flexible(nodes.size, *edges, alpha)
        return PageHierarchy(graph, nodes, int(np.searchsorted(nodes, node)), hierarchy, cut=2 * edges[0].size < ends)

    return graph.memo.get("hierarchy", (node, most, alpha), clustered, REMEMBERED)
