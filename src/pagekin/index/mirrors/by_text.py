"""Mirrors: two fetched pages whose texts agree. MinHash finds pairs without comparing all, shingles decide.

Texts agree if their bytes had one digest, or if they share 90 % of their shingles; and they have at least 200 bytes.
Who links to the pages does not matter: equal citers alone make no mirrors. Classes are closed (a copy of a copy is a
copy), so it does not matter which pairs of a class are compared, nor by whom: the engine shares out both texts and
pairs. On disk meanwhile: 128 bytes for each page with text; in memory a number or two.
"""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.array_files import Growing, load
from pagekin.collection.store import Span, Store
from pagekin.engine.base import engine, one_by_one, over_files
from pagekin.engine.watch import rows_done, step
from pagekin.index.prints import Prints, mixed
from pagekin.kernels import Ints, Longs, frozen

RESEMBLANCE = 0.9  # two texts agree if they resemble each other at least so much
LEAST_BYTES = 200  # shorter pages (a frame, "moved", "not found") are alike without being the same
# 16 bands of 4: of pairs with resemblance 0.9 all but one in 25 million share a band, with 0.3 one in eight does.
BANDS, ROWS = 16, 4
BLOCKS_PER_CORE = 4  # of pairs, on Spark: texts differ in length


def mirrors(store: Store, folder: Path | None = None) -> list[Ints]:
    """The classes of mirror pages, each in page order; `folder`: on a disk that has room."""
    with TemporaryDirectory(prefix="pagekin-", dir=folder) as steps:
        pages, pairs = _candidates(store, Path(steps) / "bands.npy")
    joined = np.arange(pages.size)
    work = partial(_agreed, store, pages, same_digest(store, pages), pairs)
    with step("comparing texts"):
        for agreed in one_by_one(work, _shares(len(pairs)), workers=1):
            for one, other in agreed:
                _join(joined, one, other)
    while (joined[joined] != joined).any():
        joined = joined[joined]
    return classes(pages, joined)


def _shares(pairs: int) -> list[tuple[int, int]]:
    """All pairs at once here: what one comparison tells saves others. Blocks of them for tasks."""
    size = -(-pairs // (engine().at_once * BLOCKS_PER_CORE if engine().spreads else 1))
    return [(first, min(first + size, pairs)) for first in range(0, pairs, size)] if pairs else []


def _agreed(store: Store, pages: Ints, digest: Longs, pairs: Longs, first: int, last: int) -> list[tuple[int, int]]:
    """Those of some pairs whose texts agree, but for pairs whose pages are in one class by then."""
    from pagekin.kernels.shingles import resemble

    found, joined = list[tuple[int, int]](), np.arange(pages.size)
    for done, (one, other) in enumerate(pairs[first:last].tolist(), 1):
        if _end(joined, one) != _end(joined, other):
            agree = digest[one] == digest[other] >= 0
            if not agree:
                a, b = (frozen(shingled(text)) for text in store.texts([int(pages[one]), int(pages[other])]))
                agree = bool(resemble(a, b, RESEMBLANCE))
            if agree:
                _join(joined, one, other)
                found.append((one, other))
        rows_done(done, last - first)
    return found


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


def _candidates(store: Store, file: Path) -> tuple[Ints, Longs]:
    """The fetched pages whose text is long enough, in page order, and pairs of their places that agree in a whole band,
    ascending: each with the first like it and the one before it. `file`: where the prints of bands stand meanwhile."""
    pages, found = [np.empty(0, np.int32)], np.empty(0, np.int64)
    with Growing(file, np.uint64) as bands:
        for number, prints in over_files(partial(_signed_in, store), store.spans("text")):
            pages.append(number)
            bands.append(prints.ravel())
    page, at = np.unique(np.concatenate(pages), return_index=True)
    held = load(file).reshape(-1, BANDS)
    for band in range(BANDS if page.size > 1 else 0):
        found = np.union1d(found, _alike(held[:, band][at]))
    return page, np.column_stack(np.divmod(found, max(page.size, 1)))


def _alike(prints: Prints) -> Longs:
    """Pairs of places with equal prints, each pair as one number: the first · size + the second."""
    order = np.argsort(prints, kind="stable")
    same = prints[order[1:]] == prints[order[:-1]]
    begin = np.maximum.accumulate(np.where(np.concatenate(([False], same)), 0, np.arange(order.size)))[1:]
    ones = np.concatenate((order[begin[same]], order[:-1][same]))
    return np.asarray(ones * prints.size + np.tile(order[1:][same], 2))


def _signed_in(store: Store, span: Span) -> tuple[Ints, Prints]:
    """Those pages of a span of texts, and a print of each band of their signatures."""
    from pagekin.kernels.minhash import LARGEST, signatures

    table = store.rows_in(span, ["text"])
    number = np.searchsorted(store.graph.ids, table["page"].to_numpy()).astype(np.int32)
    text = pc.utf8_lower(table["text"]).cast(pa.large_string()).combine_chunks()
    long = (pc.binary_length(text).to_numpy() >= LEAST_BYTES) & store.fetched[number]
    number, text = number[long], text.filter(pa.array(long))
    if not number.size:
        return number, np.empty((0, BANDS), np.uint64)
    start = np.frombuffer(text.buffers()[1], np.int64)[text.offset : text.offset + len(text) + 1]
    letters = np.frombuffer(text.buffers()[2] or b"", np.uint8)
    rows = np.full((len(text), BANDS * ROWS), LARGEST, np.uint64)
    signatures(frozen(letters), frozen(start), rows)
    rows, number = (each[rows[:, 0] != LARGEST] for each in (rows, number))  # of texts that have words
    return number, np.column_stack([mixed(*rows[:, ROWS * band : ROWS * (band + 1)].T) for band in range(BANDS)])


def _join(joined: Longs, one: int, other: int) -> None:
    a, b = _end(joined, one), _end(joined, other)
    joined[max(a, b)] = min(a, b)


def _end(joined: Longs, at: int) -> int:
    while joined[at] != at:
        joined[at] = joined[joined[at]]
        at = int(joined[at])
    return at
