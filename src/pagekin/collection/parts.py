"""Writes and reads parts: folders of Parquet files, written once, checked by checksum, read table by table.

`part.json` in the folder says again what the manifest says about the part, so that a lost manifest can be rebuilt.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pagekin.collection import sealed
from pagekin.collection.files import fault
from pagekin.collection.footers import Footer, footer_of
from pagekin.collection.manifest import Manifest, Part
from pagekin.collection.schema import ADDED_TABLES, DIFFERENT, OWNER, SCHEMAS, Tables, is_known, upgraded
from pagekin.collection.sealed import sync
from pagekin.failures import explained

DESCRIPTION = "part.json"
ROW_GROUP = 20_000
# A snippet needs the text of one page, so one row group is decoded: small enough for that, large enough to compress.
TEXT_GROUP = 25
PAGE_BYTES = 1 << 16  # unpacked: a page of each column is in memory while a part is read in slices
PIECE = 8 << 20  # bytes of a table, before compression, read at a time by those who read all; in memory some 50 MB


def write(folder: Path, name: str, tables: Tables, state: Manifest, holds: tuple[str, ...] = ()) -> Part:
    """Write the tables as the part `name`; it does not count until a manifest lists it. On failure nothing is left.

    `state` is the manifest that will list it. `holds` are the fingerprints of the parts it was compacted from; a new
    part has its own.
    """
    target = folder / "parts" / name
    checksums = {}
    try:
        target.mkdir(parents=True)
        for table, rows in tables.items():
            if rows.num_rows:
                path = target / f"{table}.parquet"
                pq.write_table(
                    rows, path, compression="zstd", write_page_checksum=True, data_page_size=PAGE_BYTES,
                    row_group_size=TEXT_GROUP if table == "text" else ROW_GROUP,
                    use_dictionary=[name for name in rows.column_names if name not in DIFFERENT],
                )  # fmt: skip
                _sync_file(path)
                checksums[table] = checksum(path)
        holds = holds or (fingerprint(checksums),)
        part = Part(name, {table: rows.num_rows for table, rows in tables.items()}, checksums, holds)
        write_description(folder, part, state)
        sync(target.parent)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise
    return part


def fingerprint(checksums: dict[str, str]) -> str:
    """What tells a part's content from that of others."""
    return blake2b("".join(sorted(checksums.values())).encode(), digest_size=16).hexdigest()


def write_description(folder: Path, part: Part, state: Manifest) -> None:
    """Write, beside a part's tables, all that the manifest says about it, and what salvaging its row groups needs."""
    tables = {table: asdict(footer_of(folder / part.path / f"{table}.parquet")) for table in part.checksums}
    content = {"version": state.version, "settings": state.settings, "part": asdict(part), "tables": tables}
    sealed.write(folder / part.path / DESCRIPTION, content)


def read_description(folder: Path, name: str) -> dict[str, Any] | None:
    """What a part says about itself; none if that is missing or damaged."""
    try:
        found, is_sealed = sealed.read(folder / "parts" / name / DESCRIPTION)
        part = Part.read(found["part"])
        Manifest(int(found["version"]), **found["settings"])  # raises if these are no settings
        tables = SCHEMAS.keys() - ADDED_TABLES <= part.rows.keys() <= SCHEMAS.keys()
        sound = is_sealed and part.name == name and tables
        return found if sound and found["tables"].keys() == part.checksums.keys() else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:  # or of another shape
        if explained(error):  # no permission, too many open files …: it may be sound
            raise
        return None


def is_described(folder: Path, part: Part) -> bool:
    """Whether a part says about itself what the manifest says about it."""
    found = read_description(folder, part.name)
    return found is not None and Part.read(found["part"]) == part and found["tables"].keys() == part.checksums.keys()


def footer(folder: Path, part: Part, table: str) -> Footer | None:
    """The copy of a table's footer; none if that is missing or damaged too."""
    found = read_description(folder, part.name)
    return None if found is None else Footer(**found["tables"][table])


def checksum(path: Path) -> str:
    """The BLAKE2b hash of a file."""
    state = blake2b(digest_size=16)
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            state.update(chunk)
    return state.hexdigest()


def faults(path: Path, known: str) -> Iterator[tuple[Path, str]]:
    """What is wrong with a table of a part, if its content is not what was written (see `files.faults`)."""
    if found := fault(path, None, lambda: checksum(path) == known):
        yield path, found


def _opened(path: Path, **settings: Any) -> pq.ParquetFile:
    """A table whose pages are verified; what is read ahead would stay in memory until it is closed, so nothing is."""
    return pq.ParquetFile(path, page_checksum_verification=True, pre_buffer=False, **settings)


def read(
    folder: Path, part: Part, table: str, columns: Sequence[str] | None = None, pages: Sequence[int] | None = None
) -> pa.Table:
    """Read one table of a part, or only some columns, or only the rows of a few pages.

    Raises whatever a missing or damaged file makes of it: `Store` reads through this and says what is wrong.
    """
    if table not in part.checksums:
        empty = SCHEMAS[table].empty_table()
        return empty.select(list(columns)) if columns else empty
    path = folder / part.path / f"{table}.parquet"
    if pages is not None:
        return _of_pages(path, table, pages, columns)
    with _opened(path) as file:
        _check(file, part, table)
        return _upgraded(table, file.read(_stored(file, columns)), columns)


