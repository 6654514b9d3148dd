"""Writes Arrow files row by row that memory would not hold, with columns of repeated texts as dictionaries."""

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc

BATCH_ROWS = 1 << 20  # rows in an Arrow batch, which must fit 32-bit string offsets when it becomes a part again
Strings = Any  # an array of Arrow, in chunks or not


class Codes:
    """Numbers for the different texts of a column, in the order in which they come."""

    def __init__(self) -> None:
        self.values = pa.array([], pa.large_string())

    def of(self, column: pa.ChunkedArray) -> pa.ChunkedArray:
        """The number of each text; null for null."""
        return pa.chunked_array([self._of(chunk) for chunk in column.chunks], pa.int32())

    def learn(self, texts: Strings) -> None:
        """Give numbers to texts that will come."""
        texts = texts.cast(pa.large_string())
        new = pc.unique(texts.filter(pc.invert(pc.is_in(texts, value_set=self.values)))).drop_null()
        if len(new):
            self.values = pa.concat_arrays([self.values, *([new] if isinstance(new, pa.Array) else new.chunks)])

    def _of(self, chunk: pa.Array) -> pa.Array:
        coded = chunk if pa.types.is_dictionary(chunk.type) else chunk.dictionary_encode()
        known = pc.unique(coded.indices).drop_null() if len(coded.dictionary) > len(coded) else None
        self.learn(coded.dictionary if known is None else coded.dictionary.take(known))
        at = pc.index_in(coded.dictionary.cast(pa.large_string()), value_set=self.values)
        return at.take(coded.indices)


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
