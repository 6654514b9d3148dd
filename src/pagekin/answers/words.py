"""`keywords` and `suggest`: the words a page is about, and words related to given words (paper 4, section 5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pagekin.answer import Answer, PageName, Row
from pagekin.collection.lookup import known
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.index.base import staleness
from pagekin.index.keywords import KeywordRelevance, WordMeasure
from pagekin.search.keywords import Suggested, main_keywords
from pagekin.search.keywords import suggest as suggested
from pagekin.wording import option


@dataclass(frozen=True)
class Word(Row):
    """A word as pages spell it, with its score."""

    word: str
    score: float


@dataclass(frozen=True, repr=False)
class WordList(Answer[Word]):
    """Words, best first."""

    unknown: tuple[str, ...] = ()  # words asked about that are keywords of no page

    shown: ClassVar[tuple[str, ...]] = ("word", "score")


def keywords(store: Store, page: str, k: int) -> WordList:
    """The main keywords of a page."""
    found = known(store, page)
    query = PageName(store.url(found.page), store.title(found.page))
    return _words(store, (query,), main_keywords(store.seeing(), found.page, k), found.note)


def suggest(
    store: Store,
    words: Sequence[str],
    k: int,
    logical: bool = False,
    information: bool = False,
    support: float = 0.5,
) -> WordList:
    """Words related to the given ones: used on the same pages, or (`logical`) on pages linked from theirs."""
    if not words:
        raise UsageError("no word given; name at least one word to find related words for")
    if information and not logical:
        raise UsageError(f"{option('information')} works only with {option('logical')}; give both")
    part: WordMeasure = "information" if information else "support"
    return _words(store, tuple(words), suggested(store.seeing(), words, k, logical, support, part))


def _words(store: Store, query: tuple[PageName | str, ...], found: Suggested, note: str | None = None) -> WordList:
    notes = filter(None, (note, found.note, staleness(store, KeywordRelevance())))
    return WordList(query, "; ".join(notes) or None, tuple(Word(*each) for each in found.words), found.unknown)
