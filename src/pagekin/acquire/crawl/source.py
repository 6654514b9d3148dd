"""A crawl as a source of pages: a child process fetches what the collection lacks, and the answers are passed on.

The collection is the only memory. It says what is within reach and not yet held; a child fetches that and follows the
links it finds; then the collection is asked again, because new pages may bring others within reach. When nothing is
missing, the crawl is complete, whatever was interrupted on the way.
"""

import os
import subprocess
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Queue
from threading import Thread
from time import monotonic
from typing import Any

from pagekin.acquire.crawl.archive import left
from pagekin.acquire.crawl.rules import Rules
from pagekin.acquire.crawl.settings import STOP, Job, Settings
from pagekin.errors import SourceError
from pagekin.model import REMOVED, Capture, Checkpoint, Held, Item, Plan, Skipped
from pagekin.url import host, page_id, site

EXAMPLES = 5  # addresses named of those that were removed for good
MOST_BEHIND = 100  # answers that may wait to be parsed; then the child waits too


@dataclass
class Tally:
    """The progress of a crawl, for someone who watches it."""

    pages: int = 0
    waiting: int = 0
    depth: int = 0
    unchanged: int = 0
    recovered: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    left: dict[str, tuple[int, list[str]]] = field(default_factory=dict)  # not visited: reason → number, examples
    began: float = field(default_factory=monotonic)

    @property
    def rate(self) -> float:
        """Pages per second."""
        return self.pages / max(monotonic() - self.began, 1e-9)


class Crawl:
    """A crawl: iterating runs it, and `stop` ends it after the pages in hand."""

    def __init__(
        self,
        settings: Settings,
        held: Held,
        also: frozenset[int] = frozenset(),
        watch: Callable[[Tally], None] = lambda tally: None,
        again: tuple[str, ...] = (),
    ) -> None:
        """also: ids that may be visited against the rules. again: further addresses to ask for, however far they are;
        what they link to is not followed."""
        self.settings, self.held, self.also, self.watch, self.again = settings, held, also, watch, again
        self.tally = Tally()
        self.tried: set[int] = set()  # ids that this crawl has dealt with, whatever the result
        self.barred: set[str] = set()  # addresses met that were removed for good
        self.stopped = False
        self.lost: dict[str, str] = {}  # start addresses that gave no page: address → why
        # An address as it was fetched, as it is also written, and what is there.
        self.differing: list[tuple[str, str, str]] = []
        self._child: Connection | None = None

    def stop(self) -> None:
        self.stopped = True
        if self._child is not None:
            with suppress(OSError):  # it has just ended
                self._child.send(STOP)

    def __iter__(self) -> Iterator[Item]:
        yield from self._recovered()
        begin = {url: 0 for url in self.settings.starts if not self._is_barred(url)}
        rules = self._rules()
        for url in self.again:
            if self._allows(rules, url):
                begin.setdefault(url, self.settings.radius)
        unread = self.settings.sitemaps or bool(self.settings.lists)
        while not self.stopped and not self.enough:
            rules = self._rules()
            plan = self.held.plan(begin, lambda url: self._allows(rules, url), self.tried)  # noqa: B023
            if not plan.visits and not unread:
                return
            for item, pages in self._round(plan, tuple(rules.sites), unread):
                if item is not None:
                    yield item
                for url, depth in pages.items():
                    if self._allows(rules, url):
                        begin[url] = min(depth, begin.get(url, depth))
            unread = False
            yield Checkpoint(fold=True)

    def _allows(self, rules: Rules, url: str) -> bool:
        return (page_id(url) in self.also or not rules.against(url)) and not self._is_barred(url)

    def _is_barred(self, url: str) -> bool:
        """Whether an address was removed for good; each is counted once."""
        if url not in self.settings.barred:
            return False
        if url not in self.barred:
            self.barred.add(url)
            count, named = self.tally.left.get(REMOVED, (0, []))
            self.tally.left[REMOVED] = (count + 1, [*named, url][:EXAMPLES])
        return True

    @property
    def enough(self) -> bool:
        """Whether as many pages were fetched as were asked for."""
        return bool(self.settings.max_pages and self.tally.pages >= self.settings.max_pages)

    def _rules(self) -> Rules:
        set_ = self.settings
        homes = (url for start in (*set_.starts, *set_.lists) for url in (start, self.held.home(start)))
        return Rules(
            {site(host(url)) for url in homes}, set_.across, set_.include, set_.exclude, set_.private, set_.any_type
        )

    def _recovered(self) -> Iterator[Item]:
        """What an earlier crawl fetched but could not commit before it was killed."""
        keep = self.settings.warc is not None
        done: dict[Path, None] = {}
        settled = None
        for path, items in left(self.settings.warc or self.settings.spool, keep):
            done[path] = None
            if settled is None:
                settled = frozenset(self.held.plan({}, bool, frozenset()).settled)
            for item in items:
                if isinstance(item, Skipped) or (isinstance(item, Capture) and page_id(item.url) in settled):
                    continue
                self.tally.recovered += isinstance(item, Capture)
                yield item
        yield Checkpoint(fold=True)
        if not keep:
            for path in done:
                path.unlink(missing_ok=True)

    def _round(
        self, plan: Plan, sites: tuple[str, ...], sitemaps: bool
    ) -> Iterator[tuple[Item | None, dict[str, int]]]:
        """Run one child from start to end; yields its items, and the addresses that sitemaps list, with their depth."""
        left_to_do = self.settings.max_pages and self.settings.max_pages - self.tally.pages
        settings = replace(self.settings, max_pages=left_to_do)
        job = Job(settings if sitemaps else replace(settings, sitemaps=False, lists=()), plan, sites)
        with _Child(job) as child:
            self._child = child.to
            if self.stopped:
                self.stop()
            for kind, *told in child.frames():
                match kind:
                    case "landed":
                        items, self.tally.waiting, self.tally.depth = told
                        for item in items:
                            self._count(item)
                            yield item, {}
                        self.watch(self.tally)
                    case "sitemap":
                        yield None, dict.fromkeys(*told)
                    case "checkpoint":
                        yield Checkpoint(), {}
                        if told[0] is not None:
                            told[0].unlink(missing_ok=True)
                    case "end":
                        self._end(*told)
                    case "failed":
                        raise RuntimeError(told[0])
            self._child = None

    def _count(self, item: Item) -> None:
        self.tally.pages += isinstance(item, Capture)
        if isinstance(item, Skipped):
            self.tally.errors[item.why] += 1
            if item.where in (*self.settings.starts, *self.settings.lists):
                self.lost[item.where] = item.why

    def _end(
        self,
        left: dict[str, tuple[int, list[str]]],
        unchanged: int,
        tried: "array[int]",
        differing: list[tuple[str, str, str]],
    ) -> None:
        self.differing += differing
        self.tried.update(tried)
        self.tally.unchanged += unchanged
        for why, (count, named) in left.items():
            before, examples = self.tally.left.get(why, (0, []))
            self.tally.left[why] = (before + count, examples or named)


