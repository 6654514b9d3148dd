"""The average R-score by hand."""

import pytest

from pagekin.errors import UsageError
from pagekin.evaluate.rscore import average_r_scores, r_score


def test_by_hand():
    assert r_score([2, 2, 1, 0], 3) == 5 / 3
    assert average_r_scores([[2, 2, 1], [0], []], most=3) == pytest.approx([2 / 3, 2 / 3, 5 / 9])
    assert average_r_scores([], most=2) == [0, 0]


def test_a_wrong_grade_or_r_is_said():
    with pytest.raises(UsageError, match="a grade is 0 or more, not -1"):
        r_score([2, -1], 2)
    with pytest.raises(UsageError, match="R must be at least 1"):
        r_score([2], 0)
