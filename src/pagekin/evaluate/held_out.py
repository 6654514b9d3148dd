"""A temporary collection, read anew from the bytes of the pages of another, with some of what they say held out.

If the truth is written on the pages themselves, a method that reads them has the answers before it: the links and the
words must go. So every page is read again from where it came (`acquire.origin`), changed or dropped, and taken into a
collection of its own. The collection itself is only read. Page numbers differ; addresses are the same.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow.compute as pc

from pagekin.acquire.origin import fetch_all
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.collection.tabulate import digest
from pagekin.errors import PagekinError
from pagekin.model import Capture, Item, Redirect
from pagekin.wording import option

EXAMPLES = 3  # pages that a note names

Tell = Callable[[int, int], None]  # pages done, and all


@dataclass
class Pages:
    """The pages of a collection as they came in; iterating reads their bytes again, and notes which cannot be had."""

    store: Store
    tell: Tell = lambda done, pages: None
    gone: list[str] = field(default_factory=list)  # their bytes are not where they were, or nobody kept them
    changed: list[str] = field(default_factory=list)  # there are other bytes now
    read: int = 0

    def __iter__(self) -> Iterator[Capture]:
        self.gone, self.changed, self.read = [], [], 0
        held = self._held()
        for capture in fetch_all(origin for origin in held if origin):
            url, label, kept = held.pop(capture.origin or "")
            if kept and digest(capture.body) != kept:
                self.changed.append(url)
                continue
            self.read += 1
            self.tell(self.read, self.read + len(held))
            yield replace(capture, url=url, label=label)
        self.gone += sorted(url for url, _, _ in held.values())
        if not self.read:
            raise PagekinError("; ".join([f"no page of {self.store.path} can be read again", *self.notes]))

    def _held(self) -> dict[str, tuple[str, str | None, str]]:
        """Origin → address, label and digest, for the fetched pages; two pages in one file cannot both be there."""
        pages = self.store.graph.pages
        rows = pages.filter(pc.is_valid(pages["fetched"])).select(["origin", "url", "label", "digest"]).to_pylist()
        self.gone += [row["url"] for row in rows if not row["origin"]]
        return {row["origin"]: (row["url"], row["label"], row["digest"] or "") for row in rows if row["origin"]}

    @property
    def notes(self) -> list[str]:
        """What could not be read, and what there is nothing to read of."""
        kept = f"crawl with {option('warc')} to keep them"
        gone = f"the bytes of {len(self.gone):,} pages are gone, so they are left out ({kept}): {some(self.gone)}"
        new = f"{len(self.changed):,} pages have changed since they were added and are left out: {some(self.changed)}"
        tables = self._from_tables()
        rows = f"{tables:,} pages came from tables rather than from HTML and are left out"
        return [said for said, there in ((gone, self.gone), (new, self.changed), (rows, tables)) if there]

    def _from_tables(self) -> int:
        """How many pages have links, but were never fetched."""
        graph = self.store.graph
        fetched = pc.is_valid(graph.pages["fetched"]).to_numpy()
        return int(np.count_nonzero(~fetched & (np.diff(graph.arrays.out_start) > 0)))


def moved(store: Store) -> Iterator[Redirect]:
    """The redirects of a collection. What pages call their canonical address is read from the pages again."""
    for row in store.every_alias().to_pylist():
        number = store.number(row["page"])
        if number is not None and row["kind"] != "canonical":
            yield Redirect(row["alias"], store.url(number), row["kind"])


def collect(store: Store, pages: Iterable[Capture], folder: Path) -> list[str]:
    """Make a collection of pages, with the redirects and settings of another; notes say what it could not take."""
    items: list[Iterable[Item]] = [pages, moved(store)]
    text = any(part.rows.get("text") for part in store.manifest.parts)
    intake = ingest(folder, items, text=text, icann_only=store.manifest.icann_only)
    return [
        f"{count:,} pages are left out, {why}: {some(intake.examples[why])}" for why, count in intake.skipped.items()
    ]


def some(urls: list[str]) -> str:
    """The first few addresses."""
    return ", ".join(urls[:EXAMPLES]) + (" …" if len(urls) > EXAMPLES else "")
