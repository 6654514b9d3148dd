"""An array file that grows: rows are appended as they are made, and the file is an ordinary `.npy` at the end.

For results that are larger than memory and whose length nobody knows beforehand.
"""

from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy


class Growing:
    """`with Growing(path, np.int32) as file: file.append(array)`."""

    def __init__(self, path: Path, dtype: npt.DTypeLike) -> None:
        self.dtype, self.size = np.dtype(dtype), 0
        self._file = path.open("wb")

    def __enter__(self) -> "Growing":
        self._write_header()
        return self

    def append(self, values: npt.NDArray[Any]) -> None:
        values.astype(self.dtype, copy=False).tofile(self._file)
        self.size += values.size

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._file:
            self._file.seek(0)
            self._write_header()

    def _write_header(self) -> None:
        """NumPy leaves room in a header for a first axis that grows, so the last one is as long as the first."""
        header = {"descr": npy.dtype_to_descr(self.dtype), "fortran_order": False, "shape": (self.size,)}
        npy.write_array_header_1_0(self._file, header)
