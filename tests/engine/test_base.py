"""Which engine runs a step: the one chosen above, else this machine."""

from contextvars import copy_context

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pagekin.engine.base import Local, engine, one_by_one, over_files, over_rows, relational, using


class Counting(Local):
    def __init__(self):
        self.asked = []

    def over_rows(self, work, rows, workers=None, most=None):
        self.asked.append(rows)
        return super().over_rows(work, rows, workers, most)


def test_a_step_runs_on_the_engine_of_its_context():
    chosen = Counting()
    with using(chosen):
        assert sum(over_rows(lambda first, last: last - first, 10)) == 10
        assert copy_context().run(engine) is chosen
    assert sum(over_rows(lambda first, last: last - first, 20)) == 20
    assert chosen.asked == [10]
    assert isinstance(engine(), Local)


def test_an_error_inside_leaves_the_engine_of_before():
    with pytest.raises(ZeroDivisionError), using(Counting()):
        raise ZeroDivisionError
    assert type(engine()) is Local


def test_the_operations_here(tmp_path):
    assert list(one_by_one(lambda first, last: (first, last), [(0, 2), (2, 3)])) == [(0, 2), (2, 3)]
    assert list(over_files(len, ["a", "bcd"])) == [1, 3]
    pq.write_table(pa.table({"a": [1, 2]}), tmp_path / "rows.parquet")
    with relational(tmp_path) as tables:
        rows = tables.read("rows")
        tables.write("sums", rows.agg(a=rows.a.sum()))
    assert pq.read_table(tmp_path / "sums.parquet").to_pylist() == [{"a": 3}]
