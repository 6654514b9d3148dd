"""The truth for evaluations: pages that share a label, or pairs of pages, known to be related.

Both are tables of two columns, CSV or TSV, plain or compressed, with or without a header:

    page,label                                  page,page
    http://bees.example/hive/,beekeeping        http://bees.example/hive/,http://bees.example/queen/

A page may have several rows. It is named as in a question, or by the last element of its path (`names`). Rows that
cannot be read and pages that are not in the collection are counted and named in `notes`; all others are used.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from pagekin.acquire.text import lines
from pagekin.collection.store import Store
from pagekin.errors import PagekinError
from pagekin.evaluate.names import pages_named
from pagekin.model import Skipped
from pagekin.wording import option

EXAMPLES = 3  # rows or pages that a note names
# First cells of header rows. A first row that begins with one of these is a header, unless a page has that name.
HEADERS = {"page", "page1", "url", "id", "name", "source", "from", "paper", "document", "doc"}

Cells = tuple[str, str]


class Truth(Protocol):
    """Which pages are relevant to which. `asked` are the pages to ask about, in page order."""

    @property
    def notes(self) -> Sequence[str]: ...

    @property
    def asked(self) -> Sequence[int]: ...

    def relevant(self, page: int, other: int) -> bool: ...

    def knows(self, page: int) -> bool:
        """Whether the truth says anything about a page; pages it does not know count as not relevant."""

    def count(self, page: int) -> int:
        """How many pages are relevant to a page; at least 1 for the pages in `asked`."""


@dataclass(frozen=True)
class Labels:
    """Pages that share a label are relevant to each other."""

    of: Mapping[int, frozenset[str]]
    notes: tuple[str, ...] = ()

    @cached_property
    def pages(self) -> dict[str, set[int]]:
        """The pages of each label."""
        found: dict[str, set[int]] = {}
        for page, labels in self.of.items():
            for label in labels:
                found.setdefault(label, set()).add(page)
        return found

    @cached_property
    def asked(self) -> list[int]:
        return [page for page in sorted(self.of) if self.count(page)]

    def knows(self, page: int) -> bool:
        return page in self.of

    def relevant(self, page: int, other: int) -> bool:
        return not self.of[page].isdisjoint(self.of.get(other, ()))

    def count(self, page: int) -> int:
        labels = self.of[page]
        if labels not in self._sizes:
            self._sizes[labels] = len(set().union(*(self.pages[label] for label in labels)))
        return self._sizes[labels] - 1  # without the page itself

    @cached_property
    def _sizes(self) -> dict[frozenset[str], int]:
        return {}


@dataclass(frozen=True)
class RelatedPairs:
    """The two pages of a pair are relevant to each other."""

    of: Mapping[int, frozenset[int]]
    notes: tuple[str, ...] = ()

    @cached_property
    def asked(self) -> list[int]:
        return sorted(self.of)

    def knows(self, page: int) -> bool:
        return page in self.of

    def relevant(self, page: int, other: int) -> bool:
        return other in self.of[page]

    def count(self, page: int) -> int:
        return len(self.of[page])


def labels_of(store: Store) -> Labels:
    """The labels that came with the data."""
    found: dict[int, frozenset[str]] = {}
    for number, label in enumerate(store.graph.pages["label"].to_pylist()):
        if label:
            page = int(store.graph.page_of[number])
            found[page] = found.get(page, frozenset()) | {label}
    if not found:
        raise PagekinError(
            f"{store.path} has no labels; give {option('labels')} a file with rows page,label, "
            f"or {option('related')} a file with rows page,page"
        )
    return _checked(found, [], str(store.path))


def read_labels(store: Store, path: Path) -> Labels:
    """Read labels from a file."""
    rows, notes = _read(path)
    pages = pages_named(store, [page for page, _ in rows])
    rows, strangers = _known(rows, pages, columns=1)
    found: dict[int, frozenset[str]] = {}
    for name, label in rows:
        found[pages[name]] = found.get(pages[name], frozenset()) | {label}
    notes += _note_of_unknown_pages(strangers)
    if not found:
        raise PagekinError("; ".join([f"{path} has no row page,label for a page of {store.path}", *notes]))
    return _checked(found, notes, str(path))


def _checked(of: Mapping[int, frozenset[str]], notes: list[str], where: str) -> Labels:
    """The labels, with a note about pages that cannot be asked about."""
    labels = Labels(of)
    if not labels.asked:
        raise PagekinError(
            "; ".join([f"no two pages have the same label in {where}, so there is nothing to evaluate", *notes])
        )
    alone = of.keys() - set(labels.asked)
    if alone:
        theirs = _some(sorted({label for page in alone for label in of[page]}))
        notes = [*notes, f"{len(alone):,} pages share their label with no other page and are left out: {theirs}"]
    return Labels(of, tuple(notes))


def read_pairs(store: Store, path: Path) -> RelatedPairs:
    """Read pairs from a file."""
    rows, notes = _read(path)
    pages = pages_named(store, [name for row in rows for name in row])
    rows, strangers = _known(rows, pages, columns=2)
    found: dict[int, set[int]] = {}
    same = 0
    for one, other in ((pages[one], pages[other]) for one, other in rows):
        same += one == other
        if one != other:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    notes += _note_of_unknown_pages(strangers)
    notes += [f"{same:,} rows pair a page with itself and are left out"] if same else []
    if not found:
        raise PagekinError("; ".join([f"{path} has no row page,page for two pages of {store.path}", *notes]))
    return RelatedPairs({page: frozenset(others) for page, others in found.items()}, tuple(notes))


def _read(path: Path) -> tuple[list[Cells], list[str]]:
    """The rows with two cells, and a note about the others; a line with a tab is split at tabs, others at commas."""
    rows, bad = [], []
    for number, line in enumerate(lines(path), 1):
        if isinstance(line, Skipped):
            bad.append(line.why)
            continue
        if not line.strip() or line.startswith("#"):
            continue
        try:
            reader = csv.reader([line], delimiter="\t" if "\t" in line else ",", skipinitialspace=True)
            cells = [cell.strip() for cell in next(reader)]
        except csv.Error:
            cells = []
        if len(cells) == 2 and all(cells):
            rows.append((cells[0], cells[1]))
        else:
            bad.append(f"line {number}")
    return rows, [
        f"{len(bad):,} rows of {path.name} could not be read (expected two columns): {_some(bad)}"
    ] if bad else []


def _known(rows: list[Cells], pages: Mapping[str, int], columns: int) -> tuple[list[Cells], list[Cells]]:
    """The rows whose pages are in the collection, and the rows whose pages are not; a header is in neither."""
    if rows and rows[0][0].lower() in HEADERS and rows[0][0] not in pages:
        rows = rows[1:]
    known = [row for row in rows if all(name in pages for name in row[:columns])]
    return known, [row for row in rows if not all(name in pages for name in row[:columns])]


def _note_of_unknown_pages(rows: Sequence[Cells]) -> list[str]:
    shown = _some([",".join(row) for row in rows])
    return [f"{len(rows):,} rows name a page that is not in the collection: {shown}"] if rows else []


def _some(what: Sequence[str]) -> str:
    return ", ".join(what[:EXAMPLES]) + (" …" if len(what) > EXAMPLES else "")
