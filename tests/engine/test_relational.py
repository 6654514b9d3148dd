"""The engine of relational steps: reads, writes, splits, stays within its memory."""

import errno
from concurrent.futures import ThreadPoolExecutor

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pagekin.engine.relational import Relational, Script
from pagekin.errors import PagekinError


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
        assert said == "243.1 MiB"  # 85 %: DuckDB takes more than it counts


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


def test_what_was_written_once_is_not_compiled_again_whatever_is_in_its_tables(folder, monkeypatch):
    def least(at):
        with Relational(folder) as engine:
            rows = engine.read("rows")
            engine.write("sums", rows.filter(rows.a > at).agg(least=rows.a.min(), c=rows.c.sum()))
        return pq.read_table(folder / "sums.parquet").to_pylist()

    assert [least(at) for at in (900, 990)] == [[{"least": 901, "c": 99}], [{"least": 991, "c": 9}]]
    pq.write_table(pq.read_table(folder / "rows.parquet").slice(0, 995), folder / "rows.parquet")
    monkeypatch.setattr("ibis.to_sql", None)
    assert [least(at) for at in (900, 990)] == [[{"least": 901, "c": 94}], [{"least": 991, "c": 4}]]


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


def _failing(folder, monkeypatch, error):
    """Write a table with an engine that raises an error of DuckDB, as it was seen to."""

    class Broken:
        def execute(self, query):
            raise error

        def close(self):
            pass

    with Relational(folder) as engine:
        rows = engine.read("rows")
        engine._connection.close()
        monkeypatch.setattr(engine, "_connection", Broken())
        engine.write("again", rows)


@pytest.mark.parametrize(
    ("error", "number"),
    [
        (duckdb.IOException('IO Error: Could not write file "x.tmp": No space left on device'), errno.ENOSPC),
        (duckdb.IOException('IO Error: {"exception_message":"File too large","errno":"27"}'), errno.EFBIG),
        (duckdb.IOException('IO Error: Cannot open file "x": Permission denied'), errno.EACCES),
        (duckdb.IOException('IO Error: Cannot open file "x": Too many open files'), errno.EMFILE),
        (duckdb.OutOfMemoryException("This limit was set by the 'max_temp_directory_size' setting."), errno.ENOSPC),
        (duckdb.IOException("IO Error: of another kind"), None),
    ],
)
def test_what_the_disk_refuses_is_an_error_of_the_system(folder, monkeypatch, error, number):
    with pytest.raises(OSError) as told:
        _failing(folder, monkeypatch, error)
    assert told.value.errno == number


def test_a_full_disk_is_an_error_of_the_system(folder, full):
    with Relational(folder) as engine:
        full().rename(folder / "again.parquet")
        with pytest.raises(OSError) as told:
            engine.write("again", engine.read("rows"))
    assert told.value.errno == errno.ENOSPC


def test_too_little_memory_for_a_step_names_the_setting(folder, monkeypatch):
    monkeypatch.setenv("PAGEKIN_MEMORY", "500MB")
    error = duckdb.OutOfMemoryException("could not allocate block of size 256.0 KiB (476.8 MiB/476.8 MiB used)")
    with pytest.raises(PagekinError, match=r"within 500\.0 MB; what was committed .* safe; allow .*PAGEKIN_MEMORY=1GB"):
        _failing(folder, monkeypatch, error)


def test_no_memory_at_all_is_a_memory_error(folder, monkeypatch):
    with pytest.raises(MemoryError):
        _failing(folder, monkeypatch, duckdb.OutOfMemoryException("Out of Memory Error: Allocation failure"))
