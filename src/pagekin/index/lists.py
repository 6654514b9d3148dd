"""Lists on disk of the pages related to each page, best first, in the form that all indexes of answers use.

ids.npy              the pages that have a list, ascending
start.npy            where each page's list begins in
related, scores.npy  the pages related to it, best first, and their scores

Pages are given by id, which does not change when pages are added.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pagekin.collection.array_files import Growing, check_rows, load, save
from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.numbers import number_in

# Pages (ids, ascending), the length of each page's list, the lists one after another, and their scores.
ListsOfSome = tuple[Longs, Ints | Longs, Longs, Floats]


@dataclass(frozen=True)
class Lists:
    """The lists of many pages, memory-mapped."""

    ids: Longs
    start: Longs
    related: Longs
    scores: Floats

    def __post_init__(self) -> None:
        check_rows(self.start, self.ids.size, self.related, self.scores)

    @staticmethod
    def arrays(folder: Path) -> tuple[npt.NDArray[Any], ...]:
        """The four arrays that `write` has written to a folder."""
        return tuple(load(folder / f"{name}.npy") for name in ("ids", "start", "related", "scores"))

    def of(self, page: int) -> tuple[Longs, Floats]:
        """The ids of the pages related to a page (by id), best first, and their scores."""
        at = number_in(self.ids, page)
        if at is None:
            return self.related[:0], self.scores[:0]
        first, last = self.start[at], self.start[at + 1]
        return self.related[first:last], self.scores[first:last]


def write(folder: Path, blocks: Iterable[ListsOfSome]) -> tuple[int, int]:
    """Write lists, those of some pages at a time; returns the number of lists, and of related pages in all of them."""
    ids: list[Longs] = [np.empty(0, np.int64)]
    lengths: list[Ints | Longs] = [np.zeros(1, np.int64)]
    with Growing(folder / "related.npy", np.int64) as related, Growing(folder / "scores.npy", np.float64) as scores:
        for pages, length, others, score in blocks:
            ids.append(pages)
            lengths.append(length)
            related.append(others)
            scores.append(score)
    start = np.cumsum(np.concatenate(lengths), dtype=np.int64)
    save(folder / "ids.npy", np.concatenate(ids))
    save(folder / "start.npy", start)
    return start.size - 1, related.size
