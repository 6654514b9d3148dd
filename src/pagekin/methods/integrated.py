"""Similarity of pages by the pages they are linked with, or by these and by their words (paper 4, section 4).

    Sim_s(P, Q)  of their words (`methods.semantic`)                                             (Eq. 14–15)
    Sim_l(P, Q)  ½ the best-match mean of the pages that they link to, by Sim_s, + ½ that of
                 the pages that link to them                                                     (Eq. 17–21)
    Sim          alpha · Sim_s + (1 − alpha) · Sim_l                                             (Eq. 22)

Weak links, those whose pages' keywords have a logical relevance r_l < theta, are left out first (Eq. 16).

Both are exact over all pages: an upper bound of every page's score is cheap (`methods.link_sides`), and pages are
scored in its order until no other can be among the best. Where a page has so many links that even bounds cost too much,
by counts (`affordable`), they choose `CANDIDATES` pages by the score these would have if only equal words were
relevant, score those exactly, and say so in a note.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from pagekin.collection.store import Store
from pagekin.engine.local import at_once
from pagekin.graph.links import Direction, LinkArrays
from pagekin.graph.topk import TopK, best
from pagekin.index.keywords import Keywords, WordMeasure, keywords_of
from pagekin.kernels import Floats, Ints, Longs, frozen
from pagekin.methods.base import Scores, lists_in_threads, register
from pagekin.methods.link_sides import Side, affordable, linked_with, together
from pagekin.methods.semantic import PAGES_AT_ONCE, ByKeywords, matches, no_keywords
from pagekin.model import Evidence
from pagekin.wording import option

LONG_WORK = 50_000_000  # linked pages × (keywords of all pages + links of all pages): some ten milliseconds
SPARE = 8  # pages that are scored with the first k: bounds are a little too high, and a second round costs more
ROUNDING = 1 + 1e-9  # a bound and a score add the same numbers in another order

# Where exact answers cost more than can be afforded:
CANDIDATES = ByKeywords.most_kept  # pages that are scored; a longer list is chosen from more
NEAREST = 1_000  # pages most like a linked page by shared keywords, through which candidates are reached
TELLING = 64  # linked pages through which candidates are sought: those with the fewest links say most

SIDES: tuple[tuple[Direction, Direction], ...] = (("out", "in"), ("in", "out"))
DIRECTIONS: tuple[Direction, ...] = ("out", "in")
NEARLY = 1 - 1e-11  # a score under this share of the worst kept one cannot round up to it


@dataclass(frozen=True, repr=False)
class ByLinks(ByKeywords):
    """The common part of `link` and `integrated`."""

    theta: float = 0.0  # links whose pages' keywords have a lower logical relevance are weak and left out
    logical: WordMeasure = "support"  # the measure that r_l combines with the confidence
    logical_support: float = 0.5  # β of Eq. 13: the weight of that measure in r_l; the rest is confidence

    share: ClassVar[float] = 0.0  # alpha

    def related(self, store: Store, page: int, k: int) -> Scores:
        caveat = self.caveat(store, page)
        pages, scores = self._best(store, page, k) if caveat is None else self._best_of_candidates(store, page, k)
        if not pages.size:
            return Scores.none(self._reason(self._held(store), self._graph(store), page))
        return Scores(pages, scores, caveat)

    def caveat(self, store: Store, page: int) -> str | None:
        graph = store.arrays  # also if weak links are left out: a look-up of a kept answer need not wait for that
        linked = graph.targets(page).size + graph.citers(page).size
        if self.share == 1 or affordable(linked, store.size, self._held(store).word.size, graph.links):
            return None
        return (
            f"this list may not be exact: with {linked:,} links to and from it, the page was compared only with the "
            f"{CANDIDATES} pages or so that seem nearest by equal words"
        )

    def _best(self, store: Store, page: int, k: int) -> tuple[Ints, Floats]:
        """The k best of all pages: those with the highest bounds are scored until no other can be among the best."""
        sides, long = self._sides(store, page), self._is_long(store, page)
        own, every = np.zeros(store.size), np.arange(store.size, dtype=np.int32)
        if self.share > 0:
            own = self.share * self._similarities(store, np.array([page]), every)[:, 0]
        bound = (own + sum((side.bounds for side in sides), np.zeros(store.size))) * ROUNDING
        bound[page] = 0.0
        left = np.flatnonzero(bound).astype(np.int32)
        left = left[np.lexsort((left, -bound[left]))]
        pages, scores = np.empty(0, np.int32), np.empty(0)
        while left.size:
            some = left[: together(left[: k + SPARE], sides)]
            scored = at_once([partial(side.scores, some) for side in sides], long)
            found = own[some] + sum(scored, np.zeros(some.size))
            pages, scores = np.append(pages, some[found > 0]), np.append(scores, found[found > 0])
            pages, scores = best(pages, scores, k)
            left = left[some.size :]
            if pages.size >= k:
                left = left[: int((bound[left] >= scores[-1] * NEARLY).sum())]
        return pages, scores

    def _sides(self, store: Store, page: int) -> list[Side]:
        """The sides on which a page has links, with the bounds of what each adds to a score."""
        from pagekin.kernels.matchbounds import link_bounds, similarity_bounds

        words, strong, weight = self._held(store).semantic(self.support), self._strong(store), (1 - self.share) / 2

        def side(start: Longs, row: Ints) -> Side:
            mine = frozen(row[start[page] : start[page + 1]])
            alike = frozen(similarity_bounds(mine, words, strong))
            bounds = weight * link_bounds(mine.size, alike, start, row)
            return Side(mine, start, row, words, strong, weight, alike, bounds)

        rows = [self._graph(store).rows(near) for near in DIRECTIONS] if self.share < 1 else []
        linked = [(start, row) for start, row in rows if start[page] < start[page + 1]]
        return at_once([partial(side, *each) for each in linked], self._is_long(store, page))

    def _is_long(self, store: Store, page: int) -> bool:
        """Whether a question takes so long that its two sides are worked on at once."""
        links = store.arrays.targets(page).size + store.arrays.citers(page).size
        return links * (self._held(store).word.size + store.arrays.links) >= LONG_WORK

    def _strong(self, store: Store) -> Any:
        """The strong pairs of words, found once per setting."""
        from pagekin.kernels.strongpairs import Strong, strong_pairs

        def found() -> Any:
            made: Any = strong_pairs(self._held(store).semantic(self.support))
            return Strong(*map(frozen, made))

        return store.memo.get("strong pairs", (self.support, self.keywords), found)

    def _best_of_candidates(self, store: Store, page: int, k: int) -> tuple[Ints, Floats]:
        """The k best of some pages that seem near."""
        near = self._estimates(self._held(store), self._graph(store), page)
        near[page] = 0.0
        candidates = np.flatnonzero(near)
        wanted = max(CANDIDATES, k)
        if candidates.size > wanted:
            candidates = np.sort(candidates[np.lexsort((candidates, -near[candidates]))[:wanted]])
        scores = self.exactly(store, page, candidates.astype(np.int32))
        return best(candidates[scores > 0].astype(np.int32), scores[scores > 0], k)

    def lists(self, store: Store, k: int, pages: Ints | None = None) -> TopK:
        self._graph(store)
        if store.size:
            self._strong(store)
        return lists_in_threads(self, store, k, pages, PAGES_AT_ONCE)

    def exactly(self, store: Store, page: int, others: Ints) -> Floats:
        """The exact score of a page with each of some others."""
        found = np.zeros(others.size)
        if self.share < 1:
            for near in DIRECTIONS:
                found += (1 - self.share) / 2 * self._link_means(store, near, page, others)
        if self.share > 0:
            found += self.share * self._similarities(store, np.array([page]), others)[:, 0]
        return found

    def _graph(self, store: Store) -> LinkArrays:
        """The links that are not weak, found once per setting."""
        if not self.theta:
            return store.arrays
        key, most = (self.theta, self.logical_support, self.logical), self.keywords
        return store.memo.get("strong links", (*key, most), lambda: keywords_of(store, most).pruned(store.arrays, *key))

    def _link_means(self, store: Store, side: Direction, page: int, others: Ints) -> Floats:
        """Sim_O or Sim_I (Eq. 19–20) of a page with each of some others."""
        from pagekin.kernels.bestmatch import means

        start, row = self._graph(store).rows(side)
        mine = row[start[page] : start[page + 1]]
        theirs = linked_with(others, start, row)
        if not mine.size or not theirs.size:
            return np.zeros(others.size)
        place = np.zeros(start.size - 1, np.int32)
        place[theirs] = np.arange(theirs.size)
        matrix = self._similarities(store, mine, theirs)
        return means(frozen(others), start, row, frozen(place), frozen(matrix))

    def _estimates(self, held: Keywords, graph: LinkArrays, page: int) -> Floats:
        """What the score with each page would be if only equal words were relevant, or a little less."""
        from pagekin.kernels.bestmatch import dice, link_estimates

        words, found = held.semantic(self.support), np.zeros(graph.size)
        if self.share < 1:
            degree = np.diff(graph.either_start)
            for near, far in SIDES:
                start, row = graph.rows(near)
                mine = row[start[page] : start[page + 1]]
                telling = mine[np.lexsort((mine, degree[mine]))[:TELLING]]
                rows = *held.holders, *graph.rows(near), *graph.rows(far)
                found += (1 - self.share) / 2 * link_estimates(frozen(telling), NEAREST, words, *rows)
        if self.share > 0:
            found += self.share * dice(page, words, *held.holders)
        return found

    def _reason(self, held: Keywords, graph: LinkArrays, page: int) -> str:
        if self.share == 1 or (self.share and not graph.linked(page).size):
            return no_keywords(held, page)
        if not graph.linked(page).size:
            weak = f", or all are under theta={self.theta}" if self.theta else ""
            return f"no link leads to or from this page{weak}; compare words instead: {option('method', 'semantic')}"
        other = option("method", "semantic")
        return f"no other page has linked pages similar to those of this one; try {other}, which compares words"

    def _linked(self, store: Store, page: int, other: int) -> Iterator[Evidence]:
        """The linked pages that match, best first: the pages that they link to, then those that link to them."""
        for side, said in (("out", "to"), ("in", "from")):
            start, row = self._graph(store).rows("out" if side == "out" else "in")
            mine, theirs = row[start[page] : start[page + 1]], row[start[other] : start[other + 1]]
            if mine.size and theirs.size:
                for j, i, value, of in matches(self._similarities(store, mine, theirs)):
                    pages = [store.url(int(mine[i])), store.url(int(theirs[j]))]
                    titles = [store.title(int(mine[i])), store.title(int(theirs[j]))]
                    anchors = [_anchor(store, side, *ends) for ends in ((page, mine[i]), (other, theirs[j]))]
                    detail = {"links": said, "pages": pages, "titles": titles, "anchors": anchors}
                    yield Evidence("linked-pages", detail | {"similarity": value, "of": of})


def _anchor(store: Store, side: str, page: int, linked: int) -> str:
    """The anchor of a page's link to another, or of the other's link to it."""
    return store.anchor(page, int(linked)) if side == "out" else store.anchor(int(linked), page)


@register("link")
@dataclass(frozen=True, repr=False)
class LinkMethod(ByLinks):
    """Two pages are alike when they link to similar pages and similar pages link to them."""

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        return list(self._linked(store, page, other))


@register("integrated")
@dataclass(frozen=True, repr=False)
class Integrated(ByLinks):
    """Two pages are alike by their keywords and by the pages they are linked with."""

    alpha: float = 0.5  # the weight of the keywords; the links have the rest

    @property
    def share(self) -> float:  # type: ignore[override]
        return self.alpha

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        words = list(self._keywords(store, page, other)) if self.alpha else []
        return words + (list(self._linked(store, page, other)) if self.alpha < 1 else [])
