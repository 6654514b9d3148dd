"""Parts on disk: a folder of Parquet files, written once, checked by checksum, read table by table."""

import os
import shutil
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pagekin.collection.manifest import Part, sync
from pagekin.collection.schema import SCHEMAS, Tables
from pagekin.errors import CollectionError

# A look-up of one page's text decodes one row group: small enough for that, large enough to compress.
ROW_GROUP = 20_000


def write(folder: Path, name: str, tables: Tables, holds: tuple[str, ...] = ()) -> Part:
    """Write the tables as the part `name`; nothing refers to it until a manifest does. On failure nothing stays.

    `holds` are the fingerprints of the parts it was compacted from; a new part has its own.
    """
    target = folder / "parts" / name
    checksums = {}
    try:
        target.mkdir(parents=True)
        for table, rows in tables.items():
            if rows.num_rows:
                path = target / f"{table}.parquet"
                pq.write_table(rows, path, compression="zstd", row_group_size=ROW_GROUP)
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
    """BLAKE2b of a file."""
    state = blake2b(digest_size=16)
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            state.update(chunk)
    return state.hexdigest()


def read(
    folder: Path, part: Part, table: str, columns: Sequence[str] | None = None, page: int | None = None
) -> pa.Table:
    """One table of a part, or only some columns, or only one page's rows."""
    if table not in part.checksums:
        empty = SCHEMAS[table].empty_table()
        return empty.select(list(columns)) if columns else empty
    path = folder / part.path / f"{table}.parquet"
    filters = None if page is None else [("page" if table != "links" else "source", "=", page)]
    try:
        return pq.read_table(path, columns=list(columns) if columns else None, filters=filters, partitioning=None)
    except (OSError, pa.ArrowInvalid) as error:
        raise CollectionError(
            f"{path} is missing or damaged ({type(error).__name__}); 'pagekin scrub {folder}' sets it aside"
        ) from error


def _sync_file(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
