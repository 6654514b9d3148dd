"""How fast are tables of links added, does the time a row grow with the table, and how much memory does it take?

A copying-model web (`graphs.py`) of 100,000, a million and ten million pages with ten links each and anchors, as CSV,
is added with `pagekin add` in a process of its own, with `PAGEKIN_MEMORY=1GB`. Memory is what is not mapped from files
(RssAnon), the most that was seen. The commit before tables were folded out of core is checked out beside it. Then
indexes are built and a question is asked, each in a process of its own. A table of links has no words that pages say,
so what is made of words is built for pages with a hundred words each, too (`growing`).

Last, pages are handed to the process that stores what a crawl fetches, as a crawl does it.
"""

import os
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from bench.case import Case, timed
from bench.graphs import OUT_LINKS, SHRINK, copying_model
from bench.growing import grow
from bench.site import HOST_PAGES, PAGEKIN

PAGES = tuple(pages // SHRINK for pages in (100_000, 1_000_000, 10_000_000))
BEFORE = "122b94f"  # the last commit that folded tables in memory
FASTER = 3.0  # times that commit, for the second size
GROWTH = 1.25  # times the seconds a row of the first size, for the last
MEMORY_MB, BEYOND_MB = 1000, 1000
WORDED = ("inverted", "keywords", "similarity", "hierarchy", "text", "completions")
BUILT = ("subrelevant", "inverted", "completions", "block-pairs")  # the last takes most of an hour for the last size
WORDS = 5_000  # an anchor has two of so many
BATCH = 1 << 20
SAMPLE_S = 0.05
CRAWLED = tuple(pages // SHRINK for pages in (10_000, 50_000, 150_000))
STORED_RUNS = 2
LINKS, COMMIT = 20, 1_000  # of a page; pages that are committed together
STORING_MB = 100  # PAGEKIN_MEMORY of the process that stores; the first size does not use all of it
FLAT = 1.1  # times the memory of the second size, for the third
ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Run:
    """A command that has run: how long it took, on the clock and of the processor, which tells more beside other work;
    and the most anonymous memory that it had."""

    seconds: float
    processor: float
    megabytes: float


def run() -> Iterator[Case]:
    with TemporaryDirectory(prefix="pagekin-bench-") as folder:
        yield from _added(Path(folder))
    yield from _worded()
    yield from _stored()


def _added(folder: Path) -> Iterator[Case]:
    table, rate, cost = folder / "links.csv", list[float](), list[float]()
    for pages in PAGES:
        rows = write_links(pages, table)
        os.sync()  # or writing back the table would be on the clock of reading it
        made = measured(*PAGEKIN, "add", str(folder / f"{pages}.kin"), str(table))
        rate.append(rows / made.seconds)
        cost.append(made.processor / rows)
        name = f"add {rows:,} rows of links"
        yield Case(f"memory of {name}", made.megabytes, "MB", bar=MEMORY_MB + BEYOND_MB, bar_on="ours at most")
        peer, theirs = (f"commit {BEFORE}", _before(folder, table)) if pages == PAGES[1] else (None, None)
        note = f"{made.processor:.3g} s of the processor"
        note += f", there {theirs.processor:.3g}" if theirs else f"; there is no commit {BEFORE}" if peer else ""
        yield Case(
            name,
            rate[-1],
            "rows/s",
            peer,
            rows / theirs.seconds if theirs else None,
            FASTER if peer else None,
            note=note,
        )
        if pages == PAGES[1]:
            seconds, _ = timed(lambda: sorted_by_duckdb(table, folder / "sorted.parquet"))
            yield Case(name, rate[-1], "rows/s", "DuckDB, to sorted Parquet", rows / seconds)
        table.unlink()
        yield from _built(folder / f"{pages}.kin", pages)
    yield Case(
        f"time a row, {PAGES[-1] * OUT_LINKS:,} rows to {PAGES[0] * OUT_LINKS:,}", rate[0] / rate[-1], "×",
        bar=GROWTH, bar_on="ours at most", note=f"{cost[-1] / cost[0]:.3g} × of the processor",
    )  # fmt: skip


def _built(path: Path, pages: int) -> Iterator[Case]:
    """The memory of building indexes of a collection, and of asking it."""
    for name in BUILT:
        yield _taken(f"building {name}, {pages:,} pages", "build", str(path), "--index", name)
    yield _taken(f"asking, {pages:,} pages", "related", str(path), "http://www.h0.example/0")


def _taken(what: str, *words: str) -> Case:
    """The memory of a command of pagekin."""
    made = measured(*PAGEKIN, *words)
    return Case(
        f"memory of {what}", made.megabytes, "MB", bar=MEMORY_MB + BEYOND_MB, bar_on="ours at most",
        note=f"{made.seconds:.3g} s, {made.processor:.3g} s of the processor",
    )  # fmt: skip


def _worded() -> Iterator[Case]:
    for pages in PAGES[:2]:
        with TemporaryDirectory(prefix="pagekin-bench-") as folder:
            path = Path(folder) / "words.kin"
            grow(path, 0, pages, pages)
            yield _taken(f"folding {pages:,} pages with words", "build", str(path), "--index", "graph")
            for name in WORDED:
                yield _taken(f"building {name}, {pages:,} pages with words", "build", str(path), "--index", name)


def write_links(pages: int, to: Path) -> int:
    """Write the links of a web as CSV with anchors; returns how many."""
    source, target = copying_model(pages)
    dice, words = np.random.default_rng(1), pa.array([f"word{number}" for number in range(WORDS)])
    schema = pa.schema([(name, pa.string()) for name in ("source", "target", "anchor")])
    with pyarrow.csv.CSVWriter(to, schema) as file:
        for first in range(0, source.size, BATCH):
            ends = [some[first : first + BATCH] for some in (source, target)]
            said = (words.take(pa.array(some)) for some in (ends[1] % WORDS, dice.integers(WORDS, size=ends[1].size)))
            anchor = pc.binary_join_element_wise(*said, " ")
            file.write_table(pa.table([*map(_urls, ends), anchor], schema=schema))
    return int(source.size)


def _urls(page: np.ndarray) -> pa.Array:
    number, host = (pa.array(some).cast(pa.string()) for some in (page, page // HOST_PAGES))
    return pc.binary_join_element_wise("http://www.h", host, ".example/", number, "")


def measured(*command: str, **environment: str) -> Run:
    """Run a command, which must succeed."""
    settings = os.environ | {"PAGEKIN_MEMORY": f"{MEMORY_MB}MB"} | environment
    began, worked = perf_counter(), _worked()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=settings)
    most = [0]

    def watch() -> None:
        while process.returncode is None:
            try:
                lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
                most[0] = max([most[0], *(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))])
            except OSError:
                return
            sleep(SAMPLE_S)

    thread = threading.Thread(target=watch)
    thread.start()
    wrong = process.communicate()[1]
    seconds = perf_counter() - began
    thread.join()
    if process.returncode:
        raise RuntimeError(f"{command} exited {process.returncode}: {wrong}")
    return Run(seconds, _worked() - worked, most[0] * 1024 / 1e6)


def _worked() -> float:
    """The processor's time of all commands that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _before(folder: Path, table: Path) -> Run | None:
    """The same of the commit before; None if there is none."""
    there = folder / "before"
    made = subprocess.run(["git", "worktree", "add", "--detach", str(there), BEFORE], cwd=ROOT, capture_output=True)
    if made.returncode:
        return None
    try:
        # Once before the clock, with a few rows: its kernels are compiled then.
        few = folder / "few.csv"
        few.write_text("source,target\nhttp://a.example/,http://b.example/\n")
        measured(*PAGEKIN, "add", str(folder / "few.kin"), str(few), PYTHONPATH=str(there / "src"))
        # It takes 200 bytes of memory a row, or leaves rows out.
        settings = {"PYTHONPATH": str(there / "src"), "PAGEKIN_MEMORY": "8GB"}
        return measured(*PAGEKIN, "add", str(folder / "before.kin"), str(table), **settings)
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", str(there)], cwd=ROOT, capture_output=True, check=True)


def sorted_by_duckdb(table: Path, to: Path) -> None:
    with duckdb.connect(config={"memory_limit": f"{MEMORY_MB}MB", "temp_directory": str(to.parent)}) as engine:
        query = f"SELECT * FROM read_csv('{table}') ORDER BY source, target"
        engine.execute(f"COPY ({query}) TO '{to}' (FORMAT parquet, COMPRESSION zstd)")


def _stored() -> Iterator[Case]:
    setting = {"PAGEKIN_MEMORY": f"{STORING_MB}MB"}
    made = [
        min(measured(sys.executable, "-m", "bench.growth", str(pages), **setting).megabytes for _ in range(STORED_RUNS))
        for pages in CRAWLED
    ]  # the most of one run differs by a tenth from the next one's
    yield Case(
        f"memory of the process that stores a crawl of {CRAWLED[2]:,} pages", made[2], "MB", bar=FLAT * made[1],
        bar_on="ours at most", note=" and ".join(f"{made[at]:.0f} MB at {CRAWLED[at]:,}" for at in (0, 1)),
    )  # fmt: skip


def store(pages: int) -> None:
    """Store so many small pages as a crawl hands them over, and ask what is left to do, as it does."""
    from pagekin.collection.frontier import Frontier
    from pagekin.collection.ingest import ingest
    from pagekin.model import Capture, Checkpoint, Item

    def crawl(path: Path) -> Iterator[Item]:
        for number in range(pages):
            targets = (f"<li><a href=/{(number * 31 + 977 * n) % pages}>Page {n}</a>" for n in range(LINKS))
            body = f"<title>Page {number}</title><p>Said by {number}: {number**2}.<ul>{''.join(targets)}</ul>"
            yield Capture(f"http://a.example/{number}", body.encode(), "text/html", fetched=1 + number)
            if number % COMMIT == 0:
                yield Checkpoint()
        yield Checkpoint(fold=True)
        Frontier(path, radius=99).plan({"http://a.example/0": 0}, lambda url: True)

    with TemporaryDirectory(prefix="pagekin-bench-") as folder:
        ingest(Path(folder) / "s.kin", [crawl(Path(folder) / "s.kin")])


if __name__ == "__main__":
    store(int(sys.argv[1]))
