"""No method falls below its floor: 200 questions of each of four sets, in every test run."""

import json
import os

import pytest

from leaderboard.__main__ import FEW, measured
from leaderboard.floors import FLOORS, broken
from leaderboard.sets import GATED, SETS, sampled
from pagekin.evaluate.experiment import Evaluation
from pagekin.evaluate.truth import Labels


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "blog" else pytest.mark.data) for name in GATED]
)
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


def test_a_sample_is_drawn_by_a_seed_and_keeps_the_truth():
    labels = Labels({page: frozenset(["even" if page % 2 == 0 else "odd"]) for page in range(50)})
    some = sampled(labels, 10)
    assert len(some.asked) == 10 and some.asked == sampled(labels, 10).asked
    assert len(sampled(labels, 100).asked) == 50
    for page in some.asked:
        assert dict(some.relevant(page)) == dict(labels.relevant(page))
