"""Similarity of pages by their words, by the pages they are linked with, or by both (paper 4, section 4).

    Sim_s(P, Q)  the best-match mean of the two pages' keywords, by their relevance r_s          (Eq. 14–15)
    Sim_l(P, Q)  ½ the best-match mean of the pages that they link to, by Sim_s, + ½ that of
                 the pages that link to them                                                     (Eq. 17–21)
    Sim          alpha · Sim_s + (1 − alpha) · Sim_l                                             (Eq. 22)

In the best-match mean (`kernels.bestmatch`) every member of one set finds its best match in the other. Weak links,
those whose pages' keywords have a logical relevance r_l < theta, are left out first (Eq. 16).

`semantic` is exact over all pages. `link` and `integrated` first choose `CANDIDATES` pages by the score they would have
if only equal words were relevant, and then score those exactly.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import ClassVar

import numpy as np

from pagekin.collection.seen import SeesLinks, SeesWords
from pagekin.collection.store import Store
from pagekin.engine.local import over_rows
from pagekin.errors import UsageError
from pagekin.graph.links import Direction, LinkArrays
from pagekin.graph.topk import TopK, best
from pagekin.index.base import Index
from pagekin.index.keywords import MOST, KeywordRelevance, Keywords, WordMeasure, keywords_of
from pagekin.kernels import Floats, Ints, frozen
from pagekin.methods import evidence
from pagekin.methods.base import Method, Scores, lists_in_threads, register
from pagekin.model import Evidence
from pagekin.wording import option

CANDIDATES = 200  # pages that `link` and `integrated` score exactly
NEAREST = 1_000  # pages most like a linked page by shared keywords, through which candidates are reached
TELLING = 64  # linked pages through which candidates are sought: those with the fewest links say most
TABLE = "Sim_s of all pages"
TABLE_PAGES = 4_000  # the largest collection whose Sim_s is tabulated for a batch: 128 MB
PAGES_AT_ONCE = 500  # part of a batch that takes seconds, or a minute if links are many; an interrupt waits no longer

SIDES: tuple[tuple[Direction, Direction], ...] = (("out", "in"), ("in", "out"))


def similarities(store: Store, pages: Ints, others: Ints, support: float = 0.5, keywords: int = MOST) -> Floats:
    """Sim_s of some pages (columns) with others (rows)."""
    from pagekin.kernels.bestmatch import page_similarities

    table: Floats | None = store.memo.held(TABLE, (support, keywords))
    if table is not None:
        return table[np.ix_(others, pages)]
    words = keywords_of(store, keywords).semantic(support)
    return page_similarities(frozen(pages.astype(np.int32)), frozen(others.astype(np.int32)), words)


def _tabulate(store: Store, support: float, keywords: int) -> None:
    """Tabulate Sim_s of all pairs of a small collection, for a batch, which needs every pair over and over."""
    every = np.arange(store.size, dtype=np.int32)

    def table() -> Floats:
        some = (support, keywords)
        rows = over_rows(lambda first, last: similarities(store, every[first:last], every, *some), store.size)
        return np.hstack(rows) if rows else np.empty((0, 0))

    if store.size <= TABLE_PAGES:
        store.memo.get(TABLE, (support, keywords), table, most=1)


@dataclass(frozen=True, repr=False)
class _ByKeywords(SeesLinks, SeesWords, Method):
    """The common part of `semantic`, `link` and `integrated`."""

    support: float = 0.5  # α of Eq. 12: the weight of support in the relevance of words; the rest is mutual information
    keywords: int = field(default=MOST, kw_only=True)  # k: how many of its terms are a page's keywords

    most_kept: ClassVar[int] = CANDIDATES  # a longer list is chosen from more candidates

    @property
    def index(self) -> Index:
        return KeywordRelevance(self.keywords, links=self.links, words=self.words)

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if item.name == "keywords":
                _ = self.index  # which says what is wrong with it
            elif isinstance(value, float | int) and not 0 <= value <= 1:  # all its other numbers are shares
                raise UsageError(f"{item.name} must be from 0 to 1, not {value}")

    def _similarities(self, store: Store, pages: Ints, others: Ints) -> Floats:
        return similarities(store, pages, others, self.support, self.keywords)

    def _keywords(self, store: Store, page: int, other: int) -> Iterator[Evidence]:
        """The keywords that match, best first."""
        from pagekin.kernels.keywords import relevance_of

        held = keywords_of(store, self.keywords)
        words, (mine, theirs) = held.semantic(self.support), (_rarest_first(held, each) for each in (page, other))
        table = np.array([[relevance_of(a, b, words) for b in theirs] for a in mine]).reshape(mine.size, theirs.size)
        for i, j, value, of in _matches(table):
            pair = [held.surface(int(mine[i])), held.surface(int(theirs[j]))]
            yield Evidence("keywords", {"words": pair, "relevance": value, "of": of})


def _rarest_first(held: Keywords, page: int) -> Ints:
    """A page's keywords, rarest first: among equally good matches, those that few pages have say most."""
    words = held.of(page)
    return words[np.argsort(held.pages[words], kind="stable")]


