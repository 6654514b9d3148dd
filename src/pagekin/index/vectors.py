"""The vectors that users bring, side by side in one file: how alike two pages are takes one product.

`index/vectors.…/` holds, for the pages that have a vector,

    ids.npy        their ids
    vectors.npy    their vectors, each divided by its length: float32, memory-mapped
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pagekin.collection import vectors
from pagekin.collection.array_files import blank, load, save
from pagekin.collection.seen import seen_by
from pagekin.collection.store import Store
from pagekin.collection.vectors import Table, has_vectors, standing
from pagekin.index.base import Index, at_hand, register
from pagekin.kernels import Ints, Longs
from pagekin.kernels.numbers import number_in, numbers_in

# Processor time of making the index, for the estimate: a vector of some hundred numbers is unpacked, divided, written.
ROW_S = 1e-5


@dataclass(frozen=True)
class OwnVectors:
    """The content of the index."""

    ids: Longs
    rows: Table

    def likeness(self, store: Store, page: int) -> tuple[Table, int]:
        """By page, the cosine with a page, less its mean; 0 without a vector. And how many other pages have one.

        A page without a vector is thus what an average page is: nothing speaks for it, nothing against it.
        """
        found = np.zeros(store.size, np.float32)
        number, place = self._numbers(store), number_in(self.ids, int(store.graph.ids[page]))
        others = (number >= 0) & (number != page)
        if place is None or not others.any():
            return found, 0
        cosine = (self.rows @ self.rows[place])[others]
        found[number[others]] = cosine - cosine.mean(dtype=np.float64)
        return found, cosine.size

    def _numbers(self, store: Store) -> Ints:
        """The store's number of each page of the index; -1 if it is none any more, or an alias."""

        def numbers() -> Ints:
            found = numbers_in(store.graph.ids, self.ids)
            return np.where((found >= 0) & store.graph.is_page[found], found, -1).astype(np.int32)

        return store.memo.get("numbers of vectors", None, numbers)


@register("vectors")
@dataclass(frozen=True, repr=False)
class Vectors(Index):
    """The vectors that were added to pages."""

    usual = True

    def is_for(self, store: Store) -> bool:
        return has_vectors(store)

    def make(self, store: Store, folder: Path) -> str:
        held = standing(store)
        save(folder / "ids.npy", store.graph.ids[held.page])
        table = blank(folder / "vectors.npy", np.float32, (held.page.size, held.length))
        for places, rows in vectors.numbers(store, held):
            table[places] = _unit(rows)
        return f"vectors of {held.page.size:,} pages, {held.length:,} numbers each"

    def seconds(self, store: Store) -> float:
        return ROW_S * sum(part.rows.get("vectors", 0) for part in store.manifest.parts)

    def open(self, folder: Path) -> OwnVectors:
        ids, rows = load(folder / "ids.npy"), load(folder / "vectors.npy")
        if rows.shape[0] != ids.size:
            raise ValueError("the arrays do not fit together")
        return OwnVectors(ids, rows)


def _unit(rows: Table) -> npt.NDArray[np.float64]:
    """Rows divided by their length, in float64: the square of a float32 may be beyond a float32."""
    exact = rows.astype(np.float64)
    return np.asarray(exact / np.linalg.norm(exact, axis=1, keepdims=True))


def own_vectors(store: Store) -> OwnVectors | None:
    """The vectors of a collection; None if it has none, or if they are not at hand."""
    return at_hand(seen_by(Vectors(), store), Vectors()) if has_vectors(store) else None
