"""`clusters` of the other kinds (fan-out, fan-in, cyclic, trivial): what is in a page's link clusters, and how far.

The clusters of a host depend on no other host, so they are computed for each question and need no index.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, get_args

import numpy as np

from pagekin.answer import Answer, PageName, Row
from pagekin.collection.lookup import known
from pagekin.collection.seen import seen_by
from pagekin.collection.store import Store
from pagekin.collection.strings import coded
from pagekin.errors import unknown
from pagekin.index.subrelevant import Kind, PageClusters, Prepared, Subrelevant, clusters, prepared
from pagekin.kernels import Ints

LINK_KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Member(Row):
    """A page in a cluster."""

    seed: str  # the page that the cluster grew from
    url: str
    distance: int
    via: str | None  # its neighbour on the path towards the seed; None for the seed itself


@dataclass(frozen=True, repr=False)
class LinkClusters(Answer[Member]):
    """The link clusters that contain a page."""

    clusters: str = ""  # which kind, as `build` names them

    shown: ClassVar[tuple[str, ...]] = ("seed", "url", "distance", "via")


def link_kind(kind: str, tau: int) -> Subrelevant:
    """The settings of the link clusters asked for; a `UsageError` for an unknown kind."""
    if kind not in LINK_KINDS:
        raise unknown("kind of clusters", kind, ("assisted", *LINK_KINDS))
    return Subrelevant(kind, tau)


def link_clusters(store: Store, text: str, wanted: Subrelevant) -> LinkClusters:
    """The clusters that contain a page, in order of their seeds: one row for each page in each cluster.

    `distance` is the length of the path from the seed (fan-out), to the seed (fan-in) or there and back (cyclic). `via`
    is the page before it on the path from the seed, or after it on the path to the seed.
    """
    store = seen_by(wanted, store)
    found = known(store, text)
    host, _ = coded(store.graph.pages["host"])
    graph = prepared(store.arrays.out_start, store.arrays.out, host, only=int(host[found.page]))
    place = int(np.searchsorted(graph.page, found.page))
    in_places = replace(graph, page=np.arange(graph.page.size, dtype=np.int32))
    made = clusters(in_places, wanted.kind, wanted.tau)
    rows = [row for cluster in made.holding(place).tolist() for row in _rows(store, graph, made, cluster, wanted)]
    notes = [found.note] if found.note else []
    if graph.out_start[place] == graph.out_start[place + 1]:
        notes.append("no link within its host leads to or from this page, so it is alone in its cluster")
    query = (PageName(store.url(found.page), store.title(found.page)),)
    return LinkClusters(query, "; ".join(notes) or None, tuple(rows), repr(wanted))


def _rows(store: Store, graph: Prepared, made: PageClusters, cluster: int, wanted: Subrelevant) -> list[Member]:
    """The pages of a cluster, nearest first."""
    places = made.members(cluster)
    seed = int(places[0])
    distance, via = _paths(graph, seed, wanted)
    named = store.url(int(graph.page[seed]))
    return [
        Member(
            seed=named,
            url=store.url(int(graph.page[at])),
            distance=int(distance[at]),
            via=None if at == seed else store.url(int(graph.page[via[at]])),
        )
        for at in places[np.lexsort((places, distance[places]))].tolist()
    ]


def _paths(graph: Prepared, seed: int, wanted: Subrelevant) -> tuple[Ints, Ints]:
    """The distance of each place from a seed, as the kind of cluster counts it, and the neighbour on the path."""
    from pagekin.kernels.subrelevant import reached

    def walk(outward: bool) -> tuple[Ints, Ints]:
        n = graph.page.size
        distance, via = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
        # A page of a trivial cluster is one link away, however many links there are to read.
        limit = max(wanted.tau, int(graph.out_start[seed + 1] - graph.out_start[seed])) if trivial else wanted.tau
        bucket = np.full(limit + 1, -1, np.int32)
        rows = (graph.out_start, graph.out) if outward else (graph.in_start, graph.in_)
        scratch = (np.empty(n, np.int32), bucket, np.empty(n, np.int32))
        reached(seed, limit, outward, *rows, graph.out_start, 0, distance, *scratch, via)
        return distance, via

    trivial = wanted.kind == "trivial"
    distance, via = walk(outward=wanted.kind != "fan-in")
    if wanted.kind == "cyclic":
        distance = distance + walk(outward=False)[0]
        distance[seed] = 0
    return distance, via
