"""Which keywords meet on a page, and between which values the three measures that relate words lie (Eq. 5–11).

What grows with pages, links and pairs is in files, and made so many words or pages at a time that memory can hold them.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pagekin.collection.array_files import Growing, load, save
from pagekin.collection.row_files import CSR, write_rows, write_turned
from pagekin.engine.base import one_by_one, over_rows
from pagekin.engine.local import BLOCKS_PER_CORE, cores, within
from pagekin.engine.memory import memory
from pagekin.engine.watch import rows_done, step
from pagekin.graph.links import LinkArrays
from pagekin.kernels import Floats, Ints, Longs, frozen, frozen_rows

PAIR_BYTES = 32  # of memory for a pair of words while it is found: in two arrays that double, and are copied
VALUE_BYTES = 16  # of a word of a page that a page links to: in one
SHARE = 4  # of the memory, what the blocks in hand may take; what waits to be written takes as much again


@dataclass(frozen=True)
class Range:
    """The least and the greatest value over all pairs of different words, for min–max normalisation."""

    low: float
    high: float

    @property
    def factor(self) -> float:
        return 1 / (self.high - self.low) if self.high > self.low else 0.0


Ranges = tuple[Range, Range, Range]  # of support, mutual information and confidence


def write_pairs(
    folder: Path, steps: Path, words: CSR, pages: Ints, total: int, graph: LinkArrays
) -> tuple[int, Ranges]:
    """Write the pairs of words that meet (`pair_start`, `pair`, `together`); returns how many, and the three ranges.

    `words`: the keywords of each page; `pages`: on how many pages each word is; `total`: how many pages have any;
    `steps`: a folder for what is not kept.
    """
    with step("finding words that meet"):
        holders = write_turned(steps, "holder", *words, pages.size)
        met = _write_meetings(folder, words, holders)
    with step("comparing words across links"):
        confidence = _confidence(holders, _write_targets(steps, words, pages.size, graph))
    return met[1].size // 2, (*_ranges(pages, *met, total), confidence)


def _write_meetings(folder: Path, words: CSR, holders: CSR) -> tuple[Longs, Ints, Ints]:
    from pagekin.kernels.keywords import meetings, reached

    size = holders[0].size - 1
    most = PAIR_BYTES * np.minimum(reached(*holders, np.diff(words[0])), size)
    start, last = np.zeros(size + 1, np.int64), 0

    def met(first: int, last: int) -> tuple[Longs, Ints, Ints]:
        return meetings(first, last, *words, *holders)

    with ExitStack() as files:
        pair, together = (files.enter_context(Growing(folder / f"{n}.npy", np.int32)) for n in ("pair", "together"))
        for lengths, other, times in one_by_one(met, _blocks(most)):
            start[last + 1 : last + 1 + lengths.size] = lengths
            last += lengths.size
            pair.append(other)
            together.append(times)
            rows_done(last, size)
    save(folder / "pair_start.npy", np.cumsum(start, out=start))
    return load(folder / "pair_start.npy"), load(folder / "pair.npy"), load(folder / "together.npy")


def _write_targets(steps: Path, words: CSR, size: int, graph: LinkArrays) -> CSR:
    """For each page, the distinct keywords of the pages that it links to."""
    from pagekin.kernels.keywords import reached, words_of_targets

    out = graph.rows("out")
    most = VALUE_BYTES * np.minimum(reached(*out, np.diff(words[0])), size)

    def told(first: int, last: int) -> CSR:
        return words_of_targets(first, last, *words, *out, size)

    return write_rows(steps, "target", graph.size, _blocks(most), told, workers=None)


def _blocks(most: Longs) -> Iterator[tuple[int, int]]:
    """Rows that take at most so many bytes each, in blocks: several for each core, none larger than memory allows while
    each core has one in hand and one waits to be written."""
    allowed = memory() // SHARE // (cores() + 1)
    return within(most, max(1, min(allowed, int(most.sum()) // (cores() * BLOCKS_PER_CORE))))


def _confidence(holders: CSR, targets: CSR) -> Range:
    from pagekin.kernels.keywords import confidence_range

    words = holders[0].size - 1
    spans = over_rows(lambda first, last: confidence_range(first, last, *holders, *targets), words)
    return Range(min(low for low, _ in spans), max(high for _, high in spans)) if words > 1 else Range(0, 0)


def _ranges(pages: Ints, pair_start: Longs, pair: Ints, together: Ints, total: int) -> tuple[Range, Range]:
    """The ranges of support and mutual information over all pairs of different words, even those that never meet."""
    from pagekin.kernels.csr import rows_from_pairs
    from pagekin.kernels.keywords import measure_ranges

    if pages.size < 2:
        return Range(0, 0), Range(0, 0)
    group_pages, group = (each.astype(np.int32) for each in np.unique(pages, return_inverse=True))
    members = rows_from_pairs(frozen(group), frozen(np.arange(group.size, dtype=np.int32)), group_pages.size)
    rows = *frozen_rows(members), frozen(group), frozen(group_pages), pair_start, pair, together, frozen(plogp(total))
    found = np.array(over_rows(lambda first, last: measure_ranges(first, last, *rows), group_pages.size))
    (least, _, low, _), (_, most, _, high) = found.min(axis=0), found.max(axis=0)
    return Range(least / total, most / total), Range(low, high)


def plogp(total: int) -> Floats:
    """i/N · log(i/N) for i = 0 … N; 0 · log 0 = 0."""
    share = np.arange(total + 1) / max(total, 1)
    share[0] = 1.0
    found = share * np.log(share)
    found[0] = 0.0
    return found
