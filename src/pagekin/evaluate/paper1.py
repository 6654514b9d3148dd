"""Tables 2–8 and Figures 3–4 of paper 1 (Li et al. 2007, 6.2–6.3), for any labelled collection.

N is the number of labelled pages, and the similarity graph is the one among them; what links to them and from them
may be any page. A level is what counts as a page: pages (the paper's E1), or whole hosts (its E2c).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pagekin.cluster import components
from pagekin.cluster.flexible import Hierarchy, flexible, ranking
from pagekin.collection.graph import Arrays, Direction, arrays
from pagekin.collection.store import Store
from pagekin.errors import PagekinError
from pagekin.evaluate.truth import Labels, labels_of, read_labels
from pagekin.kernels import Floats, Ints, Longs
from pagekin.methods.onepage import one_strongest, shared

if TYPE_CHECKING:
    from pagekin.evaluate.tables import Options

ALPHAS = (0.06, 0.25, 0.5, 0.8)  # Figure 3, Table 8
DELTA = 0.1  # of the mean similarity: less is not trusted (6.3.1)
DUPLICATES = 0.95  # more is a mirror to the paper (5.1)
LISTED = 15  # the paper's ordering lists; X beyond
MOST_CLUSTERED = 10_000  # pages of a dendrogram: 800 MB

CAPTIONS = {
    "2": "In- and out-links of the labelled pages, by the most in-links of a page and the most out-links of a citer",
    "3": "The same with hosts in place of pages",
    "4": "Similarity graph of the labelled pages",
    "5": "Similarity graph of their hosts",
    "6": "Overall recall: labelled pages that are like another one",
    "7": "Precision and recall of each category: the largest component in as many clusters, α = 0.5",
    "8": "Ordering lists by co-citation count and by the clustering at each α; X is beyond 15",
}


class Caps(NamedTuple):
    """At most so many in-links of a page, none from citers with more out-links."""

    into: int | None
    out: int | None

    def __str__(self) -> str:
        return f"({','.join(str(cap) for cap in self if cap)})"


class Measure(NamedTuple):
    """A neighbourhood C(p), by the paper's short name."""

    name: str
    near: Direction
    far: Direction


CIT, BIB, AMS = Measure("Cit", "in", "out"), Measure("Bib", "out", "in"), Measure("Ams", "either", "either")
IN_CAPS, OUT_CAPS = (10, 20, 50), (50, 100, 500, 1000)  # the paper's


@dataclass(frozen=True)
class Level:
    """The link graph at a level, and which of its nodes are labelled: pages, or hosts by the labels of their pages."""

    name: str
    arrays: Arrays
    nodes: Ints  # the labelled ones, ascending
    pages: Longs  # how many labelled pages each stands for

    def graph(self, measure: Measure, caps: Caps) -> "Alike":
        """The similarities among the labelled nodes."""
        limited = self.arrays.limited(*caps)
        place = np.full(limited.size, -1, np.int32)
        place[self.nodes] = np.arange(self.nodes.size)
        ends: list[Ints] = []
        others: list[Ints] = []
        sims: list[Floats] = []
        for at, node in enumerate(self.nodes.tolist()):
            found, sim = one_strongest(limited, measure.near, measure.far, True, node, limited.size)
            later = place[found] > at  # each pair once
            others.append(place[found[later]])
            sims.append(sim[later])
            ends.append(np.full(others[-1].size, at, np.int32))
        none = np.empty(0, np.int32)
        return Alike(
            self.nodes.size, np.concatenate([none, *ends]), np.concatenate([none, *others]),
            np.concatenate([np.empty(0), *sims]),
        )  # fmt: skip


