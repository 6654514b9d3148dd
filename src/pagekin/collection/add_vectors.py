"""Adds the vectors of a file to the pages of a collection, in one step: a kill leaves the collection as it was.

A page's vector replaces the one that it had. What cannot be taken is counted by reason: an address that is not in the
collection, a vector of another length than the others, numbers that are not finite, zeros alone. Indexes stay good,
apart from that of the vectors: nothing else is made from them.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.acquire.vectors import VectorFile, table_of
from pagekin.collection.barred import barred
from pagekin.collection.ingest import Intake, check_settings
from pagekin.collection.lookup import find
from pagekin.collection.manifest import Part
from pagekin.collection.page_order import in_page_order
from pagekin.collection.schema import Tables, empty, table
from pagekin.collection.store import Store
from pagekin.collection.vectors import NUMBER, Standing, Table, packed, standing
from pagekin.collection.writer import Writer, writing
from pagekin.errors import PagekinError
from pagekin.kernels import Ints, Longs
from pagekin.model import REMOVED, Skipped

INDEX = "vectors"  # what is made from them (`index.vectors`)
PART_BYTES = 1 << 28  # of vectors in a part, all of which are in memory at once


@dataclass(frozen=True)
class _Rows:
    """The rows of a file: the page of each, -1 if there is none, how many numbers it has, and how to name it."""

    page: Ints
    length: Longs
    name: list[str]


def add_vectors(path: Path, file: Path, report: Intake, progress: Callable[[Intake], None] = lambda _: None) -> None:
    """Add a file of vectors to a collection, and count in `report` what was taken and what was not."""
    source = VectorFile(file)
    Store(path)  # raises if there is no collection
    with writing(path) as writer:
        check_settings(path, writer.manifest)
        store = writer.store()
        rows, held = _surveyed(store, source, report), standing(store)
        length = _length(rows, held)
        try:
            made = list(_parts(writer, store, _taken(store, source, rows, length, report, progress), length))
            if held.length not in (0, length):
                _check_model(path, file, report.vectors, held)
                report.replaced = held.page.size
            if made:
                _commit(writer, made)
        finally:
            writer.sweep()  # what was written before an error
    report.length = length


def _surveyed(store: Store, source: VectorFile, report: Intake) -> _Rows:
    pages, lengths = [np.empty(0, np.int32)], [np.empty(0, np.int64)]
    names: list[str] = []
    listed = barred(store)
    for urls, sizes in source.addresses():
        named = [url or f"row {number:,}" for number, url in enumerate(urls, len(names) + 1)]
        found = [find(store, url) if url else None for url in urls]
        for name, url, page in zip(named, urls, found, strict=True):
            if page is not None and store.url(page.page) in listed:
                report.skip(Skipped(name, REMOVED))
            elif page is None:
                report.skip(Skipped(name, "not in the collection" if url else "without an address"))
        kept = [-1 if page is None or store.url(page.page) in listed else page.page for page in found]
        pages.append(np.array(kept, np.int32))
        lengths.append(sizes)
        names += named
    return _Rows(np.concatenate(pages), np.concatenate(lengths), names)


def _length(rows: _Rows, held: Standing) -> int:
    """The length that counts: that of the collection, or else of most rows.

    Vectors of another length for as many pages as have one now are those of another model, and replace them all.
    """
    known = (rows.page >= 0) & (rows.length > 0)
    lengths, counts = np.unique(rows.length[known], return_counts=True)
    if not lengths.size:
        return held.length
    most = int(lengths[counts.argmax()])
    if held.length in (0, most):
        return most
    return most if np.unique(rows.page[known & (rows.length == most)]).size >= held.page.size else held.length


def _check_model(path: Path, file: Path, good: int, held: Standing) -> None:
    """Refuse vectors of another model if most of them turn out to be no good."""
    if good < held.page.size:
        raise PagekinError(
            f"the vectors of {file} have another length than those of {held.page.size:,} pages of {path} and would "
            f"replace them, but only {good:,} are good; nothing was taken: check the model's output"
        )


def _chosen(store: Store, rows: _Rows, length: int, report: Intake) -> npt.NDArray[np.bool_]:
    """Which rows to take if their numbers are good; the others are refused."""
    known = rows.page >= 0
    _refuse(report, rows, known & (rows.length == 0), "without numbers")
    fits = known & (rows.length == length) & (length > 0)
    other = known & (rows.length > 0) & ~fits
    _refuse(report, rows, other, f"of another length than {length:,}, which those of the collection have")
    last = np.full(store.size, -1, np.int64)
    last[rows.page[fits]] = np.flatnonzero(fits)  # of equal indices, NumPy keeps the last
    again = fits & (last[rows.page] != np.arange(rows.page.size))
    _refuse(report, rows, again, "given again further down, where the last counts")
    return np.asarray(fits & ~again)


def _taken(
    store: Store, source: VectorFile, rows: _Rows, length: int, report: Intake, progress: Callable[[Intake], None]
) -> Iterator[tuple[Ints, Table]]:
    """The pages and vectors that are new, some at a time; the others are counted."""
    held, chosen, first = standing(store), _chosen(store, rows, length, report), 0
    had = dict(zip(held.page.tolist(), held.print.tolist(), strict=True))
    for vectors in source.numbers() if chosen.any() else ():
        wanted = np.flatnonzero(chosen[first : first + len(vectors)])
        numbers = table_of(vectors.take(pa.array(wanted)), length)
        finite, zero = np.isfinite(numbers).all(axis=1), ~numbers.any(axis=1)
        _refuse(report, rows, wanted[~finite] + first, "with a number that is not finite")
        _refuse(report, rows, wanted[zero] + first, "of zeros alone")
        good = finite & ~zero
        pages, numbers = rows.page[first + wanted[good]], numbers[good]
        prints = packed(numbers)[1]
        new = np.array([had.get(page) != print_ for page, print_ in zip(pages.tolist(), prints, strict=True)], bool)
        report.unchanged_vectors += int((~new).sum())
        report.vectors += int(new.sum())
        yield pages[new], numbers[new]
        first += len(vectors)
        progress(report)


def _refuse(report: Intake, rows: _Rows, which: npt.NDArray[np.bool_] | Longs, why: str) -> None:
    for at in (np.flatnonzero(which) if which.dtype == bool else which).tolist():
        report.skip(Skipped(rows.name[at], why))


def _parts(writer: Writer, store: Store, taken: Iterator[tuple[Ints, Table]], length: int) -> Iterator[Part]:
    """Write the vectors as parts, which do not count yet."""
    # Later than all that came before, even if the clock was set back: the last that is added counts.
    now = max(time.time_ns() // 1_000_000, standing(store).added + 1)
    pending: list[Tables] = []
    for pages, numbers in taken:
        pending += [_tables(store, pages, numbers, now)] if pages.size else []
        if sum(each["vectors"].num_rows for each in pending) * length * NUMBER.itemsize >= PART_BYTES:
            yield _written(writer, pending)
            pending = []
    if pending:
        yield _written(writer, pending)


def _tables(store: Store, pages: Ints, numbers: Table, now: int) -> Tables:
    order = np.argsort(pages)
    pages, (vectors, prints) = pages[order], packed(numbers[order])
    same = {
        name: pa.array(np.full(pages.size, value)) for name, value in (("length", numbers.shape[1]), ("added", now))
    }
    addresses = {name: store.column(name, pages).cast(pa.string()) for name in ("url", "host", "site")}
    ids = store.graph.ids[pages]
    return empty() | {
        "pages": table("pages", {"id": ids, **addresses}),
        "vectors": table("vectors", {"page": ids, "print": prints, "vector": vectors, **same}),
    }


def _written(writer: Writer, pending: list[Tables]) -> Part:
    names = pending[0]
    joined = {name: in_page_order(name, pa.concat_tables([each[name] for each in pending])) for name in names}
    return writer.new_part(joined, writer.manifest.version)


def _commit(writer: Writer, made: list[Part]) -> None:
    """Commit the parts. What was made of the former vectors goes at once, or a lost manifest would bring it back."""
    indexes = dict(writer.manifest.indexes)
    former = indexes.pop(INDEX, None)
    writer.commit(parts=(*writer.manifest.parts, *made), indexes=indexes)
    if former:
        writer.remove(former.path)
    writer.fold()
