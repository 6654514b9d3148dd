"""Mirrors: two fetched pages whose texts agree. MinHash finds pairs without comparing all, shingles decide.

Texts agree if their bytes had one digest, or if they share 90 % of their shingles; and they have at least 200 bytes.
Who links to the pages does not matter: equal citers alone make no mirrors. Classes are closed (a copy of a copy is a
copy). Memory: a signature of 512 bytes for each page with text.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.store import Store
from pagekin.engine.watch import rows_done, step
from pagekin.kernels import Ints, Longs, frozen

RESEMBLANCE = 0.9  # two texts agree if they resemble each other at least so much
LEAST_BYTES = 200  # shorter pages (a frame, "moved", "not found") are alike without being the same
# 16 bands of 4: of pairs with resemblance 0.9 all but one in 25 million share a band, with 0.3 one in eight does.
BANDS, ROWS = 16, 4
BATCH_TEXTS = 4096


def mirrors(store: Store) -> list[Ints]:
    """The classes of mirror pages, each in page order."""
    from pagekin.kernels.shingles import resemble

    pages, signed = _signed(store)
    if not pages.size:
        return []
    digest = same_digest(store, pages)

    def agree(one: int, other: int) -> bool:
        if digest[one] == digest[other] >= 0:
            return True
        a, b = (frozen(shingled(text)) for text in store.texts([int(pages[one]), int(pages[other])]))
        return bool(resemble(a, b, RESEMBLANCE))

    first, pairs = np.arange(pages.size), sorted(_candidates(signed))
    with step("comparing texts"):
        for done, (one, other) in enumerate(pairs, 1):
            a, b = _end(first, one), _end(first, other)
            if a != b and agree(one, other):
                first[max(a, b)] = min(a, b)
            rows_done(done, len(pairs))
    return classes(pages, np.array([_end(first, at) for at in range(pages.size)]))


def shingled(text: str) -> Longs:
    """The shingles of a text, ascending, whatever its case."""
    from pagekin.kernels.shingles import shingles

    return shingles(frozen(np.frombuffer(text.lower().encode(), np.uint8)))


def same_digest(store: Store, pages: Ints) -> Longs:
    """A number for each of some pages, ascending: equal for those whose bytes have the same digest, −1 if unknown."""
    known = store.column("digest", pages).combine_chunks()
    if isinstance(known, pa.ChunkedArray):
        known = pa.concat_arrays([chunk.cast(pa.large_string()) for chunk in known.chunks])
    codes = known.cast(pa.large_string()).dictionary_encode().indices.fill_null(-1)
    return np.asarray(codes.to_numpy(zero_copy_only=False), np.int64)


def classes(pages: Ints, number: Longs) -> list[Ints]:
    """The pages of each number that several have, in page order; numbers below 0 are none."""
    order = np.argsort(number, kind="stable")
    order = order[number[order] >= 0]
    cuts = np.flatnonzero(np.diff(number[order])) + 1
    groups = np.split(pages[order], cuts) if order.size else []
    return sorted((group for group in groups if group.size > 1), key=lambda group: int(group[0]))


def _signed(store: Store) -> tuple[Ints, npt.NDArray[np.uint64]]:
    """The fetched pages whose text is long enough, in page order, and their signatures."""
    from pagekin.kernels.minhash import LARGEST, signatures

    pages, signed = [np.empty(0, np.int32)], [np.empty((0, BANDS * ROWS), np.uint64)]
    for table in store.rows("text"):
        for first in range(0, table.num_rows, BATCH_TEXTS):
            batch = table.slice(first, BATCH_TEXTS)
            text = pc.utf8_lower(batch["text"]).cast(pa.large_string()).combine_chunks()
            start = np.frombuffer(text.buffers()[1], np.int64)[text.offset : text.offset + len(text) + 1]
            letters = np.frombuffer(text.buffers()[2] or b"", np.uint8)
            rows = np.full((len(text), BANDS * ROWS), LARGEST, np.uint64)
            signatures(frozen(letters), frozen(start), rows)
            number = np.searchsorted(store.graph.ids, batch["page"].to_numpy()).astype(np.int32)
            long = (np.diff(start) >= LEAST_BYTES) & (rows[:, 0] != LARGEST) & store.fetched[number]
            pages.append(number[long])
            signed.append(rows[long])
    page, at = np.unique(np.concatenate(pages), return_index=True)
    return page, np.concatenate(signed)[at]


def _candidates(signed: npt.NDArray[np.uint64]) -> Iterator[tuple[int, int]]:
    """Pairs of rows that agree in a whole band: each row with the first row like it, and with the one before it."""
    found: set[tuple[int, int]] = set()
    for band in range(BANDS):
        part = np.ascontiguousarray(signed[:, band * ROWS : (band + 1) * ROWS])
        _, first, which, counts = np.unique(part, axis=0, return_index=True, return_inverse=True, return_counts=True)
        which = which.reshape(-1)
        last = first.copy()
        for row in np.flatnonzero(counts[which] > 1).tolist():
            if row != first[which[row]]:
                found.update({(int(first[which[row]]), row), (int(last[which[row]]), row)})
                last[which[row]] = row
    return iter(found)


def _end(first: npt.NDArray[np.int64], at: int) -> int:
    while first[at] != at:
        first[at] = first[first[at]]
        at = int(first[at])
    return at
