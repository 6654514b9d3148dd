"""Whoever looks on hears how far work is, step by step; when nobody does, nothing happens."""

import pytest

from pagekin.engine.watch import block_of, rows_done, step, watched


def test_steps_and_rows_are_heard_inside_and_not_outside():
    heard = []
    rows_done(1, 2)
    with watched(lambda *each: heard.append(each)):
        rows_done(1, 2)
        with step("outer"):
            with step("inner"):
                rows_done(3, 4)
            rows_done(5, None)
            rows_done(6, 7, "by another name")
    rows_done(2, 2)
    assert heard == [
        ("", 1, 2), ("outer", 0, None), ("inner", 0, None), ("inner", 3, 4), ("outer", 5, None),
        ("by another name", 6, 7),
    ]  # fmt: skip


def test_blocks_of_a_longer_list_are_counted_on():
    heard = []
    with watched(lambda what, done, rows: heard.append((done, rows))), block_of(100, first=40), block_of(10, first=5):
        rows_done(1, 2)
    assert heard == [(46, 100)]


def test_a_watcher_does_not_inherit_the_step_and_an_error_ends_it():
    heard = []
    with pytest.raises(ValueError), watched(lambda *each: heard.append(each)), step("outer"):
        with watched(lambda *each: heard.append(("inside", *each))):
            rows_done(1, 2)
        raise ValueError
    rows_done(9, 9)
    assert heard == [("outer", 0, None), ("inside", "", 1, 2)]
