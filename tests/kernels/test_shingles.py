"""Shingles and resemblance against Python's own sets."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.kernels import frozen
from pagekin.kernels.shingles import WIDTH, resemble, shingles

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "ee", "ff", "ü", "語"]), max_size=30)


def hashed(words):
    return shingles(frozen(np.frombuffer(" ".join(words).encode(), np.uint8)))


def by_hand(words):
    return {tuple(words[i : i + WIDTH]) for i in range(max(len(words) - WIDTH + 1, min(len(words), 1)))}


@settings(deadline=None)
@given(WORDS, WORDS, st.floats(0.05, 1))
def test_texts_resemble_as_their_sets_do(a, b, least):
    one, other = by_hand(a), by_hand(b)
    assert hashed(a).size == len(one)
    share = len(one & other) / len(one | other) if one and other else 0.0
    if abs(share - least) > 1e-6:
        assert resemble(frozen(hashed(a)), frozen(hashed(b)), least) == (share >= least)


@pytest.mark.parametrize("share", [1 / 3, 0.5, 0.9])
def test_as_much_as_asked_for_is_enough(share):
    a = np.arange(300, dtype=np.int64)
    b = a[: round(300 * share)].copy()
    assert resemble(frozen(a), frozen(b), share)


def test_case_of_white_space():
    assert np.array_equal(hashed(["a", "b"]), shingles(frozen(np.frombuffer(b"\n a\t\tb ", np.uint8))))
    assert shingles(frozen(np.empty(0, np.uint8))).size == 0
