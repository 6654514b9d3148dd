"""The measures against their formulas, and against ir_measures with all the qrels that we do not build."""

import math

import ir_measures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.errors import UsageError
from pagekin.evaluate import measures
from pagekin.evaluate.measures import Judged, measured


def by_formula(lists: list[Judged], k: int) -> dict[str, float]:
    """The slow twin: every measure as the textbooks write it."""
    rows = []
    for judged in lists:
        hits, n = judged.hits[:k], judged.relevant
        found = sum(hits)
        gained = sum(hit / math.log2(rank + 1) for rank, hit in enumerate(hits, 1))
        ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(n, k) + 1))
        precisions = sum(sum(hits[:rank]) / rank for rank, hit in enumerate(hits, 1) if hit)
        first = next((1 / rank for rank, hit in enumerate(hits, 1) if hit), 0.0)
        rows.append((found / k, found / n, gained / ideal, precisions / n, first, bool(hits)))
    names = (f"P@{k}", f"R@{k}", f"nDCG@{k}", f"AP@{k}", "RR", "answered")
    return {name: sum(column) / len(rows) for name, column in zip(names, zip(*rows, strict=True), strict=True)}


@st.composite
def questions(draw: st.DrawFn) -> tuple[list[Judged], int]:
    k = draw(st.integers(1, 12))
    hits = st.lists(st.booleans(), max_size=k)
    lists = draw(st.lists(st.tuples(hits, st.integers(0, 40)), min_size=1, max_size=20))
    return [Judged(tuple(each), max(1, sum(each) + more), len(each)) for each, more in lists], k


@settings(deadline=None)
@given(questions())
def test_as_the_textbooks_say(asked: tuple[list[Judged], int]) -> None:
    lists, k = asked
    found = measured(lists, k)
    assert found.pop("judged") == (1.0 if any(judged.hits for judged in lists) else 0.0)
    assert found == pytest.approx(by_formula(lists, k), abs=1e-12)


@settings(deadline=None)
@given(questions())
def test_as_ir_measures_says_with_all_qrels(asked: tuple[list[Judged], int]) -> None:
    lists, k = asked
    qrels, run = {}, {}
    for number, judged in enumerate(lists):
        places = [str(place) for place, hit in enumerate(judged.hits) if hit]
        qrels[str(number)] = dict.fromkeys([*places, *(f"x{i}" for i in range(judged.relevant - len(places)))], 1)
        if judged.hits:
            run[str(number)] = {str(place): 1.0 / (1 + place) for place in range(len(judged.hits))}
    names = [f"P@{k}", f"R@{k}", f"nDCG@{k}", f"AP@{k}", "AP", "RR"]
    whole = ir_measures.calc_aggregate([ir_measures.parse_measure(name) for name in names], qrels, run)
    expected = {str(measure): value for measure, value in whole.items()}
    assert expected.pop("AP") == pytest.approx(expected[f"AP@{k}"])  # lists end at k, so AP@k is their AP
    found = measured(lists, k)
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-12)


def test_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = [Judged((i % 2 == 0, i % 3 == 0, i % 5 == 0)[: i % 4], 3 + i % 7, i % 4 // 2) for i in range(50)]
    whole = measured(lists, 3)
    monkeypatch.setattr(measures, "BATCH", 7)
    assert measured(iter(lists), 3) == pytest.approx(whole, abs=1e-15)


def test_the_order_of_equal_scores_is_ours() -> None:
    """trec_eval would sort equal scores by name, backwards: place "9" before place "10"."""
    assert measured([Judged((False,) * 10 + (True,), 1)], 11)["RR"] == pytest.approx(1 / 11)
    assert measured([Judged((True,) + (False,) * 10, 1)], 11)["RR"] == 1.0


def test_nothing_asked() -> None:
    assert set(measured([], 5).values()) == {0.0}


def test_k() -> None:
    with pytest.raises(UsageError, match="k must be at least 1, not 0"):
        measured([], 0)
