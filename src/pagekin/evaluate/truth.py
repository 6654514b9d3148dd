"""The truth for evaluations: which pages answer a question, and how well.

A question is a page, or words with a number (`judgements`). Truth about pages comes as a table, CSV or TSV, plain or
compressed, with or without a header:

    page,label                                  page,page
    http://bees.example/hive/,beekeeping        http://bees.example/hive/,http://bees.example/queen/

A pair may have a third column, its grade: a whole number, the larger the better; without it the grade is 1. A page may
have several rows. It is named as in a question, or by the last element of its path (`names`). Rows that cannot be read
and pages that are not in the collection are counted and named in `notes`; all others are used.
"""

import csv
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Protocol

import numpy as np
import pyarrow.compute as pc

from pagekin.acquire.text import lines
from pagekin.collection.store import Store
from pagekin.errors import PagekinError
from pagekin.evaluate.names import pages_named
from pagekin.model import Skipped
from pagekin.wording import option

EXAMPLES = 3  # rows or pages that a note names
# First cells of header rows. A first row that begins with one of these is a header, unless a page has that name.
HEADERS = {"page", "page1", "url", "id", "name", "source", "from", "paper", "document", "doc"}

GRADE = re.compile(r"[0-9]{1,4}")

Cells = tuple[str, ...]
Question = int | str  # a page number, or the number of a question in words


class Truth(Protocol):
    """Which pages are relevant to which question, each with a grade: a whole number, 0 for a page that is not."""

    @property
    def kind(self) -> str:
        """labels, related, queries …: what it was made from."""

    @property
    def notes(self) -> Sequence[str]: ...

    @property
    def hidden(self) -> str | None:
        """What was taken out of the collection because it is the truth itself, in words."""

    @property
    def asked(self) -> Sequence[Question]:
        """The questions, in order; each has a relevant page."""

    @property
    def words(self) -> Mapping[Question, str]:
        """The questions in words; empty if pages are asked about."""

    @property
    def known(self) -> Collection[int]:
        """The pages that the truth says anything about; others count as not relevant."""

    def grade(self, question: Question, page: int) -> int: ...

    def count(self, question: Question) -> int:
        """How many pages are relevant to a question; at least 1 for those in `asked`."""

    def ideal(self, question: Question, most: int) -> Sequence[int]:
        """The best grades of pages relevant to a question, at most so many, best first."""

    def relevant(self, question: Question) -> Iterator[tuple[int, int]]:
        """The relevant pages with their grades, best grade first, then by page."""


@dataclass(frozen=True)
class Labels:
    """Pages that share a label are relevant to each other, with grade 1."""

    of: Mapping[int, frozenset[str]]
    notes: tuple[str, ...] = ()
    hidden: str | None = None

    kind = "labels"
    words: Mapping[Question, str] = field(default_factory=dict)

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

    @property
    def known(self) -> Collection[int]:
        return self.of.keys()

    def grade(self, question: Question, page: int) -> int:
        return int(page != question and not self.of[int(question)].isdisjoint(self.of.get(page, ())))

    def count(self, question: Question) -> int:
        labels = self.of[int(question)]
        if labels not in self._sizes:
            self._sizes[labels] = len(self._sharing(labels))
        return self._sizes[labels] - 1  # without the page itself

    def ideal(self, question: Question, most: int) -> Sequence[int]:
        return [1] * min(self.count(question), most)

    def relevant(self, question: Question) -> Iterator[tuple[int, int]]:
        return ((page, 1) for page in sorted(self._sharing(self.of[int(question)])) if page != question)

    def _sharing(self, labels: frozenset[str]) -> set[int]:
        return set().union(*(self.pages[label] for label in labels))

    @cached_property
    def _sizes(self) -> dict[frozenset[str], int]:
        return {}


@dataclass(frozen=True)
class Relevance:
    """Question → the pages relevant to it, each with its grade; every question has one."""

    of: Mapping[Question, Mapping[int, int]]
    notes: tuple[str, ...] = ()
    hidden: str | None = None
    kind: str = "related"
    words: Mapping[Question, str] = field(default_factory=dict)

    @cached_property
    def asked(self) -> list[Question]:
        return list(self.of) if self.words else sorted(self.of, key=int)

    @cached_property
    def known(self) -> set[int]:
        return {page for pages in self.of.values() for page in pages} | (
            set() if self.words else set(map(int, self.of))
        )

    def grade(self, question: Question, page: int) -> int:
        return self.of[question].get(page, 0)

    def count(self, question: Question) -> int:
        return len(self.of[question])

    def ideal(self, question: Question, most: int) -> Sequence[int]:
        return sorted(self.of[question].values(), reverse=True)[:most]

    def relevant(self, question: Question) -> Iterator[tuple[int, int]]:
        return iter(sorted(self.of[question].items(), key=lambda each: (-each[1], each[0])))


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
            f"or {option('related')} a file with rows page,page; for a documentation try {option('see_also')} "
            f"or {option('index_entries')}, which need no file"
        )
    return _checked(found, [], str(store.path))


def read_labels(store: Store, path: Path) -> Labels:
    """Read labels from a file."""
    rows, notes = read_rows(path)
    pages = pages_named(store, [page for page, _ in rows])
    rows, strangers = _known(rows, pages, columns=1)
    found: dict[int, frozenset[str]] = {}
    for name, label in rows:
        found[pages[name]] = found.get(pages[name], frozenset()) | {label}
    notes += _note_of_unknown_pages(strangers, pages, columns=1)
    if not found:
        raise _unusable(store, path, "page,label for a page", notes)
    return _checked(found, notes, str(path))


