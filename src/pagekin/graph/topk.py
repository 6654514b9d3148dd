"""The k best pages: for one page (`best`), and for many pages as one table (`TopK`)."""

from typing import NamedTuple

import numpy as np

from pagekin.kernels import Floats, Ints

SIGNIFICANT_DIGITS = 12  # scores equal to so many digits are ties, so the order of summation does not matter


class TopK(NamedTuple):
    """The best pages for each of many: how many (at most k), which, and their scores, best first."""

    sizes: Ints
    pages: Ints  # a row of k each; entries after a row's size mean nothing
    scores: Floats

    @classmethod
    def empty(cls, rows: int, k: int) -> "TopK":
        return cls(np.zeros(rows, np.int32), np.full((rows, k), -1, np.int32), np.zeros((rows, k), np.float64))

    def put(self, row: int, pages: Ints, scores: Floats) -> None:
        """Fill in one row."""
        self.sizes[row] = pages.size
        self.pages[row, : pages.size], self.scores[row, : pages.size] = pages, scores


def joined(blocks: list[TopK], k: int) -> TopK:
    """The tables of blocks of rows as one."""
    return TopK(*map(np.concatenate, zip(TopK.empty(0, k), *blocks, strict=True)))


def best(pages: Ints, scores: Floats, k: int) -> tuple[Ints, Floats]:
    """The k best pages by score (to 12 significant digits), then page number."""
    if scores.size > k:
        worst = np.partition(scores, scores.size - k)[scores.size - k]
        near_enough = scores >= worst * (1 - 1e-11)  # all that may round up to the worst score kept
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
