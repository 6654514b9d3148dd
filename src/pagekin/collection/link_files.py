"""Writes the link arrays of a graph (`graph.links`) from its table of links, in memory that does not grow with them."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pagekin.collection.array_files import Growing, load, save
from pagekin.collection.arrow_files import Rows
from pagekin.collection.repeats import blocks
from pagekin.collection.roles import CONTENT
from pagekin.engine.base import engine, one_by_one
from pagekin.engine.memory import memory
from pagekin.kernels import Ints, Longs, frozen

SHARE = 8  # of the memory, what the links to some pages may take while they are turned round
LINK_BYTES = 4
LINKS_AT_ONCE = 1 << 20  # that are counted at once; and no task of its own turns fewer round
CSR = tuple[Longs, Ints]


class LinkFiles:
    """The links of a graph on disk, by source: their table, where each page's rows begin, and what aliases mean."""

    def __init__(self, links: Rows, start: Longs, page_of: Ints | None) -> None:
        """`page_of`: the page that each number means, if not all mean themselves."""
        self.links, self.start, self.page_of = links, start, page_of
        self.aliases = np.empty(0, np.int32)
        if page_of is not None:
            moved = np.flatnonzero(page_of != np.arange(page_of.size)).astype(np.int32)
            self.aliases = moved[np.argsort(page_of[moved], kind="stable")]  # by the page that they mean

    def write(self, folder: Path, prefix: str = "", role: npt.NDArray[np.uint8] | None = None) -> None:
        """Write `out`, `in` and `either`; of the links whose role is content, if roles are given."""
        out = self._write_out(folder, prefix, role)
        into = _write_in(folder, prefix, *out)
        _write_either(folder, prefix, out, into)

    def _write_out(self, folder: Path, prefix: str, role: npt.NDArray[np.uint8] | None) -> CSR:
        def targets(first: int, last: int) -> tuple[Longs, Ints]:
            key = self._pairs(first, last, role)
            return np.bincount((key >> 32) - first, minlength=last - first), (key & 0xFFFFFFFF).astype(np.int32)

        return _written(folder, f"{prefix}out", self.start.size - 1, blocks(self.start), targets)

    def _pairs(self, first: int, last: int, role: npt.NDArray[np.uint8] | None) -> npt.NDArray[np.int64]:
        """The links of pages from `first` up to `last`, with those of their aliases: source and target in one number,
        ascending, each once, none from a page to itself."""
        spans = [(self.start[first], self.start[last])]
        meant = self.page_of[self.aliases] if self.page_of is not None else self.aliases
        others = self.aliases[np.searchsorted(meant, first) : np.searchsorted(meant, last)]
        spans += [(self.start[each], self.start[each + 1]) for each in others.tolist() if not first <= each < last]
        found = [np.empty(0, np.int64)]
        for begin, end in spans:
            if begin == end:
                continue
            rows = self.links.slice(begin, end - begin)
            source, target = (rows[name].to_numpy() for name in ("source", "target"))
            if role is not None:
                chosen = role[begin:end] == CONTENT
                source, target = source[chosen], target[chosen]
            if self.page_of is not None:
                source, target = self.page_of[source], self.page_of[target]
            kept = (source != target) & (source >= first) & (source < last)
            found.append((source[kept].astype(np.int64) << 32) | target[kept])
        key = np.sort(np.concatenate(found))
        new = np.concatenate((np.ones(min(key.size, 1), bool), key[1:] != key[:-1]))
        return np.asarray(key[new])


def _write_in(folder: Path, prefix: str, out_start: Longs, out: Ints) -> CSR:
    from pagekin.kernels.csr import turned_part

    pages = out_start.size - 1
    start = np.zeros(pages + 1, np.int64)
    for first in range(0, out.size, LINKS_AT_ONCE):
        start[1:] += np.bincount(out[first : first + LINKS_AT_ONCE], minlength=pages)
    save(folder / f"{prefix}in_start.npy", np.cumsum(start, out=start))
    back = load(folder / f"{prefix}in_start.npy")

    def sources(first: int, last: int) -> tuple[Longs, Ints]:
        return np.diff(back[first : last + 1]), turned_part(out_start, out, back, first, last)

    return _written(folder, f"{prefix}in", pages, _parts(back), sources)


def _write_either(folder: Path, prefix: str, out: CSR, into: CSR) -> None:
    from pagekin.kernels.csr import union_rows

    def union(first: int, last: int) -> tuple[Longs, Ints]:
        rows = []
        for start, values in (out, into):
            begin, end = start[first], start[last]
            rows += [frozen(start[first : last + 1] - begin), frozen(values[begin:end])]
        found, joined = union_rows(*rows)
        return np.diff(found), joined

    _written(folder, f"{prefix}either", out[0].size - 1, blocks(out[0] + into[0]), union)


def _written(
    folder: Path, name: str, pages: int, pieces: Iterable[tuple[int, int]], work: Callable[[int, int], CSR]
) -> CSR:
    """Write rows and where they begin, as `work(first, last)` gives their lengths and themselves for some pages.

    The engine runs it: one piece at a time here, tasks on Spark.
    """
    start, first = np.zeros(pages + 1, np.int64), 0
    with Growing(folder / f"{name}.npy", np.int32) as file:
        for length, rows in one_by_one(work, pieces, workers=1):
            start[first + 1 : first + 1 + length.size] = length
            first += length.size
            file.append(rows)
    save(folder / f"{name}_start.npy", np.cumsum(start, out=start))
    return load(folder / f"{name}_start.npy"), load(folder / f"{name}.npy")


def _parts(start: Longs) -> Iterator[tuple[int, int]]:
    """Pages in a row, first and behind the last, that together have as many links as memory may hold at once."""
    first, pages, most = 0, start.size - 1, max(1, memory() // SHARE // LINK_BYTES)
    if (tasks := engine().at_once) > 1:
        most = min(most, max(LINKS_AT_ONCE, -(-int(start[-1]) // tasks)))
    while first < pages:
        last = max(first + 1, int(np.searchsorted(start, start[first] + most, "right")) - 1)
        yield first, last
        first = last
