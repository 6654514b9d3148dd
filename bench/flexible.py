"""How soon does the slider answer, when 2,000 pages of a sparse similarity graph are clustered by Eq. 5 for a new α?

R's `cluster::agnes(method = "flexible", par.method = α)` does the same with a search of the whole matrix at each merge;
its clock runs inside R, without start, reading or printing. It breaks ties in its own way, and a sparse graph is full
of ties, so results are compared on dense distances without ties.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from bench.case import Case, timed
from bench.graphs import SEED, SHRINK
from pagekin.cluster.flexible import flexible, ranking
from pagekin.index.similarity.candidates import candidates, edges_among
from pagekin.kernels import Floats, Ints, Longs

PAGES = 2_000 // SHRINK
EDGES = 10 * PAGES  # 20 for each page
GROUP = 40  # pages that share a topic
WITHIN = 0.85  # of the edges, as they are drawn; some are drawn twice
COMPARED = max(200 // SHRINK, 3)
TURNS = 5

ALPHAS = (0.02, 0.06, 0.25, 0.5, 0.8)
FASTER, FASTER_BELOW, CHAINS = 50.0, 20.0, 0.25
LIMIT_MS, LIMIT_MS_BELOW, LONG_CHAINS = 250.0, 600.0, 0.06

Edges = tuple[Ints, Ints, Floats]
Rows = tuple[Longs, Ints, Ints, Ints]  # as cluster.components wants them
NO_R = "R is not installed, nothing was compared; apt-get install --no-install-recommends r-base-core r-cran-cluster"
AGNES = """
suppressMessages(library(cluster))
read <- function(name, n) {
  e <- matrix(scan(name, quiet = TRUE), ncol = 3, byrow = TRUE)
  d <- matrix(1, n, n)
  d[e[, 1:2] + 1] <- 1 - e[, 3]
  d[e[, 2:1] + 1] <- 1 - e[, 3]
  as.dist(d)
}
sizes <- as.integer(commandArgs(TRUE)[1:2])
sparse <- read("sparse", sizes[1])
dense <- read("dense", sizes[2])
for (alpha in as.numeric(commandArgs(TRUE)[-(1:2)])) {
  start <- Sys.time()
  agnes(sparse, diss = TRUE, method = "flexible", par.method = alpha, keep.diss = FALSE)
  seconds <- as.numeric(Sys.time() - start, units = "secs")
  tree <- agnes(dense, diss = TRUE, method = "flexible", par.method = alpha, keep.diss = FALSE)
  cat(sprintf("%.17g", c(seconds, sort(tree$height))), "\\n")
}
"""


def run() -> Iterator[Case]:
    (sparse, graph), dense = topics(PAGES, EDGES), complete(COMPARED)
    flexible(PAGES, *sparse)  # compiled, or read from numba's cache, outside the clock
    agnes = _agnes(sparse, dense) if shutil.which("Rscript") else {}
    for alpha in ALPHAS:
        yield _beside_r(sparse, dense, alpha, agnes.get(alpha))
    ask(graph, 0, 0.3)
    for alpha in ALPHAS:
        times = [timed(partial(ask, graph, page, alpha))[0] for page in range(TURNS)]
        yield Case(
            f"order of {PAGES:,} candidates for α = {alpha}, median of {TURNS}", float(np.median(times)) * 1000, "ms",
            bar=LIMIT_MS_BELOW if alpha < LONG_CHAINS else LIMIT_MS, bar_on="ours at most",
        )  # fmt: skip


def _beside_r(sparse: Edges, dense: Edges, alpha: float, theirs: Floats | None) -> Case:
    """Compare with R: ours is the median of five runs, theirs a single run of about ten seconds."""
    case = f"clusters of {PAGES:,} pages, α = {alpha}"
    ours = float(np.median([timed(lambda: flexible(PAGES, *sparse, alpha))[0] for _ in range(TURNS)])) * 1000
    bar = FASTER if alpha >= CHAINS else FASTER_BELOW
    if theirs is None:
        return Case(case, ours, "ms", "R agnes", bar=bar, note=NO_R)
    heights = flexible(COMPARED, *dense, alpha).merges[:, 2]
    agrees = np.allclose(heights, theirs[1:], rtol=1e-9, atol=0)
    note = "" if agrees else f"the heights of {COMPARED} pages without ties differ"
    return Case(case, ours, "ms", "R agnes", float(theirs[0]) * 1000, bar, note=note, agrees=agrees)


def _agnes(sparse: Edges, dense: Edges) -> dict[float, Floats]:
    """For each α, the seconds R takes for the first matrix, and the heights it finds for the second."""
    with tempfile.TemporaryDirectory() as folder:
        for name, edges in (("sparse", sparse), ("dense", dense)):
            np.savetxt(Path(folder) / name, np.column_stack(edges), "%.17g")
        (Path(folder) / "agnes.R").write_text(AGNES)
        command = ["Rscript", "agnes.R", *map(str, (PAGES, COMPARED, *ALPHAS))]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:  # R without its package cluster
        return {}
    lines = done.stdout.splitlines()
    return {alpha: np.array(line.split(), np.float64) for alpha, line in zip(ALPHAS, lines, strict=True)}


def ask(graph: Rows, page: int, alpha: float) -> tuple[Ints, Floats]:
    """The work that a new α costs, from the similarity graph to the order of the candidates."""
    pages = np.sort(candidates(*graph, page))
    order, distance = ranking(
        flexible(pages.size, *edges_among(*graph, pages), alpha), int(np.searchsorted(pages, page))
    )
    return pages[order], distance


def topics(pages: int, edges: int, seed: int = SEED) -> tuple[Edges, Rows]:
    """A similarity graph of topics: most edges are within a group, and stronger; small fractions make many ties."""
    rng = np.random.default_rng(seed)
    group = rng.permutation(pages) // GROUP  # pages of a group are not neighbours in page order
    members = np.argsort(group, kind="stable")
    a = rng.integers(0, pages, 2 * edges)
    near = rng.random(2 * edges) < WITHIN
    inside = members[np.minimum(group[a] * GROUP + rng.integers(0, GROUP, 2 * edges), pages - 1)]
    b = np.where(near, inside, rng.integers(0, pages, 2 * edges))
    common = rng.integers(1, np.where(near, 10, 3))
    low, high = np.minimum(a, b), np.maximum(a, b)
    _, once = np.unique(low * pages + high, return_index=True)
    once = rng.permutation(once[low[once] < high[once]])[:edges]
    size = rng.integers(10, 25, pages).astype(np.int32)  # of the sets that share so many members
    low, high, common = low[once].astype(np.int32), high[once].astype(np.int32), common[once]
    source, target = np.concatenate((low, high)), np.concatenate((high, low))
    order = np.lexsort((target, source))
    start = np.searchsorted(source[order], np.arange(pages + 1)).astype(np.int64)
    bits = np.tile(common, 2)[order].astype(np.int32) << 4
    return (low, high, common / (size[low] + size[high] - common)), (start, target[order], bits, size)


def complete(pages: int, seed: int = SEED) -> Edges:
    """A similarity graph of every pair, all weights different."""
    a, b = np.triu_indices(pages, 1)
    return a.astype(np.int32), b.astype(np.int32), 1 - np.random.default_rng(seed).random(a.size)
