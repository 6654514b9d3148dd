"""`keywords` and `suggest`: the words a page is about, and words related to given words (paper 4, section 5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from pagekin.answer import Answer, PageName, Row
from pagekin.collection.lookup import known
from pagekin.collection.store import Store
from pagekin.errors import UsageError, unknown
from pagekin.index.base import Index, staleness
from pagekin.index.completions import Completions, Kind
from pagekin.index.inverted import Inverted
from pagekin.index.keywords import KeywordRelevance, WordMeasure
from pagekin.search.answer import numbered
from pagekin.search.complete import completions
from pagekin.search.keywords import SUPPORT, Suggested, main_keywords
from pagekin.search.keywords import suggest as suggested
from pagekin.search.topic import topic
from pagekin.wording import option

Naming = Literal["topic", "relevance"]


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


@dataclass(frozen=True)
class Completed(Word):
    """A word, title or address that goes on with what was typed."""

    kind: Kind
    url: str | None  # of the page; none for a word


@dataclass(frozen=True, repr=False)
class CompletionList(WordList):
    """What a person may be typing, best first."""

    shown: ClassVar[tuple[str, ...]] = ("word", "kind", "score")
    header: ClassVar[tuple[str, ...]] = ("word", "score", "kind", "url")


def keywords(store: Store, page: str, k: int, by: Naming = "topic", support: float | None = None) -> WordList:
    """What a page is about: the words and phrases that set it apart, or its main keywords as in paper 4."""
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    if by not in get_args(Naming):
        raise unknown("kind of keywords", by, get_args(Naming))
    if support is not None and by != "relevance":
        raise UsageError(f"{option('support')} weighs the relevance of words; give {option('by', 'relevance')} with it")
    found = known(store, page)
    query, seen = PageName(store.url(found.page), store.title(found.page)), store.seeing()
    if by == "relevance":
        main = main_keywords(seen, found.page, k, SUPPORT if support is None else support)
        return _words(store, (query,), main, KeywordRelevance(), found.note)
    words = topic(seen, numbered(seen, Inverted()), found.page, k)
    none = None if words else "no word sets this page apart: it has none, or all other pages say the same"
    return _words(store, (query,), Suggested(tuple(words), note=none), Inverted(), found.note)


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
    found = suggested(store.seeing(), words, k, logical, support, part)
    return _words(store, tuple(words), found, KeywordRelevance())


def complete(store: Store, prefix: str, k: int) -> CompletionList:
    """Words, titles and addresses in which a word goes on with the prefix."""
    if not prefix.strip():
        raise UsageError(f"{option('prefix')} is empty; give the first letters of a word, a title or an address")
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    found = completions(store.seeing(), prefix, k)
    none = None if found else f"no word, title or address of the collection goes on with '{prefix.strip()}'"
    notes = filter(None, (none, staleness(store, Completions())))
    rows = (Completed(each.text, each.score, each.kind, each.url) for each in found)
    return CompletionList((prefix,), "; ".join(notes) or None, tuple(rows))


def _words(
    store: Store, query: tuple[PageName | str, ...], found: Suggested, used: Index, note: str | None = None
) -> WordList:
    notes = filter(None, (note, found.note, staleness(store, used)))
    return WordList(query, "; ".join(notes) or None, tuple(Word(*each) for each in found.words), found.unknown)
