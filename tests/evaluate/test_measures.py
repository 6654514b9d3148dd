"""The measures against their formulas, and against ir_measures and trec_eval with all qrels, which we do not build."""

import math
from pathlib import Path

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.errors import UsageError
from pagekin.evaluate import measures
from pagekin.evaluate.experiment import judged as judge
from pagekin.evaluate.measures import Judged, measured
from pagekin.evaluate.trec import qrels_lines, read_run
from pagekin.evaluate.truth import Relevance
from tests.small_webs import from_edges


def by_formula(judged: Judged, k: int) -> dict[str, float]:
    """The slow twin: every measure as the textbooks write it."""
    grades, n = list(judged.grades[:k]), judged.relevant
    hits = [grade > 0 for grade in grades]
    gained = sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))
    ideal = sum(grade / math.log2(rank + 1) for rank, grade in enumerate(judged.ideal[:k], 1))
    precisions = sum(sum(hits[:rank]) / rank for rank, hit in enumerate(hits, 1) if hit)
    return {
        f"P@{k}": sum(hits) / k,
        f"R@{k}": sum(hits) / n,
        f"nDCG@{k}": gained / ideal,
        f"AP@{k}": precisions / n,
        "RR": next((1 / rank for rank, hit in enumerate(hits, 1) if hit), 0.0),
        "Success@1": float(bool(hits) and hits[0]),
        f"R-score@{k}": sum(grades) / k,
        "answered": float(bool(grades)),
    }


@st.composite
def questions(draw: st.DrawFn) -> tuple[list[tuple[list[int], list[int]]], int]:
    """Lists of grades, each with the grades of relevant pages that were not found; and k."""
    k = draw(st.integers(1, 12))
    found = st.lists(st.integers(0, 3), max_size=k)
    lists = draw(st.lists(st.tuples(found, st.lists(st.integers(1, 3), max_size=40)), min_size=1, max_size=20))
    return [(grades, more if any(grades) or more else [1]) for grades, more in lists], k


def _judged(lists: list[tuple[list[int], list[int]]]) -> list[Judged]:
    made = []
    for grades, more in lists:
        ideal = sorted([grade for grade in [*grades, *more] if grade], reverse=True)
        made.append(Judged(tuple(grades), ideal, len(ideal)))
    return made


@settings(deadline=None)
@given(questions())
def test_as_the_textbooks_say(asked: tuple[list[tuple[list[int], list[int]]], int]) -> None:
    lists, k = asked
    found = measured(_judged(lists), k)
    for at, judged in enumerate(_judged(lists)):
        assert {name: values[at] for name, values in found.items()} == pytest.approx(by_formula(judged, k), abs=1e-12)


@settings(deadline=None)
@given(questions())
def test_as_ir_measures_says_with_all_qrels(asked: tuple[list[tuple[list[int], list[int]]], int]) -> None:
    lists, k = asked
    qrels, run = {}, {}
    for number, (grades, more) in enumerate(lists):
        places = {str(place): grade for place, grade in enumerate(grades)}
        qrels[str(number)] = places | {f"x{i}": grade for i, grade in enumerate(more)}
        if grades:
            run[str(number)] = {str(place): 1.0 / (1 + place) for place in range(len(grades))}
    names = [f"P@{k}", f"R@{k}", f"nDCG@{k}", f"AP@{k}", "AP", "RR", "Success@1"]
    asked_measures = [ir_measures.parse_measure(name) for name in names]
    expected = {str(name): value for name, value in ir_measures.calc_aggregate(asked_measures, qrels, run).items()}
    assert expected.pop("AP") == pytest.approx(expected[f"AP@{k}"])  # lists end at k, so AP@k is their AP
    found = measured(_judged(lists), k)
    assert {name: found[name].mean() for name in expected} == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_as_trec_eval_says_of_our_own_files(tmp_path: Path, seed: int) -> None:
    """Random runs with ties and graded qrels, from file to figure: as pytrec_eval has it once ties are broken alike."""
    rng = np.random.default_rng(seed)
    store = from_edges(tmp_path / "s.kin", [(f"p{i}", f"p{i + 1}") for i in range(60)])
    of = {
        f"q{q}": {int(p): int(rng.integers(1, 4)) for p in rng.choice(61, rng.integers(1, 20), False)} for q in range(9)
    }
    truth = Relevance(of, words={query: "words" for query in of})
    rows, ties = [], 0
    for query in list(of)[:-1]:  # the last is not answered
        pages, scores = rng.permutation(61)[:25], rng.integers(0, 8, 25)
        ties += 25 - len(set(scores.tolist()))
        rows += [f"{query} Q0 {store.url(int(p))} 0 {s} x" for p, s in zip(pages, scores, strict=True)]
    (tmp_path / "x.run").write_text("\n".join(rows))
    assert ties > 50
    lists, _ = read_run(store, truth, tmp_path / "x.run", 10)
    ours = judge("x", lists, truth, 10).values
    qrels: dict[str, dict[str, int]] = {}
    for line in qrels_lines(store, truth):
        query, _, page, grade = line.split()
        qrels.setdefault(query, {})[page] = int(grade)
    # trec_eval orders equal scores by name, backwards. Our order is by the hash: here it is a tiny part of the score.
    number = {store.url(page): page for page in range(store.size)}
    run: dict[str, dict[str, float]] = {}
    for row in rows:
        query, _, page, _, score, _ = row.split()
        run.setdefault(query, {})[page] = float(score) - number[page] / 1_000
    names = {
        "P_10": "P@10",
        "recall_10": "R@10",
        "ndcg_cut_10": "nDCG@10",
        "map_cut_10": "AP@10",
        "success_1": "Success@1",
    }
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"P.10", "recall.10", "ndcg_cut.10", "map_cut.10", "success.1"})
    found = theirs.evaluate(run)
    for at, query in enumerate(truth.asked):
        for name, mine in names.items():
            assert ours[mine][at] == pytest.approx(found.get(query, {}).get(name, 0.0), abs=1e-6), (query, mine)


def test_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = [Judged((1, i % 3, i % 2)[: i % 4], (2, 1, 1), 3 + i % 7) for i in range(50)]
    whole = measured(lists, 3)
    monkeypatch.setattr(measures, "BATCH", 7)
    assert {name: values.tolist() for name, values in measured(lists, 3).items()} == {
        name: values.tolist() for name, values in whole.items()
    }


def test_the_order_of_equal_scores_is_ours() -> None:
    """trec_eval would sort equal scores by name, backwards: place "9" before place "10"."""
    assert measured([Judged((0,) * 10 + (1,), (1,), 1)], 11)["RR"] == pytest.approx(1 / 11)
    assert measured([Judged((1,) + (0,) * 10, (1,), 1)], 11)["RR"] == 1.0


def test_nothing_asked() -> None:
    assert [values.size for values in measured([], 5).values()] == [0] * 8


def test_k() -> None:
    with pytest.raises(UsageError, match="k must be at least 1, not 0"):
        measured([], 0)
