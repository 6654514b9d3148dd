"""Score pages for a question: tf-idf of a page mixed with that of the pages in its clusters (paper 2), or BM25.

With tf the number of occurrences of term t on page v, df the number of pages with t, n the number of pages with words:

    x_v(t) = (1 + ln(1 + ln(tf + 1))) · (n/df)^0.2       where t is on v, else 0
    y_v(t) = max of x_u(t) over the pages u in a cluster with v
    x'_v   = (1 − α) x_v + α y_v                         and v scores Σ_t x'_v(t) over the question's distinct terms

The sums of x and y do not depend on α, so a score is mixed from two numbers, and nothing is rebuilt when α changes.
A term costs one look at each page that has it, each cluster of these pages, and each member of these clusters.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pagekin.index.inverted import Postings
from pagekin.index.subrelevant import PageClusters
from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels import inverted as kernels

IDF_POWER = 0.2  # the value in the paper
K1, B = 1.2, 0.75  # what Robertson and Zaragoza (2009) recommend for BM25 without tuning


@dataclass(frozen=True)
class WordScores:
    """Σ x and Σ y of every page for one question."""

    own: Floats
    led: Floats
    length: Ints

    def best(self, k: int, alpha: float) -> tuple[Ints, Floats]:
        """The k best pages with words, and their scores, by score (to 12 digits), then by page; none scores 0."""
        return kernels.best(self.own, self.led, float(alpha), self.length, min(k, max(self.own.size, 1)))


@dataclass(frozen=True)
class Ranker:
    """Scores pages by their words and, if there are clusters, by the words of the clusters they are in."""

    postings: Postings
    clusters: PageClusters | None = None

    @cached_property
    def _pages(self) -> int:
        return self.postings.pages

    def scored(self, terms: Longs) -> WordScores:
        """Σ x and Σ y of every page; without clusters the two are the same."""
        first, last = self._rows(terms)
        rows = (first, last, (self._pages / np.maximum(last - first, 1)) ** IDF_POWER)
        held = self.postings
        own = np.zeros(held.length.size)
        kernels.own(*rows, held.page, held.count, own)
        if self.clusters is None:
            return WordScores(own, own, held.length)
        made, led = self.clusters, np.zeros(own.size)
        seen, top = np.zeros(own.size, np.int32), np.zeros(made.start.size)
        kernels.led_to(*rows, held.page, held.count, made.start, made.member, made.of_start, made.of, led, seen, top)
        return WordScores(own, led, held.length)

    def bm25(self, terms: Longs) -> WordScores:
        """Okapi BM25, as a baseline to compare with; l is a page's length and l̄ the mean length:

        Σ_t ln(1 + (n − df + ½)/(df + ½)) · tf (k1 + 1) / (tf + k1 (1 − b + b l/l̄))
        """
        first, last = self._rows(terms)
        df = last - first
        weight = np.log1p((self._pages - df + 0.5) / (df + 0.5))
        held = self.postings
        score = np.zeros(held.length.size)
        kernels.bm25(first, last, weight, held.page, held.count, held.length, score, K1, B)
        return WordScores(score, score, held.length)

    def _rows(self, terms: Longs) -> tuple[Longs, Longs]:
        """Where the rows of each term begin and end, copied: numba treats memory-mapped arrays as another type."""
        start = self.postings.start
        return np.asarray(start[terms], np.int64), np.asarray(start[terms + 1], np.int64)
