"""`crawl`: check the settings, crawl into the collection, and report what happened."""

import re
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pagekin.acquire import edges
from pagekin.acquire.crawl.rules import PRIVATE, pattern
from pagekin.acquire.crawl.settings import Settings
from pagekin.acquire.crawl.sitemaps import is_named_so as is_sitemap
from pagekin.acquire.crawl.source import Crawl, Tally
from pagekin.answers.add import Added, added
from pagekin.answers.progress import Progress, Tell, duration, reporting_rows
from pagekin.answers.sync import Sync
from pagekin.answers.uncut import uncut
from pagekin.collection.barred import barred_at
from pagekin.collection.frontier import AT_ONCE, Frontier
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.collection.sync import GONE, below
from pagekin.errors import UsageError
from pagekin.model import Item, Missing, Rows
from pagekin.url import DEFAULT_DOCUMENTS, canonical, page_id
from pagekin.wording import command, option

SPOOL = "spool"  # folder in the collection for pages that are fetched but not committed yet
_AGE = re.compile(r"(\d+(?:\.\d+)?)\s*([smhdw]?)")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}


@dataclass(frozen=True, repr=False)
class Crawled(Added):
    """The report of a crawl: what it brought in, and what it skipped and why."""

    recovered: int = 0  # pages fetched by an earlier, interrupted crawl and committed now
    confirmed: int = 0  # pages that were requested again and have not changed
    stopped: bool = False  # interrupted; the same call continues the crawl
    drawn: int = 0  # pages with scripts and next to no text or links
    advice: str | None = None  # what to do about them, if they are most of the pages
    refused: str | None = None  # why pages that are gone were not removed
    waiting: int = 0  # addresses that were not asked for, because max_pages was reached
    lost: Mapping[str, str] = field(default_factory=dict)  # start addresses that gave no page: address → why
    differing: tuple[tuple[str, str, str], ...] = ()  # a spelling that was fetched, another, what is there instead

    @property
    def lines(self) -> list[str]:
        said = []
        if self.recovered:
            said.append(f"{self.recovered:,} pages fetched by an interrupted crawl are now committed")
        if self.confirmed:
            said.append(f"{self.confirmed:,} pages have not changed")
        if self.pages or self.skipped or self.compared is not None:
            said += super().lines
        elif not self.confirmed:
            said.append("nothing to fetch: every page within reach is already in the collection")
        if PRIVATE in self.skipped:
            said.append(f"to fetch private and local addresses too, use {option('allow_private')}")
        if self.waiting:
            said.append(
                f"{option('max_pages')} was reached; {self.waiting:,} addresses still wait: run the same again to go on"
            )
        for kept, other, what in self.differing:
            said.append(f"{other} {what}, but has the same canonical address as {kept}, which was taken")
        if self.advice:
            said.append(self.advice)
        return said


def crawl(
    site: Path,
    urls: Sequence[str],
    *,
    backlinks: Path | None = None,
    refresh_after: str | None = None,
    text: bool = True,
    sync: Sync | None = None,
    tell: Tell = lambda progress: None,
    **options: Any,
) -> Crawled:
    """Crawl into a collection; `options` are the fields of `Settings`.

    A start with the name of a sitemap stands for the pages that it lists.
    `sync`: ask again for all pages below the starts, unless `refresh_after` says which, and remove those that are gone.
    """
    spelled = {start(url): url.strip().partition("#")[0] for url in reversed(urls)}  # the first spelling of each counts
    starts = tuple(dict.fromkeys(map(start, urls)))
    written = {url: spelled[url] for url in starts if spelled[url] == url + _name(spelled[url])}
    others = {start(url): way for url in urls if (way := _way(url)) != written.get(start(url), start(url))}
    lists = tuple(filter(is_sitemap, starts))
    pages = tuple(url for url in starts if url not in lists)
    settings = checked_settings(
        Settings(pages, written, others, lists, spool=site / SPOOL, barred=barred_at(site), **options)
    )
    links = read_backlinks(backlinks) if backlinks else None
    also = frozenset(map(page_id, pc.unique(links["source"]).to_pylist())) if links is not None else frozenset()
    held = Frontier(site, settings.radius, links, _refresh_before(refresh_after or ("0" if sync else None)))
    again = tuple(_below(site, starts)) if sync and site.exists() else ()

    def told(tally: Tally) -> None:
        stopping = "stopping after the pages in hand; " if source.stopped else ""
        tell(Progress(stopping + line(tally, settings.max_pages)))

    source = Crawl(settings, held, also, told, again)
    gone: set[str] = set()
    with reporting_rows(tell, "crawl"), _stop_on_signals(source, lambda: told(source.tally)):
        intake = ingest(site, [_watched(source, gone)], text=text, respect_noindex=True)
    for why, (count, named) in source.tally.left.items():
        intake.skipped[why] += count
        intake.examples.setdefault(why, []).extend(named)
    taken = {item.name: getattr(added(intake), item.name) for item in fields(Added)}
    taken["warnings"] = uncut(site) if intake.pages else ()
    if sync and not source.stopped and site.exists():
        taken |= sync.after_crawl(site, starts, gone)
    taken |= {"drawn": intake.drawn, "advice": _advice(site, starts[0], intake.drawn, intake.pages)}
    taken |= {"waiting": source.tally.waiting if source.enough else 0, "lost": source.lost}
    taken |= {"differing": tuple(source.differing)}
    return Crawled(**taken, recovered=source.tally.recovered, confirmed=source.tally.unchanged, stopped=source.stopped)


