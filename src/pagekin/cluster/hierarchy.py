"""The hierarchy around a page: its candidates in the similarity graph, clustered for one α (paper 1, 5.3)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pagekin.cluster.flexible import DEFAULT_ALPHA, Hierarchy, flexible, ranking
from pagekin.graph.edges import Edges
from pagekin.index.similarity.candidates import MAX_CANDIDATES
from pagekin.index.similarity.graph import SimilarityGraph
from pagekin.kernels import Floats, Ints

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
    """A page's candidates as places 0 … n − 1, in page order, and how they merge."""

    nodes: Ints  # the node at each place
    place: int  # of the page itself
    edges: Edges  # between places
    hierarchy: Hierarchy
    cut: bool  # whether pages similar to a candidate were left out because there are enough

    @cached_property
    def ranking(self) -> tuple[Ints, Floats]:
        """The other places, most related first, and their distances."""
        return ranking(self.hierarchy, self.place)

    def chain(self, other: int) -> list[int]:
        """The merges (rows of the hierarchy) that bring the page and another place together, the last one first."""
        mine, theirs = self._path(self.place), self._path(other)
        joined = next(row for row in mine if row in set(theirs))
        return [joined, *sorted((row for row in mine + theirs if row < joined), reverse=True)]

    def _path(self, place: int) -> list[int]:
        rows, n = [], self.hierarchy.size
        while self._parent[place] >= 0:
            rows.append(int(self._parent[place]))
            place = n + rows[-1]
        return rows

    @cached_property
    def _parent(self) -> Ints:
        """The merge (or −1) that takes in each place, and each cluster (n + its merge)."""
        n, parent = self.hierarchy.size, np.full(2 * self.hierarchy.size - 1, -1, np.int32)
        parent[self.hierarchy.merges[:, :2].astype(np.int64)] = np.arange(n - 1, dtype=np.int32)[:, None]
        return parent

    def merge(self, row: int) -> Merge:
        """The details of one merge, by its row."""
        first, second, height, _ = self.hierarchy.merges[row].tolist()
        left, right = self._places(int(first)), self._places(int(second))
        side = np.zeros(self.hierarchy.size, np.int8)
        side[left], side[right] = 1, 2
        a, b, sim = self.edges
        across = np.flatnonzero(side[a] * side[b] == 2)
        if not across.size:
            return Merge(height, left, right, None)
        best = across[np.argmax(sim[across])]
        ends = (int(a[best]), int(b[best])) if side[a[best]] == 1 else (int(b[best]), int(a[best]))
        return Merge(height, left, right, (*ends, float(sim[best])))

    def _places(self, cluster: int) -> Ints:
        n, waiting, found = self.hierarchy.size, [cluster], []
        while waiting:
            cluster = waiting.pop()
            if cluster < n:
                found.append(cluster)
            else:
                waiting += self.hierarchy.merges[cluster - n, :2].astype(int).tolist()
        return np.array(sorted(found), np.int32)


def hierarchy_around(
    graph: SimilarityGraph, node: int, alpha: float = DEFAULT_ALPHA, most: int = MAX_CANDIDATES
) -> PageHierarchy:
    """The hierarchy around a node for one α; another α for the same node reuses its candidates."""

    def candidates() -> tuple[Ints, Edges]:
        nodes = graph.candidates(node, most)
        return nodes, graph.edges_among(nodes)

    def clustered() -> PageHierarchy:
        nodes, edges = graph.memo.get("candidates", (node, most), candidates, REMEMBERED)
        ends = int((graph.start[nodes + 1] - graph.start[nodes]).sum())  # an edge inside has both ends here
        hierarchy = flexible(nodes.size, *edges, alpha)
        return PageHierarchy(nodes, int(np.searchsorted(nodes, node)), edges, hierarchy, cut=2 * edges[0].size < ends)

    return graph.memo.get("hierarchy", (node, most, alpha), clustered, REMEMBERED)
