"""Batch work on this machine: blocks of rows handed to a pool of threads.

Kernels release the GIL, so threads are enough, and they share the arrays. Numba's own parallel loops are not used:
their default threading layer aborts when two threads of a server enter it at once.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from typing import TypeVar

from pagekin.engine.watch import rows_done

T = TypeVar("T")

BLOCKS_PER_CORE = 16  # rows differ in cost; with this many blocks the cores still end together


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _threads(workers: int) -> Iterator[ThreadPoolExecutor]:
    """Threads that are there for the work inside. Whoever interrupts it does not wait for the blocks in hand."""
    pool = ThreadPoolExecutor(workers)
    try:
        yield pool
    except BaseException as error:
        pool.shutdown(wait=isinstance(error, Exception), cancel_futures=True)
        raise
    pool.shutdown()


def over_rows(work: Callable[[int, int], T], rows: int, workers: int | None = None, most: int | None = None) -> list[T]:
    """Run `work(first, last)` on all rows, in blocks of at most `most` rows; returns the results in order.

    After each block it says how many rows are done (`watch`).

    >>> over_rows(lambda first, last: last - first, 100, workers=1)
    [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 2]
    >>> len(over_rows(lambda first, last: last - first, 100, workers=1, most=3))
    34
    """
    workers = workers or cores()
    size = max(1, -(-rows // (workers * BLOCKS_PER_CORE)))
    size = min(size, most or size)
    bounds = [(first, min(first + size, rows)) for first in range(0, rows, size)]
    here = copy_context()  # a thread begins with an empty one, and would word its errors for Python, not for the shell
    with _threads(workers) as pool:
        found = []
        results = pool.map(lambda bound: here.copy().run(work, *bound), bounds)
        for result, (_, last) in zip(results, bounds, strict=True):
            found.append(result)
            rows_done(last, rows)
        return found


def over_cores(work: Callable[[int, int], None], rows: int, size: int, least: int) -> None:
    """Run `work(first, last)` on all rows of one question: on all cores if its size is at least so much, else here."""
    workers = cores() if size >= least else 1
    bounds = [(rows * at // workers, rows * (at + 1) // workers) for at in range(workers)]
    at_once([partial(work, *bound) for bound in bounds])


def at_once(works: Sequence[Callable[[], T]], worth: bool = True) -> list[T]:
    """The results of a few pieces of work of one question, in order; in threads of their own, if that is worth it."""
    if len(works) < 2 or not worth or cores() < 2:
        return [work() for work in works]
    here = copy_context()
    with _threads(len(works)) as pool:
        return [done.result() for done in [pool.submit(here.copy().run, work) for work in works]]


def within(bytes_of_row: Iterable[int], limit: int) -> Iterator[tuple[int, int]]:
    """Cut all rows into blocks, each within a limit of bytes or a single row.

    >>> list(within([4, 4, 4, 20, 1, 1], limit=8))
    [(0, 2), (2, 3), (3, 4), (4, 6)]
    """
    first, row, held = 0, -1, 0
    for row, size in enumerate(bytes_of_row):
        if held + size > limit and row > first:
            yield first, row
            first, held = row, 0
        held += size
    if row >= 0:
        yield first, row + 1


def one_by_one(
    work: Callable[[int, int], T], blocks: Iterable[tuple[int, int]], workers: int | None = None
) -> Iterator[T]:
    """Run `work(first, last)` on each block, no more at a time than there are workers; yields the results in order."""
    workers = workers or cores()
    if workers == 1:  # no thread, and no result is held while the next is made
        yield from (work(*block) for block in blocks)
        return
    waiting: deque[Future[T]] = deque()
    with _threads(workers) as pool:
        for block in blocks:
            waiting.append(pool.submit(work, *block))
            if len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
