"""Numba kernels: arrays in, arrays out; no objects, no I/O.

All are serial and release the GIL, so a server's threads may run them in parallel; a batch is split into blocks of rows
for a pool of threads. They are compiled once and cached on disk: arrays must have the types written at each kernel, and
always be read-only or always not (`frozen` sees to that), or numba would recompile in the middle of a question.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A read-only view, the one form in which kernels receive graph arrays (for numba, read-only is another type)."""
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view


def frozen_rows(rows: tuple[Longs, Ints]) -> tuple[Longs, Ints]:
    """Read-only views of the rows of a graph: where each row begins, and the rows one after another."""
    return frozen(rows[0]), frozen(rows[1])
