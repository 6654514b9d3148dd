"""Long work is shown where a person looks on, and told to whoever asks."""

import sys

import pytest

from pagekin.answers.progress import Progress, reporting, reporting_rows
from pagekin.engine.local import over_rows


def test_batch_work_tells_how_far_it_is():
    heard = []
    with reporting_rows(heard.append, "counting"):
        over_rows(lambda first, last: None, 4, workers=1)
    assert heard[0] == Progress("counting")
    assert [(each.done, each.total) for each in heard[1:]] == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_in_a_pipe_nobody_is_told(capsys):
    with reporting(None) as tell:
        tell(Progress("working", 1, 2))
        tell(Progress("done", lasting=True))
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("where", ["terminal", "notebook"])
def test_where_a_person_looks_on_it_is_shown(capsys, monkeypatch, where):
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