def _below(site: Path, starts: Sequence[str]) -> list[str]:
    store = Store(site)
    return store.values("url", below(store, starts))


def _watched(source: Crawl, gone: set[str]) -> Iterator[Item]:
    """The items of a crawl; addresses that answer that they are gone are noted."""
    for item in source:
        if isinstance(item, Missing) and item.status in GONE:
            gone.add(item.url)
        yield item


def _advice(site: Path, url: str, drawn: int, pages: int) -> str | None:
    """What to do if most pages are empty until their scripts run. An archive does not help: it keeps what was sent, not
    what a browser made of it."""
    if 2 * drawn <= pages:
        return None
    return (
        f"{drawn:,} of {pages:,} pages have scripts and next to no text or links: the site seems to be drawn by "
        "JavaScript, which is not run here; save its pages as a browser shows them, in a "
        "folder, under the paths of their addresses, and run: "
        f"{command('add', site, 'FOLDER', base_url=url[: url.index('/', len('https://')) + 1])}"
    )


def _name(url: str) -> str:
    """The default document that an address ends with, which its canonical form leaves out; else nothing."""
    name = url.rpartition("/")[2]
    return name if name in DEFAULT_DOCUMENTS else ""


def _way(text: str) -> str:
    """An address as it is asked for: in canonical form, but for a default document that it names."""
    return start(text) + _name(text.strip().partition("#")[0])


def start(text: str) -> str:
    """A start address in canonical form; a `UsageError` if it is not a web address."""
    found = canonical(text)
    if found is None or not found.startswith(("http://", "https://")):
        raise UsageError(f"'{text}' is not a web address; expected one like https://docs.example.org/")
    return found


def checked_settings(settings: Settings) -> Settings:
    """The settings, unchanged; a `UsageError` that says what is wrong with them."""
    for name, least in (("radius", 0), ("rate", 0), ("at_once", 1), ("per_pattern", 1), ("max_pages", 1)):
        given = getattr(settings, name)
        if given is not None and given < least:
            raise UsageError(f"{option(name)} must be at least {least}, not {given}")
    if not settings.timeout > 0:
        raise UsageError(f"{option('timeout')} must be more than 0 seconds, not {settings.timeout}")
    if settings.warc is not None and settings.warc.exists() and not settings.warc.is_dir():
        raise UsageError(f"{option('warc')} must name a folder, not the file {settings.warc}")
    for written in (*settings.include, *settings.exclude):
        pattern(written)
    return settings


def read_backlinks(path: Path) -> pa.Table:
    """The columns source and target of a table of links."""
    blocks = [
        item.links.select(["source", "target"]).cast(pa.schema({"source": pa.string(), "target": pa.string()}))
        for item in edges.read(path)
        if isinstance(item, Rows) and item.links
    ]
    if not blocks:
        raise UsageError(f"there are no links in {path}; expected a table with the columns source and target")
    return pa.concat_tables(blocks)


def _refresh_before(refresh_after: str | None) -> int | None:
    """The time (Unix seconds) before which a fetched page is old."""
    if refresh_after is None:
        return None
    age = _AGE.fullmatch(refresh_after.strip())
    if age is None:
        raise UsageError(f"'{refresh_after}' is not an age; expected one like 30d, 12h or 45m")
    seconds = float(age[1]) * _SECONDS[age[2]]
    return int(time.time() - seconds) if seconds else AT_ONCE


@contextmanager
def _stop_on_signals(source: Crawl, told: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C (or SIGTERM) lets the crawl finish the pages in progress and commit; the second ends it."""

    def stop(number: int, _: Any) -> None:
        if source.stopped:
            raise KeyboardInterrupt
        source.stop()
        told()

    if current_thread() is not main_thread():  # only the main thread may handle signals
        yield
        return
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    if hasattr(signal, "SIGPIPE"):  # a child that has just ended is written to in vain, and that must not end us
        before[signal.SIGPIPE] = signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def line(tally: Tally, most: int | None = None) -> str:
    """How far a crawl is, as one line; `most`: pages to fetch.

    >>> line(Tally(pages=3, waiting=20, depth=1)).partition(",")[0]
    '3 pages'
    """
    errors = "".join(f", {count:,} {why}" for why, count in tally.errors.most_common(3))
    waiting = tally.waiting if most is None else min(tally.waiting, most - tally.pages)
    left = (
        f", {duration(waiting / tally.rate)} for these" if tally.pages and waiting > 0 else ""
    )  # and more may be found
    return (
        f"{tally.pages:,} pages, {tally.waiting:,} waiting, depth {tally.depth}, "
        f"{tally.rate:.1f} pages a second{left}{errors}"
    )
