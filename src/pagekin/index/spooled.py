"""Rows of words on disk while an index of them is made: put in as they come, taken out by term, so many at a time.

Terms have numbers in the order in which they come. When all rows are in, terms are put in order, and rows are dealt out
to files by their term, each file with as many terms as memory can hold the rows of. Memory also holds the terms; the
disk 16 bytes a row, twice, and a number for each page and field.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.collection.array_files import reserved
from pagekin.engine.base import engine
from pagekin.engine.memory import memory
from pagekin.index.spellings import Spellings, Strings, coded
from pagekin.kernels import Ints, Longs

FIELDS = ("body", "headings", "title", "anchors", "address")
OF_PAGES = frozenset(("body", "headings", "title"))  # what pages say themselves; the others are said of them
MOST = 255  # a word in a title or in anchors that is said more often than that has been said often enough
ROW = np.dtype([("term", "<i4"), ("page", "<i4"), ("body", "<i4"), ("others", np.uint8, len(FIELDS) - 1)])
BYTES = 80  # of memory for a row while it is inverted: as it was read, by term, its key, what is made of it
MOST_FILES = 200
LEAST_ROWS = 1 << 18  # of a file for a task: fewer are inverted sooner than a task is handed out

Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Words:
    """How often pages have terms, by field. Rows of one term and page may be several: they add up."""

    first: int  # the number of the first term here
    terms: int  # how many terms are here
    rows: npt.NDArray[np.void]  # `ROW`
    plain: int  # so many rows at the beginning are the words as they stand; the others are parts, wholes, links …

    @property
    def term(self) -> Ints:
        """The terms of rows, counted from the first."""
        return np.asarray(self.rows["term"] - np.int32(self.first))

    @property
    def page(self) -> Ints:
        return np.asarray(self.rows["page"])

    @property
    def body(self) -> Ints:
        return np.asarray(self.rows["body"])

    @property
    def others(self) -> Bytes:
        """A column for each field after the body."""
        return np.asarray(self.rows["others"])


class Spool:
    """Rows of words in a folder."""

    def __init__(self, folder: Path, pages: int) -> None:
        self.folder = folder
        # How many words each field of each page has.
        self.lengths = reserved(folder / "lengths.tmp", np.int64, pages * len(FIELDS)).reshape(pages, len(FIELDS))
        self._rows = folder / "rows.tmp"
        self._rows.touch()
        self._sizes = list[tuple[int, bool]]()  # by piece; how many rows, and if plain
        self._counts = np.zeros(0, np.int64)  # the rows of each term
        self._spelled = Spellings()

    def add(self, term: Strings, surface: Strings, page: Ints, plain: bool = False, **counts: npt.ArrayLike) -> None:
        """Put in rows of a term and a page each, with counts of some fields. Plain ones come before all others.

        Parts and wholes of compounds are not plain, and do not count as words of the page once more.
        """
        rows = np.zeros(page.size, ROW)
        rows["page"], rows["body"] = page, counts.get("body", 0)
        for at, field in enumerate(FIELDS[1:]):
            if field in counts:
                rows["others"][:, at] = np.minimum(counts[field], MOST)
        said = rows["body"].astype(np.int64) + rows["others"][:, FIELDS.index("title") - 1]
        rows["term"] = self._spelled.add(coded(term), coded(surface), said)
        _append(self._rows, rows)
        self._counts = np.concatenate((self._counts, np.zeros(self._spelled.size - self._counts.size, np.int64)))
        np.add.at(self._counts, rows["term"], 1)
        self._sizes.append((rows.size, plain))
        for field in FIELDS:
            if field in counts and (plain or field not in OF_PAGES):
                self._lengthen(rows, field, 1)

    def _lengthen(self, rows: npt.NDArray[np.void], field: str, by: int) -> None:
        """Add the words of a field in these rows to its lengths, or take them off; a title has a word once, or not."""
        count = rows["body"] if field == "body" else rows["others"][:, FIELDS.index(field) - 1]
        count = np.minimum(count, 1) if field == "title" else count
        np.add.at(self.lengths[:, FIELDS.index(field)], rows["page"], by * count.astype(np.int64))

    @property
    def terms(self) -> pa.Table:
        """All terms, ascending, each with its commonest spelling, of equals the first in alphabetical order."""
        return self._spelled.terms

    def drop_repeated(self, united: Bools) -> None:
        """Drop rows where several parts tell of a page that was never fetched: all but the largest of a term."""
        for file in self.files if united.any() else ():
            for field, rows in file.drop(_repeated(file.read(), united)):
                self._lengthen(rows, field, -1)

    def by_terms(self) -> Iterator[Words]:
        """All rows, so many terms at a time that memory can hold them, ascending."""
        return (file.read() for file in self.files)

    @cached_property
    def files(self) -> "list[TermFile]":
        """All rows in files of so many terms, ascending, that memory can hold one; on Spark, one for each task, too."""
        place = self._spelled.place
        limits = fitting(self._counts[np.argsort(place)], BYTES)
        files = [
            TermFile(self.folder.absolute() / f"rows{n}.tmp", *ends) for n, ends in enumerate(pairwise(limits.tolist()))
        ]
        with self._rows.open("rb") as source:
            for size, plain in self._sizes:
                rows = np.fromfile(source, ROW, size)
                rows["term"] = place[rows["term"]]
                if len(files) == 1:
                    files[0].append(rows, plain)
                    continue
                of_file = np.searchsorted(limits, rows["term"], "right") - 1
                order = np.argsort(of_file, kind="stable")
                cuts = np.searchsorted(of_file[order], np.arange(len(files) + 1))
                for file, (first, last) in zip(files, pairwise(cuts.tolist()), strict=True):
                    file.append(rows[order[first:last]], plain)
        self._rows.unlink()
        return files


class TermFile:
    """The rows of the terms [first, last), at a path that workers see, too."""

    def __init__(self, path: Path, first: int, last: int) -> None:
        self.path, self.first, self.last, self.plain = path, first, last, 0
        path.touch()

    def append(self, rows: npt.NDArray[np.void], plain: bool) -> None:
        _append(self.path, rows)
        self.plain += rows.size if plain else 0

    def read(self) -> Words:
        return Words(self.first, self.last - self.first, np.fromfile(self.path, ROW), self.plain)

    def drop(self, which: Longs) -> Iterator[tuple[str, npt.NDArray[np.void]]]:
        """Drop some of the plain rows; each field that pages say themselves with the rows that are gone."""
        rows = np.fromfile(self.path, ROW)
        with self.path.open("wb") as file:
            file.write(np.delete(rows, which).data)
        self.plain -= which.size
        return ((field, rows[which]) for field in FIELDS if field in OF_PAGES)


def _append(path: Path, rows: npt.NDArray[np.void]) -> None:
    with path.open("ab") as file:
        file.write(rows.data)


def fitting(rows: Longs, size: int) -> Longs:
    """Where files begin, and the end of the last: of things with so many rows, memory holds those of each file, or it
    is a single thing. `size`: the bytes of memory that a row takes."""
    most = max(memory() // 2 // size, int(rows.sum()) // MOST_FILES, 1)
    if (tasks := engine().at_once) > 1:
        most = min(most, max(LEAST_ROWS, -(-int(rows.sum()) // tasks)))
    cuts, first, ends = [0], 0, np.concatenate(([0], np.cumsum(rows)))
    while first < rows.size:
        first = max(int(np.searchsorted(ends, ends[first] + most, "right")) - 1, first + 1)
        cuts.append(first)
    return np.array(cuts if rows.size else [0, 0], np.int64)


def _repeated(words: Words, united: Bools) -> Longs:
    at = np.flatnonzero(united[words.page[: words.plain]])
    count = words.body[at] + words.others[at, FIELDS.index("title") - 1]
    order = np.lexsort((-count, words.page[at], words.term[at]))
    at = at[order]
    again = (words.term[at][1:] == words.term[at][:-1]) & (words.page[at][1:] == words.page[at][:-1])
    return np.asarray(at[1:][again])
