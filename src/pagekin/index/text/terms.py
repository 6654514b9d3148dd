"""The terms of every page as rows on disk, and for each term the pages that have it.

A term counts as often as it is in the body, and three times for each time in the title. Terms on one page only, or on
more than half of the pages with words, are left out: the former cannot relate two pages, the latter say too little.
The engine reads the terms table once, and its rows wait on disk, 16 bytes each, until all terms have numbers; then they
are put where memory maps can grow beyond memory, 12 bytes each.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.array_files import blank, check_rows, load, save
from pagekin.collection.arrow_files import Codes
from pagekin.collection.row_files import AT_ONCE, counted
from pagekin.collection.store import Span, Store
from pagekin.engine.base import over_files
from pagekin.kernels import Floats, Ints, Longs, frozen

TITLE = 3  # how many times a word in the title counts
LEAST = 2  # pages that a term must be on
MOST = 0.5  # the share of pages with words that a term may be on …
FEW = 20  # … unless so few pages have it: in a small collection half of them is hardly any
Rows = npt.NDArray[np.int32]  # four in a row: a page, its term, how often that counts, how often the title has it


@dataclass(frozen=True)
class Terms:
    """The terms of pages, and the pages of terms; pages by their numbers when this was made."""

    names: pa.Array  # the terms, ascending
    start: Longs  # the terms of page p are term[start[p] : start[p + 1]], ascending
    term: Ints
    count: Ints
    of_start: Longs  # the pages of term t are page[of_start[t] : of_start[t + 1]], ascending
    page: Ints
    of_count: Ints
    title_start: Longs  # the terms in the title of page p
    title: Ints
    in_title_start: Longs  # the pages with term t in their title
    in_title: Ints

    @property
    def pages(self) -> int:
        """How many pages have terms."""
        return int(np.count_nonzero(np.diff(self.start)))

    def of(self, page: int) -> tuple[Ints, Ints]:
        """The terms of a page, and how often each counts."""
        row = slice(self.start[page], self.start[page + 1])
        return self.term[row], self.count[row]

    def in_title_of(self, page: int) -> Ints:
        return self.title[self.title_start[page] : self.title_start[page + 1]]

    def numbers(self, names: Sequence[str]) -> Ints:
        """The numbers of some terms, -1 for one that is not counted."""
        return pc.index_in(pa.array(names, pa.large_string()), self.names).fill_null(-1).to_numpy()  # type: ignore[no-any-return]


ARRAYS = [field.name for field in fields(Terms) if field.name != "names"]  # each is a file
NAMES = pa.schema([("term", pa.large_string())])


def idf(pages: int, df: npt.NDArray[Any]) -> Floats:
    """ln(N/df), N the number of pages with words."""
    return np.asarray(np.log(max(pages, 1) / np.maximum(df, 1)))


def kept(pages: int, df: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which terms count, by the number of pages that have them."""
    return (df >= LEAST) & (df <= max(MOST * pages, FEW)) & (df < pages)


def write(store: Store, folder: Path) -> Terms:
    """Write the terms of a store into a folder, and open them."""
    from pagekin.kernels import text as kernels

    names, start, (term, count, title) = _scattered(store, folder)
    start = kernels.in_rows(start, term, count, title)
    df = counted(term[: start[-1]], len(names))
    counts = kept(int(np.count_nonzero(np.diff(start))), df)
    number = np.where(counts, np.cumsum(counts) - 1, -1).astype(np.int32)
    start = kernels.renamed(start, term, count, title, number)
    with pa.ipc.new_file(folder / "terms.arrow", NAMES) as file:
        file.write_table(pa.table([names.filter(pa.array(counts))], NAMES))
    save(folder / "start.npy", start)
    save(folder / "term.npy", term[: start[-1]])
    save(folder / "count.npy", count[: start[-1]])
    in_title = _places(title[: start[-1]])
    save(folder / "title_start.npy", np.searchsorted(in_title, start))
    save(folder / "title.npy", term[in_title])
    del term, count, title
    for spare in folder.glob("*.tmp"):
        spare.unlink()
    turn(folder, ("start", "term", "count"), ("of_start", "page", "of_count"), int(counts.sum()))
    turn(folder, ("title_start", "title", "title"), ("in_title_start", "in_title", "spare"), int(counts.sum()))
    (folder / "spare.npy").unlink()
    return read(folder)