@dataclass(frozen=True)
class Alike:
    """All pairs of n nodes that are alike at all, each once; and which of them the similarity graph keeps."""

    n: int
    a: Ints
    b: Ints
    sim: Floats

    @cached_property
    def mean(self) -> float:
        """Over the pairs that are not 0: over all N(N−1)/2 the paper's own figures could not be."""
        return float(self.sim.mean()) if self.sim.size else 0.0

    @property
    def delta(self) -> float:
        return DELTA * self.mean

    @cached_property
    def edges(self) -> tuple[Ints, Ints, Floats]:
        """Pairs from δ on, without those that the paper takes for duplicates."""
        kept = (self.sim >= self.delta) & (self.sim <= DUPLICATES)
        return self.a[kept], self.b[kept], self.sim[kept]

    @cached_property
    def component(self) -> Ints:
        return components.labels(self.n, *self.edges[:2])

    @cached_property
    def retrieved(self) -> npt.NDArray[np.bool_]:
        """The nodes in a component of two or more (6.3.2)."""
        return np.bincount(self.component, minlength=self.n)[self.component] > 1

    def largest(self) -> Ints:
        """The nodes of the largest component; the first of equals."""
        return np.flatnonzero(self.component == np.bincount(self.component).argmax()).astype(np.int32)

    @cached_property
    def rows(self) -> tuple[Longs, Ints, Floats]:
        """The graph as CSR, each edge at both its ends."""
        a, b, sim = self.edges
        ends, others, sims = np.concatenate([a, b]), np.concatenate([b, a]), np.concatenate([sim, sim])
        order = np.lexsort((others, ends))
        start = np.zeros(self.n + 1, np.int64)
        np.cumsum(np.bincount(ends, minlength=self.n), out=start[1:])
        return start, others[order], sims[order]

    def around(self, node: int, most: int = components.MAX_CANDIDATES) -> Ints:
        """The node and those nearest to it, ascending: what a question about it works on."""
        return np.sort(components.candidates(*self.rows, node, most))

    def clustered(self, nodes: Ints, alpha: float) -> Hierarchy:
        """The hierarchy of some nodes, which ascend."""
        return flexible(nodes.size, *components.edges_among(*self.rows, nodes), alpha)


@dataclass(frozen=True)
class Experiment:
    """A labelled collection as the paper's experiments see it."""

    store: Store
    labels: Labels

    @cached_property
    def pages(self) -> Level:
        nodes = np.array(sorted(self.labels.of), np.int32)
        return Level("pages", self.store.arrays, nodes, np.ones(nodes.size, np.int64))

    @cached_property
    def hosts(self) -> Level:
        """Every page chopped to its host (6.2): links within one are gone."""
        names = self.store.graph.pages["host"].to_numpy(zero_copy_only=False).astype(str)
        distinct, host = np.unique(names, return_inverse=True)
        host = host.astype(np.int32)
        source = np.repeat(np.arange(self.store.size, dtype=np.int32), np.diff(self.store.arrays.out_start))
        nodes, pages = np.unique(host[self.pages.nodes], return_counts=True)
        chopped = arrays(host[source], host[self.store.arrays.out], distinct.size)
        return Level("hosts", chopped, nodes.astype(np.int32), pages)

    @cached_property
    def categories(self) -> list[str]:
        return sorted(self.labels.pages)

    @cached_property
    def cited(self) -> Alike:
        """Co-citation of the pages with at most 50 in-links: what Table 8 and the figures are of."""
        return self.pages.graph(CIT, Caps(50, 1000))

    def category(self, node: int) -> str:
        return ", ".join(sorted(self.labels.of[int(self.pages.nodes[node])]))

    @cached_property
    def asked(self) -> list[int]:
        """For Table 8 the page with most neighbours of each of the two largest categories that have any."""
        degree = np.diff(self.cited.rows[0])
        place = {page: at for at, page in enumerate(self.pages.nodes.tolist())}
        found: list[int] = []
        for label in sorted(self.categories, key=lambda label: (-len(self.labels.pages[label]), label)):
            members = sorted(place[page] for page in self.labels.pages[label])
            best = max(members, key=lambda node: (degree[node], -node))
            if degree[best] and best not in found:
                found.append(best)
        return found[:2]


def tables(store: Store, options: "Options") -> dict[str, Any]:
    """Tables 2–8 as rows, each with the number of its table."""
    made = experiment(store, options)
    notes = list(made.labels.notes)
    if len(made.categories) == 1:
        notes.append(f"all labelled pages are of one category, {made.categories[0]}: table 7 can say nothing")
    if made.hosts.nodes.size < 2:
        notes.append("all labelled pages are of one host: tables 3 and 5 are left out")
    if not made.asked:
        notes.append("no labelled page is like another one by co-citation: table 8 is left out")
    results = [{"table": name, **row} for name, rows in _TABLES.items() for row in rows(made)]
    query = {
        "tables": "paper1",
        "file": str(options.labels) if options.labels else None,
        "pages": int(made.pages.nodes.size),
        "categories": made.categories,
    }
    return {"query": query, "note": "; ".join(notes) or None, "captions": CAPTIONS, "results": results}


