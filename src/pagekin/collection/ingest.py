"""Turns sources into committed parts: pages are parsed on all cores and committed every few thousand.

A process killed at any moment leaves the parts committed so far; the same call again skips what is held and completes
the rest. What cannot be taken in is counted by reason and does not stop the rest.
"""

import os
import shutil
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pagekin.collection.budget import PAGE_MEMORY, PAGE_SECONDS, OverBudget, budget, reason
from pagekin.collection.manifest import Manifest
from pagekin.collection.schema import Tables
from pagekin.collection.store import Writer, writing
from pagekin.collection.tabulate import digest, joined, tabulate
from pagekin.engine.local import cores
from pagekin.engine.memory import SETTING, memory
from pagekin.errors import CollectionError
from pagekin.failures import size
from pagekin.kernels.numbers import number_in
from pagekin.model import Capture, Checkpoint, Item, Missing, Page, Redirect, Rows, Skipped
from pagekin.parse import parse
from pagekin.parse.words import Analyser, segmenters
from pagekin.url import CANONICAL_VERSION, page_id
from pagekin.wording import command, option

if TYPE_CHECKING:
    from concurrent.futures import Future

# A worker's share: large enough that handing it over costs nothing, small enough that the cores end together.
CHUNK_PAGES, CHUNK_BYTES = 200, 8 << 20
# The size of a part: the most that a kill can lose, and what the cost of a commit (a few fsyncs) is spread over.
PART_PAGES = 4_000
PART_ROWS = 2_500_000  # for tables: every part lists all the pages it mentions, so the fewer parts the better
ROW_BYTES = 200  # of memory for each row of tables: the graph of all links is made in memory in the end
# Starting workers takes a second or two; this many pages are parsed sooner in this process. A larger page always goes
# to a worker, because only a worker has a budget and may crash; what smaller ones can cost is bounded by their size.
FEW_PAGES = 400
LARGE_PAGE = 1 << 20
LOOK_S = 0.5  # between two looks of a worker at whether its parent is there
EXAMPLES = 5  # of each reason for skipping, named in the report

Made = tuple[Tables, set[str], int, list[Skipped]]  # tables, addresses refused, broken links, pages skipped
Tabled = list[Rows]  # rows of one table, read block by block


@dataclass
class Intake:
    """Counts of what has come in so far."""

    pages: int = 0  # fetched pages taken in
    unchanged: int = 0  # held already, in this version or a later one
    rows: int = 0  # rows of tables taken in
    broken_links: int = 0  # references that were not valid addresses
    skipped: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)

    def skip(self, what: Skipped) -> None:
        self.skipped[what.why] += 1
        named = self.examples.setdefault(what.why, [])
        if len(named) < EXAMPLES:
            named.append(what.where)


@dataclass(frozen=True)
class ParseSettings:
    """What a worker needs to know to turn pages into tables."""

    analyser: Analyser
    icann_only: bool
    text: bool
    seconds: int = PAGE_SECONDS  # what one page may cost in a worker
    memory: int = PAGE_MEMORY


@dataclass
class Chunk:
    """Captures and redirects that are parsed together."""

    captures: dict[str, Capture] = field(default_factory=dict)
    redirects: list[Redirect] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    size: int = 0

    def offer(self, capture: Capture) -> None:
        other = self.captures.get(capture.url)
        if other is None or precedence(other) < precedence(capture):
            self.captures[capture.url] = capture
        self.size += len(capture.body)

    @property
    def full(self) -> bool:
        others = len(self.redirects) + len(self.missing)
        return len(self.captures) >= CHUNK_PAGES or self.size >= CHUNK_BYTES or others >= 10 * CHUNK_PAGES

    def without_large(self) -> "Chunk":
        """Take the large pages out of it, into a chunk of their own."""
        large = {url: capture for url, capture in self.captures.items() if len(capture.body) > LARGE_PAGE}
        for url in large:
            del self.captures[url]
        return Chunk(large)

    def __bool__(self) -> bool:
        return bool(self.captures or self.redirects or self.missing)


Work = Chunk | Tabled | Checkpoint


def precedence(capture: Capture) -> tuple[int, str, tuple[int, ...]]:
    """What decides between two captures of a page: the later time, the larger digest, then the smaller origin."""
    if capture.origin is None:
        return capture.fetched, digest(capture.body), (-256,)
    origin = capture.origin.encode("utf-8", "surrogatepass")
    return capture.fetched, digest(capture.body), (*(-byte for byte in origin), 1)


