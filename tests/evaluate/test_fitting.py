"""Fitting weights: the measure is that of `evaluate`, and what is not to be seen is not seen."""

import numpy as np
import pytest

from pagekin import Collection
from pagekin.collection.store import Store
from pagekin.evaluate.experiment import evaluate
from pagekin.evaluate.fitting import DISCOUNT, FACTORS, GAIN, Scored, fitted, gathered, worth
from pagekin.evaluate.truth import Relevance
from pagekin.methods.fused import PARTS, WEIGHTS
from tests.small_webs import of_words, random_pairs, random_words

START = np.array([WEIGHTS[part] for part in PARTS])
N = 60


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    links = [(f"p{s}", f"p{t}") for s, t in random_pairs(1, N, 200)]
    made = of_words(tmp_path_factory.mktemp("fit") / "s.kin", random_words(1, N, 60, 20), links)
    Collection(made.path).build(method="fused")
    return Store(made.path)


@pytest.fixture(scope="module")
def truth():
    rng = np.random.default_rng(2)
    return Relevance({q: {int(p): int(p) % 3 + 1 for p in rng.choice(N, 5) if p != q} for q in range(0, N, 3)})


def test_the_measure_is_that_of_evaluate(store, truth):
    known = gathered(store, truth)
    assert known.names == PARTS
    row = next(iter(evaluate(store, truth, ("fused",), 10)))
    assert known.scored(known.asked).mean(START) == pytest.approx(row["nDCG@10"], abs=1e-6)


def test_nothing_about_unseen_pages_is_left(store, truth):
    """The twin: the same truth, from which every pair with an unseen page was removed before."""
    known = gathered(store, truth)
    unseen = set(range(0, N, 4))
    left = {q: {p: g for p, g in of.items() if p not in unseen} for q, of in truth.of.items() if q not in unseen}
    fewer = Relevance({q: of for q, of in left.items() if of})
    made = known.scored(known.asked, unseen)
    assert made.ideal.size == len(fewer.asked)
    for at, q in enumerate(fewer.asked):
        row = slice(made.start[at], made.start[at + 1])
        pages = [p for p in known.pages[known.asked.index(q)].tolist() if p not in unseen]
        assert made.grade[row].tolist() == [fewer.grade(q, p) for p in pages]
        assert made.ideal[at] == pytest.approx(sum(g * d for g, d in zip(fewer.ideal(q, 10), DISCOUNT, strict=False)))
    assert known.scored([], ()).ideal.size == 0
    assert known.scored(known.asked, set(range(N))).ideal.size == 0


def test_few_candidates_are_enough(store):
    parts = np.ones((2, len(PARTS)), np.float32)
    made = Scored(np.array([0, 2]), parts, np.array([0, 1], np.int32), np.array([1.0]))
    assert made.ndcg(START).tolist() == pytest.approx([1 / np.log2(3)])


def test_the_search_is_greedy_and_ends():
    rng = np.random.default_rng(3)
    parts = np.abs(rng.standard_normal((40 * 30, 3))).astype(np.float32)
    grade = (np.arange(40 * 30) % 30 < 3).astype(np.int32)
    parts[:, 1] += grade
    made = Scored(np.arange(41) * 30, parts, grade, np.full(40, DISCOUNT[:3].sum()))
    found = fitted([made], np.ones(3))
    assert worth([made], found) > worth([made], np.ones(3)) + 0.05
    for part in range(3):
        for factor in FACTORS:
            tried = found.copy()
            tried[part] *= factor
            assert worth([made], tried) < worth([made], found) + GAIN
