"""Numba kernels: arrays in, arrays out; no objects, no I/O.

All are serial and release the GIL, so a server's threads may run them side by side; whoever has a batch to do hands
row blocks of it to a pool of threads. Compiled once and cached on disk: arrays must come with the types written at
each kernel, read-only or not alike (`frozen` sees to that), or numba would compile anew in the middle of a question.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A read-only view, the one form in which kernels receive graph arrays (numba types read-only arrays apart)."""
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view


def frozen_rows(rows: tuple[Longs, Ints]) -> tuple[Longs, Ints]:
    """The same for the rows of a graph: where each begins, and the rows one after another."""
    return frozen(rows[0]), frozen(rows[1])