def _matches(table: Floats) -> Iterator[tuple[int, int, float, int]]:
    """The pairs that a best-match mean used, best first: (row, column, value, how many there are in all)."""
    if not table.size:
        return
    pairs = {(i, int(j)) for i, j in enumerate(table.argmax(axis=1))}
    pairs |= {(int(i), j) for j, i in enumerate(table.argmax(axis=0))}
    used = sorted((-float(table[pair]), pair) for pair in pairs if table[pair] > 0)
    for value, (i, j) in used[: evidence.MOST]:
        yield i, j, -value, len(used)


@register("semantic")
@dataclass(frozen=True, repr=False)
class Semantic(_ByKeywords):
    """Two pages are alike when their keywords are related, even if not the same."""

    def related(self, store: Store, page: int, k: int) -> Scores:
        from pagekin.kernels.bestmatch import strongest_matches

        held = keywords_of(store, self.keywords)
        rows = frozen(np.array([page], np.int32))
        sizes, pages, scores = strongest_matches(rows, k, held.semantic(self.support))
        if not sizes[0]:
            return Scores.none(_no_keywords(held, page))
        return Scores(pages[0, : sizes[0]], scores[0, : sizes[0]])

    def lists(self, store: Store, k: int, pages: Ints | None = None) -> TopK:
        from pagekin.kernels.bestmatch import strongest_matches

        asked = np.arange(store.size, dtype=np.int32) if pages is None else pages
        words, found = keywords_of(store, self.keywords).semantic(self.support), TopK.empty(asked.size, k)

        def block(first: int, last: int) -> None:
            some = strongest_matches(frozen(asked[first:last]), k, words)
            found.sizes[first:last], found.pages[first:last], found.scores[first:last] = some

        over_rows(block, asked.size, most=PAGES_AT_ONCE)
        return found

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        return list(self._keywords(store, page, other))


@dataclass(frozen=True, repr=False)
class _ByLinks(_ByKeywords):
    """The common part of `link` and `integrated`: choose candidates, then score them exactly."""

    theta: float = 0.0  # links whose pages' keywords have a lower logical relevance are weak and left out
    logical: WordMeasure = "support"  # the measure that r_l combines with the confidence
    logical_support: float = 0.5  # β of Eq. 13: the weight of that measure in r_l; the rest is confidence

    share: ClassVar[float] = 0.0  # alpha

    def related(self, store: Store, page: int, k: int) -> Scores:
        held, graph = keywords_of(store, self.keywords), self._graph(store)
        near = self._estimates(held, graph, page)
        near[page] = 0.0
        candidates = np.flatnonzero(near)
        wanted = max(CANDIDATES, k)
        if candidates.size > wanted:
            candidates = np.sort(candidates[np.lexsort((candidates, -near[candidates]))[:wanted]])
        scores = self.exactly(store, page, candidates.astype(np.int32))
        pages, scores = best(candidates[scores > 0].astype(np.int32), scores[scores > 0], k)
        return Scores(pages, scores) if pages.size else Scores.none(self._reason(held, graph, page))

    def lists(self, store: Store, k: int, pages: Ints | None = None) -> TopK:
        _tabulate(store, self.support, self.keywords)
        self._graph(store)
        return lists_in_threads(self, store, k, pages, PAGES_AT_ONCE)

    def exactly(self, store: Store, page: int, others: Ints) -> Floats:
        """The exact score of a page with each of some others."""
        found = np.zeros(others.size)
        if self.share < 1:
            for near, _ in SIDES:
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
        lengths = start[others + 1] - start[others]
        theirs = np.unique(
            row[np.repeat(start[others] - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())]
        )
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
            return _no_keywords(held, page)
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
                for j, i, value, of in _matches(self._similarities(store, mine, theirs)):
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
class LinkMethod(_ByLinks):
    """Two pages are alike when they link to similar pages and similar pages link to them."""

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        return list(self._linked(store, page, other))


@register("integrated")
@dataclass(frozen=True, repr=False)
class Integrated(_ByLinks):
    """Two pages are alike by their keywords and by the pages they are linked with."""

    alpha: float = 0.5  # the weight of the keywords; the links have the rest

    @property
    def share(self) -> float:  # type: ignore[override]
        return self.alpha

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        words = list(self._keywords(store, page, other)) if self.alpha else []
        return words + (list(self._linked(store, page, other)) if self.alpha < 1 else [])


def _no_keywords(held: Keywords, page: int) -> str:
    if not held.total:
        return "no page of this collection has keywords; add pages with their text"
    if not held.of(page).size:
        other = option("method", "amsler")
        return f"this page has no keywords (it was never fetched, or has no text); compare links instead: {other}"
    return "no other page has keywords related to those of this page; add more pages with their text"
