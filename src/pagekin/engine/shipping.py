"""Packs a function with all that it refers to, arrays above all, for a process on another machine.

Functions and kernels of pagekin go by name: the other machine has pagekin too, and its kernels are compiled already.
Lambdas go as code, arrays as buffers beside the rest, which are not copied when they arrive, and are read-only there,
as kernels want them.
"""

import io
import pickle
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

Packed = tuple[bytes, list[bytes]]  # everything but the buffers, and the buffers


def packed(work: Callable[..., Any]) -> Packed:
    """A function as bytes."""
    from pyspark.cloudpickle import CloudPickler

    class Pickler(CloudPickler):  # type: ignore[misc]
        def reducer_override(self, value: Any) -> Any:
            if _is_kernel(value):
                return named, (value.py_func.__module__, value.py_func.__qualname__)
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


def _is_kernel(value: Any) -> bool:
    """Whether this is a function that numba compiles, and that its module has under its name."""
    function = getattr(value, "py_func", None)
    if function is None or not hasattr(value, "signatures"):
        return False
    return getattr(import_module(function.__module__), function.__qualname__, None) is value
