"""The engine of relational steps: reads, writes, splits, stays within its memory."""

from concurrent.futures import ThreadPoolExecutor

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pagekin.engine.relational import Relational, Script


@pytest.fixture
def folder(tmp_path):
    rows = {
        "a": np.arange(1000, dtype=np.int32),
        "b": np.arange(1000) % 7,
        "c": np.ones(1000),
        "d": np.zeros(1000, bool),
    }
    pq.write_table(pa.table(rows), tmp_path / "rows.parquet")
    return tmp_path


def test_an_expression_becomes_a_file(folder):
    with Relational(folder) as engine:
        rows = engine.read("rows")
        engine.write("sums", rows.group_by("b").agg(c=rows.c.sum()))
        found = engine.read("sums")
        assert dict(found.schema().items()) == {"b": rows.b.type(), "c": rows.c.type()}
    assert sum(pq.read_table(folder / "sums.parquet")["c"].to_pylist()) == 1000


def test_an_expression_becomes_a_folder_of_parts(folder):
    with Relational(folder, threads=1) as engine:
        engine.write("parts", engine.read("rows"), by="b")
        for part in range(7):
            found = engine.read("part", f"parts/b={part}/*.parquet")
            engine.write("count", found.agg(n=found.count()))
            engine.forget("part")
            assert pq.read_table(folder / "count.parquet")["n"].to_pylist() == [len(range(part, 1000, 7))]


def test_memory_is_a_setting(folder, monkeypatch):
    monkeypatch.setenv("PAGEKIN_MEMORY", "300MB")
    with Relational(folder) as engine:
        (said,) = engine._connection.execute("SELECT current_setting('memory_limit')").fetchone()
        assert said == "286.1 MiB"


def script():
    made = Script()
    rows = made.table("rows", pa.schema([("a", pa.int32()), ("b", pa.int64())]))
    sums = made.step("sums", rows.group_by("b").agg(a=rows.a.sum()))
    made.step("found", sums.filter(sums.a > 1))
    return made


def summed(made, *rows):
    columns = [pa.array(column, kind) for column, kind in zip(zip(*rows, strict=True), LONG_AND_SHORT, strict=True)]
    return sorted(map(tuple, (row.values() for row in made.run({"rows": pa.table(columns, ["a", "b"])}).to_pylist())))


LONG_AND_SHORT = (pa.int32(), pa.int64())


def test_a_script_is_compiled_once_and_run_over_any_tables(monkeypatch):
    made = script()
    monkeypatch.setattr("ibis.to_sql", None)
    assert summed(made, (1, 7), (2, 7), (1, 8)) == [(7, 3)]
    assert summed(made, (5, 1)) == [(1, 5)]


def test_threads_that_run_a_script_do_not_see_each_other_s_tables():
    made = script()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda at: summed(made, (at, at), (2, at)), range(40)))
    assert found == [[(at, at + 2)] for at in range(40)]


def test_a_script_touches_no_file(tmp_path):
    made = Script()
    made._steps.append(("found", f"SELECT * FROM read_csv('{tmp_path}/x.csv')"))
    with pytest.raises(duckdb.PermissionException):
        made.run({})
