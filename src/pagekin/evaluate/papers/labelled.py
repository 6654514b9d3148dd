"""A labelled collection, prepared for the experiments of paper 1 (Li et al. 2007, 6.1–6.3).

N is the number of labelled pages, and the similarity graph is the one among them; the pages that link to them, or that
they link to, may be any page. A level is pages (the paper's E1 and E2), or hosts instead of pages (its E2c).
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pagekin.cluster.flexible import Hierarchy, flexible
from pagekin.collection.store import Store
from pagekin.engine.local import over_rows
from pagekin.evaluate.truth import Labels
from pagekin.graph.edges import Edges
from pagekin.index.similarity import candidates as components
from pagekin.index.similarity.graph import OVER, SHARE_OF_MEAN
from pagekin.index.similarity.neighbourhoods import Level, Measure, Neighbourhoods, neighbourhoods
from pagekin.kernels import Ints, Longs, frozen

EdgeRows = tuple[Longs, Ints, Ints, Ints]  # a similarity graph as `components` takes it


class Caps(NamedTuple):
    """Limits on links: at most `into` in-links of a page, none from a page with more than `out` out-links."""

    into: int | None
    out: int | None

    def __str__(self) -> str:
        return f"({','.join(str(cap) for cap in self if cap)})"


E1 = Caps(50, 1000)  # the data set of Table 8 and the figures


@dataclass(frozen=True)
class SimilarPairs:
    """The similarity graph of the labelled nodes: pages, or the hosts of labelled pages."""

    around: Neighbourhoods
    nodes: Ints  # the labelled ones, ascending
    pairs: int  # pairs with any similarity
    mean: float  # over these pairs; the paper's figures cannot be means over all N(N−1)/2
    rows: EdgeRows  # pairs from δ up, without those the paper takes for duplicates

    @property
    def delta(self) -> float:
        return SHARE_OF_MEAN * self.mean

    @cached_property
    def edges(self) -> Edges:
        return _edges_of(self.rows)

    @cached_property
    def component(self) -> Ints:
        return components.labels(self.around.nodes, *self.edges[:2])

    @cached_property
    def retrieved(self) -> npt.NDArray[np.bool_]:
        """Which nodes are in a component of two or more (6.3.2)."""
        return np.bincount(self.component)[self.component] > 1

    def largest(self) -> Ints:
        """The labelled nodes of the largest component; the first, if several are largest."""
        theirs = self.component[self.nodes]
        return self.nodes[np.flatnonzero(theirs == np.bincount(theirs).argmax())]

    def near(self, node: int, most: int = components.MAX_CANDIDATES) -> Ints:
        """The node and its nearest nodes, ascending: the candidates for a question about it."""
        return np.sort(components.candidates(*self.rows, node, most))

    def clustered(self, nodes: Ints, alpha: float) -> Hierarchy:
        """The hierarchy of some nodes, given in ascending order."""
        return flexible(nodes.size, *components.edges_among(*self.rows, nodes), alpha)


def similar_pairs(around: Neighbourhoods, nodes: Ints) -> SimilarPairs:
    """The similarity graph of some nodes: both passes of `index.similarity`, among these nodes only."""
    everything = _rows(around, nodes, 0.0, np.inf)
    sim = _edges_of(everything)[2]
    mean = float(sim.mean()) if sim.size else 0.0
    return SimilarPairs(around, nodes, sim.size, mean, _rows(around, nodes, SHARE_OF_MEAN * mean, OVER))


def _rows(around: Neighbourhoods, nodes: Ints, least: float, most: float) -> EdgeRows:
    from pagekin.kernels.similarity_graph import edges

    left_out = np.ones(around.nodes, np.bool_)
    left_out[nodes] = False

    def block(first: int, last: int) -> tuple[Ints, Ints, Ints]:
        room = int((~left_out[first:last]).sum()) * nodes.size
        return edges(first, last, least, most, True, around.sets(), frozen(left_out), room)

    lengths, neighbour, bits = (
        np.concatenate([np.empty(0, np.int32), *parts]) for parts in zip(*over_rows(block, around.nodes), strict=True)
    )
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]), neighbour, bits, around.size


def _edges_of(rows: EdgeRows) -> Edges:
    """Every edge of a similarity graph, once."""
    from pagekin.kernels.similarity_graph import edges_of

    return Edges(*edges_of(0, rows[0].size - 1, *map(frozen, rows)))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Experiment:
    """A labelled collection and the similarity graphs that the paper's experiments need."""

    store: Store
    labels: Labels
    made: dict[tuple[Level, Measure, Caps], SimilarPairs] = field(default_factory=dict, compare=False)

    def graph(self, level: Level, measure: Measure, caps: Caps) -> SimilarPairs:
        """The similarity graph of the labelled pages or of their hosts, computed once."""
        if (level, measure, caps) not in self.made:
            around = neighbourhoods(self.store, measure, level, *caps)
            self.made[level, measure, caps] = similar_pairs(around, self.labelled(around)[0])
        return self.made[level, measure, caps]

    def labelled(self, around: Neighbourhoods) -> tuple[Ints, Longs]:
        """The labelled nodes, and how many labelled pages each represents."""
        return np.unique(around.node[sorted(self.labels.of)], return_counts=True)

    @cached_property
    def hosts(self) -> int:
        """How many hosts the labelled pages are on."""
        return int(self.labelled(neighbourhoods(self.store, "co-citation", "host"))[0].size)

    @cached_property
    def categories(self) -> list[str]:
        return sorted(self.labels.pages)

    @cached_property
    def cited(self) -> SimilarPairs:
        """The similarity graph of pages by co-citation, used for Table 8 and the figures."""
        return self.graph("page", "co-citation", E1)

    def page(self, node: int) -> int:
        return int(self.cited.around.head[node])

    def number(self, node: int) -> int:
        """The number of a labelled page in Table 8 and the figures: its place among the labelled pages, from 1."""
        return int(np.searchsorted(self.cited.nodes, node)) + 1

    def category(self, node: int) -> str:
        return ", ".join(sorted(self.labels.of[self.page(node)]))

    @cached_property
    def asked(self) -> list[int]:
        """The pages Table 8 asks about: the one with most neighbours in each of the two largest categories with any."""
        degree, node = np.diff(self.cited.rows[0]), self.cited.around.node
        found: list[int] = []
        for label in sorted(self.categories, key=lambda label: (-len(self.labels.pages[label]), label)):
            best = max(node[sorted(self.labels.pages[label])].tolist(), key=lambda node: (degree[node], -node))
            if degree[best] and best not in found:
                found.append(best)
        return found[:2]
