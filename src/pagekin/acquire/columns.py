"""Reads the columns of a table of links, text or Parquet, one part at a time, with line numbers for reports.

A block of text is cleaned as bytes (line ends, comments, encoding) and split by pyarrow, so that ten million rows are
read quickly and in little memory.
"""

import os
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from pagekin.acquire.capture import spelled
from pagekin.acquire.headers import EXPECTED
from pagekin.acquire.layout import SAMPLE, Asked, Layout, layout_of, roles_in, said_columns
from pagekin.acquire.quotes import without_stray_quotes
from pagekin.acquire.tables import Numbers
from pagekin.acquire.text import blocks, decoded, magic
from pagekin.errors import SourceError
from pagekin.failures import explained, size
from pagekin.model import Skipped

PARQUET = b"PAR1"
MOST_UNPACKED = 1 << 30  # bytes of a column in a row group; 128 MB are usual for all columns together
MOST_TEXT = 1 << 26  # bytes of text that are handed on at once
LONGEST_CELL = 1 << 16  # bytes; no address and no anchor is as long
BATCH = 1_000_000  # rows of Parquet at once: their Python strings and arrays stay under a few hundred megabytes

_COMMENT = re.compile(rb"(?m)^[#%][^\n]*")  # SNAP writes #, KONECT %
_FIRST_ROW = re.compile(rb"(?m)^[^\n]*\S[^\n]*")

Part = tuple[pa.Table, Numbers]  # columns by role, and each row's line number


def read_columns(path: Path, asked: Asked | None = None) -> Iterator[Part | Skipped]:
    """The columns that describe links, as text, named by their role (`headers.ROLES`), which are guessed unless they
    are asked for; bad rows are reported."""
    return _parquet(path, asked) if magic(path).startswith(PARQUET) else _text(path, asked)


def cleaned(block: bytes) -> bytes:
    """The block in UTF-8, with LF line ends and without comments; the number of lines stays the same."""
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
        block = block.replace(b"\r", b" " if b"\n" in block else b"\n")  # a lone CR: an old line end, or dirt
    if block.startswith((b"#", b"%")) or b"\n#" in block or b"\n%" in block:  # looking first is four times faster
        block = _COMMENT.sub(b"", block)
    try:
        if not block.isascii():  # most are, and to see it takes no memory
            block.decode()
    except UnicodeDecodeError:  # pyarrow cannot report a bad row that is not UTF-8: it stops there
        block = b"\n".join(decoded(line).encode() for line in block.split(b"\n"))
    return block


def _text(path: Path, asked: Asked | None) -> Iterator[Part | Skipped]:
    layout, line, name = None, 1, spelled(path.name)
    for block in blocks(path):
        if isinstance(block, Skipped):
            yield block
            continue
        block = cleaned(block)
        if layout is None:
            layout = layout_of(spelled(path), block, asked)
            top = layout.before + layout.header
            block = _FIRST_ROW.sub(b"", block, count=top) if top else block
        block, stray = without_stray_quotes(block, layout)
        for number, text in stray:
            yield Skipped(f"{name}:{line + number}: {text[:80]}", "a quote that is never closed")
        for piece in _pieces(block):
            table, bad = _parsed(piece, layout)
            yield table, np.delete(np.arange(len(table) + len(bad)), list(bad)) + line
            for number, text in bad.items():
                if text.strip():
                    yield Skipped(f"{name}:{line + number}: {text[:80]}", "wrong number of columns")
            line += piece.count(b"\n")
    if layout is None:
        raise SourceError(f"{spelled(path)} is empty; {EXPECTED}")


