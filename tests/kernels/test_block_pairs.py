"""The most related pages from what sites give, against exact fractions."""

from fractions import Fraction

import numpy as np
import pytest

from pagekin.kernels import frozen
from pagekin.kernels.block_pairs import ONE, most_related


@pytest.mark.parametrize("seed", range(5))
def test_sums_and_the_best_by_hand(seed):
    dice, pages, rows, k = np.random.default_rng(seed), 30, 12, 5
    start = np.cumsum([0, *dice.integers(0, 60, rows)])
    other = dice.integers(0, pages, start[-1]).astype(np.int32)
    whole, rest = dice.integers(0, 3, start[-1]), dice.choice([0, 1, ONE // 2, ONE - 1], start[-1])
    weight = 1 + np.log(dice.integers(1, 4, pages))
    sizes, found, scores = most_related(*map(frozen, (start, other, whole, rest, weight)), 0.5, k)
    at = 0
    for row in range(rows):
        sums = {}
        for e in range(start[row], start[row + 1]):
            sums[other[e]] = sums.get(other[e], 0) + int(whole[e]) + Fraction(int(rest[e]), ONE)
        expected = {int(p): float(total) / weight[p] for p, total in sums.items() if float(total) / weight[p] >= 0.5}
        best = sorted(expected, key=lambda p: (-float(f"{expected[p]:.11e}"), p))[:k]
        assert found[at : at + sizes[row]].tolist() == best
        assert scores[at : at + sizes[row]] == pytest.approx([expected[p] for p in best], rel=1e-15)
        at += sizes[row]
    assert at == found.size
