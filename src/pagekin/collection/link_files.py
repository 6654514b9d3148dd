"""Writes the link arrays of a graph (`graph.links`) from its table of links, in memory that does not grow with them."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from pagekin.collection.arrow_files import Rows
from pagekin.collection.repeats import blocks
from pagekin.collection.roles import CONTENT
from pagekin.collection.row_files import CSR, write_rows, write_turned
from pagekin.kernels import Ints, Longs, frozen


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
        into = write_turned(folder, f"{prefix}in", *out, self.start.size - 1)
        write_either(folder, prefix, out, into)

    def _write_out(self, folder: Path, prefix: str, role: npt.NDArray[np.uint8] | None) -> CSR:
        def targets(first: int, last: int) -> tuple[Longs, Ints]:
            key = self._pairs(first, last, role)
            return np.bincount((key >> 32) - first, minlength=last - first), (key & 0xFFFFFFFF).astype(np.int32)

        return write_rows(folder, f"{prefix}out", self.start.size - 1, blocks(self.start), targets)

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


def write_either(folder: Path, prefix: str, out: CSR, into: CSR) -> CSR:
    """Write `either`: of each page the rows out and in as one."""
    from pagekin.kernels.csr import union_rows

    def union(first: int, last: int) -> tuple[Longs, Ints]:
        rows = []
        for start, values in (out, into):
            begin, end = start[first], start[last]
            rows += [frozen(start[first : last + 1] - begin), frozen(values[begin:end])]
        found, joined = union_rows(*rows)
        return np.diff(found), joined

    return write_rows(folder, f"{prefix}either", out[0].size - 1, blocks(out[0] + into[0]), union)
