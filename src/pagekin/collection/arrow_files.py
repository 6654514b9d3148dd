"""Writes Arrow files row by row that memory would not hold, with columns of repeated texts as dictionaries."""

import secrets
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.engine.addresses import buffers
from pagekin.kernels import Ints

BATCH_ROWS = 1 << 20  # rows in an Arrow batch, which must fit 32-bit string offsets when it becomes a part again
Strings = Any  # an array of Arrow, in chunks or not


class Codes:
    """Numbers for the different texts of a column, in the order in which they come.

    They are kept in a hash table of our own: Arrow would make one of all texts whenever some more come.
    """

    def __init__(self, slots: int = 1 << 10) -> None:
        """slots: a power of two."""
        self._held, self._seed = 0, secrets.randbits(63)
        self._table = np.full(slots, -1, np.int32)
        self._offset, self._data = np.zeros(slots, np.int64), np.empty(slots, np.uint8)

    @property
    def values(self) -> pa.Array:
        """The texts, by their numbers."""
        offset = self._offset[: self._held + 1]
        held = pa.py_buffer(offset), pa.py_buffer(self._data[: offset[-1]])
        return pa.LargeStringArray.from_buffers(self._held, *held)

    def of(self, column: pa.ChunkedArray) -> pa.ChunkedArray:
        """The number of each text; null for null."""
        return pa.chunked_array([self._of(chunk) for chunk in column.chunks], pa.int32())

    def learn(self, texts: Strings) -> None:
        """Give numbers to texts that will come."""
        for chunk in texts.chunks if isinstance(texts, pa.ChunkedArray) else [texts]:
            self._numbers(chunk.drop_null())

    def _of(self, chunk: pa.Array) -> pa.Array:
        if not pa.types.is_dictionary(chunk.type):
            number = np.zeros(len(chunk), np.int32)
            there = chunk.is_valid().to_numpy(zero_copy_only=False)
            number[there] = self._numbers(chunk.drop_null() if chunk.null_count else chunk)
            return pa.array(number, mask=~there)
        at = np.zeros(len(chunk.dictionary), np.int32)
        own = pc.unique(chunk.indices).drop_null().to_numpy()  # the texts of its rows, not those of rows cut off
        own = own[chunk.dictionary.is_valid().to_numpy(zero_copy_only=False)[own]]
        at[own] = self._numbers(chunk.dictionary.take(pa.array(own)))
        return pa.array(at, mask=chunk.dictionary.is_null().to_numpy(zero_copy_only=False)).take(chunk.indices)

    def _numbers(self, texts: pa.Array) -> Ints:
        from pagekin.kernels.texts import numbered, placed

        offset, data = buffers(texts)
        if 2 * (self._held + len(texts)) > self._table.size:
            self._table = np.full(_power_of_two(2 * (self._held + len(texts))), -1, np.int32)
            placed(self._offset[: self._held + 1], self._data, self._table, self._seed)
        self._offset = _with_room(self._offset, self._held + 1, len(texts))
        self._data = _with_room(self._data, int(self._offset[self._held]), int(offset[-1] - offset[0]))
        number, self._held = numbered(offset, data, self._table, self._offset, self._data, self._held, self._seed)
        return number


def _with_room(array: npt.NDArray[Any], held: int, more: int) -> npt.NDArray[Any]:
    """The array, of which some values are held, with room for more."""
    if held + more <= array.size:
        return array
    grown = np.empty(_power_of_two(held + more), array.dtype)
    grown[:held] = array[:held]
    return grown


def _power_of_two(least: int) -> int:
    return 1 << (least - 1).bit_length()


class Batches:
    """An Arrow file in batches of `BATCH_ROWS`: `with Batches(path, schema, values) as file: file.write(rows)`.

    In the rows, the columns named in `values` are numbers, of those texts.
    """

    def __init__(self, path: Path, schema: pa.Schema, values: Mapping[str, pa.Array]) -> None:
        self.schema, self.values = schema, values
        texts = pa.dictionary(pa.int32(), pa.large_string())
        self._written = pa.schema([each.with_type(texts) if each.name in values else each for each in schema])
        self._file = pa.ipc.new_file(path, self._written)
        self._waiting, self._rows = list[pa.Table](), 0

    def __enter__(self) -> "Batches":
        return self

    def write(self, rows: pa.Table) -> None:
        self._waiting.append(rows.select(self.schema.names))
        self._rows += rows.num_rows
        while self._rows >= BATCH_ROWS:
            self._write(BATCH_ROWS)

    def _write(self, rows: int) -> None:
        waiting = pa.concat_tables(self._waiting)
        batch = waiting.slice(0, rows).combine_chunks()
        columns = [
            pa.DictionaryArray.from_arrays(whole, self.values[name]) if name in self.values else whole
            for name, column in zip(batch.column_names, batch.columns, strict=True)
            for whole in [pa.concat_arrays(column.chunks) if column.num_chunks != 1 else column.chunk(0)]
        ]
        self._file.write_batch(pa.RecordBatch.from_arrays(columns, schema=self._written))
        self._waiting, self._rows = [waiting.slice(rows)], self._rows - rows

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is None and self._rows:
            self._write(self._rows)
        self._file.close()


class Rows(Protocol):
    """Rows of a table, some of which can be taken."""

    @property
    def num_rows(self) -> int: ...

    def slice(self, first: int, rows: int) -> pa.Table: ...


class Mapped:
    """The rows of an Arrow file; to a process on another machine it goes as the name of the file."""

    def __init__(self, path: Path) -> None:
        self.path, self.rows = path, mapped(path)
        self.num_rows: int = self.rows.num_rows

    def slice(self, first: int, rows: int) -> pa.Table:
        return self.rows.slice(first, rows)

    def __reduce__(self) -> tuple[type["Mapped"], tuple[Path]]:
        return Mapped, (self.path.absolute(),)


def mapped(path: Path) -> pa.Table:
    """The rows of an Arrow file; nothing is read until it is used."""
    return pa.ipc.open_file(pa.memory_map(str(path))).read_all()
