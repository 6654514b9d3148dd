"""Rows in files: where each begins (`NAME_start.npy`), and their values one after another (`NAME.npy`).

They are made some at a time, so that memory holds no more than these, and the start of each.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np

from pagekin.collection.array_files import Growing, load, save
from pagekin.engine.base import engine, one_by_one
from pagekin.engine.memory import memory
from pagekin.kernels import Ints, Longs

SHARE = 8  # of the memory, what the rows of some members may take while rows are turned round
VALUE_BYTES = 4
AT_ONCE = 1 << 20  # values that are counted at once; and no task of its own turns fewer round
CSR = tuple[Longs, Ints]


def write_rows(
    folder: Path,
    name: str,
    rows: int,
    pieces: Iterable[tuple[int, int]],
    work: Callable[[int, int], CSR],
    workers: int | None = 1,
) -> CSR:
    """Write rows as `work(first, last)` gives the lengths and the values of some: by so many threads here (None: on all
    cores), by tasks on Spark."""
    start, first = np.zeros(rows + 1, np.int64), 0
    with Growing(folder / f"{name}.npy", np.int32) as file:
        for length, values in one_by_one(work, pieces, workers):
            start[first + 1 : first + 1 + length.size] = length
            first += length.size
            file.append(values)
    save(folder / f"{name}_start.npy", np.cumsum(start, out=start))
    return load(folder / f"{name}_start.npy"), load(folder / f"{name}.npy")


def write_turned(folder: Path, name: str, start: Longs, values: Ints, members: int) -> CSR:
    """Write, for each of the members that rows may hold, the rows that hold it, ascending."""
    from pagekin.kernels.csr import turned_part

    save(folder / f"{name}_start.npy", np.concatenate(([0], np.cumsum(counted(values, members)))))
    back = load(folder / f"{name}_start.npy")

    def turned(first: int, last: int) -> CSR:
        return np.diff(back[first : last + 1]), turned_part(start, values, back, first, last)

    return write_rows(folder, name, members, _parts(back), turned)


def counted(values: Ints, members: int) -> Longs:
    """How often each of the members is among many values: `np.bincount` would first make numbers of 8 bytes of all."""
    counts = np.zeros(members, np.int64)
    for first in range(0, values.size, AT_ONCE):
        counts += np.bincount(values[first : first + AT_ONCE], minlength=members)
    return counts


def _parts(start: Longs) -> Iterator[tuple[int, int]]:
    """Rows one after another, first and behind the last, that together have as many values as memory may hold."""
    first, rows, most = 0, start.size - 1, max(1, memory() // SHARE // VALUE_BYTES)
    if (tasks := engine().at_once) > 1:
        most = min(most, max(AT_ONCE, -(-int(start[-1]) // tasks)))
    while first < rows:
        last = max(first + 1, int(np.searchsorted(start, start[first] + most, "right")) - 1)
        yield first, last
        first = last
