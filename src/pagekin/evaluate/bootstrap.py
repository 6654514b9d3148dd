"""How sure a mean is, and how sure it is that one method is better than another: the paired bootstrap.

The questions are drawn anew, with replacement, as many as there are; this is done many times. The middle 95 % of the
means are the interval. All methods are measured on the same draws, so a difference between two is that of pairs: what
makes a question hard for both does not blur it (Efron & Tibshirani 1993, chapters 13 and 16; Sakai 2006).
"""

from dataclasses import dataclass

import numpy as np

from pagekin.kernels import Floats

RESAMPLES = 2_000  # fifty of them lie beyond each end of an interval
SEED = 2006  # the same data give the same intervals
BLOCK = 1 << 22  # numbers drawn at a time: 32 MB
LEVEL = 0.95


@dataclass(frozen=True)
class Difference:
    """A mean difference, its 95 % interval, and how probable one as large is if there is none (two-sided)."""

    mean: float
    low: float
    high: float
    p: float


def resampled(values: Floats, resamples: int = RESAMPLES, seed: int = SEED) -> Floats:
    """The means of each column when its rows are drawn anew: a row for each resample.

    A draw is a count for each row of `values`, so the means of all columns are one matrix product.
    """
    rng, rows = np.random.default_rng(seed), values.shape[0]
    means = np.zeros((resamples, values.shape[1]))
    at_once = max(1, BLOCK // max(rows, 1))
    for first in range(0, resamples if rows else 0, at_once):
        some = min(at_once, resamples - first)
        drawn = rng.integers(0, rows, (some, rows)) + rows * np.arange(some)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=some * rows).reshape(some, rows)
        means[first : first + some] = counts @ values / rows
    return means


def interval(means: Floats) -> tuple[float, float]:
    """The interval that the middle 95 % of the resampled means span."""
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def difference(one: Floats, other: Floats, mean: float) -> Difference:
    """How much larger one mean is than another, from resampled means of the same draws.

    p is never 0: the data themselves are counted as one more draw (Davison & Hinkley 1997, 4.2).

    >>> difference(np.array([0.3, 0.5, 0.4, 0.6]), np.array([0.1, 0.2, 0.5, 0.2]), 0.2).p
    0.8
    """
    gaps = one - other
    wrong = min((gaps <= 0).sum(), (gaps >= 0).sum())
    return Difference(mean, *interval(gaps), p=min(1.0, round(2 * (int(wrong) + 1) / (gaps.size + 1), 4)))
