"""Turns sources into committed parts: pages are parsed on all cores and committed every few thousand.

A process killed at any moment leaves the parts committed so far; the same call again skips what is held and completes
the rest. What cannot be taken in is counted by reason and does not stop the rest.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.barred import barred
from pagekin.collection.budget import PAGE_MEMORY, PAGE_SECONDS
from pagekin.collection.manifest import Manifest
from pagekin.collection.page_order import joined
from pagekin.collection.renew import renewed
from pagekin.collection.schema import Tables
from pagekin.collection.store import Store
from pagekin.collection.workers import Chunk, Made, ParseSettings, Tabled, Work, Workers, precedence, rows_of
from pagekin.collection.writer import Writer, writing
from pagekin.errors import CollectionError
from pagekin.kernels.numbers import number_in
from pagekin.model import PARSER, REMOVED, Capture, Checkpoint, Confirmed, Item, Missing, Redirect, Rows, Skipped
from pagekin.parse.segmenters import segmenters
from pagekin.parse.words import Analyser
from pagekin.url import CANONICAL_VERSION, page_id
from pagekin.wording import command, option

# The size of a part: the most that a kill can lose, and what the cost of a commit (a few fsyncs) is spread over.
PART_PAGES = 4_000
PART_ROWS = 2_000_000  # for tables: every part lists all the pages it mentions, so the fewer parts the better
ROW_OWNER = {"links": "source", "pages": "url", "terms": "url"}  # the column that says which page a row is about
EXAMPLES = 5  # of each reason for skipping, named in the report


@dataclass
class Intake:
    """Counts of what has come in so far."""

    pages: int = 0  # fetched pages taken in
    parsed: int = 0  # further pages that are parsed and not yet taken in
    unchanged: int = 0  # held already, in this version or a later one
    rows: int = 0  # rows of tables taken in
    broken_links: int = 0  # references that were not valid addresses
    drawn: int = 0  # pages with scripts and next to no text or links
    unindexed: int = 0  # pages whose words are left out, because they say noindex
    vectors: int = 0  # vectors taken in (`add_vectors`) …
    unchanged_vectors: int = 0  # … and those that pages had already
    length: int = 0  # of the vectors
    replaced: int = 0  # vectors of another model, and another length, that no longer count
    skipped: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)

    def skip(self, what: Skipped) -> None:
        self.skipped[what.why] += 1
        named = self.examples.setdefault(what.why, [])
        if len(named) < EXAMPLES:
            named.append(what.where)

    def count(self, other: "Intake") -> None:
        """Add the counts of another intake."""
        for name in ("pages", "unchanged", "rows", "broken_links", "drawn", "unindexed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.skipped += other.skipped
        for why, places in other.examples.items():
            named = self.examples.setdefault(why, [])
            named += places[: EXAMPLES - len(named)]


class Takes(Protocol):
    """What tables are handed to: a `Writer`."""

    @property
    def manifest(self) -> Manifest: ...

    def store(self) -> Store: ...

    def add(self, tables: Tables) -> bool: ...

    def renew(self, tables: Tables) -> None: ...

    def fold(self) -> None: ...


def ingest(
    path: Path | str,
    sources: Iterable[Iterable[Item]],
    *,
    text: bool = True,
    icann_only: bool = False,
    respect_noindex: bool = False,
    part_pages: int = PART_PAGES,
    progress: Callable[[Intake], None] = lambda report: None,
) -> Intake:
    """Add everything the sources yield to a collection, which is made if there is none."""
    report = Intake()
    with filling(Path(path), icann_only) as writer:
        Ingest(writer, report, text, part_pages, progress, respect_noindex).run(sources)
        writer.fold()
    return report


@contextmanager
def filling(folder: Path, icann_only: bool) -> Iterator[Writer]:
    """The writer of a collection, which is made if there is none, and removed again if nothing came into it."""
    new = not folder.exists()
    with writing(folder, icann_only=icann_only, segmenters=segmenters()) as writer:
        check_settings(folder, writer.manifest, icann_only)
        try:
            yield writer
        finally:
            if new and not writer.manifest.parts:
                shutil.rmtree(folder, ignore_errors=True)


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


class Ingest:
    """Reads sources and hands tables to a writer."""

    def __init__(
        self,
        writer: Takes,
        report: Intake,
        text: bool,
        part_pages: int,
        progress: Callable[[Intake], None],
        respect_noindex: bool,
        cores: int | None = None,
    ) -> None:
        self.writer, self.report, self.part_pages, self.progress = writer, report, part_pages, progress
        self.cores = cores
        manifest = writer.manifest
        analyser = Analyser(**manifest.segmenters)
        self.settings = ParseSettings(analyser, manifest.icann_only, text, respect_noindex, PAGE_SECONDS, PAGE_MEMORY)
        self.held = writer.store()
        self.barred = barred(self.held)
        self.confirmed: list[Confirmed] = []
        self.moved = {(row["alias"], row["page"]) for row in self.held.every_alias().to_pylist()}

    def run(self, sources: Iterable[Iterable[Item]]) -> None:
        pending: list[Tables] = []
        with Workers(self.settings, self._parsed, self.cores) as workers:
            for work, made in workers.tables(self._chunks(sources)):
                self._take(work, made, pending)
                del work, made  # or they would be held while the next are made: 700 MB of a table
            self._commit(pending)

    def _take(self, work: Work, made: Made, pending: list[Tables]) -> None:
        """Commit what was made, or keep it until there is enough for a part."""
        if isinstance(work, Checkpoint):
            self._commit(pending)
            if work.fold:
                self.writer.fold()
            return
        self._count(work, made)
        if isinstance(work, list):
            self._commit([made.tables])
            return
        pending += [made.tables] if made.tables else []
        if sum(len(tables["pages"]["fetched"].drop_null()) for tables in pending) >= self.part_pages:
            self._commit(pending)

    def _chunks(self, sources: Iterable[Iterable[Item]]) -> Iterator[Work]:
        chunk = Chunk()
        for source in sources:
            tabled: Tabled = []
            for item in map(self._unbarred, source) if self.barred else source:
                match item:
                    case Skipped():
                        self.report.skip(item)
                        self.progress(self.report)
                    case Redirect():
                        if (item.alias, page_id(item.target)) not in self.moved:
                            chunk.redirects.append(item)
                    case Rows():
                        tabled.append(item)
                        if rows_of(tabled) >= PART_ROWS:
                            yield tabled
                            tabled = []
                    case Capture():
                        if self._holds(item):
                            self.report.unchanged += 1
                            self.progress(self.report)
                        else:
                            chunk.offer(item)
                    case Missing():
                        chunk.missing.append(item)
                    case Confirmed():
                        self.confirmed.append(item)
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

    def _unbarred(self, item: Item) -> Item:
        """An item, or a `Skipped` in its place if it is about an address that was removed for good."""
        match item:
            case Capture() | Missing() | Confirmed():
                return Skipped(item.url, REMOVED) if item.url in self.barred else item
            case Redirect():
                return Skipped(item.alias, REMOVED) if item.alias in self.barred else item
            case Rows():
                return Rows(*(self._others(getattr(item, table), column) for table, column in ROW_OWNER.items()))
        return item

    def _others(self, rows: pa.Table | None, owner: str) -> pa.Table | None:
        """The rows of a table that are not about an address removed for good; what others link to stays."""
        if rows is None:
            return None
        owners = rows[owner].cast(pa.string())
        gone = [url for url in pc.unique(owners).to_pylist() if url in self.barred]
        for url in gone:
            self.report.skip(Skipped(url, REMOVED))
        return rows.filter(pc.invert(pc.is_in(owners, pa.array(gone, pa.string())))) if gone else rows

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
        when, digest, origin = precedence(capture)
        read_by = pages["parser"][number].as_py() or 0
        return (stored.fetched, held, read_by, precedence(stored)[2]) >= (when, digest, PARSER, origin)

    def _commit(self, pending: list[Tables]) -> None:
        for tables in joined(pending):
            if any(rows.num_rows for rows in tables.values()):
                self.writer.add(tables)
        pending.clear()
        for tables in joined(list(renewed(self.held, self.confirmed))):
            self.writer.renew(tables)
        self.confirmed.clear()
        self.progress(self.report)

    def _parsed(self, pages: int) -> None:
        self.report.parsed = pages
        self.progress(self.report)

    def _count(self, work: Chunk | Tabled, made: Made) -> None:
        self.report.parsed = 0
        self.report.pages += made.pages
        self.report.rows += rows_of(work) if isinstance(work, list) else 0
        self.report.broken_links += made.broken_links
        self.report.drawn += made.drawn
        self.report.unindexed += made.unindexed
        for each in made.skipped:
            self.report.skip(each)
        for url in made.refused:
            self.report.skip(Skipped(url, "its id belongs to another address"))
        self.progress(self.report)
