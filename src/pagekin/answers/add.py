"""`add`: take in pages from archives, folders and tables of links, and report what happened."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pagekin.answer import Report
from pagekin.answers.progress import Progress, Tell
from pagekin.errors import UsageError

if TYPE_CHECKING:
    from pagekin.collection.ingest import Intake

EXAMPLES = 2  # skipped items that a sentence names for each reason


@dataclass(frozen=True, repr=False)
class Added(Report):
    """The report of an `add`: what was taken in, and what was not."""

    pages: int = 0  # fetched pages taken in
    unchanged: int = 0  # already in the collection, in this version or a later one
    rows: int = 0  # rows of tables taken in
    broken_links: int = 0  # references that are not addresses
    skipped: Mapping[str, int] = field(default_factory=dict)  # reason → how many
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # reason → a few of them

    @property
    def nothing_read(self) -> bool:
        return not (self.pages or self.unchanged or self.rows)

    @property
    def lines(self) -> list[str]:
        return list(self._said())

    def _said(self) -> Iterator[str]:
        taken = [_count(self.pages, "page")] if self.pages or not self.rows else []
        taken += [_count(self.rows, "row") + " of tables"] if self.rows else []
        yield (
            "added "
            + " and ".join(taken)
            + (f"; {self.unchanged:,} were already in the collection" if self.unchanged else "")
        )
        if self.broken_links:
            yield f"left out {_count(self.broken_links, 'link')} whose target is not an address"
        if self.skipped:
            yield f"skipped {sum(self.skipped.values()):,}:"
        for why, count in sorted(self.skipped.items(), key=lambda item: -item[1]):
            named = ", ".join(self.examples[why][:EXAMPLES]) + (" …" if count > EXAMPLES else "")
            yield f"  {count:,} {why}: {named}"


def add(
    path: Path, paths: list[Path], kind: str, base_url: str | None, text: bool, icann_only: bool, tell: Tell
) -> Added:
    """Read everything at some paths into a collection."""
    from pagekin.acquire.sources import open_sources
    from pagekin.collection.ingest import ingest

    if not paths:
        raise UsageError("nothing to add; name at least one archive, folder of HTML or table of links")
    sources = open_sources(paths, kind, base_url)
    for source in sources:
        tell(Progress(source.said, lasting=True))
    return added(ingest(path, sources, text=text, icann_only=icann_only, progress=counting(tell)))


def counting(tell: Tell) -> "Callable[[Intake], None]":
    """A callback that reports how far an ingestion is."""
    return lambda intake: tell(Progress(f"{intake.pages:,} pages, {intake.rows:,} rows"))


def added(intake: "Intake") -> Added:
    """The report of an ingestion."""
    examples = {why: tuple(some) for why, some in intake.examples.items()}
    counts = intake.pages, intake.unchanged, intake.rows, intake.broken_links
    return Added(*counts, Counter(intake.skipped), examples)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
