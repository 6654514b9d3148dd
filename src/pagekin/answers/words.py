"""`keywords` and `suggest`: the words a page is about, and words that go with words (paper 4, section 5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pagekin.answer import Answer, PageName, Row
from pagekin.collection.lookup import known
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.index.base import staleness
from pagekin.index.keywords import INDEX, WordMeasure
from pagekin.search.keywords import Suggested, main_keywords
from pagekin.search.keywords import suggest as suggested
from pagekin.wording import option


@dataclass(frozen=True)
class Word(Row):
    """A word as pages spell it."""

    word: str
    score: float


@dataclass(frozen=True, repr=False)
class WordList(Answer[Word]):
    """Words, best first."""

    unknown: tuple[str, ...] = ()  # words asked about that are nobody's keywords

    shown: ClassVar[tuple[str, ...]] = ("word", "score")


def keywords(store: Store, page: str, k: int) -> WordList:
    """The main keywords of a page."""
    found = known(store, page)
    query = PageName(store.url(found.page), store.title(found.page))
    return _words(store, (query,), main_keywords(store, found.page, k), found.note)


def suggest(
    store: Store,
    words: Sequence[str],
    k: int,
    logical: bool = False,
    information: bool = False,
    support: float = 0.5,
) -> WordList:
    """Words that go with the given ones on pages, or (`logical`) across links."""
    if not words:
        raise UsageError("name a word to find those that go with it")
    if information and not logical:
        raise UsageError(f"{option('information')} is about {option('logical')} words; give both")
    part: WordMeasure = "information" if information else "support"
    return _words(store, tuple(words), suggested(store, words, k, logical, support, part))


def _words(store: Store, query: tuple[PageName | str, ...], found: Suggested, note: str | None = None) -> WordList:
    notes = filter(None, (note, found.note, staleness(store, INDEX)))
    return WordList(query, "; ".join(notes) or None, tuple(Word(*each) for each in found.words), found.unknown)
