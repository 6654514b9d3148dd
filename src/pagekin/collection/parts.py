"""Writes and reads parts: folders of Parquet files, written once, checked by checksum, read table by table."""

import os
import shutil
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pagekin.collection.manifest import Part, sync
from pagekin.collection.schema import OWNER, SCHEMAS, Tables
from pagekin.errors import CollectionError
from pagekin.failures import explained, said
from pagekin.wording import command

ROW_GROUP = 20_000
# A snippet needs the text of one page, so one row group is decoded: small enough for that, large enough to compress.
TEXT_GROUP = 25


def write(folder: Path, name: str, tables: Tables, holds: tuple[str, ...] = ()) -> Part:
    """Write the tables as the part `name`; it does not count until a manifest lists it. On failure nothing is left.

    `holds` are the fingerprints of the parts it was compacted from; a new part has its own.
    """
    target = folder / "parts" / name
    checksums = {}
    try:
        target.mkdir(parents=True)
        for table, rows in tables.items():
            if rows.num_rows:
                path = target / f"{table}.parquet"
                size = TEXT_GROUP if table == "text" else ROW_GROUP
                pq.write_table(rows, path, compression="zstd", row_group_size=size)
                _sync_file(path)
                checksums[table] = checksum(path)
        sync(target)
        sync(target.parent)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise
    fingerprint = blake2b("".join(sorted(checksums.values())).encode(), digest_size=16).hexdigest()
    return Part(name, {table: rows.num_rows for table, rows in tables.items()}, checksums, holds or (fingerprint,))


def checksum(path: Path) -> str:
    """The BLAKE2b hash of a file."""
    state = blake2b(digest_size=16)
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            state.update(chunk)
    return state.hexdigest()


def read(
    folder: Path, part: Part, table: str, columns: Sequence[str] | None = None, pages: Sequence[int] | None = None
) -> pa.Table:
    """Read one table of a part, or only some columns, or only the rows of a few pages."""
    if table not in part.checksums:
        empty = SCHEMAS[table].empty_table()
        return empty.select(list(columns)) if columns else empty
    path = folder / part.path / f"{table}.parquet"
    wanted = list(columns) if columns else None
    try:
        if pages is not None:
            return _of_pages(path, OWNER[table], pages, wanted)
        return pq.read_table(path, columns=wanted, partitioning=None)
    except (OSError, pa.ArrowInvalid) as error:
        if explained(error):
            raise CollectionError(f"reading {path} failed: {said(error, path)}") from error
        raise CollectionError(
            f"{path} is missing or damaged ({type(error).__name__}); to set it aside, run: {command('scrub', folder)}"
        ) from error


def _of_pages(path: Path, owner: str, pages: Sequence[int], columns: list[str] | None) -> pa.Table:
    """The rows of a few pages. A page's rows are together, so only the row groups that may hold them are read."""
    metadata, least, most = _groups(path, owner)
    asked = np.array(sorted(pages), np.int64)
    groups = np.flatnonzero(np.searchsorted(asked, least) < np.searchsorted(asked, most, "right")).tolist()
    wanted = None if columns is None else list(dict.fromkeys([owner, *columns]))
    with pq.ParquetFile(path, metadata=metadata, memory_map=True) as file:
        rows = file.read_row_groups(groups, wanted, use_threads=False)
    return rows.filter(pc.is_in(rows[owner], pa.array(asked)))


@lru_cache(256)
def _groups(path: Path, owner: str) -> tuple[pq.FileMetaData, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """A file's metadata, and the first and last page of each of its row groups; cached, since parts never change."""
    metadata = pq.read_metadata(path)
    at = metadata.schema.names.index(owner)
    known = [metadata.row_group(group).column(at).statistics for group in range(metadata.num_row_groups)]
    least, most = (np.array([getattr(of, name) for of in known], np.int64) for name in ("min", "max"))
    return metadata, least, most


def _sync_file(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
