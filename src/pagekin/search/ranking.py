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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pagekin.engine.local import over_cores
from pagekin.index.fields import Singles
from pagekin.index.inverted import Postings
from pagekin.index.spooled import Bools
from pagekin.index.subrelevant import PageClusters
from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels import inverted as kernels
from pagekin.kernels.inverted import Values
from pagekin.search.question import Word

IDF_POWER = 0.2  # the value in the paper
OFTEN = 0.1  # of all pages have a word: it is faster to look at all members of clusters than at the clusters of these
MANY_MEMBERS = 2_000_000  # of clusters: a pass over fewer takes a few milliseconds, and threads would not gain


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
        page, tf = pages_counted(self.postings, term)
        return (self._pages / max(page.size, 1)) ** IDF_POWER, page, 1 + np.log(1 + np.log(tf + 1.0))

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
        led = Led(self.clusters, own.size, asked[-1].dtype)
        for each in held:
            led.add(*each)
        return WordScores(own, led.scores(), eligible)


class Led:
    """Σ y of every page: for each word, the largest x of the pages that share a cluster with it.

    If few clusters have a word, they are opened best first and their members visited: at the first visit a page's y is
    known. If they are most of the clusters, as for any word on one page in a hundred, it is faster to look up the best
    of every page's clusters, for several words in one pass.
    """

    def __init__(self, clusters: PageClusters, pages: int, kind: npt.DTypeLike) -> None:
        self.made, self.kind, self.score = clusters, kind, np.zeros(pages)
        self.seen, self.turn = np.zeros(pages, np.int32), 0
        self.opened = np.empty(clusters.start.size - 1, np.int32)
        self.waiting: list[tuple[float, Values]] = []  # the factors and tops of frequent words

    def add(self, factor: float, page: Ints, value: Values) -> None:
        """Add a word that pages have, with x = factor · value there."""
        made, start, member = self.made, self.made.start, self.made.member
        if made.alone is not None:
            alone = made.alone[page]
            self.score[page[alone]] += factor * value[alone].astype(np.float64)  # as a float it would stay single
        top = np.zeros(self.opened.size, self.kind)
        if page.size >= OFTEN * self.score.size:
            dense = np.zeros(self.score.size, self.kind)
            dense[page] = value
            self._over_cores(
                lambda first, last: kernels.all_tops(first, last, dense, made.start, made.member, top), top.size
            )
            return self._wait(factor, top)
        opened = self.opened[: kernels.own_tops(page, value, made.of_start, made.of, top, self.opened)]
        if (start[opened + 1] - start[opened]).sum() > member.size // 4:
            return self._wait(factor, top)
        tops = factor * top[opened].astype(np.float64)
        order, self.turn = np.argsort(-tops, kind="stable"), self.turn + 1
        kernels.told(opened[order], tops[order], start, member, self.score, self.seen, self.turn)

    def _wait(self, factor: float, top: Values) -> None:
        self.waiting.append((factor, top))
        if len(self.waiting) == kernels.AT_ONCE:
            self._look_up()

    def _look_up(self) -> None:
        """Add what frequent words give, in one pass over all pages."""
        made, tops = self.made, np.zeros((self.opened.size, kernels.AT_ONCE), self.kind)
        factors = np.zeros(kernels.AT_ONCE)
        for at, (factor, top) in enumerate(self.waiting):
            factors[at], tops[:, at] = factor, top
        of_start, of, score = made.of_start, made.of, self.score
        self._over_cores(lambda first, last: kernels.asked(first, last, of_start, of, tops, factors, score), score.size)
        self.waiting.clear()

    def _over_cores(self, work: Callable[[int, int], None], rows: int) -> None:
        over_cores(work, rows, self.made.member.size, MANY_MEMBERS)

    def scores(self) -> Floats:
        if self.waiting:
            self._look_up()
        return self.score


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


def pages_counted(postings: Postings, term: int) -> tuple[Ints, Ints]:
    """The pages that have a term in title or body, ascending, and how often."""
    rows = postings.rows(term)
    page, count = postings.page[rows], postings.count[rows]
    return page[count > 0], count[count > 0]
