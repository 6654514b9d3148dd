"""Batch work on threads: all rows once, in order; its progress is told; it speaks the language of whoever asked."""

import threading

import pytest

from pagekin.engine.local import one_by_one, over_rows
from pagekin.engine.watch import watched
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


def test_it_tells_how_many_rows_are_done():
    told = []
    with watched(lambda *each: told.append(each)):
        over_rows(lambda first, last: None, 3, workers=1)
    over_rows(lambda first, last: None, 3, workers=1)
    assert told == [("", 1, 3), ("", 2, 3), ("", 3, 3)]


@pytest.mark.parametrize("way", [over_rows, one_by_one])
def test_whoever_interrupts_does_not_wait_for_what_has_begun_and_nothing_else_begins(way):
    go_on, begun = threading.Event(), []

    def work(first, last):
        begun.append(first)
        if first:
            go_on.wait()

    def interrupt(*_):
        raise KeyboardInterrupt

    rows = 9 if way is over_rows else [(row, row + 1) for row in range(9)]
    with pytest.raises(KeyboardInterrupt), watched(interrupt):  # or it waits for ever
        for _ in way(work, rows, 2):
            interrupt()
    assert len(begun) <= 4
    go_on.set()