def experiment(store: Store, options: "Options") -> Experiment:
    """The collection with its labels."""
    return Experiment(store, read_labels(store, options.labels) if options.labels else labels_of(store))


def _links(level: Level, caps: Sequence[Caps]) -> Iterator[dict[str, Any]]:
    """In- and out-links of the labelled nodes; ALL is how many nodes those are, with the labelled ones."""
    n = level.nodes.size
    for cap in caps:
        limited = level.arrays.limited(*cap)
        near = np.zeros(limited.size, bool)
        near[level.nodes] = True
        into, out = (np.concatenate([row(node) for node in level.nodes.tolist()]) for row in (limited.citers, limited.targets))
        near[into] = near[out] = True
        yield {
            "data set": f"{level.name}{cap}", "IL": into.size, "IPP": into.size / n, "OL": out.size,
            "OPP": out.size / n, "ALL": int(near.sum()),
        }  # fmt: skip


def _similar(level: Level, asked: Sequence[tuple[Measure, Caps]]) -> Iterator[dict[str, Any]]:
    """How many pairs the similarity graph keeps, of which share of all, and how alike they are."""
    for measure, caps in asked:
        alike = level.graph(measure, caps)
        kept = alike.edges[2].size
        yield {
            "measure": f"{measure.name}{caps}", "pairs": alike.sim.size, "δ": alike.delta, "kept": kept,
            "share": kept / (alike.n * (alike.n - 1) / 2), "average": alike.mean,
        }  # fmt: skip


def _recalls(made: Experiment) -> Iterator[dict[str, Any]]:
    """The share of the labelled pages that are retrieved by each measure."""
    asked = [(made.pages, Caps(20, 1000)), (made.pages, Caps(50, 1000))]
    if made.hosts.nodes.size > 1:
        asked += [(made.hosts, Caps(50, 50)), (made.hosts, Caps(50, 100))]
    for level, caps in asked:
        row: dict[str, Any] = {"data set": f"{level.name}{caps}"}
        for measure in (CIT, BIB, AMS):
            retrieved = level.graph(measure, caps).retrieved
            row[measure.name] = float(level.pages[retrieved].sum() / level.pages.sum())
        yield row


def _precisions(made: Experiment) -> Iterator[dict[str, Any]]:
    """Precision and recall of each category at α = 0.5."""
    of = [made.labels.of[page] for page in made.pages.nodes.tolist()]
    for caps in (Caps(20, 1000), Caps(50, 1000)):
        for measure in (CIT, BIB, AMS):
            alike = made.pages.graph(measure, caps)
            nodes = alike.largest()
            if nodes.size > MOST_CLUSTERED:
                nodes = alike.around(int(nodes[0]), MOST_CLUSTERED)
            cluster = cut(alike.clustered(nodes, 0.5), len(made.categories))
            found = matched(cluster, [of[node] for node in nodes.tolist()], made.categories)
            for label, (precision, hits) in zip(made.categories, found, strict=True):
                yield {
                    "data set": f"pages{caps}", "measure": measure.name, "clustered": nodes.size, "category": label,
                    "precision": precision, "recall": hits / len(made.labels.pages[label]),
                }  # fmt: skip


def cut(hierarchy: Hierarchy, clusters: int) -> Ints:
    """The cluster of every page when the last merges are undone; clusters are numbered by their first page.

    >>> cut(flexible(4, [0, 0, 0, 1], [1, 2, 3, 3], [0.5, 0.4, 0.3, 0.2]), 2).tolist()
    [0, 0, 1, 0]
    """
    n = hierarchy.size
    first = np.arange(2 * n - 1)
    ends = []
    for row, (i, j) in enumerate(hierarchy.merges[: max(0, n - clusters), :2].astype(int).tolist()):
        first[n + row] = min(first[i], first[j])
        ends.append((first[i], first[j]))
    a, b = np.array(ends, np.int32).reshape(-1, 2).T
    return components.labels(n, a, b)


