"""The index `text`: terms of pages, pages of terms, and smoothed vectors; `fused` reads it.

`index/text.…/` holds, by the page numbers of the state it was made from,

    ids.npy                                    the ids of all pages
    terms.arrow, start, term, count, …         `terms`
    length, title_length, words                of each page's tf-idf vectors, before they are divided by it; its words
    basis, basis_terms, basis_weight, mean     `vectors`: what projects a page
    y, small, scale                            smoothed vectors, and the same as small integers
"""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.collection.array_files import blank, load, save
from pagekin.collection.seen import SeesLinks, SeesWords
from pagekin.collection.store import Store
from pagekin.engine.watch import step
from pagekin.index.base import Index, at_hand, is_built, opened, register
from pagekin.index.text import terms as term_files
from pagekin.index.text import vectors
from pagekin.index.text.terms import Terms, idf
from pagekin.index.text.vectors import Basis, Table
from pagekin.kernels import Floats, Ints, Longs, frozen

# Processor time of making the index, for the estimate: to begin with, and for each row of terms, page and link. Five
# documentations of 340 to 4,690 pages took 0.9 to 5.4 s, by the estimate 1.2 to 5.2.
START_S, ROW_S, PAGE_S, LINK_S = 0.8, 5e-6, 1e-4, 1e-6
REUSED, FITTED = "; reused the basis", "; fitted the basis anew, as its sample has changed"


@dataclass(frozen=True)
class TextVectors:
    """The content of the index, with the page numbers it was made with."""

    ids: Longs
    terms: Terms
    length: Table  # of each page's tf-idf vector, before it is divided by it
    title_length: Table  # of its title's vector of idf
    words: Ints  # of each page, each as often as it counts
    basis: Basis
    y: Table  # smoothed vectors of length 1; a row of zeros where nothing is known
    small: npt.NDArray[np.int8]  # y as y ≈ small · scale
    scale: Table

    @cached_property
    def idf(self) -> Floats:
        return idf(self.terms.pages, np.diff(self.terms.of_start))


@register("text")
@dataclass(frozen=True, repr=False)
class Text(SeesLinks, SeesWords, Index):
    """The words of every page as vectors, sparse and dense."""

    usual = True

    def make(self, store: Store, folder: Path) -> str:
        from pagekin.kernels import text as kernels

        save(folder / "ids.npy", store.graph.ids)
        terms = term_files.write(store, folder)
        weight = frozen(idf(terms.pages, np.diff(terms.of_start)))
        once = frozen(np.ones(terms.title.size, np.int32))
        save(folder / "length.npy", kernels.lengths(terms.start, terms.term, terms.count, weight))
        save(folder / "title_length.npy", kernels.lengths(terms.title_start, terms.title, once, weight))
        words = kernels.totals(terms.start, terms.count)
        save(folder / "words.npy", np.minimum(words, np.iinfo(np.int32).max).astype(np.int32))
        former = _former(store, self)
        with step("finding dimensions"):
            basis = vectors.fit(store.graph.ids, terms, former)
        (folder / "basis.json").write_text(json.dumps({"mark": basis.mark}))
        for name in ("terms", "weight"):
            save(folder / f"basis_{name}.npy", getattr(basis, name))
        save(folder / "basis.npy", basis.table)
        self._write_vectors(store, folder, terms, basis)
        said = f"{len(terms.names):,} terms on {terms.pages:,} pages, {basis.table.shape[1]} dimensions"
        if former is None:
            return said
        return said + (REUSED if basis.table is former.table else FITTED)

    def _write_vectors(self, store: Store, folder: Path, terms: Terms, basis: Basis) -> None:
        shape = store.size, basis.table.shape[1]
        v, y = (blank(folder / name, np.float32, shape) for name in ("v.tmp", "y.npy"))
        small = blank(folder / "small.npy", np.int8, shape)
        scale = np.zeros(store.size, np.float32)
        with step("placing pages"):
            save(folder / "mean.npy", vectors.projected(basis, terms, v))
        with step("smoothing along links"):
            vectors.smooth(v, store.arrays, np.diff(terms.start), y)
        with step("rounding"):
            vectors.finish(y, small, scale)
        save(folder / "scale.npy", scale)
        (folder / "v.tmp").unlink()

    def seconds(self, store: Store) -> float:
        rows = sum(part.rows.get("terms", 0) for part in store.manifest.parts)
        return START_S + (ROW_S * rows + PAGE_S * store.size + LINK_S * store.arrays.links if rows else 0.0)

    def open(self, folder: Path) -> TextVectors:
        def mapped(name: str) -> npt.NDArray[Any]:
            return load(folder / f"{name}.npy")

        terms = term_files.read(folder)
        mark = json.loads((folder / "basis.json").read_text())["mark"]
        basis = Basis(mark, *map(mapped, ("basis_terms", "basis_weight", "basis", "mean")))
        names = ("ids", "length", "title_length", "words", "y", "small", "scale")
        held = TextVectors(terms=terms, basis=basis, **{name: mapped(name) for name in names})
        pages, width = held.ids.size, basis.table.shape[1]
        rows = (held.length, held.title_length, held.words, held.y, held.small, held.scale)
        if terms.start.size - 1 != pages or any(len(row) != pages for row in rows) or held.y.shape[1] != width:
            raise ValueError("the arrays do not fit together")
        return held


def _former(store: Store, wanted: Text) -> Basis | None:
    """The basis of the index that is replaced, if it can be read."""
    if not is_built(store, wanted):
        return None
    try:
        return opened(store, wanted).basis  # type: ignore[no-any-return]
    except Exception:  # damaged, or of another form: a new one is fitted
        return None


def has_words(store: Store) -> bool:
    """Whether any page has words: tables of links have none."""
    return any(part.rows.get("terms") for part in store.manifest.parts)


def text_of(store: Store) -> TextVectors:
    """The index of the links and words that the store sees; one without a word if it is not at hand."""
    links, words = store.kinds
    held = at_hand(store, Text(links=links, words=words)) if has_words(store) else None
    return held if held is not None else store.memo.get("no text", None, lambda: _no_text(store.graph.ids))


def _no_text(ids: Longs) -> TextVectors:
    """The index of pages without words."""
    none, no_rows, no_columns = (frozen(np.zeros(size, np.int64)) for size in (0, ids.size + 1, 1))
    no_terms, zeros = frozen(none.astype(np.int32)), frozen(np.zeros(ids.size, np.float32))
    terms = Terms(
        pa.array([], pa.large_string()), no_rows, no_terms, no_terms, no_columns, no_terms, no_terms,
        no_rows, no_terms, no_columns, no_terms,
    )  # fmt: skip
    y = frozen(np.zeros((ids.size, 0), np.float32))
    basis = Basis("", no_terms, np.empty(0), y[:0], y[0] if ids.size else np.empty(0, np.float32))
    words = frozen(np.zeros(ids.size, np.int32))
    return TextVectors(ids, terms, zeros, zeros, words, basis, y, frozen(y.astype(np.int8)), zeros)
