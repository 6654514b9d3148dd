"""The pages that score most for a question: tf-idf mixed with what a page's clusters lead to (paper 2), or BM25.

With tf the occurrences of term t on page v, df the pages that have t, n the pages with words:

    x_v(t) = (1 + ln(1 + ln(tf + 1))) · (n/df)^0.2       where t is on v, else 0
    y_v(t) = max of x_u(t) over the pages u in a cluster with v
    x'_v   = (1 − α) x_v + α y_v                         and v scores Σ_t x'_v(t) over the question's distinct terms

The sums of x and of y do not depend on α, so a score is mixed from two numbers, and nothing is made anew when α moves.
The cost of a term is the pages that have it, the clusters these are in, and their members, each looked at once.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pagekin.index.inverted import Postings
from pagekin.index.subrelevant import PageClusters
from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels import inverted as kernels

IDF_POWER = 0.2  # the paper's
K1, B = 1.2, 0.75  # BM25 as Robertson and Zaragoza (2009) recommend where nothing was tuned


@dataclass(frozen=True)
class WordScores:
    """Σ x and Σ y of every page for one question."""

    own: Floats
    led: Floats
    length: Ints

    def best(self, k: int, alpha: float) -> tuple[Ints, Floats]:
        """The k best pages with words and their scores, by score (to 12 digits), then page; only what scores at all."""
        return kernels.best(self.own, self.led, float(alpha), self.length, min(k, max(self.own.size, 1)))


@dataclass(frozen=True)
class Ranker:
    """Scores pages by their words, and by the clusters they are in where there are any."""

    postings: Postings
    clusters: PageClusters | None = None

    @cached_property
    def _pages(self) -> int:
        return self.postings.pages

    def scored(self, terms: Longs) -> WordScores:
        """Σ x and Σ y; without clusters both are the same."""
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
        """Okapi BM25, the plain comparison, with l a page's length and l̄ the mean:

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
        """Where the rows of the terms begin and end, as arrays of their own: memory-mapped ones are another type."""
        start = self.postings.start
        return np.asarray(start[terms], np.int64), np.asarray(start[terms + 1], np.int64)
