"""The inverted index, in which `search` looks up words: term → the pages that have it, and how often.

`index/inverted.…/` holds

    ids.npy                     the ids of all pages; a page's place is its number here
    terms.arrow                 the terms (stems), ascending
    start, page, count          each term's pages, most frequent first, then page order; title and body count the same
    length.npy                  how many indexed words each page has
    languages.json              how many pages with words each language has: queries are read in these languages

It does not depend on clusters or α, so changing either does not require a rebuild.
"""

import json
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.array_files import check_rows, load, save
from pagekin.collection.seen import SeesWords
from pagekin.collection.store import Store
from pagekin.index.base import Index, register
from pagekin.kernels import Ints, Longs, frozen
from pagekin.kernels.numbers import numbers_in


@dataclass(frozen=True)
class Postings:
    """Term → pages, with the page numbers of a store."""

    terms: pa.Array  # ascending
    start: Longs
    page: Ints
    count: Ints
    length: Ints  # by page
    languages: dict[str, int]  # the most frequent first

    @property
    def pages(self) -> int:
        """How many pages have words."""
        return int(np.count_nonzero(self.length))

    def find(self, term: str) -> int | None:
        """The number of a term, if it is in the index."""
        at = bisect_left(_Strings(self.terms), term)
        return at if at < len(self.terms) and self.terms[at].as_py() == term else None

    def for_pages(self, ids: Longs, held: Longs) -> "Postings":
        """These postings numbered by `ids` instead of `held`; pages that have been removed since are left out."""
        if np.array_equal(ids, held):
            return self
        number = numbers_in(ids, held)
        page = number[self.page]
        kept = np.zeros(page.size + 1, np.int64)
        np.cumsum(page >= 0, out=kept[1:])
        length = np.zeros(ids.size, np.int32)
        length[number[number >= 0]] = self.length[number >= 0]
        return Postings(
            self.terms, frozen(kept[self.start]), frozen(page[page >= 0]), frozen(self.count[page >= 0]),
            frozen(length), self.languages,
        )  # fmt: skip


class _Strings(Sequence[str]):
    """Arrow strings as a sequence that `bisect` can search; UTF-8 sorts as Python's strings do."""

    def __init__(self, values: pa.Array) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, at: int) -> str:  # type: ignore[override]
        return self.values[at].as_py()  # type: ignore[no-any-return]


@register("inverted")
@dataclass(frozen=True, repr=False)
class Inverted(SeesWords, Index):
    """Index of the pages that have each word."""

    def make(self, store: Store, folder: Path) -> str:
        made = inverted(store)
        save(folder / "ids.npy", store.graph.ids)
        for name in ("start", "page", "count", "length"):
            save(folder / f"{name}.npy", getattr(made, name))
        table = pa.table({"term": made.terms})
        with pa.ipc.new_file(folder / "terms.arrow", table.schema) as file:
            file.write_table(table)
        (folder / "languages.json").write_text(json.dumps(made.languages))
        return f"{len(made.terms):,} terms on {made.pages:,} pages"

    def open(self, folder: Path) -> "InvertedFiles":
        return InvertedFiles(folder)


class InvertedFiles:
    """An inverted index on disk."""

    def __init__(self, folder: Path) -> None:
        self.ids = load(folder / "ids.npy")
        terms = pa.ipc.open_file(pa.memory_map(str(folder / "terms.arrow"))).read_all()["term"].combine_chunks()
        arrays: dict[str, Any] = {name: load(folder / f"{name}.npy") for name in ("start", "page", "count", "length")}
        self.postings = Postings(terms, **arrays, languages=json.loads((folder / "languages.json").read_text()))
        check_rows(self.postings.start, len(terms), self.postings.page, self.postings.count)
        if self.postings.length.size != self.ids.size:
            raise ValueError("the number of lengths is not the number of pages")

    def for_pages(self, ids: Longs) -> Postings:
        return self.postings.for_pages(ids, self.ids)


def inverted(store: Store) -> Postings:
    """The terms of a store inverted, in memory: 12 bytes and the sorting of a row for each term of each page."""
    from pagekin.kernels import inverted as kernels

    parts = list(_parts(store))
    distinct = pa.chunked_array([terms for terms, *_ in parts], pa.large_string()).unique()
    terms = distinct.take(pc.sort_indices(distinct))
    code = [pc.index_in(found, terms).to_numpy()[place] for found, place, *_ in parts]
    columns = (_joined(code), _joined([page for *_, page, _ in parts]), _joined([count for *_, count in parts]))
    start, page, count = kernels.inverted(*columns, len(terms))
    length = np.zeros(store.size, np.int64)
    np.add.at(length, page, count)
    length = np.minimum(length, np.iinfo(np.int32).max).astype(np.int32)
    return Postings(
        terms, frozen(start), frozen(page), frozen(count), frozen(length), _languages(store, np.flatnonzero(length))
    )


def _joined(pieces: Sequence[npt.NDArray[Any]]) -> Ints:
    return frozen(np.concatenate([np.empty(0, np.int32), *pieces]).astype(np.int32))


def _parts(store: Store) -> Iterator[tuple[pa.Array, Ints, Ints, Ints]]:
    """For each part its distinct terms, and for each row the term's place among them, the page and the count."""
    for rows in store.rows("terms", ["term", "body", "title"]):
        count = rows["body"].to_numpy() + rows["title"].to_numpy()
        rows, count = rows.filter(pa.array(count > 0)), count[count > 0]
        encoded = rows["term"].cast(pa.large_string()).combine_chunks().dictionary_encode()
        if isinstance(encoded, pa.ChunkedArray):
            encoded = encoded.combine_chunks()
        page = store.graph.page_of[np.searchsorted(store.graph.ids, rows["page"].to_numpy())]
        yield encoded.dictionary, encoded.indices.to_numpy(), page, count


def _languages(store: Store, pages: Longs) -> dict[str, int]:
    found = store.graph.pages["language"].take(pa.array(pages)).value_counts().to_pylist()
    counts = {row["values"] or "": row["counts"] for row in found}
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
