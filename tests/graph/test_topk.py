"""The best few of many, against sorting them all."""

import numpy as np
import pytest

from pagekin.graph.topk import TopK, best


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("k", [1, 3, 50])
def test_the_best_are_the_first_of_all_sorted(seed, k):
    chance = np.random.default_rng(seed)
    pages = chance.permutation(40).astype(np.int32)
    scores = chance.choice([0.1 + 0.2, 0.3, 0.5, 1e-9, 2 / 3], 40)  # 0.1 + 0.2 is 0.3 to twelve digits
    found, values = best(pages, scores, k)
    want = sorted(zip(pages.tolist(), scores.tolist(), strict=True), key=lambda row: (-float(f"{row[1]:.12g}"), row[0]))
    assert list(zip(found.tolist(), values.tolist(), strict=True)) == want[:k]


def test_rows_are_filled_in_one_by_one():
    found = TopK.empty(3, 2)
    found.put(1, np.array([7], np.int32), np.array([0.5]))
    assert found.sizes.tolist() == [0, 1, 0]
    assert (found.pages[1, 0], found.scores[1, 0]) == (7, 0.5)
