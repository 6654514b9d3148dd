"""How long do the 15 strongest co-citations and couplings of *every* page take, and how much memory?

`sparse_dot_topn` keeps the best of each row during the product, as we do, on as many threads; SciPy's full product is
the obvious first attempt, and its memory is the reason not to use it.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np

from bench.case import Case, best_in_turn, missing, peer, timed
from bench.graphs import OUT_LINKS, SHRINK, cnr_2000, copying_graph
from bench.memory import peak
from pagekin.graph.all_pairs import all_strongest
from pagekin.graph.links import Direction, LinkArrays
from pagekin.kernels import Floats
from pagekin.kernels.similarity import COUNT

BEST = 15
THREADS = 2
PAGES = 100_000 // SHRINK

FASTER = 1.0
SMALLER = 3.0  # our peak is under a third of the full product's

Measure = Literal["co-citation", "coupling"]
SIDES: dict[Measure, tuple[Direction, Direction]] = {"co-citation": ("in", "out"), "coupling": ("out", "in")}
WEBS: dict[str, Callable[[], LinkArrays | None]] = {
    f"{PAGES:,} pages": lambda: copying_graph(PAGES),
    "cnr-2000": cnr_2000,
}


def run() -> Iterator[Case]:
    for web, read in WEBS.items():
        graph = read()
        for measure in SIDES:
            yield _speed(web, graph, measure)
        yield _memory(web, graph)


def _speed(web: str, graph: LinkArrays | None, measure: Measure) -> Case:
    case, topn = f"{measure} of all pages, {web}", peer("sparse_dot_topn")
    if graph is None:
        return _absent(case, "s", "sparse_dot_topn")
    _strongest(copying_graph(OUT_LINKS + 1), measure)  # compiled, or read from numba's cache, outside the clock
    if topn is None:
        ours, _ = timed(lambda: _strongest(graph, measure))
        return Case(case, ours, "s", "sparse_dot_topn", bar=FASTER, note=missing("sparse_dot_topn"))
    left, right = _matrices(graph, measure)
    ours, counts, theirs, product = best_in_turn(
        lambda: _strongest(graph, measure),
        # Its rows include the page itself, so one more is requested.
        lambda: topn.sp_matmul_topn(left, right, BEST + 1, n_threads=THREADS),
    )
    wrong = int((counts != _best_others(product)).any(axis=1).sum())
    note = f"the counts of {wrong:,} pages differ" if wrong else ""
    return Case(case, ours, "s", "sparse_dot_topn", theirs, FASTER, note=note, agrees=not wrong)


def _memory(web: str, graph: LinkArrays | None) -> Case:
    case = f"memory of coupling of all pages, {web}"
    if graph is None:
        return _absent(case, "MB", "scipy product")
    ours, theirs = (peak(f"bench.allpairs:{side}", web) for side in ("our_coupling", "scipy_coupling"))
    note = "" if theirs.fits else "the product does not fit in the memory that is free: it takes more than this"
    return Case(
        case, ours.megabytes if ours.fits else None, "MB", "scipy product", theirs.megabytes, SMALLER, note=note
    )


def _absent(case: str, unit: str, peer: str) -> Case:
    """A case without its data: there is nothing to compare with a bar, so it is skipped, like tests that need data."""
    return Case(case, None, unit, peer, note="not measured: cnr-2000.npz is not there; set PAGEKIN_DATA to its folder")


def our_coupling(web: str) -> Callable[[], Any]:
    """Our coupling, for `memory.peak`: the graph and the compiled kernel count as inputs."""
    graph = WEBS[web]()
    assert graph is not None
    _strongest(copying_graph(OUT_LINKS + 1), "coupling")
    return lambda: _strongest(graph, "coupling")


def scipy_coupling(web: str) -> Callable[[], Any]:
    """SciPy's coupling, for `memory.peak`: both matrices count as inputs; the 15 best are not even searched for."""
    graph = WEBS[web]()
    assert graph is not None
    left, right = _matrices(graph, "coupling")
    return lambda: left @ right


def _strongest(graph: LinkArrays, measure: Measure) -> Floats:
    """The 15 highest counts of each page, best first, padded with 0."""
    return all_strongest(graph, *SIDES[measure], COUNT, BEST, THREADS)[2]


def _matrices(graph: LinkArrays, measure: Measure) -> tuple[Any, Any]:
    """The two factors, both ready before the clock starts, as are both directions of our graph."""
    from scipy.sparse import csr_matrix

    ones, shape = np.ones(graph.links, np.int32), (graph.size, graph.size)
    # 32-bit offsets, with which the peers are fastest; our arrays are read-only, theirs must be writable.
    out = csr_matrix((ones, np.array(graph.out), graph.out_start.astype(np.int32)), shape)
    in_ = csr_matrix((ones, np.array(graph.in_), graph.in_start.astype(np.int32)), shape)
    return (in_, out) if measure == "co-citation" else (out, in_)


def _best_others(product: Any) -> Floats:
    """The 15 highest values of each row without its diagonal, padded with 0."""
    rows = np.repeat(np.arange(product.shape[0]), np.diff(product.indptr))
    other = product.indices != rows
    rows, values = rows[other], product.data[other]
    order = np.lexsort((-values, rows))
    rows, values = rows[order], values[order]
    place = np.arange(rows.size) - np.searchsorted(rows, rows)
    best = np.zeros((product.shape[0], BEST + 1))
    best[rows, place] = values
    return best[:, :BEST]
