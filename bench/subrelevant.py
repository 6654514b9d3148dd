"""How long do the clusters of paper 2 take at the paper's own size, and how soon is a question answered at any α?

The paper's web (10,949,316 pages, 53,711,674 links, about 20 hours on ten workstations) is imitated site by site:
trees of pages with links up, down and home, and some across. Pages of a host are scattered, as they are in a
collection, which is in the order of hashes. The clock runs from arrays on disk to clusters on disk, in a process of
its own.

Questions are put to a collection of 100,000 such pages whose words follow Zipf's law, made as a user would make one.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import pyarrow as pa
from numba import njit

from bench.case import Case, timed
from bench.graphs import SEED, SHRINK
from pagekin import Collection
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.index.subrelevant import clusters, prepared, write
from pagekin.kernels import Ints, Longs, frozen, frozen_rows
from pagekin.kernels.csr import rows_from_pairs, simplified, transposed
from pagekin.model import Rows
from pagekin.search.answer import search

PAGES, LINKS = 10_949_316 // SHRINK, 53_711_674 // SHRINK
HOST_PAGES = 110  # on average; sizes follow a power law
LIMIT_S, LIMIT_GIB = 120.0, 12.0
PAPER_S = 20 * 3600.0

SEARCHED, WORDS_A_PAGE, VOCABULARY = 100_000 // SHRINK, 120, 20_000
QUESTIONS, LIMIT_MS = 300, 30.0
ALPHAS = (0.0, 0.2, 0.8, 1.0)


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
    with tempfile.TemporaryDirectory(prefix="pagekin-bench-") as name:
        yield from _questions(Path(name) / "s.kin")


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


def _questions(path: Path) -> Iterator[Case]:
    words = _collection(path)
    store = Store(path)
    rng = np.random.default_rng(SEED)
    # People ask with words that are neither the commonest nor the rarest: the logarithm of their rank is drawn evenly.
    ranks = np.exp(rng.uniform(0, np.log(VOCABULARY), (QUESTIONS, 3))).astype(int)
    asked = [" ".join(words[rank] for rank in row[: 1 + i % 3]) for i, row in enumerate(ranks)]
    for alpha in ALPHAS:
        search(store, asked[0], alpha=alpha)
        begun = process_time()
        times = [timed(partial(search, store, text, alpha=alpha))[0] for text in asked]
        mean = (process_time() - begun) / QUESTIONS
        said = f"median {np.median(times) * 1000:.1f} ms, worst {max(times) * 1000:.0f} ms, "
        said += f"mean of the processor's own time {mean * 1000:.1f} ms"
        yield Case(
            f"search {SEARCHED:,} pages, α = {alpha}, p95 of {QUESTIONS}", float(np.percentile(times, 95)) * 1000, "ms",
            bar=LIMIT_MS, bar_on="ours at most", note=said,
        )  # fmt: skip


def _collection(path: Path) -> list[str]:
    """Make a collection with words; returns the words, the commonest first."""
    words = [f"{a}{b}{c}" for a in "bdfgklmnprstvz" for b in ("ama", "ero", "ilo", "uno", "ato") for c in _endings()]
    words = words[:VOCABULARY]
    rng = np.random.default_rng(SEED)
    start, out, host = sites(SEARCHED, SEARCHED * LINKS // PAGES)
    urls = np.array([f"http://h{number}.example/{page}" for page, number in enumerate(host.tolist())])
    zipf = 1 / np.arange(1, len(words) + 1)
    drawn = rng.choice(len(words), (SEARCHED, WORDS_A_PAGE), p=zipf / zipf.sum())
    texts = [" ".join(words[word] for word in row) for row in drawn.tolist()]
    page = np.repeat(np.arange(SEARCHED), WORDS_A_PAGE)
    key, count = np.unique(page * len(words) + drawn.ravel(), return_counts=True)
    term = pa.array(words).take(pa.array(key % len(words)))
    terms = {"url": pa.array(urls).take(pa.array(key // len(words))), "term": term, "surface": term, "body": count}
    source = np.repeat(np.arange(SEARCHED), np.diff(start))
    links = {"source": pa.array(urls).take(pa.array(source)), "target": pa.array(urls).take(pa.array(out))}
    rows = Rows(
        pa.table(links),
        pa.table({"url": urls, "title": urls, "text": texts, "language": ["en"] * SEARCHED}),
        pa.table(terms | {"title": np.zeros(count.size, np.int32)}),
    )
    ingest(path, [[rows]])
    Collection(path).build(["subrelevant"])
    return words


def _endings() -> list[str]:
    """Syllables that the stemmer leaves alone."""
    return [f"{a}{b}{c}o" for a in "bdfgklmnp" for b in "aou" for c in "bdfgklmnprtvz"]


if __name__ == "__main__":
    print(json.dumps({"generate": generate, "cluster": cluster}[sys.argv[1]](Path(sys.argv[2]))))
