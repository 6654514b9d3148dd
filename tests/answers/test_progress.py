"""Long work is shown where a person looks on, and told to whoever asks."""

import sys
import threading

import pytest

from pagekin.answers import progress as module
from pagekin.answers.progress import Pace, Progress, printed, reporting, reporting_rows
from pagekin.engine.local import over_rows
from pagekin.engine.watch import step
from tests.clock import Clock


@pytest.fixture
def clock():
    return Clock(100.0)


def test_batch_work_tells_how_far_it_is():
    heard = []
    with reporting_rows(heard.append, "counting"):
        over_rows(lambda first, last: None, 4, workers=1)
        with step("smoothing"):
            over_rows(lambda first, last: None, 1)
    assert heard[0] == Progress("counting")
    assert [(each.done, each.total) for each in heard[1:5]] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert heard[5:] == [Progress("counting: smoothing"), Progress("counting: smoothing", 1, 1)]


def told(clock, *reports):
    """What is told at last of (second, report)s."""
    pace = Pace(clock)
    for second, report in reports:
        clock.now = 100.0 + second
        pace.see(report)
    return pace.told()


@pytest.mark.parametrize(
    ("reports", "said"),
    [
        ([(0, Progress("x"))], ""),
        ([(0, Progress("x")), (70, Progress("x"))], "70 s so far"),
        ([(0, Progress("x", 0, 3302)), (16, Progress("x", 1200, 3302))], "1,200 of 3,302, 75 a second, 28 s left"),
        ([(0, Progress("x", 100)), (10, Progress("x", 125))], "125, 2.5 a second"),  # counted from where it began
        ([(0, Progress("x", 0, 10)), (240, Progress("x", 2, 10))], "2 of 10, 0.5 a minute, 16 min left"),
        ([(0, Progress("x", 0, 10)), (0.5, Progress("x", 2, 10))], "2 of 10"),  # too early to tell
        ([(0, Progress("x", 0, 10)), (50, Progress("x", 0, 10))], "0 of 10, 50 s so far"),
        # another step, or another round of the same, has its own speed
        ([(0, Progress("x", 0, 9)), (50, Progress("y", 0, 9)), (54, Progress("y", 8, 9))],
         "8 of 9, 2.0 a second, 1 s left"),
        ([(0, Progress("x", 0, 9)), (50, Progress("x", 9, 9)), (51, Progress("x", 1, 9)), (55, Progress("x", 9, 9))],
         "9 of 9, 2.0 a second, 1 s left"),
    ],
)  # fmt: skip
def test_counts_speed_and_time_left(clock, reports, said):
    assert told(clock, *reports) == said


def test_in_a_pipe_nobody_is_told(capsys):
    with reporting(None) as tell:
        tell(Progress("working", 1, 2))
        tell(Progress("done", lasting=True))
    assert capsys.readouterr() == ("", "")


class Lines:
    """A stderr that can be waited for."""

    def __init__(self):
        self.text, self.written = "", threading.Event()

    def write(self, text):
        self.text += text
        if "\n" in text:
            self.written.set()

    def flush(self):
        pass

    def isatty(self):
        return False


def test_in_a_pipe_lines_can_be_asked_for_and_come_even_if_nothing_moves(monkeypatch):
    lines = Lines()
    monkeypatch.setattr(sys, "stderr", lines)
    before = threading.active_count()
    with printed(first_s=0.001, every_s=0.001) as tell:
        assert not lines.text
        tell(Progress("reading\x1b[1m files", 3, 7))
        for _ in range(3):
            lines.written.clear()
            assert lines.written.wait(60)
    assert "reading[1m files: 3 of 7" in lines.text.splitlines()[0]
    assert threading.active_count() == before
    monkeypatch.setattr(module, "LINE_S", 1e9)
    with reporting(None, lines=True) as tell:
        lines.text = ""
        tell(Progress("quick", 1, 2))
        tell(Progress("done", lasting=True))
    assert lines.text == "done\n"


@pytest.mark.parametrize("where", ["terminal", "notebook"])
def test_where_a_person_looks_on_it_is_shown(capsys, monkeypatch, where):
    monkeypatch.setattr(module, "HIDDEN_S", 0)
    if where == "terminal":
        monkeypatch.setattr("sys.stderr.isatty", lambda: True)
        monkeypatch.setenv("FORCE_COLOR", "1")
    else:
        monkeypatch.setitem(sys.modules, "ipykernel", sys)
    with reporting(None) as tell:
        tell(Progress("[bold]reading"))
        for done in range(1, 4):
            tell(Progress("counting", done, 3))
        tell(Progress("3 [things] are counted", lasting=True))
    err = capsys.readouterr().err
    assert "3 [things] are counted" in err
    assert where == "notebook" or "[bold]reading" in err


def test_what_is_quick_is_not_shown_and_before_the_first_report_the_screen_is_free(capsys, monkeypatch):
    monkeypatch.setattr(module, "HIDDEN_S", 1e9)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    with reporting(None) as tell:
        stream = sys.stderr
        tell(Progress("asked: go on?", lasting=True))
        assert sys.stderr is stream  # somebody may ask a question here
        tell(Progress("counting", 1, 3))
        assert sys.stderr is not stream
    assert "counting" not in capsys.readouterr().err
