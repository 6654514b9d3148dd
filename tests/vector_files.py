"""Files of vectors for tests."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq


def vector_file(path: Path, rows: Iterable[tuple[str | None, Sequence[Any] | None]], kind: Any = None) -> Path:
    """Write (url, vector) rows as Parquet; `kind` is the type of the vectors."""
    given = list(rows)
    columns = {
        "url": pa.array([url for url, _ in given], pa.string()),
        "vector": pa.array([vector for _, vector in given], kind or pa.list_(pa.float32())),
    }
    pq.write_table(pa.table(columns), path)
    return path