def _checked(of: Mapping[int, frozenset[str]], notes: list[str], where: str) -> Labels:
    """The labels, with notes about pages that cannot be asked about, and about labels that tell nothing apart."""
    labels = Labels(of)
    if not labels.asked:
        raise PagekinError(
            "; ".join([f"no two pages have the same label in {where}, so there is nothing to evaluate", *notes])
        )
    alone = of.keys() - set(labels.asked)
    if alone:
        theirs = some(sorted({label for page in alone for label in of[page]}))
        notes = [*notes, f"{len(alone):,} pages share their label with no other page and are left out: {theirs}"]
    if len(labels.pages) == 1:
        only = next(iter(labels.pages))
        notes = [*notes, f"there is only one label, {only}: every labelled page is a right answer to every question"]
    return Labels(of, tuple(notes))


def read_pairs(store: Store, path: Path) -> Relevance:
    """Read pairs from a file, with their grades if it has any; the pages of a pair are relevant to each other."""
    rows, notes = read_rows(path, graded=True)
    pages = pages_named(store, [name for row in rows for name in row[:2]])
    rows, strangers = _known(rows, pages, columns=2)
    found: dict[Question, dict[int, int]] = {}
    same = unrelated = 0
    for row in rows:
        one, other, grade = pages[row[0]], pages[row[1]], int(row[2]) if len(row) > 2 else 1
        same += one == other
        unrelated += one != other and not grade
        if one != other and grade:
            for page, mate in ((one, other), (other, one)):
                graded = found.setdefault(page, {})
                graded[mate] = max(grade, graded.get(mate, 0))
    notes += _note_of_unknown_pages(strangers, pages, columns=2)
    notes += [f"{same:,} rows pair a page with itself and are left out"] if same else []
    notes += [f"{unrelated:,} rows have grade 0 and count as not related"] if unrelated else []
    if not found:
        raise _unusable(store, path, "page,page for two pages", notes)
    return Relevance(found, tuple(notes))


def without_truth(store: Store, truth: Truth) -> list[str]:
    """A note that counts the pages which are not asked about: the fetched ones or, if none was fetched, all."""
    if truth.words:
        return []
    fetched = pc.is_valid(store.graph.pages["fetched"]).to_numpy()
    pages = np.flatnonzero(store.graph.is_page & (fetched if fetched.any() else True))
    rest = pages.size - int(np.isin(pages, np.array(truth.asked)).sum())
    return [f"{rest:,} of {pages.size:,} pages have no known answer and are not asked about"] if rest else []


def linked_pairs(store: Store, truth: Truth) -> list[str]:
    """A note that counts the pairs which are linked: methods that follow links see these answers."""
    pairs = {(page, other) for page in map(int, truth.asked) for other, _ in truth.relevant(page) if page < other}
    linked = sum(other in store.arrays.linked(page) for page, other in pairs)
    hide = option("hide", "related")
    said = f"{linked:,} of {len(pairs):,} pairs are linked, so methods that use links see the answer; {hide} hides it"
    return [said] if linked else []


def read_rows(path: Path, graded: bool = False) -> tuple[list[Cells], list[str]]:
    """The rows with two cells, or also a grade, and a note about the others.

    A line with a tab is split at tabs, any other at commas.
    """
    rows: list[Cells] = []
    bad = []
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
        if not all(cells[:2]) or not (len(cells) == 2 or (graded and len(cells) == 3 and _fits(rows, cells))):
            bad.append(f"line {number}")
        else:
            rows.append(tuple(cells))
    expected = "two columns, or a grade as a third: a whole number" if graded else "two columns"
    return rows, [
        f"{len(bad):,} rows of {path.name} could not be read (expected {expected}): {some(bad)}"
    ] if bad else []


def _fits(before: list[Cells], cells: list[str]) -> bool:
    """Whether the third cell is a grade, or the row is a header."""
    return GRADE.fullmatch(cells[2]) is not None or (not before and cells[0].lower() in HEADERS)


def _known(rows: list[Cells], pages: Mapping[str, int], columns: int) -> tuple[list[Cells], list[Cells]]:
    """The rows whose pages are in the collection, and the rows whose pages are not; a header is in neither."""
    if rows and rows[0][0].lower() in HEADERS and rows[0][0] not in pages:
        rows = rows[1:]
    known = [row for row in rows if all(name in pages for name in row[:columns])]
    return known, [row for row in rows if not all(name in pages for name in row[:columns])]


def _note_of_unknown_pages(rows: Sequence[Cells], pages: Mapping[str, int], columns: int) -> list[str]:
    """How many rows name an unknown page, and the first few of those pages."""
    unknown = list(dict.fromkeys(name for row in rows for name in row[:columns] if name not in pages))
    return [f"{len(rows):,} rows name a page that is not in the collection: {some(unknown)}"] if rows else []


def _unusable(store: Store, path: Path, row: str, notes: Sequence[str]) -> PagekinError:
    """No row of a file can be used: what is wrong with them, and how pages are named."""
    why = notes or ["it has no rows"]
    return PagekinError("; ".join([f"{path} has no row {row} of {store.path}", *why, *how_named(store)]))


def how_named(store: Store) -> list[str]:
    """How a file is to name the pages of a collection, with one of them as an example."""
    fetched = np.flatnonzero(store.fetched)
    pages = fetched if fetched.size else np.flatnonzero(store.graph.is_page)
    return [f"pages are named as in {store.url(int(pages[0]))}"] if pages.size else []


def some(what: Sequence[str]) -> str:
    """The first few of a list, for a note."""
    return ", ".join(what[:EXAMPLES]) + (" …" if len(what) > EXAMPLES else "")
