"""Shingles of pages' texts, by which to tell whether two pages are copies of each other."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pagekin.collection.store import Store
from pagekin.kernels import Longs, frozen
from pagekin.url import page_id

RESEMBLANCE = 0.9  # two texts agree if they resemble each other at least so much


@dataclass(frozen=True)
class ShingledTexts:
    """For each page number p, a hash of its bytes (0: unknown) and its shingles, hashes[start[p]:start[p + 1]]."""

    digest: Longs
    start: Longs
    hashes: Longs


def shingled(text: str) -> Longs:
    """The shingles of a text, ascending, whatever its case."""
    from pagekin.kernels.shingles import shingles

    return shingles(frozen(np.frombuffer(text.lower().encode(), np.uint8)))


def texts_of(store: Store, wanted: npt.NDArray[np.bool_]) -> ShingledTexts:
    """Digests and shingles of the wanted pages; the others have neither."""
    digest = np.zeros(store.size, np.int64)
    pages = np.flatnonzero(wanted)
    for page, known in zip(pages.tolist(), store.graph.pages["digest"].take(pages).to_pylist(), strict=True):
        digest[page] = page_id(known) if known else 0  # any hash of 64 bits
    found: dict[int, Longs] = {}
    for rows in store.rows("text"):
        numbers = np.searchsorted(store.graph.ids, rows["page"].to_numpy())
        for at in np.flatnonzero(wanted[numbers]).tolist():
            found[int(numbers[at])] = shingled(rows["text"][at].as_py())
    lengths = np.zeros(store.size + 1, np.int64)
    for page, hashes in found.items():
        lengths[page + 1] = hashes.size
    ordered = [found[page] for page in sorted(found)]
    return ShingledTexts(digest, np.cumsum(lengths), np.concatenate(ordered) if ordered else np.empty(0, np.int64))
