"""Pages become tables: the first of them in this process, more on all cores, each within its budget.

A page that costs too much or crashes its worker is skipped and named; the rest goes on.
"""

import gc
import os
import re
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pagekin.collection.budget import PAGE_MEMORY, PAGE_SECONDS, OverBudget, budget, reason
from pagekin.collection.schema import Tables
from pagekin.collection.tabulate import digest, tabulate
from pagekin.engine.local import cores
from pagekin.engine.watch import rows_done, watched
from pagekin.model import Capture, Checkpoint, Missing, Page, Redirect, Rows, Skipped
from pagekin.parse import parse
from pagekin.parse.words import Analyser

if TYPE_CHECKING:
    from concurrent.futures import Future

# A worker's share: large enough that handing it over costs nothing, small enough that the cores end together.
CHUNK_PAGES, CHUNK_BYTES = 200, 8 << 20
# Starting workers takes a second or two; this many pages are parsed sooner in this process. A larger page always goes
# to a worker, because only a worker has a budget and may crash; what smaller ones can cost is bounded by their size.
FEW_PAGES = 400
LARGE_PAGE = 1 << 18
LOOK_S = 0.5  # between two looks of a worker at whether its parent is there

# A page with scripts and no more than this is drawn by them: a frame with "Loading …" and a link or two.
DRAWN_CHARACTERS, DRAWN_LINKS = 200, 2
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)

Tabled = list[Rows]  # rows of one table, read block by block


@dataclass(frozen=True)
class ParseSettings:
    """What a worker needs to know to turn pages into tables."""

    analyser: Analyser
    icann_only: bool
    text: bool
    respect_noindex: bool = False
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


def rows_of(tabled: Tabled) -> int:
    """The number of rows of links and pages."""
    return sum(part.num_rows for rows in tabled for part in (rows.links, rows.pages) if part is not None)


@dataclass
class Made:
    """What a worker makes of its work: the tables of a part, and what the report counts."""

    tables: Tables
    refused: set[str] = field(default_factory=set)  # addresses whose id belongs to another
    pages: int = 0  # fetched ones
    broken_links: int = 0
    drawn: int = 0  # pages drawn by scripts
    unindexed: int = 0  # pages without words, because they say noindex
    skipped: list[Skipped] = field(default_factory=list)


def make_tables(work: Chunk | Tabled, settings: ParseSettings, guarded: bool = False) -> Made:
    """Parse and tabulate; `guarded`, as a worker does, each page within its budget."""
    if isinstance(work, list):
        return Made(*tabulate(rows=work, icann_only=settings.icann_only, text=settings.text))
    parsed: list[tuple[Capture, Page]] = []
    skipped: list[Skipped] = []
    with uncollected():
        for capture in work.captures.values():
            try:
                with budget(settings.seconds, settings.memory) if guarded else nullcontext():
                    parsed.append((capture, parse(capture, settings.analyser, settings.respect_noindex)))
            except OverBudget as why:
                skipped.append(Skipped(capture.url, str(why)))
            rows_done(len(parsed) + len(skipped), len(work.captures))
    tables, refused = tabulate(
        parsed, (), work.redirects, work.missing, icann_only=settings.icann_only, text=settings.text
    )
    broken, drawn = sum(page.dropped for _, page in parsed), sum(is_drawn(*each) for each in parsed)
    unindexed = sum(page.unindexed for _, page in parsed)
    return Made(tables, refused, len(parsed), broken, drawn, unindexed, skipped)


