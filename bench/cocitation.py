"""How soon are the 15 pages most co-cited with one page found, among a million pages and ten million links?

igraph's `Graph.cocitation(v)` counts the same citers; the clock of each side stops when it has the 15 best. Ours is the
method as a user gets it, on a collection on disk, with Eq. 4 and direct links; only the comparison of results uses the
bare counts.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from bench.case import Case, missing, peer, timed
from bench.site import million_pages
from pagekin.collection.store import Store
from pagekin.graph.links import LinkArrays
from pagekin.kernels import Floats, Ints, frozen
from pagekin.kernels.similarity import COUNT, strongest
from pagekin.methods.cocitation import CoCitation

BEST = 15
COMPARED = 20  # igraph takes about a second per page
ASKED = 1000

FASTER = 50.0
LIMIT_MS = 5.0


def run() -> Iterator[Case]:
    store = Store(million_pages().path)
    method = CoCitation()
    cited = np.flatnonzero(np.diff(store.arrays.in_start))
    pages = np.random.default_rng(1).choice(cited, min(ASKED, cited.size), replace=False).tolist()
    method.related(store, pages[0], BEST)  # compiled, or read from numba's cache, outside the clock

    yield _beside_igraph(store.arrays, pages[:COMPARED], lambda page: method.related(store, page, BEST))
    times = [timed(partial(method.related, store, page, BEST))[0] for page in pages]
    yield Case(
        f"co-citation of one page, p95 of {len(pages)}", float(np.percentile(times, 95)) * 1000, "ms",
        bar=LIMIT_MS, bar_on="ours at most",
    )  # fmt: skip


def _beside_igraph(graph: LinkArrays, pages: list[int], related: Callable[[int], Any]) -> Case:
    case = f"co-citation of one page, median of {len(pages)}"
    ours = float(np.median([timed(partial(related, page))[0] for page in pages])) * 1000
    igraph = peer("igraph")
    if igraph is None:
        return Case(case, ours, "ms", "igraph", bar=FASTER, note=missing("igraph"))
    source = np.repeat(np.arange(graph.size, dtype=np.int32), np.diff(graph.out_start))
    theirs_graph = igraph.Graph(n=graph.size, edges=np.column_stack((source, graph.out)), directed=True)
    times, wrong = [], 0
    for page in pages:
        seconds, (best, counts) = timed(partial(_igraph_best, theirs_graph, page))
        times.append(seconds)
        wrong += not _same(_counts(graph, page), counts, best)
    theirs = float(np.median(times)) * 1000
    note = f"the counts differ on {wrong} of {len(pages)} pages" if wrong else ""
    return Case(case, ours, "ms", "igraph", theirs, FASTER, note=note, agrees=not wrong)


def _igraph_best(graph: Any, page: int) -> tuple[Ints, Ints]:
    """The 15 pages with the highest counts, best first, and all counts."""
    counts = np.array(graph.cocitation(page)[0], np.int32)
    best = np.argpartition(counts, -BEST)[-BEST:]
    return best[np.argsort(-counts[best], kind="stable")].astype(np.int32), counts


def _counts(graph: LinkArrays, page: int) -> tuple[Ints, Floats]:
    """Our 15 best by the bare count."""
    scratch = np.zeros(graph.size, np.int32), np.zeros(graph.size, np.int32)
    sizes, pages, scores = strongest(
        frozen(np.array([page], np.int32)), BEST, COUNT, False,
        *graph.rows("in"), *graph.rows("out"), *graph.rows("out"), *graph.rows("in"), *scratch,
    )  # fmt: skip
    return pages[0, : sizes[0]], scores[0, : sizes[0]]


def _same(ours: tuple[Ints, Floats], counts: Ints, best: Ints) -> bool:
    """Whether each of our pages has igraph's count, and ours are as good as igraph's best (ties: either page)."""
    pages, scores = ours
    expected = counts[best]
    return np.array_equal(counts[pages], scores) and np.array_equal(expected[expected > 0], scores)
