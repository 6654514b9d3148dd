"""Writes the link arrays of a graph (`graph.links`) from its table of links, in memory that does not grow with them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pagekin.collection.array_files import Growing, load, save
from pagekin.collection.arrow_files import Rows
from pagekin.collection.roles import CONTENT, blocks
from pagekin.engine.memory import memory
from pagekin.kernels import Ints, Longs, frozen

SHARE = 8  # of the memory, what the links to some pages may take while they are turned round
LINK_BYTES = 4


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
        from pagekin.kernels.csr import turned_part, union_rows

        pages = self.start.size - 1
        out_start, in_start = np.zeros(pages + 1, np.int64), np.zeros(pages + 1, np.int64)
        with Growing(folder / f"{prefix}out.npy", np.int32) as file:
            for first, last in blocks(self.start):
                key = self._pairs(first, last, role)
                target = (key & 0xFFFFFFFF).astype(np.int32)
                file.append(target)
                out_start[first + 1 : last + 1] = np.bincount((key >> 32) - first, minlength=last - first)
                in_start[1:] += np.bincount(target, minlength=pages)
        starts = [frozen(np.cumsum(each, out=each)) for each in (out_start, in_start)]
        out = load(folder / f"{prefix}out.npy")
        with Growing(folder / f"{prefix}in.npy", np.int32) as file:
            for first, last in _parts(in_start):
                file.append(turned_part(starts[0], out, starts[1], first, last))
        into = load(folder / f"{prefix}in.npy")
        either_start = np.zeros(pages + 1, np.int64)
        with Growing(folder / f"{prefix}either.npy", np.int32) as file:
            for first, last in blocks(out_start + in_start):
                rows = []
                for start, values in zip(starts, (out, into), strict=True):
                    begin, end = start[first], start[last]
                    rows += [frozen(start[first : last + 1] - begin), frozen(values[begin:end])]
                start, union = union_rows(*rows)
                file.append(union)
                either_start[first + 1 : last + 1] = np.diff(start)
        np.cumsum(either_start, out=either_start)
        for name, start in (("out", out_start), ("in", in_start), ("either", either_start)):
            save(folder / f"{prefix}{name}_start.npy", start)

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


def _parts(start: npt.NDArray[Any]) -> Iterator[tuple[int, int]]:
    """Pages in a row, first and behind the last, that together have as many links as memory may hold at once."""
    first, pages, most = 0, start.size - 1, max(1, memory() // SHARE // LINK_BYTES)
    while first < pages:
        last = max(first + 1, int(np.searchsorted(start, start[first] + most, "right")) - 1)
        yield first, last
        first = last
