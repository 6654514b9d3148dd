"""Batch work on threads: all rows once, in order; its progress is told; it speaks the language of whoever asked."""

import pytest

from pagekin.engine.local import over_rows, rows_done, watched
from pagekin.wording import option, speaking


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("rows", [0, 1, 100])
def test_every_row_once_and_in_order(workers, rows):
    blocks = over_rows(lambda first, last: list(range(first, last)), rows, workers, most=7)
    assert [row for block in blocks for row in block] == list(range(rows))


def test_a_thread_speaks_as_its_caller_does():
    with speaking("shell"):
        said = over_rows(lambda first, last: option("method", "amsler"), 4, workers=2, most=1)
    assert said == ["--method amsler"] * 4
    assert over_rows(lambda first, last: option("method", "amsler"), 1) == ['method="amsler"']


def test_work_without_threads_tells_too():
    told = []
    with watched(lambda done, rows: told.append((done, rows))):
        rows_done(1, 2)
    rows_done(2, 2)
    assert told == [(1, 2)]
