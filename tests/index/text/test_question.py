"""The first look at smoothed vectors, kept as bytes, against cosines of the vectors themselves."""

from types import SimpleNamespace

import numpy as np
import pytest

from pagekin.index.text.question import MOST_IN_DOUBT, Question
from pagekin.index.text.vectors import finish

BEST, FIRST = 100, 400


def asked(near, pages=6_000, dimensions=256, seed=1):
    """The first of some pages as a question; they differ by so much from their mean."""
    rng = np.random.default_rng(seed)
    y = (rng.standard_normal(dimensions) + near * rng.standard_normal((pages, dimensions))).astype(np.float32)
    small, scale = np.empty(y.shape, np.int8), np.empty(pages, np.float32)
    finish(y, small, scale)
    ids, none = np.arange(pages), np.empty(0, np.int32)
    held = SimpleNamespace(ids=ids, y=y, small=small, scale=scale)
    return Question(held, None, ids, none, none, none, y[0])


@pytest.mark.parametrize("near", [0.02, 0.1, 1.0])
def test_no_page_of_the_best_is_missed(near):
    question = asked(near)
    cosine = question.smoothed()
    first = np.argsort(-cosine, kind="stable")[:FIRST].astype(np.int32)
    exact = np.argsort(-(question.held.y.astype(np.float64) @ question.y), kind="stable")[:BEST]
    found = question.in_doubt(cosine, first, BEST)
    assert np.isin(first, found).all()
    assert np.isin(exact, found).mean() >= 0.99
    if near == 0.02:  # pages so much alike that the first look alone does not do
        assert np.isin(exact, first).mean() < 0.9
    if near == 1.0:  # where it does, hardly a page more is looked at
        assert found.size < FIRST + BEST


def test_of_copies_some_are_looked_at():
    question = asked(0.0, pages=2 * MOST_IN_DOUBT, dimensions=8)
    first = np.arange(FIRST, dtype=np.int32)
    assert question.in_doubt(question.smoothed(), first, BEST).size <= MOST_IN_DOUBT + FIRST
