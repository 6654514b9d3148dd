"""Batch work on this machine: blocks of rows handed to a pool of threads.

Kernels release the GIL, so threads are enough, and they share the arrays. Numba's own parallel loops are not used:
their default threading layer aborts when two threads of a server enter it at once.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

BLOCKS_PER_CORE = 16  # rows differ in cost; so many blocks, and the cores still end together


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def over_rows(work: Callable[[int, int], T], rows: int, workers: int | None = None) -> list[T]:
    """`work(first, last)` for blocks that together are all rows; the results in order.

    >>> over_rows(lambda first, last: last - first, 100, workers=1)
    [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 2]
    """
    workers = workers or cores()
    size = max(1, -(-rows // (workers * BLOCKS_PER_CORE)))
    bounds = [(first, min(first + size, rows)) for first in range(0, rows, size)]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(lambda bound: work(*bound), bounds))
