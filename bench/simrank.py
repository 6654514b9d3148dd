"""How soon are the SimRank scores of one page in a crawl found, and all scores of a small graph?

NetworkX's `simrank_similarity` computes the whole matrix, by dense products, to the same tolerance.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from bench.case import TURNS, Case, missing, peer, timed
from bench.graphs import SEED, SHRINK, cnr_2000, copying_graph
from pagekin.graph.links import LinkArrays
from pagekin.methods.simrank import ERROR, STILL, C, exact, single_source

ASKED = 50
COMPARED = 20
SMALL = 4_000 // SHRINK
LIMIT_S = 1.0
FASTER = 20.0


def run() -> Iterator[Case]:
    graph = copying_graph(SMALL)
    exact(copying_graph(50))  # compiled, or read from numba's cache, outside the clock
    single_source(graph, 0)
    yield from _one_page(cnr_2000())
    yield _error(copying_graph(SMALL // 2))
    yield _beside_networkx(graph)


def _one_page(graph: LinkArrays | None) -> Iterator[Case]:
    case = f"SimRank of one page with all of cnr-2000, p95 of {ASKED}"
    if graph is None:
        yield Case(case, None, "s", note="not measured: cnr-2000.npz is not there; set PAGEKIN_DATA to its folder")
        return
    cited = np.flatnonzero(np.diff(graph.in_start))
    pages = np.random.default_rng(SEED).choice(cited, ASKED, replace=False).tolist()
    times = [timed(partial(single_source, graph, page))[0] for page in pages]
    note = f"median {np.median(times):.3g} s; error at most {ERROR} with probability 0.99"
    yield Case(case, float(np.percentile(times, 95)), "s", bar=LIMIT_S, bar_on="ours at most", note=note)


def _error(graph: LinkArrays) -> Case:
    scores = exact(graph, 1e-9)
    pages = np.random.default_rng(SEED).choice(graph.size, COMPARED, replace=False).tolist()
    worst = max(float(np.abs(single_source(graph, page) - scores[page]).max()) for page in pages)
    case = f"largest error of one page's scores, {COMPARED} pages of {graph.size:,}"
    return Case(case, worst, "", bar=ERROR, bar_on="ours at most")


def _beside_networkx(graph: LinkArrays) -> Case:
    case, networkx = f"all SimRank scores of {graph.size:,} pages", peer("networkx")
    times = [timed(lambda: exact(graph))[0] for _ in range(TURNS)]
    ours, scores = min(times), exact(graph)
    first = f"the first run, in memory that the machine had not yet given, {times[0]:.3g} s"
    if networkx is None:
        return Case(case, ours, "s", "NetworkX", bar=FASTER, note=missing("networkx"))
    source = np.repeat(np.arange(graph.size), np.diff(graph.out_start))
    web = networkx.DiGraph()
    web.add_nodes_from(range(graph.size))
    web.add_edges_from(zip(source.tolist(), graph.out.tolist(), strict=True))
    theirs, found = timed(lambda: _networkx(networkx, web))
    differ = float(np.abs(scores - found).max())
    agrees = differ < 10 * STILL  # each side ends within a few times its tolerance of the limit
    note = first if agrees else f"scores differ by {differ:.2g}"
    return Case(case, ours, "s", "NetworkX", theirs, FASTER, note=note, agrees=agrees)


def _networkx(networkx: Any, web: Any) -> Any:
    """NetworkX's matrix itself: `simrank_similarity` turns it into dictionaries, which its clock should not count."""
    return networkx.algorithms.similarity._simrank_similarity_numpy(web, importance_factor=C, tolerance=STILL)
