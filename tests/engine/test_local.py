"""Batch work on threads: all rows once, in order; its progress is told; it speaks the language of whoever asked."""

import threading

import numpy as np
import pytest

from pagekin.engine.local import at_once, one_by_one, over_cores, over_rows
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


@pytest.mark.parametrize("least", [0, 10, 11])
def test_the_rows_of_one_question_are_all_worked_on_once(least):
    seen = np.zeros(7, int)

    def work(first, last):
        seen[first:last] += 1

    over_cores(work, 7, 10, least)
    over_cores(work, 0, 10, least)
    assert seen.tolist() == [1] * 7


def test_pieces_of_one_question_are_given_in_order_and_an_error_is_raised():
    assert (
        at_once([lambda: 1, lambda: 2, lambda: 3])
        == at_once([lambda: 1, lambda: 2, lambda: 3], worth=False)
        == [1, 2, 3]
    )
    with speaking("shell"):
        assert at_once([lambda: option("k"), lambda: option("k")]) == ["--k", "--k"]
    with pytest.raises(ZeroDivisionError):
        at_once([lambda: 1, lambda: 1 / 0])
    assert at_once([]) == []
