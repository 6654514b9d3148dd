"""How soon do a walk with restart and the cosine answer for one page among a million?

igraph's personalised PageRank (PRPACK), with the same restart on the same graph read in both directions, computes all
pages exactly; it is measured for information, and its first 15 are compared with ours.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from bench.case import Case, missing, peer, timed
from bench.site import million_pages
from pagekin.collection.store import Store
from pagekin.graph.links import LinkArrays
from pagekin.methods.cosine import Cosine
from pagekin.methods.walk import Walk

BEST = 15
LEAST_IN = 4  # in-links of the pages that cosine is asked about
ASKED = 500
COMPARED = 5  # igraph takes seconds per page
LIMIT_MS = 50.0


def run() -> Iterator[Case]:
    store = Store(million_pages().path)
    pages = np.random.default_rng(4).choice(store.size, min(ASKED, store.size), replace=False).tolist()
    cited = np.flatnonzero(np.diff(store.arrays.in_start) >= LEAST_IN)
    answerable = np.random.default_rng(5).choice(cited, min(ASKED, cited.size), replace=False).tolist()
    for name, method, asked in (("walk", Walk(), pages), ("cosine", Cosine(), answerable)):
        method.related(store, asked[0], BEST)  # compiled, or read from numba's cache, outside the clock
        times = [timed(partial(method.related, store, page, BEST))[0] for page in asked[1:]]
        ours = float(np.percentile(times, 95)) * 1000
        yield Case(f"{name} of one page, p95 of {len(times)}", ours, "ms", bar=LIMIT_MS, bar_on="ours at most")
    yield _beside_igraph(store, pages[-COMPARED:])


def _beside_igraph(store: Store, pages: list[int]) -> Case:
    # As igraph: nothing is damped. Slightly finer than usual, so that no answer is cached already.
    walk = Walk(damping=0.0, precision=0.9 * Walk().precise(store.arrays))
    timings = [timed(partial(walk.related, store, page, BEST)) for page in pages]
    ours = float(np.median([seconds for seconds, _ in timings])) * 1000
    case = f"walk of one page, median of {len(pages)}"
    igraph = peer("igraph")
    if igraph is None:
        return Case(case, ours, "ms", "igraph", note=missing("igraph"))
    graph = _undirected(igraph, store.arrays)
    times, shared = [], []
    for page, (_, found) in zip(pages, timings, strict=True):
        ask = partial(graph.personalized_pagerank, reset_vertices=page, damping=1 - walk.restart)
        seconds, scores = timed(ask)
        times.append(seconds)
        best = np.argsort(-np.array(scores), kind="stable")[: BEST + 1]
        shared.append(len((set(best.tolist()) - {page}) & set(found.pages.tolist())) / BEST)
    note = f"{np.mean(shared):.0%} of the first {BEST} are the same"
    return Case(case, ours, "ms", "igraph", float(np.median(times)) * 1000, note=note)


def _undirected(igraph: Any, graph: LinkArrays) -> Any:
    source = np.repeat(np.arange(graph.size, dtype=np.int32), np.diff(graph.either_start))
    once = source < graph.either
    return igraph.Graph(n=graph.size, edges=np.column_stack((source[once], graph.either[once])), directed=False)