class _Child:
    """The process, and the two pipes to it."""

    def __init__(self, job: Any) -> None:
        self.job = job

    def __enter__(self) -> "_Child":
        (down, self_to), (self_from, up) = os.pipe(), os.pipe()
        source = str(Path(__file__).parents[3])  # where this pagekin is, installed or not
        paths = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pagekin.acquire.crawl.child", str(down), str(up)],
            pass_fds=(down, up), stdin=subprocess.DEVNULL, start_new_session=True,
            env=os.environ | {"PYTHONPATH": paths},
        )  # fmt: skip
        os.close(down)
        os.close(up)
        self.to, self.from_ = Connection(self_to, readable=False), Connection(self_from, writable=False)
        self.to.send(self.job)
        return self

    def __exit__(self, *_: object) -> None:
        self.to.close()  # ends the child, if it has not ended yet
        self.process.wait()

    def frames(self) -> Iterator[tuple[Any, ...]]:
        """The messages of the child, until its end."""
        queue: Queue[tuple[Any, ...] | None] = Queue(MOST_BEHIND)
        Thread(target=self._receive, args=(queue,), daemon=True).start()
        last = None
        while (frame := queue.get()) is not None:
            last = frame[0]
            yield frame
        if last not in ("end", "failed"):
            yield "checkpoint", None
            raise SourceError(
                f"the crawling process died (exit code {self.process.wait()}); what it fetched is kept: run the same "
                "command again to go on"
            )

    def _receive(self, queue: "Queue[tuple[Any, ...] | None]") -> None:
        try:
            while True:
                queue.put(self.from_.recv())
        except (EOFError, OSError):
            queue.put(None)
