"""Average R-score: how good the first R results are, as graded by people (paper 3, Figures 10 and 11).

In the paper a grade is 2 for a page of the same topic or kind, 1 for a similar page, 0 for any other. A page's R-score
is the mean grade of its first R results; the missing places of a shorter list have grade 0. With grades of 0 and 1
only, it is the precision.
"""

from collections.abc import Iterable, Sequence

from pagekin.errors import UsageError


def r_score(grades: Sequence[int], r: int) -> float:
    """The mean grade of the first R results of one page.

    >>> r_score([2, 1, 0, 2], 2), r_score([2], 4)
    (1.5, 0.5)
    """
    if r < 1:
        raise UsageError(f"R must be at least 1, not {r}")
    if any(grade < 0 for grade in grades):
        raise UsageError(f"a grade is 0 or more, not {min(grades)}")
    return sum(grades[:r]) / r


def average_r_scores(lists: Iterable[Sequence[int]], most: int = 15) -> list[float]:
    """The mean R-score over pages for R = 1, 2 … `most`.

    >>> average_r_scores([[2, 0], [0, 1]], most=2)
    [1.0, 0.75]
    """
    graded = list(lists)
    return [sum(r_score(grades, r) for grades in graded) / max(len(graded), 1) for r in range(1, most + 1)]
