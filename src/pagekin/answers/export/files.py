"""Write tables as Parquet, CSV and JSON lines, batch by batch, and never leave a half-written file behind."""

import sys
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from pagekin.errors import PagekinError
from pagekin.failures import said
from pagekin.harmless import FORMULA, as_json

JSON_ROWS = 10_000  # rows held as Python objects at one time

Column = Any  # an Arrow array; pyarrow's stubs do not say what its functions return


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`. It is renamed to `path` on success and removed on failure."""
    beside = path.with_name(f".pagekin-{uuid.uuid4().hex[:12]}")
    try:
        yield beside
        beside.replace(path)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        with suppress(OSError):
            beside.unlink()


@contextmanager
def opened(path: Path | None) -> Iterator[BinaryIO]:
    """A file to write to, which is there whole or not at all; None is standard output, which gets what is ready."""
    if path is None:
        try:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        except OSError as error:
            raise PagekinError(f"cannot write to standard output: {said(error)}") from error
        return
    with whole(path) as beside, beside.open("wb") as file:
        yield file


def cannot_write(path: Path, error: OSError) -> PagekinError:
    """The error for a file that the system refuses to write."""
    if not path.parent.exists():
        return PagekinError(f"cannot write {path}: there is no folder {path.parent}; create it first")
    return PagekinError(f"cannot write {path}: {said(error, path)}")


def write_parquet(schema: pa.Schema, batches: Iterable[pa.RecordBatch], file: BinaryIO) -> int:
    """Write a Parquet file with a row group for each batch. Returns the number of rows, as do the functions below."""
    rows = 0
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def write_csv(schema: pa.Schema, batches: Iterable[pa.RecordBatch], file: BinaryIO) -> int:
    """Write a CSV file in UTF-8 with a header: text is quoted, times are ISO 8601, unknown values are empty."""
    rows = 0
    with pacsv.CSVWriter(file, _spelled(schema.empty_table()).schema) as writer:
        for batch in batches:
            writer.write_table(_spelled(pa.Table.from_batches([batch])))
            rows += batch.num_rows
    return rows


def write_jsonl(schema: pa.Schema, batches: Iterable[pa.RecordBatch], file: BinaryIO) -> int:
    """Write a JSON object on each line, with the columns of the schema as keys."""
    rows = 0
    for batch in batches:
        table = _spelled(pa.Table.from_batches([batch]))
        for start in range(0, table.num_rows, JSON_ROWS):
            file.writelines(f"{as_json(row)}\n".encode() for row in table.slice(start, JSON_ROWS).to_pylist())
        rows += table.num_rows
    return rows


def as_cells(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Rows for a spreadsheet: text that would be a formula has an apostrophe in front; numbers stay."""
    columns = [
        pc.replace_substring_regex(column, f"({FORMULA})", r"'\1") if pa.types.is_string(column.type) else column
        for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


def _spelled(table: pa.Table) -> pa.Table:
    """The table with its times as text."""
    for at, field in enumerate(table.schema):
        if pa.types.is_timestamp(field.type):
            table = table.set_column(at, field.name, iso(table.column(at)))
    return table


def iso(times: Column) -> Column:
    """Times in UTC as text, to the second: `2002-10-07T12:00:00Z`."""
    return pc.strftime(times.cast(pa.timestamp("s", "UTC"), safe=False), format="%Y-%m-%dT%H:%M:%SZ")


Write = Callable[[pa.Schema, Iterable[pa.RecordBatch], BinaryIO], int]
ROW_FILES: dict[str, Write] = {".parquet": write_parquet, ".csv": write_csv, ".jsonl": write_jsonl}
