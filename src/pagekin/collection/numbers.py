"""From the pages of an index to those of a store: an index keeps ids, and page numbers change as pages are added."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pagekin.kernels import Ints, Longs, frozen


def load(path: Path) -> npt.NDArray[Any]:
    """An array on disk as kernels want it; nothing is read before it is asked for."""
    return frozen(np.load(path, mmap_mode="r"))


def numbers_in(ids: Longs, held: Longs) -> Ints | None:
    """The page number of each id that an index holds, -1 where the page is gone; None where both are the very same.

    >>> numbers_in(np.array([2, 5, 9]), np.array([5, 7])).tolist()
    [1, -1]
    """
    if ids.size == held.size and np.array_equal(ids, held):
        return None
    if not ids.size:
        return np.full(held.size, -1, np.int32)
    at = np.minimum(np.searchsorted(ids, held), ids.size - 1)
    return np.where(ids[at] == held, at, -1).astype(np.int32)
