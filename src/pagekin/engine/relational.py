"""Relational steps on this machine: Ibis expressions that DuckDB runs within bounded memory, Parquet between steps.

Expressions are made of tables that are only described, and become SQL here, so another engine has the same few
operations to offer: `read` files as a table, `write` an expression, whole or in parts. Ibis' own DuckDB connection is
not used: it calls what DuckDB 2 deprecates, its `create_table` fails there, and it brings pandas along, which Arrow
then imports in every process.
"""

import atexit
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from pagekin.engine.local import cores
from pagekin.engine.memory import memory

if TYPE_CHECKING:
    from ibis import Table


class Relational:
    """A folder of Parquet tables, and the engine that makes new ones of them."""

    def __init__(self, folder: Path, threads: int | None = None) -> None:
        self.folder = folder
        self._connection = duckdb.connect()
        self._set("temp_directory", str(folder / "spilled"))
        self._set("threads", str(threads or cores()))
        self._set(
            "preserve_insertion_order", "false"
        )  # what is in order says so by its columns; keeping it costs memory
        self._set("memory_limit", f"{memory()}B")

    def _set(self, name: str, value: str) -> None:
        self._connection.execute(f"SET {name} = {_quoted(value)}")

    def read(self, name: str, files: str = "") -> "Table":
        """The table in the folder's file `NAME.parquet`, or in those that a pattern such as `pairs/*.parquet` names."""
        import ibis

        found = sorted(self.folder.glob(files or f"{name}.parquet"))
        columns = {field.name: _type(field.type) for field in pq.read_schema(found[0])}
        self._connection.read_parquet([str(file) for file in found], hive_partitioning=False).create_view(name)
        return ibis.table(columns, name)

    def write(self, name: str, expression: "Table", by: str | None = None) -> None:
        """Run an expression into `NAME.parquet`, or with `by` into folders `NAME/BY=VALUE`."""
        import ibis

        to, split = (f"{name}.parquet", "") if by is None else (name, f", PARTITION_BY ({by})")
        query = ibis.to_sql(expression, dialect="duckdb")
        to = _quoted(str(self.folder / to))
        self._connection.execute(f"COPY ({query}) TO {to} (FORMAT parquet, COMPRESSION lz4{split})")

    def forget(self, name: str) -> None:
        """Let the name of a table go, so that another can be read under it."""
        self._connection.execute(f'DROP VIEW "{name}"')

    def __enter__(self) -> "Relational":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._connection.close()


class Script:
    """Steps over small tables in memory: each becomes SQL once, and all then run as often as they are asked for.

    To make SQL of an expression takes longer than to run it over a few thousand rows.
    """

    def __init__(self) -> None:
        self._steps: list[tuple[str, str]] = []

    def table(self, name: str, schema: pa.Schema) -> "Table":
        """A table that each run is given."""
        import ibis

        return ibis.table({field.name: _type(field.type) for field in schema}, name)

    def step(self, name: str, expression: "Table") -> "Table":
        """The table of an expression's rows, for the steps after it."""
        import ibis

        self._steps.append((name, ibis.to_sql(expression, dialect="duckdb")))
        return ibis.table(expression.schema(), name)

    def run(self, tables: Mapping[str, pa.Table]) -> pa.Table:
        """The rows of the last step."""
        with _in_memory().cursor() as own:  # tables of one run are not seen by another, in whichever thread
            for name, rows in tables.items():
                own.register(name, rows)
            for name, query in self._steps:
                own.execute(f'CREATE TEMP TABLE "{name}" AS {query}')
            return own.table(self._steps[-1][0]).to_arrow_table()


@lru_cache(1)
def _in_memory() -> duckdb.DuckDBPyConnection:
    """An engine for what is small: one thread, because starting more would take longer, and nothing on disk."""
    made = duckdb.connect(config={"threads": 1, "memory_limit": f"{memory()}B", "temp_directory": ""})
    made.execute("SET enable_external_access = false")
    atexit.register(_in_memory.cache_clear)  # none is left open when the interpreter ends
    return made


def _type(arrow: pa.DataType) -> str:
    """The type of a column as Ibis spells it.

    >>> _type(pa.int64()), _type(pa.float64()), _type(pa.decimal128(18, 17))
    ('int64', 'float64', 'decimal(18, 17)')
    """
    return {"double": "float64", "bool": "boolean"}.get(str(arrow), str(arrow).replace("decimal128", "decimal"))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
