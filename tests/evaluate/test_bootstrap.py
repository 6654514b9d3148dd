"""The bootstrap against SciPy's and against a loop, and what must hold whatever the data."""

import numpy as np
import pytest
from scipy import stats

from pagekin.evaluate import bootstrap
from pagekin.evaluate.bootstrap import RESAMPLES, difference, interval, resampled


@pytest.fixture
def values():
    rng = np.random.default_rng(3)
    hard = rng.random(400)
    return np.stack([hard * rng.random(400), np.clip(hard * rng.random(400) + 0.05, 0, 1)], 1)


def test_an_interval_is_that_of_scipy(values):
    theirs = stats.bootstrap(
        (values[:, 0],), np.mean, method="percentile", n_resamples=9_999, rng=1
    ).confidence_interval
    assert interval(resampled(values)[:, 0]) == pytest.approx((theirs.low, theirs.high), abs=0.003)


def test_the_interval_of_a_difference_is_that_of_paired_draws(values):
    gaps = values[:, 1] - values[:, 0]
    theirs = stats.bootstrap((gaps,), np.mean, method="percentile", n_resamples=9_999, rng=1).confidence_interval
    means = resampled(values)
    found = difference(means[:, 1], means[:, 0], float(gaps.mean()))
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.003)
    assert found.low < found.mean < found.high


def test_a_draw_is_a_mean_of_as_many_rows_with_replacement(monkeypatch):
    values = np.random.default_rng(0).random((7, 2))
    whole = resampled(values, 50, seed=5)
    drawn = np.random.default_rng(5).integers(0, 7, (50, 7))
    assert whole == pytest.approx(np.array([values[rows].mean(axis=0) for rows in drawn]))
    monkeypatch.setattr(bootstrap, "BLOCK", 21)  # three draws at a time: the same numbers
    assert resampled(values, 50, seed=5) == pytest.approx(whole)


def test_the_same_data_give_the_same(values):
    assert (resampled(values) == resampled(values)).all()
    assert resampled(values).shape == (RESAMPLES, 2)


def test_equal_methods_do_not_differ(values):
    means = resampled(values[:, [0, 0]])
    found = difference(means[:, 0], means[:, 1], 0.0)
    assert (found.low, found.high, found.p) == (0, 0, 1)


def test_p_is_small_for_a_sure_difference_and_never_zero(values):
    means = resampled(np.stack([values[:, 0], values[:, 0] + 1], 1))
    assert 0 < difference(means[:, 1], means[:, 0], 1.0).p < 0.002


def test_p_is_uniform_where_there_is_no_difference():
    """Of two methods that differ by chance only, about one in twenty has p below 0.05."""
    rng = np.random.default_rng(11)
    ps = []
    for _ in range(200):
        means = resampled(rng.random((60, 2)), 400)
        ps.append(difference(means[:, 0], means[:, 1], 0.0).p)
    assert 0.01 <= np.mean(np.array(ps) < 0.05) <= 0.10
    assert 0.4 <= np.mean(np.array(ps) < 0.5) <= 0.6


def test_no_questions():
    assert resampled(np.zeros((0, 3))).tolist() == [[0, 0, 0]] * RESAMPLES