def matched(
    cluster: Ints, labels: Sequence[frozenset[str]], categories: Sequence[str]
) -> list[tuple[float, int]]:
    """Precision and hits of each category, with the clusters given to categories one to one by largest overlap.

    A category that gets no cluster has 0 of both.

    >>> matched(np.array([0, 0, 1, 0]), [frozenset("x"), frozenset("y"), frozenset("y"), frozenset("x")], ["x", "y"])
    [(0.6666666666666666, 2), (1.0, 1)]
    """
    from scipy.optimize import linear_sum_assignment

    overlap = np.zeros((len(categories), int(cluster.max()) + 1), np.int64)
    place = {label: at for at, label in enumerate(categories)}
    for group, theirs in zip(cluster.tolist(), labels, strict=True):
        for label in theirs:
            overlap[place[label], group] += 1
    size = np.bincount(cluster)
    found = [(0.0, 0)] * len(categories)
    for category, group in zip(*linear_sum_assignment(overlap, maximize=True), strict=True):
        hits = int(overlap[category, group])
        found[category] = (float(hits / size[group]), hits)
    return found


def _orderings(made: Experiment) -> Iterator[dict[str, Any]]:
    """The places of pages on the lists of the pages asked about, those that are on any; the page itself has 0."""
    lists: dict[str, dict[int, int]] = {}
    for node in made.asked:
        lists[f"{node + 1} Cit"] = _placed(node, _by_count(made, node))
        nodes = made.cited.around(node)
        for alpha in ALPHAS:
            order, _ = ranking(made.cited.clustered(nodes, alpha), int(np.searchsorted(nodes, node)))
            lists[f"{node + 1} α={alpha}"] = _placed(node, nodes[order].tolist())
    listed = sorted({node for places in lists.values() for node in places})
    for node in sorted(listed, key=lambda node: (made.category(node), node)):
        where = {"category": made.category(node), "page": made.store.url(int(made.pages.nodes[node])), "No.": node + 1}
        yield where | {name: places.get(node, "X") for name, places in lists.items()}


def _placed(node: int, order: Sequence[int]) -> dict[int, int]:
    return {node: 0} | {other: place for place, other in enumerate(order[:LISTED], 1)}


def _by_count(made: Experiment, node: int) -> list[int]:
    """The labelled pages that are cited together with a page, most often first, then in page order."""
    page = int(made.pages.nodes[node])
    found, count = shared(made.pages.arrays.limited(50, 1000), "in", "out", page)
    labelled = np.isin(found, made.pages.nodes) & (found != page)
    found, count = found[labelled], count[labelled]
    order = np.lexsort((found, -count))
    return np.searchsorted(made.pages.nodes, found[order]).tolist()  # type: ignore[no-any-return]


_PAGE_ROWS = [(CIT, Caps(cap, 1000)) for cap in IN_CAPS] + [(BIB, Caps(None, 1000))]
_PAGE_ROWS += [(AMS, Caps(cap, 1000)) for cap in IN_CAPS]
_HOST_ROWS = [(CIT, Caps(50, 1000))] + [(BIB, Caps(None, cap)) for cap in OUT_CAPS]
_HOST_ROWS += [(AMS, Caps(50, cap)) for cap in OUT_CAPS]


def _of_hosts(made: Experiment, rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    return rows if made.hosts.nodes.size > 1 else iter(())


_TABLES = {
    "2": lambda made: _links(made.pages, [Caps(cap, 1000) for cap in IN_CAPS]),
    "3": lambda made: _of_hosts(made, _table_3(made)),
    "4": lambda made: _similar(made.pages, _PAGE_ROWS),
    "5": lambda made: _of_hosts(made, _similar(made.hosts, _HOST_ROWS)),
    "6": _recalls,
    "7": _precisions,
    "8": _orderings,
}


def _table_3(made: Experiment) -> Iterator[dict[str, Any]]:
    caps = [Caps(50, cap) for cap in OUT_CAPS]
    yield from _links(made.pages, caps)
    yield from _links(made.hosts, caps)