@contextmanager
def uncollected() -> Iterator[None]:
    """Let Python look for no garbage meanwhile: pages are hundreds of thousands of objects, which it would look at over
    and over, and parsing leaves no cycles, the only garbage that is found by looking."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def is_drawn(capture: Capture, page: Page) -> bool:
    """Whether a page seems to be empty until its scripts have run, which they do not here."""
    little = len(page.text) < DRAWN_CHARACTERS and len(page.links) <= DRAWN_LINKS
    return little and _SCRIPT.search(capture.body) is not None


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Processes begun inside this context never hear Ctrl-C, which a terminal sends to all of them: the first one ends
    the others, and they have nothing to say. What comes meanwhile is heard here afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def follow(parent: int) -> None:
    """Have this worker end when the process that it works for is gone: a killed one tells nobody."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_S)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Workers:
    """Turns chunks into tables, in order: the first pages in this process, more on all cores; rows of tables in a
    thread, while the next ones are read and the former are written."""

    def __init__(
        self,
        settings: ParseSettings,
        parsed: Callable[[int], None] = lambda pages: None,
        at_most: int | None = None,
    ) -> None:
        """parsed: hears how many pages of a chunk are parsed, if that is done in this process. at_most: cores."""
        self.settings, self.parsed = settings, parsed
        self.cores = at_most or cores()
        self.here = 0
        self.beside = ThreadPoolExecutor(1)

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_: object) -> None:
        self.beside.shutdown(cancel_futures=True)
        with suppress(AttributeError):
            self.executor.shutdown(kill_workers=True)

    def tables(self, chunks: Iterator[Work]) -> Iterator[tuple[Work, Made]]:
        waiting: deque[tuple[Chunk | Tabled, Future[Made]]] = deque()
        for work in chunks:
            if isinstance(work, Checkpoint):
                while waiting:
                    yield from self._finished(*waiting.popleft())
                yield work, Made({})
                continue
            if isinstance(work, list):
                waiting.append((work, self._submit_rows(work)))
                while len(waiting) > 1:  # one part in the making: it is large
                    yield from self._finished(*waiting.popleft())
                continue
            if self.cores == 1 or self.here < FEW_PAGES:
                while waiting:
                    yield from self._finished(*waiting.popleft())
                large = work.without_large()
                self.here += len(work.captures)
                with watched(lambda what, done, pages: self.parsed(done)):
                    made = make_tables(work, self.settings)
                yield work, made
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
        from multiprocessing import resource_tracker

        from loky import get_reusable_executor
        from loky.backend import resource_tracker as of_loky

        for tracker in (resource_tracker, of_loky):
            tracker.ensure_running()  # which lets the signal through again if it is started inside
        with uninterrupted():
            self.executor = get_reusable_executor(
                max_workers=self.cores, timeout=60, initializer=follow, initargs=(os.getpid(),)
            )
            return self.executor.submit(make_tables, work, self.settings, True)  # type: ignore[no-any-return]

    def _submit_rows(self, work: Tabled) -> "Future[Made]":
        return self.beside.submit(copy_context().run, make_tables, work, self.settings)

    def _finished(self, work: Chunk | Tabled, future: "Future[Made]") -> Iterator[tuple[Chunk | Tabled, Made]]:
        from concurrent.futures.process import BrokenProcessPool

        try:
            yield work, future.result()
        except BrokenProcessPool:
            assert isinstance(work, Chunk)
            yield from self._one_by_one(work)

    def _one_by_one(self, work: Chunk) -> Iterator[tuple[Chunk, Made]]:
        """Find the page on which a worker died (out of memory, or a fault in a C library), and go on without it.

        If a worker dies without any page, no page is to blame: then there is no memory even to start one.
        """
        from concurrent.futures.process import BrokenProcessPool

        singles = [Chunk({url: capture}) for url, capture in work.captures.items()]
        for single in [*singles, Chunk(redirects=work.redirects, missing=work.missing)]:
            try:
                yield single, self._submit(single).result()
            except BrokenProcessPool as error:
                try:
                    self._submit(Chunk()).result()
                except BrokenProcessPool:
                    raise MemoryError("a worker ends as soon as it is started") from error
                yield single, Made({}, skipped=[Skipped(next(iter(single.captures), "redirects"), reason(error))])
