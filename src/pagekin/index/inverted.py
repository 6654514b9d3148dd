"""The inverted index, in which `search` looks up words: term → the pages that have it, and what it weighs there.

`index/inverted.…/` holds

    ids.npy                     the ids of all pages; a page's place is its number here
    terms.arrow                 the terms (stems), ascending, and how each is spelled most often
    start, page                 each term's pages, in page order
    weight                      what the term weighs on the page, by field and length (`fields`)
    count, titled               how often it is in title and body; whether the title has it
    length.npy                  how many indexed words title and body of each page have
    shown.npy                   which pages can be found: those with words, and those that were fetched
    about.json                  the version of this form; how many pages with words each language has, to read queries
    words.arrows …              the words of pages as they were read, for the next build (`kept_words`)

It does not depend on clusters or α, so changing either does not require a rebuild.
"""

import json
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin.collection.array_files import Growing, check_rows, load, save
from pagekin.collection.seen import SeesLinks, SeesWords
from pagekin.collection.store import Store
from pagekin.engine.base import Local, over_files, using
from pagekin.index.base import Index, kept_of, register, reused
from pagekin.index.fields import BOUNDS, Singles, factors
from pagekin.index.gathered import spooled
from pagekin.index.kept_words import Keeping, KeptWords
from pagekin.index.spooled import Bools, Spool, TermFile, Words
from pagekin.kernels import Ints, Longs, frozen
from pagekin.kernels.numbers import numbers_in

VERSION = 3  # another number whenever weights or files change; 1 had counts alone, 2 kept no words
ROWS = {"page": np.int32, "count": np.int32, "weight": np.float32, "titled": np.bool_}
ARRAYS = ("start", *ROWS, "length", "shown")


@dataclass(frozen=True)
class Postings:
    """Term → pages, with the page numbers of a store."""

    terms: pa.Array  # ascending
    surfaces: pa.Array
    start: Longs
    page: Ints
    count: Ints  # in title and body; 0: only by a part of a compound, a link, the address
    weight: Singles
    titled: Bools
    length: Ints  # by page
    shown: Bools  # by page
    languages: dict[str, int]  # the most frequent first

    @property
    def pages(self) -> int:
        """How many pages have words in title and body."""
        return int(np.count_nonzero(self.length))

    def rows(self, term: int) -> slice:
        return slice(self.start[term], self.start[term + 1])

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
        there, kept = page >= 0, np.zeros(page.size + 1, np.int64)
        np.cumsum(there, out=kept[1:])
        moved: dict[str, Any] = {name: getattr(self, name)[there] for name in ROWS}
        moved |= {"page": page[there], "start": kept[self.start]}
        for name in ("length", "shown"):
            values = getattr(self, name)
            moved[name] = np.zeros(ids.size, values.dtype)
            moved[name][number[number >= 0]] = values[number >= 0]
        frozen_rows: dict[str, Any] = {name: frozen(values) for name, values in moved.items()}
        return replace(self, **frozen_rows)


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
class Inverted(SeesLinks, SeesWords, Index):
    """Index of the pages that have each word."""

    usual = True

    def make(self, store: Store, folder: Path) -> str:
        return self._made(store, folder, None)

    def renew(self, store: Store, folder: Path, former: Path) -> str | None:
        segmenters = store.manifest.segmenters
        kept = kept_of(former, lambda place: KeptWords.read(place, store.graph.ids, segmenters))
        return None if kept is None else self._made(store, folder, kept)

    def _made(self, store: Store, folder: Path, former: KeptWords | None) -> str:
        with (
            Keeping(folder, store.manifest.segmenters) as keeping,
            TemporaryDirectory(prefix="spooled-", dir=folder) as place,
        ):
            spool, shown, share = spooled(store, Path(place), keeping, former)
            length = _write_rows(spool, folder)
        save(folder / "ids.npy", store.graph.ids)
        save(folder / "length.npy", length)
        save(folder / "shown.npy", shown)
        with pa.ipc.new_file(folder / "terms.arrow", spool.terms.schema) as file:
            file.write_table(spool.terms)
        languages = _languages(store, np.flatnonzero(length))
        (folder / "about.json").write_text(json.dumps({"version": VERSION, "languages": languages}))
        said = f"{spool.terms.num_rows:,} terms on {np.count_nonzero(length):,} pages"
        return said + (reused(share) if former else "")

    def open(self, folder: Path) -> "InvertedFiles":
        return InvertedFiles(folder)


class InvertedFiles:
    """An inverted index on disk."""

    def __init__(self, folder: Path) -> None:
        about = json.loads((folder / "about.json").read_text())
        if about["version"] != VERSION:
            raise ValueError(f"version {about['version']} of the index")
        self.ids = load(folder / "ids.npy")
        names = pa.ipc.open_file(pa.memory_map(str(folder / "terms.arrow"))).read_all()
        terms, surfaces = (names[column].combine_chunks() for column in ("term", "surface"))
        arrays: dict[str, Any] = {name: load(folder / f"{name}.npy") for name in ARRAYS}
        self.postings = Postings(terms, surfaces, **arrays, languages=about["languages"])
        check_rows(self.postings.start, len(terms), *(arrays[name] for name in ROWS))
        if not self.postings.length.size == self.postings.shown.size == self.ids.size:
            raise ValueError("the number of lengths is not the number of pages")

    def for_pages(self, ids: Longs) -> Postings:
        return self.postings.for_pages(ids, self.ids)


def inverted(store: Store) -> Postings:
    """The terms of a store inverted, for this process alone."""
    with TemporaryDirectory(prefix="pagekin-") as folder, using(Local()):  # other machines do not see this folder
        Inverted().make(store, Path(folder))
        return InvertedFiles(Path(folder)).postings  # its files stay mapped when they are removed


def _write_rows(spool: Spool, folder: Path) -> Ints:
    """Write `start` and the rows of `Postings`; returns how many words each page has."""
    factor, length, size = factors(spool.lengths), np.zeros(len(spool.lengths), np.int64), 0
    with ExitStack() as files:
        start = files.enter_context(Growing(folder / "start.npy", np.int64))
        row = {name: files.enter_context(Growing(folder / f"{name}.npy", kind)) for name, kind in ROWS.items()}
        start.append(np.zeros(1, np.int64))
        for made in over_files(partial(_read_and_weighed, factor), spool.files):
            start.append(made["start"][1:] + size)
            for name, file in row.items():
                file.append(made[name])
            np.add.at(length, made["page"], made["count"].astype(np.int64))
            size += made["page"].size
    return np.minimum(length, np.iinfo(np.int32).max).astype(np.int32)


def _read_and_weighed(factor: Singles, file: TermFile) -> dict[str, Any]:
    return weighed(file.read(), factor, BOUNDS)


def weighed(held: Words, factor: Singles, bounds: Mapping[str, float]) -> dict[str, Any]:
    """`start` and the rows of `Postings` for some terms, with the weights that these numbers give."""
    from pagekin.kernels.inverted import inverted as kernel

    rows, limits = (frozen(each) for each in (held.rows.view(np.int32).reshape(-1, 4), np.array(list(bounds.values()))))
    made: tuple[Any, ...] = kernel(rows, held.plain, held.first, held.terms, frozen(factor), limits)
    return {name: frozen(row) for name, row in zip(("start", *ROWS), made, strict=True)}


def _languages(store: Store, pages: Longs) -> dict[str, int]:
    found = store.graph.pages["language"].take(pa.array(pages)).value_counts().to_pylist()
    counts = {row["values"] or "": row["counts"] for row in found}
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
