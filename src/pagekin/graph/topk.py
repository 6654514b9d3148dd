"""The best few of many: of one page, and of many pages as one table (`TopK`)."""

from typing import NamedTuple

import numpy as np

from pagekin.kernels import Floats, Ints

SIGNIFICANT_DIGITS = 12  # scores equal to so many digits are equal: the order of summation cannot matter


class TopK(NamedTuple):
    """The best pages for each of many: how many there are (at most k), which, and their scores, best first."""

    sizes: Ints
    pages: Ints  # a row of k each; what is behind the size of a row means nothing
    scores: Floats

    @classmethod
    def empty(cls, rows: int, k: int) -> "TopK":
        return cls(np.zeros(rows, np.int32), np.full((rows, k), -1, np.int32), np.zeros((rows, k), np.float64))

    def put(self, row: int, pages: Ints, scores: Floats) -> None:
        """Fill in one row."""
        self.sizes[row] = pages.size
        self.pages[row, : pages.size], self.scores[row, : pages.size] = pages, scores


def best(pages: Ints, scores: Floats, k: int) -> tuple[Ints, Floats]:
    """The k best by score to 12 significant digits, then page."""
    if scores.size > k:
        worst = np.partition(scores, scores.size - k)[scores.size - k]
        near_enough = scores >= worst * (1 - 1e-11)  # what may round up to the worst that is kept
        pages, scores = pages[near_enough], scores[near_enough]
    order = np.lexsort((pages, -rounded(scores)))[:k]
    return pages[order], scores[order]


def rounded(scores: Floats) -> Floats:
    """Scores, none of them 0, to 12 significant digits.

    >>> rounded(np.array([0.1 + 0.2, 2 / 3]))
    array([0.3       , 0.66666667])
    """
    scale = 10.0 ** (SIGNIFICANT_DIGITS - 1 - np.floor(np.log10(scores)))
    return np.asarray(np.round(scores * scale) / scale)
