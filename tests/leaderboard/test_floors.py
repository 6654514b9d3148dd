"""No method falls below its floor: 200 questions of each of four sets; the larger two are gates."""

import json
import os

import pytest

from leaderboard.__main__ import FEW, measured
from leaderboard.floors import FLOORS, broken, main, with_measured
from leaderboard.sets import GATED, SETS, sampled
from pagekin.evaluate.experiment import Evaluation
from pagekin.evaluate.truth import Labels

GATES = dict.fromkeys(("cacm", "citeseer", "python3.11-doc"), (pytest.mark.data, pytest.mark.slow))
MARKS = {"blog": (), **GATES}


@pytest.mark.parametrize("name", [pytest.param(name, marks=MARKS.get(name, pytest.mark.data)) for name in GATED])
def test_no_method_is_below_its_floor(name):
    if name != "blog" and not os.environ.get("PAGEKIN_DATA"):
        pytest.skip("PAGEKIN_DATA does not name a directory with the real data")
    known = {task: set(methods) for task, methods in json.loads(FLOORS.read_text())[str(FEW)].items()}
    faults, tasks = [], []
    for task, made in measured([name], FEW, baselines=False):
        tasks.append(task.name)
        assert made.questions > 40
        assert {row["method"] for row in made} == known[task.name]
        faults += broken(task.name, made, FEW)
    if not tasks:
        pytest.skip("the data of this set cannot be had")
    assert faults == []


def test_every_set_has_floors():
    held = json.loads(FLOORS.read_text())
    assert {task.removesuffix("-search") for task in held[str(FEW)]} == set(GATED)
    assert {task.removesuffix("-search") for task in held["500"]} <= set(SETS)


def test_what_is_below_its_floor_or_gone_is_said(tmp_path, monkeypatch):
    file = tmp_path / "floors.json"
    file.write_text('{"9": {"blog": {"amsler": 0.5, "walk": 0.1, "gone": 0.1}}}')
    monkeypatch.setattr("leaderboard.floors.FLOORS", file)
    made = Evaluation(results=({"method": "amsler", "nDCG@10": 0.4}, {"method": "walk", "nDCG@10": 0.1}), k=10)
    assert list(broken("blog", made, 9)) == [
        "blog: amsler reaches 0.4000, below its floor of 0.5000",
        "blog: gone has a floor and was not measured",
    ]
    assert list(broken("blog", made, 10)) == list(broken("other", made, 9)) == []


def test_floors_are_added_and_raised_but_never_lowered():
    row = lambda name, value: {"method": name, "nDCG@10": value}  # noqa: E731
    rows = [row("amsler", 0.5), row("walk", 0.2), row("new", 0.4), row("new(links=all)", 0.9), row("LSA cosine", 0.7)]
    floors = {"500": {"blog": {"amsler": 0.3, "walk": 0.3}, "cacm": {"amsler": 0.1}}}
    assert with_measured(floors, "blog", rows, 500, higher=False) == 1
    assert floors == {"500": {"blog": {"amsler": 0.3, "walk": 0.3, "new": 0.38}, "cacm": {"amsler": 0.1}}}
    assert with_measured(floors, "blog", rows, 500, higher=True) == 1
    assert floors["500"]["blog"] == {"amsler": 0.475, "walk": 0.3, "new": 0.38}


def test_floors_are_set_from_the_figures_that_are_kept(tmp_path, monkeypatch, capsys):
    (tmp_path / "floors.json").write_text("{}")
    rows = [{"method": "amsler", "nDCG@10": 0.5}]
    kept = {"blog": {"command": "python -m leaderboard blog", "rows": rows}}
    kept["cacm"] = {"command": "python -m leaderboard cacm --questions 9", "rows": rows}
    (tmp_path / "results.json").write_text(json.dumps(kept))
    monkeypatch.setattr("leaderboard.floors.FLOORS", tmp_path / "floors.json")
    monkeypatch.setattr("leaderboard.board.RESULTS", tmp_path / "results.json")
    assert main([]) == 0
    assert json.loads((tmp_path / "floors.json").read_text()) == {"500": {"blog": {"amsler": 0.475}}}
    assert "cacm: not set, it was measured with fewer questions" in capsys.readouterr().out
    assert main(["webkb"]) == 2


def test_a_sample_is_drawn_by_a_seed_and_keeps_the_truth():
    labels = Labels({page: frozenset(["even" if page % 2 == 0 else "odd"]) for page in range(50)})
    some = sampled(labels, 10)
    assert len(some.asked) == 10 and some.asked == sampled(labels, 10).asked
    assert len(sampled(labels, 100).asked) == 50
    for page in some.asked:
        assert dict(some.relevant(page)) == dict(labels.relevant(page))
