"""Reads vectors of pages from a Parquet file, as any embedding model's output can be written:

    url (text)    vector (a list of numbers)

The numbers may be of any kind, and lists of fixed size are lists too. Further columns are passed over. The file is read
in small pieces, twice: first its addresses and lengths, then the numbers.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pagekin.acquire.capture import spelled
from pagekin.errors import SourceError
from pagekin.failures import explained

EXPECTED = "expected a Parquet file with the columns url (text) and vector (lists of numbers)"
LONGEST = 1 << 16  # numbers in a vector; models give some hundreds or thousands
MOST_NUMBERS = 1 << 23  # at once: 64 MB, as doubles

Lengths = npt.NDArray[np.int64]


@dataclass(frozen=True)
class VectorFile:
    """A file of vectors, which can be read several times."""

    path: Path

    def addresses(self) -> Iterator[tuple[list[str | None], Lengths]]:
        """The addresses, some at a time, and how many numbers each one's vector has; 0 if it has none."""
        for urls, vectors in self._pieces():
            yield urls, pc.list_value_length(vectors).fill_null(0).cast(pa.int64()).to_numpy()

    def numbers(self) -> Iterator[pa.Array]:
        """The vectors, in the same pieces; a number that is missing is NaN."""
        return (vectors for _, vectors in self._pieces())

    def _pieces(self) -> Iterator[tuple[list[str | None], pa.Array]]:
        with self._explaining():
            file = pq.ParquetFile(pa.OSFile(os.fsencode(self.path)), pre_buffer=False)
            self._check(file.schema_arrow)
            for number in range(file.num_row_groups):
                group = file.metadata.row_group(number)
                most = max(group.column(at).num_values for at in range(group.num_columns))
                if most > LONGEST * max(group.num_rows, 1):
                    raise SourceError(f"{spelled(self.path)} has vectors of more than {LONGEST:,} numbers")
                rows = int(np.clip(MOST_NUMBERS * group.num_rows // max(most, 1), 1, MOST_NUMBERS))
                for batch in file.iter_batches(rows, [number], ["url", "vector"]):
                    yield batch.column("url").cast(pa.string()).to_pylist(), batch.column("vector")

    def _check(self, schema: pa.Schema) -> None:
        found = ", ".join(f"{field.name} ({field.type})" for field in schema) or "none"
        kinds = {field.name: field.type for field in schema}
        if not (_is_text(kinds.get("url")) and _is_list(kinds.get("vector"))):
            raise SourceError(f"{spelled(self.path)}: {EXPECTED}; found {found}")

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            if found := explained(error, self.path):
                raise SourceError(f"reading {spelled(self.path)} failed: {found.wrong}; {found.remedy}") from error
            raise SourceError(f"{spelled(self.path)} cannot be read ({error}); {EXPECTED}") from error


def _is_text(kind: pa.DataType | None) -> bool:
    if kind is not None and pa.types.is_dictionary(kind):
        kind = kind.value_type
    return kind is not None and (pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_list(kind: pa.DataType | None) -> bool:
    lists = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    if kind is None or not any(is_list(kind) for is_list in lists):
        return False
    return bool(pa.types.is_floating(kind.value_type) or pa.types.is_integer(kind.value_type))


def table_of(vectors: pa.Array, length: int) -> npt.NDArray[np.float32]:
    """Vectors of one length as rows of numbers; what is beyond the numbers of a float32 becomes infinite.

    >>> table_of(pa.array([[1, 2], [3, None]]), 2).tolist()
    [[1.0, 2.0], [3.0, nan]]
    """
    values = vectors.flatten().cast(pa.float64()).fill_null(np.nan).to_numpy(zero_copy_only=False)
    with np.errstate(over="ignore"):
        return np.asarray(values, np.float32).reshape(-1, length)
