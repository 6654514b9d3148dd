"""Keeps arrays on disk as ordinary `.npy` files: mapped for reading, and written piece by piece if their length is not
known beforehand and memory would not hold them.
"""

import os
import threading
from collections.abc import Sized
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from pagekin.kernels import frozen

PIECE = 1 << 20  # bytes
MOST_HEADERS = 256  # the most headers that are remembered: of several states, whose arrays are often of one size
# NumPy parses a header as Python, and Python before 3.11.8 cannot do that in two threads at once: if the garbage
# collector calls Python in between, it fails with "AST constructor recursion depth mismatch" (CPython issue 106905).
_ONE_AT_A_TIME = threading.RLock()


def load(path: Path) -> npt.NDArray[Any]:
    """Map an array on disk, in the form that kernels want; nothing is read until it is used.

    As `np.load` does, which opens the file three times and takes four times as long: a collection has dozens of arrays.
    """
    with path.open("rb") as file:
        if npy.read_magic(file) != (1, 0):
            raise ValueError("not an array file of version 1.0")
        size = file.read(2)
        with _ONE_AT_A_TIME:
            shape, is_fortran, dtype = _described(size + file.read(int.from_bytes(size, "little")))
        if dtype.hasobject:
            raise ValueError("an array of Python objects cannot be mapped")
        return frozen(np.memmap(file, dtype, "r", file.tell(), shape, "F" if is_fortran else "C"))


@lru_cache(MOST_HEADERS)
def _described(header: bytes) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, order and type of an array, by its header, which begins with its size."""
    found: tuple[tuple[int, ...], bool, np.dtype[Any]] = npy.read_array_header_1_0(BytesIO(header))
    return found


def save(path: Path, array: npt.NDArray[Any]) -> None:
    """Write an array as `np.save` does; but if the disk is full, the error says so (`_write`)."""
    array = np.asarray(array)
    with path.open("wb") as file:
        npy.write_array_header_1_0(file, npy.header_data_from_array_1_0(array))
        _write(file, array.T if array.flags.f_contiguous and not array.flags.c_contiguous else array)


def blank(path: Path, dtype: npt.DTypeLike, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """A new array file, mapped to be filled in place; a file of no values cannot be mapped, and needs no filling."""
    if 0 in shape:
        save(path, np.empty(shape, dtype))
        return np.empty(shape, dtype)
    return np.asarray(npy.open_memmap(path, "w+", dtype, shape))


class Scratch:
    """Arrays of zeros mapped from files, which are removed in the end: `with Scratch(folder) as room: room(n, bool)`.

    What is on disk need not be in memory. The disk is asked for the room at once: writing to a mapped file for which
    there is none would end the process.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.files = folder, list[Path]()

    def __enter__(self) -> "Scratch":
        return self

    def __call__(self, size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        if not size:
            return np.zeros(0, dtype)
        path = self.folder / f"scratch-{len(self.files)}.tmp"
        self.files.append(path)
        return reserved(path, dtype, size)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for path in self.files:
            path.unlink(missing_ok=True)


def reserved(path: Path, dtype: npt.DTypeLike, size: int) -> npt.NDArray[Any]:
    """A new array file of zeros, mapped to be filled in place, for which there is room on the disk."""
    with path.open("wb") as file:
        npy.write_array_header_1_0(
            file, {"descr": npy.dtype_to_descr(np.dtype(dtype)), "fortran_order": False, "shape": (size,)}
        )
        _fill(file, size * np.dtype(dtype).itemsize)
    return np.asarray(npy.open_memmap(path, "r+")) if size else np.zeros(0, dtype)


def _fill(file: BinaryIO, size: int) -> None:
    """Fill so many bytes of a new file with zeros; macOS cannot be asked for the room and has them written."""
    if not hasattr(os, "posix_fallocate"):
        for first in range(0, size, PIECE):
            file.write(bytes(min(PIECE, size - first)))
    elif size:
        os.posix_fallocate(file.fileno(), file.tell(), size)


def _write(file: BinaryIO, array: npt.NDArray[Any]) -> None:
    """Write the values of an array. NumPy's own `tofile` does not tell why it could not write all of them."""
    file.write(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)


def check_rows(start: npt.NDArray[Any], items: int, *rows: Sized) -> None:
    """Refuse arrays of rows that do not fit together: a kernel would run past the end of one that was cut short.

    `start` gives, for each of `items` items, where its row begins in each of `rows`, and where the last one ends.
    """
    if start.size != items + 1 or start[0] != 0 or any(start[-1] != len(row) for row in rows):
        raise ValueError("the arrays do not fit together")


class Growing:
    """An array file that grows: `with Growing(path, np.int32) as file: file.append(array)`."""

    def __init__(self, path: Path, dtype: npt.DTypeLike) -> None:
        self.dtype, self.size = np.dtype(dtype), 0
        self._file = path.open("wb")

    def __enter__(self) -> "Growing":
        self._write_header()
        return self

    def append(self, values: npt.NDArray[Any]) -> None:
        _write(self._file, values.astype(self.dtype, copy=False))
        self.size += values.size

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._file:
            self._file.seek(0)
            self._write_header()

    def _write_header(self) -> None:
        """Write the header. NumPy leaves room for the first axis to grow, so it can be replaced at the end."""
        header = {"descr": npy.dtype_to_descr(self.dtype), "fortran_order": False, "shape": (self.size,)}
        npy.write_array_header_1_0(self._file, header)