def _pieces(block: bytes) -> Iterator[bytes]:
    """A block, cut at line ends if its lines are so short that it has millions of them; quoted texts are not cut."""
    lines = block.count(b"\n")
    if lines <= BATCH or b'"' in block:
        yield block
        return
    at, step = 0, max(1, len(block) // (lines // BATCH + 1))
    while at < len(block):
        end = block.find(b"\n", at + step) + 1 or len(block)
        yield block[at:end]
        at = end


def _parsed(block: bytes, layout: Layout) -> tuple[pa.Table, dict[int, str]]:
    """The columns of a block, and the rows of the wrong width by their number."""
    block = (_squeezed(block) if layout.delimiter == " " else block) or b"\n"  # pyarrow refuses to read nothing
    bad: dict[int, str] = {}

    def refuse(row: pacsv.InvalidRow) -> str:
        bad[row.number - 1] = row.text
        return "skip"

    table = pacsv.read_csv(
        pa.BufferReader(block),
        # pyarrow numbers the rows only without threads; with a single block no row straddles two.
        pacsv.ReadOptions(
            use_threads=False, block_size=len(block) + 1, column_names=list(map(str, range(layout.width)))
        ),
        pacsv.ParseOptions(
            delimiter=layout.delimiter,
            quote_char='"' if layout.quotes else False,
            ignore_empty_lines=False,  # a blank line is a row of blanks, so that row numbers are line numbers
            invalid_row_handler=refuse,
        ),
        pacsv.ConvertOptions(
            include_columns=[str(column) for column in layout.columns.values()],
            column_types={str(column): pa.string() for column in layout.columns.values()},
            strings_can_be_null=False,
            check_utf8=False,
        ),
    )
    return table.rename_columns(list(layout.columns)), bad


def _squeezed(block: bytes) -> bytes:
    """The block with one space for each run of spaces and tabs, none at line ends; five times faster than a regex."""
    block = block.replace(b"\t", b" ")
    while b"  " in block:
        block = block.replace(b"  ", b" ")
    return block.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")


def described(path: Path, asked: Asked | None = None) -> str:
    """Which columns of a Parquet file are taken, for people; a `SourceError` with a sample if that is in doubt."""
    file = _opened(path)
    return said_columns(_parquet_roles(path, file, asked), file.schema_arrow.names)


def _opened(path: Path) -> pq.ParquetFile:
    try:
        file = pq.ParquetFile(pa.OSFile(os.fsencode(path)))
        texts = [
            each.name for each in file.schema_arrow if pa.types.is_string(each.type) or pa.types.is_binary(each.type)
        ]
        return pq.ParquetFile(pa.OSFile(os.fsencode(path)), read_dictionary=texts)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        if found := explained(error, path):
            raise SourceError(f"reading {spelled(path)} failed: {found.wrong}; {found.remedy}") from error
        raise SourceError(f"{spelled(path)} is not a readable Parquet file: {error}") from error


def _parquet_roles(path: Path, file: pq.ParquetFile, asked: Asked | None) -> dict[str, int]:
    """The columns of a Parquet file by their role, from their names and its first rows."""
    names: list[str] = file.schema_arrow.names
    columns = [[""] for _ in names]
    try:
        if file.num_row_groups and _unpacked_bytes(file.metadata.row_group(0), names) <= MOST_UNPACKED:
            batch = next(file.iter_batches(SAMPLE, row_groups=[0]), None)
            columns = [_cells(path, column) for column in batch.columns] if batch is not None else columns
    except (pa.ArrowException, OSError, UnicodeDecodeError):
        pass  # damaged, as will be reported when it is read
    return roles_in(spelled(path), names, list(zip(*columns, strict=True)), len(names), asked)


def _cells(path: Path, column: pa.Array) -> list[str]:
    try:
        found: list[str] = _strings(path, column).to_pylist()
        return found
    except (SourceError, pa.ArrowException):  # lists and the like: no end of a link
        return [""] * len(column)


def _parquet(path: Path, asked: Asked | None) -> Iterator[Part | Skipped]:
    file = _opened(path)
    names, name = file.schema_arrow.names, spelled(path.name)
    roles = _parquet_roles(path, file, asked)
    first = 1
    try:
        for number in range(file.num_row_groups):
            group = file.metadata.row_group(number)
            wanted = [names[column] for column in roles.values()]
            if (unpacked := _unpacked_bytes(group, wanted)) > MOST_UNPACKED:
                why = f"a row group with a column of {size(unpacked)}; at most {size(MOST_UNPACKED)} are read"
                rows = f"{first} to {first + group.num_rows - 1}"
                yield Skipped(f"{name}:{rows}", f"{why}: write the file with smaller groups")
                first += group.num_rows
                continue
            for batch in file.iter_batches(BATCH, row_groups=[number], columns=wanted):
                for row in np.flatnonzero(sum(_lengths(column) > LONGEST_CELL for column in batch.columns)):
                    yield Skipped(f"{name}:{first + row}", f"a cell of more than {size(LONGEST_CELL)} was left empty")
                for part in _slices(batch):
                    columns = {role: _strings(path, part.column(names[column])) for role, column in roles.items()}
                    yield pa.table(columns), np.arange(first, first + len(part))
                    first += len(part)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        if explained(error):
            raise
        yield Skipped(f"{name}:{first}", f"damaged, the rest is lost: {error}")


def _unpacked_bytes(group: pq.RowGroupMetaData, names: list[str]) -> int:
    """The size, unpacked, of the largest of these columns in a row group."""
    columns = map(group.column, range(group.num_columns))
    return max((column.total_uncompressed_size for column in columns if column.path_in_schema in names), default=0)


def _slices(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """A batch in pieces that stay small when each row has its text: in a dictionary, rows can share a long text."""
    lengths = sum((_kept(_lengths(column)) for column in batch.columns), np.zeros(len(batch), np.int64))
    places = np.flatnonzero(np.diff(np.cumsum(lengths) // MOST_TEXT)) + 1
    for begin, end in pairwise([0, *places.tolist(), len(batch)]):
        yield batch.slice(begin, end - begin)


def _lengths(column: pa.Array) -> Numbers:
    """The bytes of each text in a column; 0 for numbers."""
    if pa.types.is_dictionary(column.type):
        lengths = np.append(_lengths(column.dictionary), 0)  # the last for nulls
        indices = column.indices.fill_null(len(lengths) - 1).to_numpy(zero_copy_only=False)
        if len(indices) and not 0 <= indices.min() <= indices.max() < len(lengths):
            raise pa.ArrowInvalid("an index that is not in its dictionary")
        found: Numbers = lengths[indices]
        return found
    if not (pa.types.is_string(column.type) or pa.types.is_binary(column.type)):
        return np.zeros(len(column), np.int64)
    found = pc.binary_length(column).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def _kept(lengths: Numbers) -> Numbers:
    return np.where(lengths > LONGEST_CELL, 0, lengths)


def _strings(path: Path, column: pa.Array) -> pa.Array:
    """A Parquet column as text: numbers are spelled out, nulls become empty, bytes are decoded.

    A text that is longer than any address or anchor becomes empty, before it is copied to each of its rows.
    """
    if pa.types.is_dictionary(column.type):
        values = _strings(path, column.dictionary)
        return pc.fill_null(pa.DictionaryArray.from_arrays(column.indices, values).dictionary_decode(), "")
    if pa.types.is_string(column.type) or pa.types.is_binary(column.type):
        column = pc.if_else(pc.greater(pc.binary_length(column), LONGEST_CELL), None, column)
    try:
        strings = column.cast(pa.string())
        strings.validate(full=True)
    except pa.ArrowNotImplementedError as error:
        raise SourceError(f"{spelled(path)} holds {column.type} where text or numbers were expected") from error
    except pa.ArrowInvalid:
        raw = column.cast(pa.binary()).to_pylist()
        strings = pa.array([None if value is None else decoded(value) for value in raw], pa.string())
    return pc.fill_null(strings, "")
