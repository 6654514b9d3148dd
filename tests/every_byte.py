"""All that the files of a collection say, decoded: so that a test can look for a word in it."""

import base64
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


def files_with(folder: Path, word: str) -> set[str]:
    """The files below a folder that hold a word, by their paths; one that cannot be decoded is an error, if it is not
    one that `scrub` set aside."""
    return {str(file.relative_to(folder)) for file in sorted(folder.rglob("*")) if file.is_file() and _has(file, word)}


def _has(file: Path, word: str) -> bool:
    try:
        return any(word.encode() in piece for piece in _pieces(file))
    except (OSError, ValueError):
        if "damaged" not in file.parts:
            raise
        return False


def _pieces(file: Path) -> Iterator[bytes]:
    """The bytes of a file as they are, and what they mean."""
    data = file.read_bytes()
    yield data
    match file.suffix:
        case ".parquet":
            read = pq.ParquetFile(file)
            yield _spelled(read.read())
            yield str(read.metadata.to_dict()).encode()
        case ".arrow":
            yield _spelled(pa.ipc.open_file(pa.BufferReader(data)).read_all())
        case ".npy":
            array = np.load(file)
            yield array.tobytes()
            yield str(array[:10].tolist()).encode()
        case ".json":
            yield from _json(json.loads(data))
        case ".warc":
            pass
        case suffix:
            assert not data, f"nobody knows how to read {file} ({suffix})"


def _spelled(table: pa.Table) -> bytes:
    """All values of a table, and those in its dictionaries that no row uses."""
    said = [str(column.to_pylist()) for column in table.columns]
    for column in table.columns:
        if pa.types.is_dictionary(column.type):
            said += [str(chunk.dictionary.to_pylist()) for chunk in column.chunks]
        if pa.types.is_binary(column.type):
            said += [str(value) for value in column.to_pylist()]
    return "\n".join(said).encode()


def _json(value: Any) -> Iterator[bytes]:
    """The texts in JSON; a footer of a Parquet file is compressed in one."""
    match value:
        case dict():
            for key, part in value.items():
                yield key.encode()
                if key == "footer":
                    yield zlib.decompress(base64.b64decode(part))
                else:
                    yield from _json(part)
        case list():
            for part in value:
                yield from _json(part)
        case _:
            yield str(value).encode()
