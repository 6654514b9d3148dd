"""How long does block co-citation take for every page of a large web, and how much memory? How long is one look-up?

The web is synthetic: two blocks per page, whose sizes fall off as in the paper's Figure 4 (mostly a few links, hardly
ever over 80); a third of the links stay within the page's own site, the others go to pages of its topic, to some much
more often than to others. Time per page must not grow with the collection. Memory is that of a separate process.
"""

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time, thread_time
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from bench.case import Case, timed
from bench.graphs import SHRINK
from pagekin.answers.collection import Collection
from pagekin.collection.schema import Tables, empty, table
from pagekin.collection.writer import writing
from pagekin.url import page_id

SIZES = (100_000 // SHRINK, 1_000_000 // SHRINK)
BLOCKS = 2
LARGEST_BLOCK = 100
SITE_PAGES = 10
TOPIC_PAGES = 1_000
OWN_SITE = 1 / 3
PART_PAGES = 100_000
MEMORY = "2GB"

BEST = 15
ASKED = 5_000
GROWTH = 1.25  # from the small web to the large one
LOOK_UP_MS = 2.0


def run() -> Iterator[Case]:
    small, large = (_built(pages) for pages in SIZES)
    for pages, made in zip(SIZES, (small, large), strict=True):
        yield Case(
            f"block pairs of {pages:,} pages",
            made["seconds"] / pages * 1e6,
            "µs a page",
            note=f"{made['said']}; {made['busy']:.0f} s of processor time",
        )
        yield Case(
            f"memory of block pairs of {pages:,} pages", made["megabytes"], "MB",
            note=f"peak of the whole process; DuckDB was given {MEMORY}",
        )  # fmt: skip
    growth = (large["seconds"] / SIZES[1]) / (small["seconds"] / SIZES[0])
    case = f"time a page, {SIZES[1]:,} over {SIZES[0]:,} pages"
    note = f"of processor time {(large['busy'] / SIZES[1]) / (small['busy'] / SIZES[0]):.3g} ×"
    yield Case(case, growth, "×", bar=GROWTH, bar_on="ours at most", note=note)
    yield _look_up()


def _look_up() -> Case:
    collection = Collection(web(SIZES[1]))
    pages = np.random.default_rng(1).choice(SIZES[1], min(ASKED, SIZES[1]), replace=False).tolist()
    collection.related(url(pages[0]), k=BEST, method="block")
    times, busy = [], []
    for page in pages:
        before = thread_time()
        times.append(timed(partial(collection.related, url(page), k=BEST, method="block"))[0])
        busy.append(thread_time() - before)
    case = f"look-up by URL, {BEST} results, p99 of {len(pages):,} among {SIZES[1]:,} pages"
    half, rare = np.median(times) * 1000, np.percentile(busy, 99) * 1000
    note = f"the median is {half:.2f} ms, the p99 of processor time {rare:.2f} ms"
    return Case(case, float(np.percentile(times, 99)) * 1000, "ms", bar=LOOK_UP_MS, bar_on="ours at most", note=note)


def _built(pages: int) -> dict[str, Any]:
    """The seconds, memory and output of a fresh process that makes the index of a web of this many pages."""
    command = [sys.executable, "-m", "bench.blockpairs", str(web(pages))]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=os.environ | {"PAGEKIN_MEMORY": MEMORY})
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


def _measured(path: str) -> dict[str, Any]:
    from pagekin.index.base import derive
    from pagekin.methods.block import BlockCoCitation

    with writing(path) as writer:
        seconds, said = timed(lambda: derive(writer, BlockCoCitation(scope="web").index))
    status = Path("/proc/self/status").read_text()
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))
    return {"seconds": seconds, "busy": process_time(), "said": said, "megabytes": peak / 1024}


@cache
def web(pages: int) -> Path:
    """Make a collection of pages with blocks; it is removed when the run ends."""
    folder = TemporaryDirectory(prefix="pagekin-bench-")
    atexit.register(folder.cleanup)
    path = Path(folder.name) / "blocks.kin"
    rng = np.random.default_rng(pages)
    with writing(path) as writer:
        for first in range(0, pages, PART_PAGES):
            writer.add(_part(rng, first, min(first + PART_PAGES, pages), pages))
        writer.fold()
    os.sync()
    return path


def url(page: int) -> str:
    return f"http://www.s{page // SITE_PAGES}.example/{page}"


def _part(rng: np.random.Generator, first: int, last: int, pages: int) -> Tables:
    source, block, target = _links(rng, first, last, pages)
    known = np.union1d(np.arange(first, last), target)
    names = [url(page) for page in known.tolist()]
    ids = np.array([page_id(name) for name in names])
    hosts = [f"www.s{page // SITE_PAGES}.example" for page in known.tolist()]
    fetched = [1_000 if first <= page < last else None for page in known.tolist()]
    rows = {"id": ids, "url": names, "host": hosts, "site": [name[4:] for name in hosts], "fetched": fetched}
    rows["language"] = ["en" if time else "" for time in fetched]
    held = table("pages", rows).take(pa.array(np.argsort(ids)))
    at = ids[np.searchsorted(known, source)]
    position = np.arange(source.size) - np.searchsorted(source, source)
    words = (50 * rng.random(target.size) ** 4).astype(np.int64).tolist()  # a page has a few usual names
    anchors = [f"name{page} word{page % 100 + word}" for page, word in zip(target.tolist(), words, strict=True)]
    links = {
        "source": at, "target": ids[np.searchsorted(known, target)], "block": block, "position": position,
        "anchor": anchors,
    }  # fmt: skip
    order = pa.array(np.lexsort((position, at)))
    return empty() | {"pages": held, "links": table("links", links).take(order)}


def _links(rng: np.random.Generator, first: int, last: int, pages: int) -> tuple[npt.NDArray[Any], ...]:
    """The source, block and target of every link of some pages."""
    sizes = np.arange(2, LARGEST_BLOCK + 1)
    chance = 1.0 / sizes**2
    size = rng.choice(sizes, (last - first) * BLOCKS, p=chance / chance.sum())
    source = np.repeat(np.repeat(np.arange(first, last), BLOCKS), size)
    block = np.repeat(np.tile(np.arange(BLOCKS), last - first), size)
    popular = (TOPIC_PAGES * rng.random(source.size) ** 2).astype(np.int64)
    topic = (source // SITE_PAGES * 7919) % max(pages // TOPIC_PAGES, 1)  # sites of one topic lie far apart
    elsewhere = np.minimum(topic * TOPIC_PAGES + popular, pages - 1)
    own = source // SITE_PAGES * SITE_PAGES + rng.integers(0, SITE_PAGES, source.size)
    target = np.where(rng.random(source.size) < OWN_SITE, np.minimum(own, pages - 1), elsewhere)
    return source, block, target


if __name__ == "__main__":
    print(json.dumps(_measured(sys.argv[1])))