def _scattered(store: Store, folder: Path) -> tuple[pa.Array, Longs, tuple[Ints, Ints, Ints]]:
    """All terms; where the rows of each page begin; and the rows, (term, count, title count), in spare files."""
    from pagekin.kernels import text as kernels

    size, read, codes = np.zeros(store.size, np.int64), list[int](), Codes()
    waiting = folder / "rows.tmp"
    with waiting.open("wb") as file:
        for rows, terms in over_files(partial(_read, store), store.spans("terms")):
            np.add.at(size, rows[0], 1)
            read.append(rows.shape[1])
            page, term, count, title = rows
            for each in (page, codes.of(pa.chunked_array([terms])).to_numpy()[term], count, title):
                file.write(np.ascontiguousarray(each).data)
    order = pc.sort_indices(codes.values)
    names, number = codes.values.take(order), np.empty(len(order), np.int32)
    number[order.to_numpy()] = np.arange(number.size)
    start = np.concatenate(([0], np.cumsum(size)))
    spare = [blank(folder / f"{name}.tmp", np.int32, (int(start[-1]),)) for name in ("term", "count", "title")]
    fill = start[:-1].copy()
    with waiting.open("rb") as file:
        for held in read:
            page, term, count, title = frozen(np.fromfile(file, np.int32, 4 * held).reshape(4, held))
            kernels.scatter(page, frozen(number[term]), count, title, fill, spare[0], spare[1], spare[2])
    return names, start, (spare[0], spare[1], spare[2])


def _read(store: Store, span: Span) -> tuple[Rows, pa.Array]:
    """The rows of a span of the terms table, with terms as numbers into those that are given beside."""
    table = store.rows_in(span, ["term", "body", "title"])
    page = store.graph.page_of[np.searchsorted(store.graph.ids, table["page"].to_numpy())]
    term = table["term"].combine_chunks().cast(pa.large_string()).dictionary_encode()
    title = table["title"].to_numpy()
    count = np.maximum(table["body"].to_numpy() + TITLE * title, 1)
    return np.stack((page, term.indices.to_numpy(), count, title)).astype(np.int32, copy=False), term.dictionary


def _places(values: Ints) -> Longs:
    """Where values are not 0."""
    firsts = range(0, values.size, AT_ONCE)
    found = (np.flatnonzero(values[first : first + AT_ONCE]) + first for first in firsts)
    return np.concatenate([np.empty(0, np.int64), *found])


def turn(folder: Path, rows: tuple[str, str, str], turned: tuple[str, str, str], terms: int) -> None:
    """Write, for each term, the pages that have it, with their counts, from the rows of pages."""
    from pagekin.kernels import text as kernels

    start, term, count = (load(folder / f"{name}.npy") for name in rows)
    of_start = np.concatenate(([0], np.cumsum(counted(term, terms))))
    save(folder / f"{turned[0]}.npy", of_start)
    page, of_count = (blank(folder / f"{name}.npy", np.int32, term.shape) for name in turned[1:])
    kernels.turned(start, term, count, frozen(of_start), page, of_count)


def read(folder: Path) -> Terms:
    """Open what `write` wrote; a ValueError says that it does not fit together."""
    names = pa.ipc.open_file(pa.memory_map(str(folder / "terms.arrow"))).read_all()["term"].combine_chunks()
    held: dict[str, Any] = {name: load(folder / f"{name}.npy") for name in ARRAYS}
    made = Terms(names, **held)
    check_rows(made.start, made.start.size - 1, made.term, made.count)
    check_rows(made.title_start, made.start.size - 1, made.title)
    check_rows(made.of_start, len(names), made.page, made.of_count)
    check_rows(made.in_title_start, len(names), made.in_title)
    return made