def ingest(
    path: Path | str,
    sources: Iterable[Iterable[Item]],
    *,
    text: bool = True,
    icann_only: bool = False,
    part_pages: int = PART_PAGES,
    progress: Callable[[Intake], None] = lambda report: None,
) -> Intake:
    """Add everything the sources yield to a collection, which is made if there is none."""
    folder, report = Path(path), Intake()
    new = not folder.exists()
    with writing(folder, icann_only=icann_only, segmenters=segmenters()) as writer:
        check_settings(folder, writer.manifest, icann_only)
        try:
            _Ingest(writer, report, text, part_pages, progress).run(sources)
            writer.fold()
        finally:
            if new and not writer.manifest.parts:
                shutil.rmtree(folder, ignore_errors=True)
    return report


def check_settings(folder: Path, held: Manifest, icann_only: bool = False) -> None:
    """Refuse a collection with addresses in an older form, or one made with other suffixes than those asked for."""
    if held.canonical != CANONICAL_VERSION:
        raise CollectionError(
            f"{folder} has addresses in an older canonical form (version {held.canonical}, now {CANONICAL_VERSION}); "
            f"run: {command('scrub', folder)}"
        )
    if icann_only and not held.icann_only:
        raise CollectionError(
            f"{folder} was made with the private suffixes; {option('icann_only')} works only for a new collection"
        )


