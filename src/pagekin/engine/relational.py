"""Runs relational steps on this machine: Ibis expressions in DuckDB within bounded memory, with Parquet between steps.

Expressions are built on tables that are only described, and become SQL here. So another engine needs only the same few
operations (`spark_sql`): `read` files as a table, `write` an expression, whole or in parts. Ibis' own DuckDB connection
is not used: it calls what DuckDB 2 deprecates, its `create_table` fails there, and it brings in pandas, which Arrow
then imports in every process.
"""

import atexit
import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from pagekin.engine.local import cores
from pagekin.engine.memory import SETTING, memory
from pagekin.errors import PagekinError
from pagekin.failures import size

if TYPE_CHECKING:
    from ibis import Table
    from ibis.expr.operations import Node

SHARE = 0.85  # of the memory, what DuckDB may count: it took up to 0.9 times as much again, in all steps of block pairs
MOST_QUERIES = 64  # the most expressions whose SQL is remembered: what a few rules need for their steps


class Relational:
    """A folder of Parquet tables, and the engine that makes new tables from them."""

    def __init__(self, folder: Path, threads: int | None = None) -> None:
        self.folder = folder
        self._connection = duckdb.connect()
        self._set("temp_directory", str(folder / "spilled"))
        self._set("threads", str(threads or cores()))
        self._set(
            "preserve_insertion_order", "false"
        )  # order is kept in columns where it matters; keeping it here costs memory
        self._set("memory_limit", f"{int(SHARE * memory())}B")
        self._set("enable_progress_bar", "false")  # it draws one in notebooks and `python -c`; progress is ours to show

    def _set(self, name: str, value: str) -> None:
        self._connection.execute(f"SET {name} = {_quoted(value)}")

    def read(self, name: str, files: str = "") -> "Table":
        """The table in the folder's file `NAME.parquet`, or in the files that match a pattern (`pairs/*.parquet`)."""
        import ibis

        found = sorted(self.folder.glob(files or f"{name}.parquet"))
        columns = {field.name: ibis_type(field.type) for field in pq.read_schema(found[0])}
        self._connection.read_parquet([str(file) for file in found], hive_partitioning=False).create_view(name)
        return ibis.table(columns, name)

    def write(self, name: str, expression: "Table", by: str | None = None) -> None:
        """Write the rows of an expression to `NAME.parquet`, or with `by` into folders `NAME/BY=VALUE`."""
        to, split = (f"{name}.parquet", "") if by is None else (name, f", PARTITION_BY ({by})")
        query = _sql(expression.op())
        to = _quoted(str(self.folder / to))
        with as_python():
            self._connection.execute(f"COPY ({query}) TO {to} (FORMAT parquet, COMPRESSION lz4{split})")

    def forget(self, name: str) -> None:
        """Release the name of a table, so that another can be read under it."""
        self._connection.execute(f'DROP VIEW "{name}"')

    def __enter__(self) -> "Relational":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._connection.close()


class Script:
    """Steps over small tables in memory: each becomes SQL once, and all can then be run many times.

    Turning an expression into SQL takes longer than running it over a few thousand rows.
    """

    def __init__(self) -> None:
        self._steps: list[tuple[str, str]] = []

    def table(self, name: str, schema: pa.Schema) -> "Table":
        """Declare a table that each run is given."""
        import ibis

        return ibis.table({field.name: ibis_type(field.type) for field in schema}, name)

    def step(self, name: str, expression: "Table") -> "Table":
        """Add a step; returns the table of its rows, for the steps after it."""
        import ibis

        self._steps.append((name, _sql(expression.op())))
        return ibis.table(expression.schema(), name)

    def run(self, tables: Mapping[str, pa.Table]) -> pa.Table:
        """Run all steps; returns the rows of the last."""
        with as_python(), _in_memory().cursor() as own:  # so that runs in other threads do not see these tables
            for name, rows in tables.items():
                own.register(name, rows)
            for name, query in self._steps:
                own.execute(f'CREATE TEMP TABLE "{name}" AS {query}')
            return own.table(self._steps[-1][0]).to_arrow_table()


@lru_cache(MOST_QUERIES)
def _sql(operation: "Node") -> str:
    """An expression as SQL, by its operation, which is the same for the same steps over the same columns.

    Each part of a large table, and each index with the same rule, asks for it again.
    """
    import ibis

    return str(ibis.to_sql(operation.to_expr(), dialect="duckdb"))


# What a full disk and the like are called in DuckDB's messages, which carry no error numbers.
_REFUSED = {
    os.strerror(number): number
    for number in (
        errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG, errno.EACCES, errno.EMFILE, errno.ENFILE, errno.ENOMEM,
    )
}  # fmt: skip


@contextmanager
def as_python() -> Iterator[None]:
    """Raise DuckDB's errors about memory and disk as Python's own, which `failures` explains."""
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        if "temp_directory_size" in str(error):  # by default nine tenths of what was free on the disk
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
        if " used)" in str(error):  # of what `memory_limit` allows; else the system itself gave no more
            raise PagekinError(
                f"there is not enough memory for this within {size(memory())}; what was committed before is safe; "
                f"allow more with the environment variable {SETTING}, for example {SETTING}={_more()}"
            ) from error
        raise MemoryError(str(error)) from error
    except duckdb.IOException as error:
        number = next((number for text, number in _REFUSED.items() if text in str(error)), None)
        raise (OSError(str(error)) if number is None else OSError(number, os.strerror(number))) from error


def _more() -> str:
    return f"{max(1, round(2 * memory() / 1e9))}GB"


@lru_cache(1)
def _in_memory() -> duckdb.DuckDBPyConnection:
    """An engine for small tables: one thread, because starting more would take longer, and nothing on disk."""
    made = duckdb.connect(config={"threads": 1, "memory_limit": f"{memory()}B", "temp_directory": ""})
    made.execute("SET enable_external_access = false")
    atexit.register(_in_memory.cache_clear)  # so that none is left open when the interpreter ends
    return made


def ibis_type(arrow: pa.DataType) -> str:
    """The type of a column as Ibis spells it.

    >>> ibis_type(pa.int64()), ibis_type(pa.float64()), ibis_type(pa.decimal128(18, 17))
    ('int64', 'float64', 'decimal(18, 17)')
    """
    return {"double": "float64", "bool": "boolean"}.get(str(arrow), str(arrow).replace("decimal128", "decimal"))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
