"""How soon does `fused` answer for one page among 100,000 pages with text, and how long does its index take?

The pages have topics and links as in `topics`, and 200 words each, of which about 130 are different; the first three
are the title. There is no library to compare with. The first look at vectors kept as bytes is compared with exact
cosines. `PAGEKIN_BENCH_PAGES=1000000` measures a million.
"""

import atexit
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

from bench import topics
from bench.case import Case, timed
from bench.graphs import OUT_LINKS, SEED, SHRINK
from bench.site import url
from pagekin import Collection
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.index.base import opened
from pagekin.index.text.index import Text
from pagekin.kernels import Ints, Longs
from pagekin.methods import method
from pagekin.methods.fused import EACH, asked_parts
from pagekin.model import Rows

PAGES = int(os.environ.get("PAGEKIN_BENCH_PAGES", "100000")) // SHRINK
LENGTH = 200  # words of a page
TITLE = 3
BATCH = 20_000  # pages made at once
ASKED = 200
BEST = 15

BUILD_MINUTES, BUILD_GIB, EXPORT_MINUTES = 5.0, 4.0, 10.0
EXPORTED = 100_000  # the lists of more pages take hours
ASK_MS = 50.0 if PAGES <= 100_000 else 150.0
RECALL = 0.99


def run() -> Iterator[Case]:
    path = web()
    seconds, _ = timed(lambda: _built(path))
    yield Case(
        f"index text of {PAGES:,} pages",
        seconds / 60,
        "min",
        bar=BUILD_MINUTES,
        bar_on="ours at most",
        note="in a process of its own",
    )
    yield Case("memory of that process at its peak", _child_peak(), "GiB", bar=BUILD_GIB, bar_on="ours at most")
    store, asked = Store(path), method("fused")
    pages = np.random.default_rng(SEED).choice(store.size, min(ASKED, store.size), replace=False).tolist()
    asked.related(store, pages[0], BEST)  # compiled, and the index in memory, outside the clock
    times = [timed(partial(asked.related, store, page, BEST))[0] for page in pages]
    yield Case(
        f"fused of one page of {store.size:,}, p95 of {len(pages)}", float(np.percentile(times, 95)) * 1000, "ms",
        bar=ASK_MS, bar_on="ours at most", note=f"median {np.median(times) * 1000:.3g} ms",
    )  # fmt: skip
    lost = 1 - _recall(store, pages[:50])
    case = f"share of the exact {EACH} best by smoothed vectors that the first look misses"
    yield Case(case, lost, "", bar=1 - RECALL, bar_on="ours at most")
    if PAGES <= EXPORTED:
        seconds, _ = timed(partial(_export, path))
        case = f"export related of {store.size:,} pages, {BEST} each"
        yield Case(case, seconds / 60, "min", bar=EXPORT_MINUTES, bar_on="ours at most")


def web() -> Path:
    """The collection, which is removed when the run ends."""
    folder = TemporaryDirectory(prefix="pagekin-bench-")
    atexit.register(folder.cleanup)
    rng = np.random.default_rng(SEED)
    topic = rng.integers(0, topics.TOPICS, PAGES).astype(np.int32)
    links = topics.linked(topic, np.argsort(topic, kind="stable").astype(np.int32), OUT_LINKS, SEED)
    speaks = np.stack([rng.permutation(topics.WORDS)[: topics.TOPIC_WORDS] for _ in range(topics.TOPICS)])
    names = pa.array([url(page) for page in range(PAGES)])
    path = Path(folder.name) / "text.kin"
    ingest(path, [[_rows(rng, names, topic, speaks, links, first) for first in range(0, PAGES, BATCH)]])
    return path


def _rows(rng: np.random.Generator, names: pa.Array, topic: Ints, speaks: Longs, links: Ints, first: int) -> Rows:
    """Some pages, from the first of them on, with their words and links."""
    some = np.arange(first, min(first + BATCH, PAGES))
    drawn = topics.drawn(rng, topic[some], speaks, LENGTH)
    key = np.sort(some[:, None] * topics.WORDS + drawn, axis=1).ravel()
    begins = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))
    page, word = np.divmod(key[begins], topics.WORDS)
    in_title = np.isin(key[begins], (some[:, None] * topics.WORDS + drawn[:, :TITLE]).ravel())
    terms = pa.array([f"w{number}" for number in range(topics.WORDS)]).take(pa.array(word))
    return Rows(
        links=pa.table({
            "source": names.take(pa.array(np.repeat(some, OUT_LINKS))),
            "target": names.take(pa.array(links[some].ravel())),
        }),
        pages=pa.table({"url": names.take(pa.array(some))}),
        terms=pa.table({
            "url": names.take(pa.array(page)), "term": terms, "surface": terms,
            "body": np.diff(begins, append=key.size).astype(np.int32), "title": in_title.astype(np.int32),
        }),
    )  # fmt: skip


def _built(path: Path) -> None:
    """Build in a process of its own, so that its memory can be measured."""
    child = os.fork()
    if not child:
        Collection(path).build(index=["text"])
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status:
        raise RuntimeError("the build failed")


def _child_peak() -> float:
    import resource

    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20


def _recall(store: Store, pages: list[int]) -> float:
    held, shares = opened(store, Text()), []
    for page in pages:
        exact = held.y @ np.array(held.y[page])
        exact[page] = -1
        best = np.argsort(-exact, kind="stable")[:EACH]
        shares.append(np.isin(best, asked_parts(store, page, EACH)[1]["smoothed"].best).mean())
    return float(np.mean(shares))


def _export(path: Path) -> None:
    """The lists of all pages, by the command that a user would run."""
    with TemporaryDirectory(prefix="pagekin-bench-") as folder:
        subprocess.run(
            [sys.executable, "-m", "pagekin", "export", path, "related", f"{folder}/related.parquet"], check=True
        )