class _Ingest:
    def __init__(
        self, writer: Writer, report: Intake, text: bool, part_pages: int, progress: Callable[[Intake], None]
    ) -> None:
        self.writer, self.report, self.part_pages, self.progress = writer, report, part_pages, progress
        manifest = writer.manifest
        analyser = Analyser(**manifest.segmenters)
        self.settings = ParseSettings(analyser, manifest.icann_only, text, PAGE_SECONDS, PAGE_MEMORY)
        self.held = writer.store()
        self.rows, self.most_rows = 0, memory() // ROW_BYTES
        self.moved = {(row["alias"], row["page"]) for row in self.held.every_alias().to_pylist()}

    def run(self, sources: Iterable[Iterable[Item]]) -> None:
        pending: list[Tables] = []
        with _Workers(self.settings, self.report) as workers:
            for work, made in workers.tables(self._chunks(sources)):
                if isinstance(work, list):
                    self._commit([made])
                    continue
                if isinstance(work, Checkpoint):
                    self._commit(pending)
                    continue
                pending.append(made)
                if sum(len(tables["pages"]["fetched"].drop_null()) for tables in pending) >= self.part_pages:
                    self._commit(pending)
            self._commit(pending)

    def _chunks(self, sources: Iterable[Iterable[Item]]) -> Iterator[Work]:
        chunk = Chunk()
        for source in sources:
            tabled: Tabled = []
            for item in source:
                match item:
                    case Skipped():
                        self.report.skip(item)
                    case Redirect():
                        if (item.alias, page_id(item.target)) not in self.moved:
                            chunk.redirects.append(item)
                    case Rows():
                        if self._too_many(item, source):
                            break
                        tabled.append(item)
                        if rows_of(tabled) >= PART_ROWS:
                            yield tabled
                            tabled = []
                    case Capture():
                        if self._holds(item):
                            self.report.unchanged += 1
                        else:
                            chunk.offer(item)
                    case Missing():
                        chunk.missing.append(item)
                    case Checkpoint():
                        if chunk:
                            yield chunk
                            chunk = Chunk()
                        yield item
                if chunk.full:
                    yield chunk
                    chunk = Chunk()
            if tabled:  # a table makes its own parts, so that adding it again gives the same parts
                yield tabled
        if chunk:
            yield chunk

    def _too_many(self, rows: Rows, source: Iterable[Item]) -> bool:
        """Whether these rows, with those before, would not fit into memory; then the source is read no further."""
        self.rows += rows_of([rows])
        if self.rows <= self.most_rows:
            return False
        self.rows -= rows_of([rows])
        name = getattr(source, "path", Path("a table")).name
        remedy = f"set {SETTING} higher (now {size(self.most_rows * ROW_BYTES)}), or add fewer rows"
        why = f"more rows than fit into memory, {self.rows:,} of at most {self.most_rows:,} were taken; {remedy}"
        self.report.skip(Skipped(f"the rest of {name}", why))
        return True

    def _holds(self, capture: Capture) -> bool:
        """Whether the collection has this capture, or one that takes precedence over it."""
        number = number_in(self.held.state.ids, page_id(capture.url))
        if number is None:
            return False
        pages = self.held.state.pages
        fetched = pages["fetched"][number].value
        if fetched is None or pages["url"][number].as_py() != capture.url:
            return False
        stored = Capture(capture.url, b"", fetched=fetched // 1000, origin=pages["origin"][number].as_py())
        held = pages["digest"][number].as_py() or ""  # none: `salvage` could not keep all of the page
        return (stored.fetched, held, precedence(stored)[2]) >= precedence(capture)

    def _commit(self, pending: list[Tables]) -> None:
        for tables in joined(pending):
            if any(rows.num_rows for rows in tables.values()):
                self.writer.add(tables)
        pending.clear()
        self.progress(self.report)


def rows_of(tabled: Tabled) -> int:
    """The number of rows of links and pages."""
    return sum(part.num_rows for rows in tabled for part in (rows.links, rows.pages) if part is not None)


def make_tables(work: Chunk | Tabled, settings: ParseSettings, guarded: bool = False) -> Made:
    """Parse and tabulate; `guarded`, as a worker does, each page within its budget.

    Returns the tables, the addresses refused, the number of broken links and the pages skipped.
    """
    if isinstance(work, list):
        tables, refused = tabulate(rows=work, icann_only=settings.icann_only, text=settings.text)
        return tables, refused, 0, []
    parsed: list[tuple[Capture, Page]] = []
    skipped: list[Skipped] = []
    for capture in work.captures.values():
        try:
            with budget(settings.seconds, settings.memory) if guarded else nullcontext():
                parsed.append((capture, parse(capture, settings.analyser)))
        except OverBudget as why:
            skipped.append(Skipped(capture.url, str(why)))
    tables, refused = tabulate(
        parsed, (), work.redirects, work.missing, icann_only=settings.icann_only, text=settings.text
    )
    return tables, refused, sum(page.dropped for _, page in parsed), skipped


def follow(parent: int) -> None:
    """Have this worker end when the process that it works for is gone: a killed one tells nobody."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_S)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class _Workers:
    """Turns chunks into tables, in order: the first pages in this process, more on all cores."""

    def __init__(self, settings: ParseSettings, report: Intake) -> None:
        self.settings, self.report = settings, report
        self.cores = cores()
        self.here = 0

    def __enter__(self) -> "_Workers":
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(AttributeError):
            self.executor.shutdown(kill_workers=True)

    def tables(self, chunks: Iterator[Work]) -> Iterator[tuple[Work, Tables]]:
        waiting: deque[tuple[Chunk, Future[Made]]] = deque()
        for work in chunks:
            if isinstance(work, Checkpoint):
                while waiting:
                    yield from self._finished(*waiting.popleft())
                yield work, {}
                continue
            if isinstance(work, list) or self.cores == 1 or self.here < FEW_PAGES:
                while waiting:
                    yield from self._finished(*waiting.popleft())
                large = Chunk() if isinstance(work, list) else work.without_large()
                self.here += 0 if isinstance(work, list) else len(work.captures)
                yield work, self._counted(work, make_tables(work, self.settings))
                if large:
                    waiting.append((large, self._submit(large)))
                continue
            waiting.append((work, self._submit(work)))
            if len(waiting) > 2 * self.cores:
                yield from self._finished(*waiting.popleft())
        while waiting:
            yield from self._finished(*waiting.popleft())

    def _submit(self, work: Chunk) -> "Future[Made]":
        # loky, not multiprocessing: it does not import the caller's main module again, so a script without a
        # `__main__` guard may call us, and it replaces a pool in which a worker died.
        from loky import get_reusable_executor

        self.executor = get_reusable_executor(
            max_workers=self.cores, timeout=60, initializer=follow, initargs=(os.getpid(),)
        )
        return self.executor.submit(make_tables, work, self.settings, True)  # type: ignore[no-any-return]

    def _finished(self, work: Chunk, future: "Future[Made]") -> Iterator[tuple[Chunk, Tables]]:
        from concurrent.futures.process import BrokenProcessPool

        try:
            yield work, self._counted(work, future.result())
        except BrokenProcessPool:
            yield from self._one_by_one(work)

    def _one_by_one(self, work: Chunk) -> Iterator[tuple[Chunk, Tables]]:
        """Find the page on which a worker died (out of memory, or a fault in a C library), and go on without it.

        If a worker dies without any page, no page is to blame: then there is no memory even to start one.
        """
        from concurrent.futures.process import BrokenProcessPool

        singles = [Chunk({url: capture}) for url, capture in work.captures.items()]
        for single in [*singles, Chunk(redirects=work.redirects, missing=work.missing)]:
            try:
                yield single, self._counted(single, self._submit(single).result())
            except BrokenProcessPool as error:
                try:
                    self._submit(Chunk()).result()
                except BrokenProcessPool:
                    raise MemoryError("a worker ends as soon as it is started") from error
                self.report.skip(Skipped(next(iter(single.captures), "redirects"), reason(error)))

    def _counted(self, work: Chunk | Tabled, made: Made) -> Tables:
        tables, refused, broken, skipped = made
        for each in skipped:
            self.report.skip(each)
        for url in refused:
            self.report.skip(Skipped(url, "its id belongs to another address"))
        self.report.broken_links += broken
        if isinstance(work, list):
            self.report.rows += rows_of(work)
        else:
            self.report.pages += len(work.captures) - len(skipped)
        return tables
