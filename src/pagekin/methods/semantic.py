"""Similarity of pages by their words (paper 4, section 4): what `semantic` is, and the first half of `integrated`.

    Sim_s(P, Q)  the best-match mean of the two pages' keywords, by their relevance r_s          (Eq. 14–15)

In the best-match mean (`kernels.bestmatch`) every member of one set finds its best match in the other.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import ClassVar

import numpy as np

from pagekin.collection.seen import SeesLinks, SeesWords
from pagekin.collection.store import Store
from pagekin.engine.base import over_rows
from pagekin.errors import UsageError
from pagekin.graph.topk import TopK, joined
from pagekin.index.base import Index
from pagekin.index.keywords import MOST, KeywordRelevance, Keywords, keywords_of
from pagekin.kernels import Floats, Ints, frozen
from pagekin.methods import evidence
from pagekin.methods.base import Method, Scores, register
from pagekin.model import Evidence
from pagekin.wording import option

PAGES_AT_ONCE = 500  # part of a batch that takes seconds, or a minute if links are many; an interrupt waits no longer


def similarities(store: Store, pages: Ints, others: Ints, support: float = 0.5, keywords: int = MOST) -> Floats:
    """Sim_s of some pages (columns) with others (rows)."""
    from pagekin.kernels.bestmatch import page_similarities

    words = keywords_of(store, keywords).semantic(support)
    return page_similarities(frozen(pages.astype(np.int32)), frozen(others.astype(np.int32)), words)


@dataclass(frozen=True, repr=False)
class ByKeywords(SeesLinks, SeesWords, Method):
    """The common part of `semantic`, `link` and `integrated`."""

    support: float = 0.5  # α of Eq. 12: the weight of support in the relevance of words; the rest is mutual information
    keywords: int = field(default=MOST, kw_only=True)  # k: how many of its terms are a page's keywords

    most_kept: ClassVar[int] = 200

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

    def _held(self, store: Store) -> Keywords:
        return keywords_of(store, self.keywords)

    def _similarities(self, store: Store, pages: Ints, others: Ints) -> Floats:
        return similarities(store, pages, others, self.support, self.keywords)

    def _keywords(self, store: Store, page: int, other: int) -> Iterator[Evidence]:
        """The keywords that match, best first."""
        from pagekin.kernels.keywords import relevance_of

        held = self._held(store)
        words, (mine, theirs) = held.semantic(self.support), (_rarest_first(held, each) for each in (page, other))
        table = np.array([[relevance_of(a, b, words) for b in theirs] for a in mine]).reshape(mine.size, theirs.size)
        for i, j, value, of in matches(table):
            pair = [held.surface(int(mine[i])), held.surface(int(theirs[j]))]
            yield Evidence("keywords", {"words": pair, "relevance": value, "of": of})


def _rarest_first(held: Keywords, page: int) -> Ints:
    """A page's keywords, rarest first: among equally good matches, those that few pages have say most."""
    words = held.of(page)
    return words[np.argsort(held.pages[words], kind="stable")]


def matches(table: Floats) -> Iterator[tuple[int, int, float, int]]:
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
class Semantic(ByKeywords):
    """Two pages are alike when their keywords are related, even if not the same."""

    def related(self, store: Store, page: int, k: int) -> Scores:
        from pagekin.kernels.bestmatch import strongest_matches

        held = self._held(store)
        rows = frozen(np.array([page], np.int32))
        sizes, pages, scores = strongest_matches(rows, k, held.semantic(self.support))
        if not sizes[0]:
            return Scores.none(no_keywords(held, page))
        return Scores(pages[0, : sizes[0]], scores[0, : sizes[0]])

    def lists(self, store: Store, k: int, pages: Ints | None = None) -> TopK:
        from pagekin.kernels.bestmatch import strongest_matches

        asked = np.arange(store.size, dtype=np.int32) if pages is None else pages
        words = self._held(store).semantic(self.support)

        def block(first: int, last: int) -> TopK:
            return TopK(*strongest_matches(frozen(asked[first:last]), k, words))

        return joined(over_rows(block, asked.size, most=PAGES_AT_ONCE), k)

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        return list(self._keywords(store, page, other))


def no_keywords(held: Keywords, page: int) -> str:
    if not held.total:
        return "no page of this collection has keywords; add pages with their text"
    if not held.of(page).size:
        other = option("method", "amsler")
        return f"this page has no keywords (it was never fetched, or has no text); compare links instead: {other}"
    return "no other page has keywords related to those of this page; add more pages with their text"
