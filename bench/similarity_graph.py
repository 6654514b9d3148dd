"""How long does the similarity graph of a real web graph take, from a collection to edges on disk, and how much memory?

cnr-2000 (325,557 pages): 15 million pairs of pages share a citer and 532 million share a page that both link to, so the
graph is written as it is made. The peer is SciPy's product of the same sets, which holds all pairs at once and has no
mean, no δ and no direct links; it is left out if it does not fit.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy.sparse import csr_array

from bench.case import Case, timed
from bench.graphs import SHRINK, cnr_2000, copying_graph
from bench.memory import peak
from pagekin.answers.collection import Collection
from pagekin.collection.writer import writing
from pagekin.engine.memory import SETTING
from pagekin.graph.links import LinkArrays
from pagekin.index.base import derive
from pagekin.index.similarity.graph import Similarity
from pagekin.index.similarity.neighbourhoods import DIRECTION, Measure

LIMIT_S: dict[Measure, float | None] = {"co-citation": 10.0, "coupling": 120.0, "amsler": None}
EDGES_MB = 1024  # PAGEKIN_MEMORY
OTHER_MB = 1024  # the graph, the sets, counters for each worker, beside the setting for edges on their way to disk
PORTAL = 10_000 // SHRINK


def run() -> Iterator[Case]:
    os.environ[SETTING] = f"{EDGES_MB}MiB"
    graph = cnr_2000()
    if graph is None:
        yield Case("similarity graphs of cnr-2000", None, "s", note="not measured: set PAGEKIN_DATA to its folder")
        return
    with tempfile.TemporaryDirectory() as folder:
        small = collection(copying_graph(100), Path(folder) / "small.kin")
        made(small, "amsler")  # compiled, or read from numba's cache, outside the clock
        cnr = collection(graph, Path(folder) / "cnr.kin")
        for measure, limit in LIMIT_S.items():
            ours, said = timed(partial(made, cnr, measure))
            peer = _product(graph, measure) if measure == "co-citation" else None
            yield Case(
                f"similarity graph of cnr-2000, {measure}", ours, "s", "scipy product" if peer else None, peer,
                limit, "ours at most", note=said,
            )  # fmt: skip
        taken = peak("bench.similarity_graph:coupling", str(cnr))
        yield Case(
            "memory of the coupling graph of cnr-2000", taken.megabytes, "MB",
            bar=EDGES_MB + OTHER_MB, bar_on="ours at most",
        )  # fmt: skip
        portal = collection(_with_portal(), Path(folder) / "portal.kin")
        seconds, said = timed(lambda: made(portal, "co-citation", max_out=None))
        yield Case(f"similarity graph with a portal of {PORTAL:,} links, kept", seconds, "s", note=said)


def collection(graph: LinkArrays, path: Path) -> Path:
    """The graph as a collection whose pages are named by their numbers."""
    source = np.repeat(np.arange(graph.size), np.diff(graph.out_start))
    table = pa.table({"source": pa.array(source).cast(pa.string()), "target": pa.array(graph.out).cast(pa.string())})
    pq.write_table(table, path.with_suffix(".parquet"))
    Collection(path).add(path.with_suffix(".parquet"))
    return path


def made(path: Path, measure: Measure, **settings: Any) -> str:
    """Make the index; returns what it says about itself."""
    with writing(path) as writer:
        return derive(writer, Similarity(measure=measure, **settings))


def coupling(path: str) -> Callable[[], Any]:
    """Our similarity graph by coupling, for `memory.peak`."""
    return lambda: made(Path(path), "coupling")


def _product(graph: LinkArrays, measure: Measure) -> float:
    start, row = graph.limited(None, 1000).rows(DIRECTION[measure])
    sets = csr_array((np.ones(row.size, np.int32), row, start), (graph.size, graph.size))
    return timed(lambda: sets @ sets.T)[0]


def _with_portal() -> LinkArrays:
    """A web of ten times as many pages as the portal has links, in which that page links to every tenth."""
    from pagekin.graph.links import link_arrays

    web = copying_graph(10 * PORTAL)
    source = np.repeat(np.arange(web.size, dtype=np.int32), np.diff(web.out_start))
    portal = np.arange(1, web.size, 10, dtype=np.int32)
    return link_arrays(np.append(source, np.zeros(portal.size, np.int32)), np.append(web.out, portal), web.size)
