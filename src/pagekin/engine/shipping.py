"""Packs a function with all that it refers to, arrays above all, for a process on another machine.

Functions and kernels of pagekin go by name: the other machine has pagekin too, and its kernels are compiled already.
Lambdas go as code, arrays as buffers beside the rest, which are not copied when they arrive, and are read-only there,
as kernels want them. An array that is mapped from a file which all machines see goes as the place in that file.
"""

import io
import mmap
import pickle
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Packed = tuple[bytes, list[bytes]]  # everything but the buffers, and the buffers


def packed(work: Callable[..., Any], shared: Path | None = None) -> Packed:
    """A function as bytes; shared: a folder at the same path on all machines, whose files are not sent."""
    from pyspark.cloudpickle import CloudPickler

    class Pickler(CloudPickler):  # type: ignore[misc]
        def reducer_override(self, value: Any) -> Any:
            if _is_kernel(value):
                return named, (value.py_func.__module__, value.py_func.__qualname__)
            if isinstance(value, np.ndarray) and shared is not None and (at := _place(value, shared)):
                return mapped, at
            if isinstance(value, np.memmap):  # numpy gives buffers of plain arrays alone
                return np.asarray(value).__reduce_ex__(5)
            return super().reducer_override(value)

    file, buffers = io.BytesIO(), list[bytes]()

    def keep(buffer: pickle.PickleBuffer) -> None:
        buffers.append(bytes(buffer.raw()))

    Pickler(file, protocol=5, buffer_callback=keep).dump(work)
    return file.getvalue(), buffers


def unpacked(work: Packed) -> Callable[..., Any]:
    """The function again."""
    found: Callable[..., Any] = pickle.loads(work[0], buffers=work[1])
    return found


def named(module: str, name: str) -> Any:
    """A kernel by its name."""
    return getattr(import_module(module), name)


def mapped(file: str, offset: int, dtype: np.dtype[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """An array that stands in a file; read-only, as all that arrive."""
    return np.asarray(np.memmap(file, dtype, "r", offset, shape))


def _place(array: npt.NDArray[Any], shared: Path) -> tuple[str, int, np.dtype[Any], tuple[int, ...]] | None:
    """Where in a file below a folder an array stands, if it does; what was written to it is seen there then."""
    root: Any = array
    while isinstance(root, np.ndarray) and not isinstance(root.base, mmap.mmap):
        root = root.base
    if not isinstance(root, np.memmap) or not array.size or not array.flags.c_contiguous or array.dtype.hasobject:
        return None
    file = Path(str(root.filename))
    if not file.is_relative_to(shared) or not file.is_file():
        return None
    if root.mode != "r":
        root.flush()
    return str(file), int(root.offset + array.ctypes.data - root.ctypes.data), array.dtype, array.shape


def _is_kernel(value: Any) -> bool:
    """Whether this is a function that numba compiles, and that its module has under its name."""
    function = getattr(value, "py_func", None)
    if function is None or not hasattr(value, "signatures"):
        return False
    return getattr(import_module(function.__module__), function.__qualname__, None) is value
