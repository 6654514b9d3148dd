"""How soon are the hubs and authorities around a page found, and how fast is HITS itself?

The base set is 5,000 pages from the collection of a million pages on disk. HITS itself is measured on 100,000 pages and
1,000,000 links, next to igraph (ARPACK) and scikit-network (Lanczos). They have no tolerance to set and go to machine
precision; ours stops at steps below 1e-8, and must then be within 1e-8 of theirs, page by page.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from bench.case import Case, best_in_turn, missing, peer, timed
from bench.graphs import SHRINK, copying_graph
from bench.site import million_pages
from pagekin.collection.store import Store
from pagekin.graph.base_set import BaseSet, base_set
from pagekin.graph.url_weights import link_weights
from pagekin.kernels import Floats, Ints
from pagekin.kernels.hits import hubs_and_authorities

ASKED = 50
RADIUS = 3  # so far, and the 5,000 are full
BASE_MS, HITS_MS = 100.0, 50.0
PAGES = 100_000 // SHRINK
TOLERANCE = 1e-8
AGREE = 1e-8


def run() -> Iterator[Case]:
    yield from _around_a_page(Store(million_pages().path))
    graph = copying_graph(PAGES)
    source = np.repeat(np.arange(graph.size, dtype=np.int32), np.diff(graph.out_start))
    target = np.array(graph.out)
    for module, prepare in (("igraph", _igraph), ("sknetwork", _scikit_network)):
        yield _beside(module, prepare, source, target, graph.size)


def _around_a_page(store: Store) -> Iterator[Case]:
    """Measure the two parts of `hits(radius=3)`: the base set with its link weights, and the scores."""
    pages = np.random.default_rng(3).choice(store.size, ASKED, replace=False).tolist()
    base_times, hits_times, sizes = [], [], []
    for page in pages:
        seconds, (base, weights) = timed(partial(_base, store, page))
        base_times.append(seconds)
        sizes.append(base.pages.size)
        web = (base.source, base.target, weights, weights, base.pages.size)
        seconds, _ = timed(partial(hubs_and_authorities, *web))
        hits_times.append(seconds)
    what = f"{int(np.median(sizes)):,} pages from {store.size:,}, p95 of {ASKED}"
    for name, times, bar in (("base set", base_times, BASE_MS), ("HITS on it", hits_times, HITS_MS)):
        yield Case(f"{name}: {what}", float(np.percentile(times, 95)) * 1000, "ms", bar=bar, bar_on="ours at most")


def _base(store: Store, page: int) -> tuple[BaseSet, Floats]:
    base = base_set(store.arrays, page, RADIUS)
    return base, link_weights(store.values("url", base.pages), base.source, base.target, 0.5)


def _beside(module: str, prepare: Any, source: Ints, target: Ints, size: int) -> Case:
    case = f"HITS, {size:,} pages and {source.size:,} links"
    ones = np.ones(source.size)

    def ours() -> tuple[Floats, Floats, Floats]:
        return hubs_and_authorities(source, target, ones, ones, size, TOLERANCE)

    if peer(module) is None:
        return Case(case, timed(ours)[0] * 1000, "ms", module, bar=1.0, note=missing(module))
    our_time, (authority, hub, _), their_time, (theirs, their_hub) = best_in_turn(ours, prepare(source, target, size))
    apart = max(_apart(authority, theirs), _apart(hub, their_hub))
    note = f"farthest apart {apart:.1g}"
    return Case(case, our_time * 1000, "ms", module, their_time * 1000, 1.0, note=note, agrees=apart < AGREE)


def _apart(ours: Floats, theirs: Any) -> float:
    other = np.asarray(theirs, np.float64)
    return float(np.abs(ours - other / np.linalg.norm(other)).max())


def _igraph(source: Ints, target: Ints, size: int) -> Any:
    from igraph import Graph

    graph = Graph(n=size, edges=np.column_stack((source, target)), directed=True)
    return lambda: (graph.authority_score(), graph.hub_score())


def _scikit_network(source: Ints, target: Ints, size: int) -> Any:
    from scipy.sparse import csr_matrix
    from sknetwork.ranking import HITS

    matrix = csr_matrix((np.ones(source.size), (source, target)), shape=(size, size))

    def theirs() -> tuple[Floats, Floats]:
        found = HITS().fit(matrix)
        return found.scores_col_, found.scores_row_

    return theirs
