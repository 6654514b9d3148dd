"""Mirrors by text: MinHash finds pages that may resemble each other without comparing all pairs, and shingles decide.

Two pages are mirrors when their texts are long enough to tell and share 90 % of their shingles. The first page of a
class represents the others. Memory: a signature of 512 bytes for each page with text.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.store import Store
from pagekin.index.mirrors.shingles import RESEMBLANCE, shingled
from pagekin.kernels import Ints, frozen

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

    def agree(one: int, other: int) -> bool:
        a, b = (frozen(shingled(store.text(int(pages[at])))) for at in (one, other))
        return bool(resemble(a, b, RESEMBLANCE))

    first = np.arange(pages.size)
    for one, other in sorted(_candidates(signed)):
        a, b = _end(first, one), _end(first, other)
        if a != b and agree(one, other):
            first[max(a, b)] = min(a, b)
    ends = np.array([_end(first, at) for at in range(pages.size)])
    repeated = np.flatnonzero(np.bincount(ends, minlength=pages.size) > 1)
    return [pages[ends == end] for end in repeated]


def _signed(store: Store) -> tuple[Ints, npt.NDArray[np.uint64]]:
    """The pages whose text is long enough, in page order, and their signatures."""
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
            long = (np.diff(start) >= LEAST_BYTES) & (rows[:, 0] != LARGEST)
            pages.append(np.searchsorted(store.graph.ids, batch["page"].to_numpy())[long].astype(np.int32))
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
