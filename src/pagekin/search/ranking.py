"""Score pages for a question: what its words weigh on a page, mixed with what they weigh in its clusters (paper 2).

    x_v(t) = q(t) · idf(t) · weight_v(t)                 where word t is on v, else 0
    idf(t) = ln(1 + (n − df + ½) / (df + ½))             df of n pages have the word
    q(t)   = how often the question says t
    y_v(t) = max of x_u(t) over the pages u in a cluster with v
    x'_v   = (1 − α) x_v + α y_v                         and v scores Σ_t x'_v(t) over the question's words

The weight on a page is that of BM25 over fields (`index.fields`). A word has a stem in each language of the collection;
its pages are those of all its stems, and on a page that has several the heaviest counts. By tf-idf, as in the paper,
each stem is a term t of its own, said once, and with tf its count in title and body

    x_v(t) = (1 + ln(1 + ln(tf + 1))) · (n/df)^0.2

The sums of x and y do not depend on α, so a score is mixed from two numbers, and nothing is rebuilt when α changes.
A term costs one look at each page that has it, each cluster of these pages, and each member of these clusters.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pagekin.index.fields import Singles
from pagekin.index.inverted import Postings
from pagekin.index.spooled import Bools
from pagekin.index.subrelevant import PageClusters
from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels import inverted as kernels
from pagekin.kernels.inverted import Values
from pagekin.search.question import Word

IDF_POWER = 0.2  # the value in the paper
K1, B = 1.2, 0.75  # what Robertson and Zaragoza (2009) recommend for BM25 without tuning


@dataclass(frozen=True)
class WordScores:
    """Σ x and Σ y of every page for one question."""

    own: Floats
    led: Floats
    eligible: Bools

    def best(self, k: int, alpha: float) -> tuple[Ints, Floats]:
        """The k best eligible pages, and their scores, by score (to 12 digits), then by page; none scores 0."""
        return kernels.best(self.own, self.led, float(alpha), self.eligible, min(k, max(self.own.size, 1)))


@dataclass(frozen=True)
class Ranker:
    """Scores pages by their words and, if there are clusters, by the words of the clusters they are in."""

    postings: Postings
    clusters: PageClusters | None = None

    def bm25(self, words: Sequence[Word]) -> WordScores:
        """By BM25 over fields."""
        return self._scored(map(self._weighed, words), self.postings.shown)

    def tf_idf(self, terms: Longs) -> WordScores:
        """By tf-idf of title and body."""
        return self._scored(map(self._counted, terms.tolist()), self._has_words)

    def okapi(self, terms: Longs) -> WordScores:
        """BM25 of title and body as one field, a baseline to compare with; l is a page's length, l̄ the mean length:

        Σ_t ln(1 + (n − df + ½)/(df + ½)) · tf (k1 + 1) / (tf + k1 (1 − b + b l/l̄))
        """
        held, length = self.postings, self.postings.length
        score, mean = np.zeros(length.size), length.sum() / max(self._pages, 1)
        for term in terms.tolist():
            page, tf = self._with_count(term)
            norm = K1 * (1 - B + B * length[page] / mean)
            score[page] += idf(self._pages, page.size) * tf * (K1 + 1) / (tf + norm)
        return WordScores(score, score, held.length > 0)

    @cached_property
    def _pages(self) -> int:
        return self.postings.pages

    @cached_property
    def _shown(self) -> int:
        return int(np.count_nonzero(self.postings.shown))

    @cached_property
    def _has_words(self) -> Bools:
        return np.asarray(self.postings.length > 0)

    def _weighed(self, word: Word) -> tuple[float, Ints, Singles]:
        """The pages of a word, and its x there, as a factor and what is multiplied by it."""
        page, weight = pages_with(self.postings, word)
        return word.times * idf(self._shown, page.size), page, weight

    def _counted(self, term: int) -> tuple[float, Ints, Floats]:
        page, tf = self._with_count(term)
        return (self._pages / max(page.size, 1)) ** IDF_POWER, page, 1 + np.log(1 + np.log(tf + 1.0))

    def _with_count(self, term: int) -> tuple[Ints, Ints]:
        """The pages that have a term in title or body, and how often."""
        rows = self.postings.rows(term)
        page, count = self.postings.page[rows], self.postings.count[rows]
        return page[count > 0], count[count > 0]

    def _scored(self, rows: Iterator[tuple[float, Ints, Values]], eligible: Bools) -> WordScores:
        """Σ x and Σ y of every page, from the pages of each word and its x there; without clusters y is x."""
        own, held = np.zeros(eligible.size), list(rows)
        if not held:
            return WordScores(own, own, eligible)
        factors, pages, values = zip(*held, strict=True)
        last = np.cumsum([0, *(page.size for page in pages)], dtype=np.int64)
        asked = (last[:-1], last[1:], np.array(factors), np.concatenate(pages), np.concatenate(values))
        kernels.own(*asked, own)
        if self.clusters is None:
            return WordScores(own, own, eligible)
        made, led = self.clusters, np.zeros(own.size)
        seen, top = np.zeros(own.size, np.int32), np.zeros((made.start.size, kernels.AT_ONCE), asked[-1].dtype)
        kernels.led_to(*asked, made.start, made.member, made.of_start, made.of, led, seen, top)
        return WordScores(own, led, eligible)


def idf(pages: int, df: int) -> float:
    """How rare a word is that df of so many pages have."""
    return float(np.log1p((pages - df + 0.5) / (df + 0.5)))


def pages_with(postings: Postings, word: Word) -> tuple[Ints, Singles]:
    """The pages that have a word in any language, ascending, and its weight there."""
    rows = [postings.rows(term) for term in word.terms]
    page = np.concatenate([postings.page[each] for each in rows])
    weight = np.concatenate([postings.weight[each] for each in rows])
    if len(rows) == 1:
        return page, weight
    order = np.lexsort((-weight, page))
    page, weight = page[order], weight[order]
    first = np.concatenate(([True], page[1:] != page[:-1]))[: page.size]
    return page[first], weight[first]
