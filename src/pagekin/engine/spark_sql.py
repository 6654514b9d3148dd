"""Runs relational steps on Spark: the twin of `relational`, with the same expressions in the SQL of Spark.

Tables are folders of Parquet files here. Spark itself splits what is too large for memory, keeps only what a limit of
rows lets through before it shuffles, and splits the partitions of keys that too many rows share.
"""

import re
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

from pagekin.engine.jobs import run
from pagekin.engine.relational import ibis_type

if TYPE_CHECKING:
    from ibis import Table
    from ibis.expr.schema import Schema
    from pyspark.sql import SparkSession


TASKS_PER_CORE = 16  # shuffled rows are cut into so many; Spark joins those that turn out small
_PATTERN = re.compile(r"([{}\[\]*?\\])")  # what Hadoop takes for a pattern in a path to read


class SparkTables:
    """A folder of Parquet tables that all machines see, and the session that makes new tables from them."""

    def __init__(self, session: "SparkSession", folder: Path) -> None:
        self.folder, self._session = folder, session
        cores = max(session.sparkContext.defaultParallelism, 1)
        session.conf.set("spark.sql.shuffle.partitions", str(TASKS_PER_CORE * cores))
        self._named: set[str] = set()

    def read(self, name: str, files: str = "") -> "Table":
        """The table in `NAME.parquet`, a file or a folder of them, or in the files that match a pattern."""
        import ibis

        found = sorted(self.folder.glob(files or f"{name}.parquet"))
        first = next(file for each in found for file in ([each] if each.is_file() else sorted(each.glob("*.parquet"))))
        table = ibis.table({field.name: ibis_type(field.type) for field in pq.read_schema(first)}, name)
        # Spark would start a job to ask for the columns.
        told = ", ".join(f"`{column}` {kind}" for column, kind in _kinds(table.schema()).items())
        frame = self._session.read.schema(told).parquet(*(_PATTERN.sub(r"\\\1", _url(file)) for file in found))
        frame.createOrReplaceTempView(name)
        self._named.add(name)
        return table

    def write(self, name: str, expression: "Table", by: str | None = None) -> None:
        """Write the rows of an expression to the folder `NAME.parquet`, or with `by` into folders `NAME/BY=VALUE`."""
        to = self.folder / (f"{name}.parquet" if by is None else name)
        found = self._session.sql(sql(expression))
        kinds = _kinds(expression.schema())
        found = found.select(*(found[name].cast(kind) for name, kind in kinds.items()))  # of sums, Spark has its own
        writer = found.write.mode("overwrite")
        writer = writer if by is None else writer.partitionBy(by)
        run(self._session.sparkContext, lambda: writer.parquet(_url(to)))

    def forget(self, name: str) -> None:
        """Release the name of a table, so that another can be read under it."""
        self._session.catalog.dropTempView(name)
        self._named.discard(name)

    def __enter__(self) -> "SparkTables":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for name in list(self._named):
            self.forget(name)


def _url(file: Path) -> str:
    """A path as Hadoop wants it: with its scheme, since another may be the default, and nothing else changed."""
    return f"file://{file}"


def _kinds(schema: "Schema") -> dict[str, str]:
    """The types of columns as Spark names them."""
    return {name: _compiler().type_mapper.to_string(kind) for name, kind in schema.items()}


def sql(expression: "Table") -> str:
    """An expression in the SQL of Spark. Ibis' own connection would bring in pandas."""
    compiler = _compiler()
    return str(compiler.to_sqlglot(expression).sql(dialect=compiler.dialect))


@cache
def _compiler() -> Any:
    import ibis
    from ibis.backends.sql.compilers import PySparkCompiler
    from ibis.config import Config

    class Options(Config):  # type: ignore[misc]
        treat_nan_as_null: bool = False

    if ibis.options.pyspark is None:  # the compiler asks for it, and only a connection would set it
        ibis.options.pyspark = Options()
    return PySparkCompiler()
