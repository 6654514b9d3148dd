"""Clusters of a page and the pages it leads to (paper 2), which favour good contents pages over mere link lists.

**Preparation.** Only links within one host stay. A page without out-links gets a link to every page that links to it, a
page without in-links one from every page it links to; both rules see the graph as it was before either added a link.

**THP** (two-hop return probability), with d⁺ the out-degree after preparation, over the pages u with v→u and u→v:

    THP(v) = Σ_u 1 / (d⁺(v) d⁺(u))

**Length of a path**: the sum of the out-degrees of its pages except the last, that is, the links a reader has to read.

**Clusters.** Seeds s are taken by decreasing THP (ties in page order) from the pages in no cluster yet. The cluster of
s is s and

    fan-out   {u : dist(s,u) ≤ τ}          fan-in   {u : dist(u,s) ≤ τ}
    cyclic    {u : dist(s,u) + dist(u,s) ≤ τ}

Clusters may overlap, and every page is in at least one. `trivial` is the paper's baseline: each page with the pages it
links to, in the same prepared graph.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import numpy.typing as npt

from pagekin.collection.array_files import check_rows, load, save
from pagekin.collection.seen import SeesLinks
from pagekin.collection.strings import coded
from pagekin.engine.base import over_rows
from pagekin.errors import UsageError, unknown
from pagekin.index.base import Index, register
from pagekin.index.inverted import Inverted
from pagekin.kernels import Floats, Ints, Longs, frozen, frozen_rows
from pagekin.kernels.numbers import numbers_in

if TYPE_CHECKING:
    from pagekin.collection.store import Store

Kind = Literal["fan-out", "fan-in", "cyclic", "trivial"]

LARGEST_TAU = 10_000  # reads a whole page of so many links; with more, clusters would be whole hosts


@dataclass(frozen=True)
class Prepared:
    """The prepared graph: completed links within hosts, as rows of *places*, which number the pages host by host."""

    page: Ints  # the page at each place
    host_start: Longs  # where each host's places begin
    out_start: Longs
    out: Ints
    in_start: Longs
    in_: Ints

    @property
    def rows(self) -> tuple[Longs, Ints, Longs, Ints]:
        return self.out_start, self.out, self.in_start, self.in_


def prepared(out_start: Longs, out: Ints, host: Ints, only: int | None = None) -> Prepared:
    """Prepare the graph for clustering, of all hosts or of one; `host[p]` is the number of page p's host. O(n + m)."""
    from pagekin.kernels.csr import transposed
    from pagekin.kernels.subrelevant import by_host, completed, within

    host = frozen(host)
    if only is None:
        page, place, host_start = by_host(host, int(host.max(initial=-1)) + 1)
    else:
        page = np.flatnonzero(host == only).astype(np.int32)
        place, host_start = np.zeros(host.size, np.int32), np.array([0, page.size])
        place[page] = np.arange(page.size, dtype=np.int32)
    page = frozen(page)
    outward = frozen_rows(within(frozen(out_start), frozen(out), page, frozen(place), host))
    outward = frozen_rows(completed(*outward, *frozen_rows(transposed(*outward))))
    return Prepared(page, frozen(host_start), *outward, *frozen_rows(transposed(*outward)))


def thp(graph: Prepared) -> Floats:
    """THP of every place.

    Pages 0 and 1 link to each other, 0 also to 2, which links to nothing and so gets a link back to 0.

    >>> thp(prepared(np.array([0, 2, 3, 3]), np.array([1, 2, 0], np.int32), np.zeros(3, np.int32))).tolist()
    [1.0, 0.5, 0.5]
    """
    from pagekin.kernels.subrelevant import returning

    return returning(0, graph.page.size, *graph.rows)


@dataclass(frozen=True)
class PageClusters:
    """The pages of each cluster, and the clusters of each page."""

    start: Longs
    member: Ints  # cluster c is member[start[c] : start[c + 1]], its seed first
    of_start: Longs
    of: Ints  # page p is in the clusters of[of_start[p] : of_start[p + 1]]

    @cached_property
    def alone(self) -> npt.NDArray[np.bool_] | None:
        """Which pages are in no cluster: those added after they were made; None if all are in one."""
        found = np.diff(self.of_start) == 0
        return found if found.any() else None

    def members(self, cluster: int) -> Ints:
        return self.member[self.start[cluster] : self.start[cluster + 1]]

    def holding(self, page: int) -> Ints:
        return self.of[self.of_start[page] : self.of_start[page + 1]]