def pieces(folder: Path, part: Part, table: str, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
    """The rows of a table of a part, a piece at a time, so that memory need not hold all; a page's are in one piece."""
    if table not in part.checksums:
        return
    owner, rest = OWNER[table], list[pa.Table]()
    with _opened(folder / part.path / f"{table}.parquet") as file:
        _check(file, part, table)
        for first, last in _runs(file.metadata):
            rows = pa.concat_tables([*rest, _read_groups(file, table, first, last, columns)])
            whole = rows.num_rows
            if last < file.num_row_groups:  # the last page may go on in the next piece
                whole = int(np.searchsorted(rows[owner].to_numpy(), rows[owner][-1].as_py()))
                rest = [rows.slice(whole)]
            if whole:
                yield rows.slice(0, whole)


def spans(folder: Path, part: Part, table: str) -> list[tuple[int, int]]:
    """The row groups of a table of a part, first and behind the last, each about a piece, which can be read apart."""
    if table not in part.checksums:
        return []
    with _opened(folder / part.path / f"{table}.parquet") as file:
        _check(file, part, table)
        return list(_runs(file.metadata))


def span(folder: Path, part: Part, table: str, first: int, last: int, columns: Sequence[str] | None = None) -> pa.Table:
    """The rows of some row groups of a table of a part; those of the first page and the last may be in others, too."""
    with _opened(folder / part.path / f"{table}.parquet") as file:
        _check(file, part, table)
        return _read_groups(file, table, first, last, columns)


def _read_groups(file: pq.ParquetFile, table: str, first: int, last: int, columns: Sequence[str] | None) -> pa.Table:
    return _upgraded(table, file.read_row_groups(list(range(first, last)), _stored(file, columns)), columns)


def batches(folder: Path, part: Part, table: str, rows: int, coded: Sequence[str] = ()) -> Iterator[pa.Table]:
    """The rows of a table of a part, so many at a time; of the columns in `coded`, texts come as dictionaries."""
    if table not in part.checksums:
        return
    path = folder / part.path / f"{table}.parquet"
    with _opened(path) as file:
        _check(file, part, table)
        coded = [name for name in coded if name in file.schema_arrow.names]
    with _opened(path, read_dictionary=coded) as file:
        for batch in file.iter_batches(rows):
            yield _upgraded(table, pa.Table.from_batches([batch]), None)


def values(folder: Path, part: Part, table: str, column: str) -> Iterator[pa.Array]:
    """The different values of a column of texts, each at least once; row groups with a single one are not read."""
    if table not in part.checksums:
        return
    with _opened(folder / part.path / f"{table}.parquet") as file:
        if column not in file.schema_arrow.names:
            yield pa.array([""])  # what `upgraded` puts there
            return
        at = file.schema_arrow.names.index(column)
        for number in range(file.num_row_groups):
            known = file.metadata.row_group(number).column(at).statistics
            if known is not None and known.has_min_max and known.min == known.max and not known.null_count:
                yield pa.array([known.min], pa.string())
            else:
                yield file.read_row_group(number, [column])[column].unique().cast(pa.string())


def _runs(metadata: pq.FileMetaData) -> Iterator[tuple[int, int]]:
    """The row groups of a file, first and behind the last, together about as large as a piece."""
    first, held = 0, 0
    for group in range(metadata.num_row_groups):
        held += metadata.row_group(group).total_byte_size
        if held >= PIECE:
            yield first, group + 1
            first, held = group + 1, 0
    if first < metadata.num_row_groups:
        yield first, metadata.num_row_groups


def _check(file: pq.ParquetFile, part: Part, table: str) -> None:
    if file.metadata.num_rows != part.rows[table] or not is_known(table, file.schema_arrow):
        raise ValueError(f"it does not hold {part.rows[table]:,} rows of {table}")


def _stored(file: pq.ParquetFile, columns: Sequence[str] | None) -> list[str] | None:
    """The columns to read of those wanted: a file of an earlier version lacks some."""
    return None if columns is None else [name for name in columns if name in file.schema_arrow.names]


def _upgraded(table: str, rows: pa.Table, columns: Sequence[str] | None) -> pa.Table:
    return upgraded(table, rows).select(list(columns) if columns else SCHEMAS[table].names)


def _of_pages(path: Path, table: str, pages: Sequence[int], columns: Sequence[str] | None) -> pa.Table:
    """The rows of a few pages. A page's rows are together, so only the row groups that may hold them are read."""
    owner = OWNER[table]
    now = path.stat()
    metadata, least, most = _groups(path, owner, (now.st_ino, now.st_mtime_ns, now.st_size))
    asked = np.array(sorted(pages), np.int64)
    groups = np.flatnonzero(np.searchsorted(asked, least) < np.searchsorted(asked, most, "right")).tolist()
    wanted = None if columns is None else list(dict.fromkeys([owner, *columns]))
    with _opened(path, metadata=metadata, memory_map=True) as file:
        rows = file.read_row_groups(groups, _stored(file, wanted), use_threads=False)
    rows = _upgraded(table, rows, wanted)
    return rows.filter(pc.is_in(rows[owner], pa.array(asked)))


Groups = tuple[pq.FileMetaData, npt.NDArray[np.int64], npt.NDArray[np.int64]]


@lru_cache(256)
def _groups(path: Path, owner: str, stamp: tuple[int, ...]) -> Groups:
    """A file's metadata, and the first and last page of each of its row groups; cached, since parts never change.

    `stamp` tells the file from another that was moved to the same path.
    """
    metadata = pq.read_metadata(path)
    at = metadata.schema.names.index(owner)
    known = [metadata.row_group(group).column(at).statistics for group in range(metadata.num_row_groups)]
    least, most = (np.array([getattr(of, name) for of in known], np.int64) for name in ("min", "max"))
    return metadata, least, most


def _sync_file(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
