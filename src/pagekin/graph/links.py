"""The links between pages as arrays: the rows that methods and kernels walk along.

Rows ascend, hold each page once, and have no self-links; an alias counts as its page.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pagekin.kernels import Ints, Longs, frozen, frozen_rows

Direction = Literal["in", "out", "either"]


@dataclass(frozen=True)
class LinkArrays:
    """The links of all pages as rows (out, in, and either way), in the form that kernels take."""

    out_start: Longs
    out: Ints
    in_start: Longs
    in_: Ints
    either_start: Longs
    either: Ints

    @property
    def size(self) -> int:
        """How many pages there are."""
        return int(self.out_start.size - 1)

    @property
    def links(self) -> int:
        """How many pairs (page, page linked to) there are."""
        return int(self.out.size)

    def rows(self, direction: Direction) -> tuple[Longs, Ints]:
        """All rows of one direction: where each begins, and the rows one after another."""
        name = "in_" if direction == "in" else direction
        return getattr(self, f"{direction}_start"), getattr(self, name)

    def targets(self, page: int) -> Ints:
        """O(p), the pages that a page links to, ascending."""
        return self.out[self.out_start[page] : self.out_start[page + 1]]

    def citers(self, page: int) -> Ints:
        """I(p), the pages that link to a page, ascending."""
        return self.in_[self.in_start[page] : self.in_start[page + 1]]

    def linked(self, page: int) -> Ints:
        """I(p) ∪ O(p), ascending."""
        return self.either[self.either_start[page] : self.either_start[page + 1]]

    def gathered(self, direction: Direction, pages: Ints) -> tuple[Ints, Longs]:
        """The rows of some pages one after another, and the length of each; no other row is read."""
        start, row = self.rows(direction)
        begins = start[pages]
        lengths = start[pages + 1] - begins
        places = np.repeat(begins - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
        return row[places], lengths

    def limited(self, max_in: int | None, max_out: int | None) -> "LinkArrays":
        """The links without those of portals (over `max_out` out-links), and at most `max_in` citers per page (paper 1,
        6.1).

        The citers with most in-links are kept, ties in page order. A link is dropped at both its ends. O(links);
        `Store.limited` remembers the result.
        """
        if max_in is None and max_out is None:
            return self
        from pagekin.kernels.csr import kept_citers

        kept = kept_citers(0, self.size, self.in_start, self.in_, self.out_start, max_in or -1, max_out or -1)
        if kept.all():
            return self
        target = np.repeat(np.arange(self.size, dtype=np.int32), np.diff(self.in_start))
        return link_arrays(self.in_[kept], target[kept], self.size)

    def values(self) -> Iterator[npt.NDArray[Any]]:
        return (getattr(self, item.name) for item in fields(self))


def link_arrays(source: Ints, target: Ints, n: int) -> LinkArrays:
    """The arrays of n pages from pairs of page numbers; repetitions and self-links are dropped."""
    from pagekin.kernels.csr import rows_from_pairs, simplified, transposed, union_rows

    as_written = frozen_rows(rows_from_pairs(frozen(source), frozen(target), n))
    ascending = frozen_rows(transposed(*frozen_rows(transposed(*as_written))))
    out = frozen_rows(simplified(*ascending))
    inward = frozen_rows(transposed(*out))
    return LinkArrays(*out, *inward, *frozen_rows(union_rows(*out, *inward)))
