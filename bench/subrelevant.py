"""How long do the clusters of paper 2 take at the paper's own size?

The paper's web (10,949,316 pages, 53,711,674 links, about 20 hours on ten workstations) is imitated site by site:
trees of pages with links up, down and home, and some across. Pages of a host are scattered, as they are in a
collection, which is in the order of hashes. The clock runs from arrays on disk to clusters on disk, in a process of
its own.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
from numba import njit

from bench.case import Case, timed
from bench.graphs import SEED, SHRINK
from pagekin.index.subrelevant import clusters, prepared, write
from pagekin.kernels import Ints, Longs, frozen, frozen_rows
from pagekin.kernels.csr import rows_from_pairs, simplified, transposed

PAGES, LINKS = 10_949_316 // SHRINK, 53_711_674 // SHRINK
HOST_PAGES = 110  # on average; sizes follow a power law
LIMIT_S, LIMIT_GIB = 120.0, 12.0
PAPER_S = 20 * 3600.0


def run() -> Iterator[Case]:
    with tempfile.TemporaryDirectory(prefix="pagekin-bench-") as name:
        folder = Path(name)
        links = _in_a_process("generate", folder)["links"]
        made = _in_a_process("cluster", folder)
        what = f"{PAGES:,} pages, {links:,} links"
        note = f"{made['clusters']:,} clusters, {made['members']:,} members; {made['kernel']:.1f} s of it clustering"
        yield Case(f"fan-out, τ = 20, {what}, disk to disk", made["seconds"], "s", "the paper", PAPER_S,
                   bar=LIMIT_S, bar_on="ours at most", note=note)  # fmt: skip
        yield Case(f"peak memory for {what}", made["gib"], "GiB", bar=LIMIT_GIB, bar_on="ours at most")


def _in_a_process(step: str, folder: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.subrelevant", step, str(folder)]
    measured: dict[str, float] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return measured


def generate(folder: Path) -> dict[str, float]:
    """Write the web of the paper's size."""
    start, out, host = sites(PAGES, int(1.05 * LINKS))  # one in twenty is drawn twice
    for name, values in (("out_start", start), ("out", out), ("host", host)):
        np.save(folder / f"{name}.npy", values)
    return {"links": int(out.size)}


def cluster(folder: Path) -> dict[str, float]:
    """Make the clusters, from arrays on disk to clusters on disk."""
    clusters(prepared(*sites(2_000, 9_000)))  # compiled, or read from numba's cache, outside the clock
    begun = perf_counter()
    start, out, host = (np.load(folder / f"{name}.npy", mmap_mode="r") for name in ("out_start", "out", "host"))
    graph = prepared(start, out, host)
    kernel, made = timed(lambda: clusters(graph))
    (folder / "clusters").mkdir()
    write(made, folder / "clusters", np.arange(host.size))
    seconds = perf_counter() - begun
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    gib = int(peak.split()[1]) / 2**20
    sizes = {"clusters": made.start.size - 1, "members": int(made.member.size)}
    return {"seconds": seconds, "kernel": kernel, "gib": gib, **sizes}


def sites(pages: int, links: int, seed: int = SEED) -> tuple[Longs, Ints, Ints]:
    """About this many links between this many pages: the rows of links, and each page's host."""
    rng = np.random.default_rng(seed)
    size = np.minimum(rng.pareto(1.3, 2 * pages // HOST_PAGES + 1) * 30 + 3, pages / 50).astype(np.int64)
    host = np.repeat(np.arange(size.size, dtype=np.int32), size)[:pages]
    host = np.concatenate((host, np.full(pages - host.size, size.size, np.int32)))
    first = np.searchsorted(host, host).astype(np.int64)  # the front page of each page's host
    source, target = _sitelinks(first, links, int(rng.integers(2**31)))
    number = rng.permutation(pages).astype(np.int32)
    scattered = np.empty(pages, np.int32)
    scattered[number] = host
    rows = frozen_rows(rows_from_pairs(frozen(number[source]), frozen(number[target]), pages))
    rows = frozen_rows(transposed(*frozen_rows(transposed(*rows))))
    return *frozen_rows(simplified(*rows)), frozen(scattered)


@njit(cache=True)
def _sitelinks(first: Longs, links: int, seed: int) -> tuple[Ints, Ints]:
    """Each page has a parent, an earlier page of its host: a link down to it, mostly one up, often one home; the rest
    are random."""
    np.random.seed(seed)
    n = first.size
    source, target = np.empty(links, np.int32), np.empty(links, np.int32)
    last = np.empty(n, np.int64)  # the end of each page's host
    end = n
    for page in range(n - 1, -1, -1):
        last[page] = end
        if first[page] == page:
            end = page
    size = 0
    for page in range(n):
        front = first[page]
        if page == front or size + 3 > links:
            continue
        parent = front + int((page - front) * np.random.random() ** 2)
        source[size], target[size] = parent, page
        size += 1
        if np.random.random() < 0.7:
            source[size], target[size] = page, parent
            size += 1
        if np.random.random() < 0.6:
            source[size], target[size] = page, front
            size += 1
    while size < links:
        page = np.random.randint(n)
        front = first[page]
        source[size], target[size] = page, front + int((last[page] - front) * np.random.random() ** 1.5)
        size += 1
    return source, target


if __name__ == "__main__":
    print(json.dumps({"generate": generate, "cluster": cluster}[sys.argv[1]](Path(sys.argv[2]))))