def clusters(graph: Prepared, kind: Kind = "fan-out", tau: int = 20, workers: int | None = None) -> PageClusters:
    """All clusters, with hosts in parallel; the result does not depend on the number of workers.

    Reads the links of all the pages that seeds reach within τ, and needs memory for the members.

    Page 0 has two links, so both targets are at distance 2; the way back adds 1.

    >>> graph = prepared(np.array([0, 2, 3, 3]), np.array([1, 2, 0], np.int32), np.zeros(3, np.int32))
    >>> found = clusters(graph, "fan-out", tau=2)
    >>> [sorted(found.members(c).tolist()) for c in range(found.start.size - 1)]
    [[0, 1, 2]]
    """
    from pagekin.kernels.csr import turned
    from pagekin.kernels.subrelevant import renamed, trivial

    start, member = trivial(graph.out_start, graph.out) if kind == "trivial" else _grown(graph, kind, tau, workers)
    renamed(member, frozen(graph.page))
    rows = frozen_rows((start, member))
    return PageClusters(*rows, *frozen_rows(turned(*rows, graph.page.size)))


def _grown(graph: Prepared, kind: Kind, tau: int, workers: int | None) -> tuple[Longs, Ints]:
    """The clusters of all hosts, as rows of places."""
    from pagekin.kernels.subrelevant import CYCLIC, FAN_IN, FAN_OUT, clustered

    number = {"fan-out": FAN_OUT, "fan-in": FAN_IN, "cyclic": CYCLIC}[kind]
    host_start, rows = graph.host_start, graph.rows
    made = over_rows(
        lambda first, last: clustered(number, tau, host_start, first, last, *rows), host_start.size - 1, workers
    )
    start = np.zeros(1 + sum(starts.size - 1 for starts, _ in made), np.int64)
    member = np.empty(sum(members.size for _, members in made), np.int32)
    at = size = 0
    while made:  # freed as they are copied: for a large web they are gigabytes
        starts, members = made.pop(0)
        start[at + 1 : at + starts.size] = starts[1:] + size
        member[size : size + members.size] = members
        at, size = at + starts.size - 1, size + members.size
    return start, member


@register("subrelevant")
@dataclass(frozen=True, repr=False)
class Subrelevant(SeesLinks, Index):
    """The clusters with which `search` ranks pages higher that lead to what was asked for."""

    usual = True

    kind: Kind = "fan-out"
    tau: int = 20  # how many links a reader may have to read on the way

    @property
    def needs(self) -> tuple[Index, ...]:
        return (Inverted(),)  # in which `search` looks up words

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise unknown("kind of clusters", self.kind, get_args(Kind))
        if not 0 <= self.tau <= LARGEST_TAU:
            raise UsageError(f"tau is {self.tau}; expected 0 to {LARGEST_TAU:,} links to read on a path, as 20")
        if self.kind == "trivial" and self.tau != Subrelevant.tau:
            raise UsageError("trivial clusters have no tau, each is a page with the pages it links to; leave out tau")

    def make(self, store: "Store", folder: Path) -> str:
        graph = prepared(store.arrays.out_start, store.arrays.out, coded(store.graph.pages["host"])[0])
        made = clusters(graph, self.kind, self.tau)
        write(made, folder, store.graph.ids)
        return f"{made.start.size - 1:,} clusters, {made.member.size / max(store.size, 1):.1f} per page"

    def open(self, folder: Path) -> "ClusterFiles":
        return ClusterFiles(folder)


def write(made: PageClusters, folder: Path, ids: Longs) -> None:
    """Write clusters to a folder, with the ids of their pages."""
    save(folder / "ids.npy", ids)
    for item in fields(PageClusters):
        save(folder / f"{item.name}.npy", getattr(made, item.name))


class ClusterFiles:
    """Clusters on disk."""

    def __init__(self, folder: Path) -> None:
        self.ids = load(folder / "ids.npy")
        self.clusters = PageClusters(*(load(folder / f"{item.name}.npy") for item in fields(PageClusters)))
        made = self.clusters
        check_rows(made.start, made.start.size - 1, made.member, made.of)
        check_rows(made.of_start, self.ids.size, made.of)

    def for_pages(self, ids: Longs) -> PageClusters:
        """The clusters with the page numbers of a store; pages that have been removed since are left out."""
        from pagekin.kernels.csr import turned

        if np.array_equal(ids, self.ids):
            return self.clusters
        number = numbers_in(ids, self.ids)
        member = number[self.clusters.member]
        kept = np.zeros(member.size + 1, np.int64)
        np.cumsum(member >= 0, out=kept[1:])
        rows = frozen_rows((kept[self.clusters.start], member[member >= 0]))
        return PageClusters(*rows, *frozen_rows(turned(*rows, ids.size)))
