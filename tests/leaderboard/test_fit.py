"""Fitting the weights of `fused`: the measure is the leaderboard's, a planted weight is found, chance stays chance."""

import numpy as np
import pytest

from leaderboard.fit import PARTS, Scored, fitted, gathered, report
from pagekin import Collection
from pagekin.collection.store import Store
from pagekin.evaluate.experiment import evaluate
from pagekin.evaluate.truth import Relevance
from pagekin.methods.fused import WEIGHTS
from tests.small_webs import of_words, random_pairs, random_words

START = np.array([WEIGHTS[part] for part in PARTS])


def planted(seed, telling, questions=60, candidates=40):
    """Questions whose relevant candidates score high in one part; all other parts are noise."""
    rng = np.random.default_rng(seed)
    parts = np.abs(rng.standard_normal((questions * candidates, len(PARTS)))).astype(np.float32)
    grade = (np.arange(questions * candidates) % candidates < 3).astype(np.int32)
    parts[:, telling] = grade * 2 + rng.random(grade.size)
    start = np.arange(questions + 1) * candidates
    ideal = np.full(questions, (1 / np.log2([2, 3, 4])).sum())
    return Scored(start, parts, grade, ideal, np.array(["none"]), np.zeros((questions, 1)))


def test_what_is_fitted_is_what_is_asked(tmp_path):
    links = [(f"p{s}", f"p{t}") for s, t in random_pairs(1, 60, 200)]
    store = of_words(tmp_path / "s.kin", random_words(1, 60, 60, 20), links)
    Collection(store.path).build(method="fused")
    store = Store(store.path)
    rng = np.random.default_rng(2)
    truth = Relevance({page: {int(p): 1 for p in rng.choice(60, 5) if p != page} for page in range(0, 60, 3)})
    made = gathered(store, truth)
    row = next(iter(evaluate(store, truth, ("fused",), 10)))
    assert made.ndcg(START).mean() == pytest.approx(row["nDCG@10"], abs=1e-6)
    made.write(tmp_path / "s.npz")
    assert np.array_equal(Scored.read(tmp_path / "s.npz").ndcg(START), made.ndcg(START))


def test_a_part_that_tells_is_found_and_held_out_sets_are_not_seen():
    telling = PARTS.index("title")
    known = {f"s{seed}": planted(seed, telling) for seed in range(3)}
    found = fitted(list(known.values()), START)
    assert found[telling] / found.sum() > START[telling] / START.sum()
    assert known["s0"].mean(found) > known["s0"].mean(START) + 0.1
    lines = list(report(known, START))
    assert len(lines) == 1 + 3 + 2


def test_shuffled_truth_comes_out_at_chance():
    known = [planted(seed, PARTS.index("title")) for seed in range(3)]
    rng = np.random.default_rng(7)
    for each in known:
        rng.shuffle(each.grade)
    values = np.arange(40)
    chance = 3 / values.size  # a place's probability of being relevant
    expected = chance * (1 / np.log2(np.arange(2, 12))).sum() / known[0].ideal[0]
    assert known[2].mean(fitted(known[:2], START)) == pytest.approx(expected, abs=0.06)
