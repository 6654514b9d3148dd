"""The nearest word, against a distance written from its definition."""

from functools import lru_cache

import numpy as np
import pytest

from pagekin.index.inverted import inverted
from pagekin.kernels.spelling import slips
from pagekin.search.spelling import nearest
from tests.small_webs import of_words


def distance(a, b):
    @lru_cache(None)
    def of(i, j):
        if not i or not j:
            return i + j
        least = min(of(i - 1, j) + 1, of(i, j - 1) + 1, of(i - 1, j - 1) + (a[i - 1] != b[j - 1]))
        if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
            least = min(least, of(i - 2, j - 2) + 1)
        return least

    return of(len(a), len(b))


@pytest.mark.parametrize("seed", range(5))
def test_slips_equal_the_twin_s(seed):
    rng = np.random.default_rng(seed)
    drawn = ["".join(rng.choice(list("abc"), rng.integers(0, 8))) for _ in range(200)]
    start = np.concatenate(([0], np.cumsum([len(word) for word in drawn])))
    letters = np.frombuffer("".join(drawn).encode(), np.uint8)
    for most in (1, 2):
        found = slips(np.frombuffer(drawn[0].encode(), np.uint8), start, letters, most)
        assert found.tolist() == [min(distance(drawn[0], word), most + 1) for word in drawn]


def test_the_nearest_word_is_the_one_on_most_pages(tmp_path):
    pages = {"a": "nectar hive hove", "b": "hive honey", "c": "hive"}
    postings = inverted(of_words(tmp_path / "s.kin", pages))
    assert nearest(postings, "nectra") == "nectar"
    assert nearest(postings, "NECTAL") == "nectar"
    assert nearest(postings, "hiive") == "hive"
    assert nearest(postings, "hxve") == "hive"
    assert nearest(postings, "hx") is None
    assert nearest(postings, "locomotive") is None
    assert nearest(postings, "n" * 100_000) is None
