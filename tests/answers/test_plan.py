"""What `build` says before it begins, and how long the rest takes."""

import pytest

from pagekin import Collection
from pagekin.answers import plan as plans
from pagekin.answers.plan import Plan
from pagekin.collection.store import Store
from pagekin.index.costs import Cost
from tests.clock import Clock
from tests.small_webs import collection, page


@pytest.fixture
def clock():
    return Clock()


def test_each_index_and_all(clock):
    plan = Plan({"a": Cost(40, 2e6), "b": Cost(80, 1e9), "c": None}, frozenset("b"), clock)
    assert plan.lines == [
        "to make: a, about 40 s and 2.0 MB",
        "to make: b, about 80 s and 1.0 GB, less if little has changed",
        "to make: c, which takes as long as a question for each page",
        "in all about 2 min and 1.0 GB",
    ]
    assert Plan({"a": Cost(40, 2e6)}, clock=clock).lines == ["to make: a, about 40 s and 2.0 MB"]


def test_what_is_soon_done_is_not_announced(clock):
    plan = Plan({"a": Cost(4, 2e6), "b": Cost(5, 1e9)}, clock=clock)
    assert plan.lines == []
    assert plan.left("a") == []


def test_the_time_left_follows_from_what_is_done(clock):
    plan = Plan({"a": Cost(10, 0), "b": Cost(20, 0), "c": Cost(60, 0)}, clock=clock)
    assert plan.left("a") == ["about 2 min left"]
    clock.now = 20.0  # twice as long as thought
    plan.done("a")
    assert plan.left("b") == ["about 3 min left"]
    clock.now = 2.5
    assert plan.left("b") == ["about 80 s left"]  # too short to tell


def test_nothing_is_said_of_the_end_if_one_index_is_not_known(clock):
    assert Plan({"a": Cost(100, 0), "b": None}, clock=clock).left("a") == []


def test_build_says_it_first(tmp_path, monkeypatch):
    collection(tmp_path / "s.kin", page("http://h.example/a", "http://h.example/b", words="wax and honey"))
    monkeypatch.setattr(plans, "WORTH_S", 0.0)
    told = []
    Collection(tmp_path / "s.kin").build(["inverted", "mirrors"], progress=told.append)
    lines = [each.text for each in told if each.lasting]
    assert lines[1].startswith("to make: inverted, about 1 s and ")
    assert lines[3].startswith("in all about ")
    assert lines[4].startswith("inverted: ")
    assert any(each.text.startswith("inverted (1 of 2, about 1 s left)") for each in told)
    assert "inverted" in Store(tmp_path / "s.kin").manifest.indexes
