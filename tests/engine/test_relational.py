"""The engine of relational steps: reads, writes, splits, stays within its memory."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pagekin.engine.relational import Relational


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
