"""Read a question as people write it: words, "exact phrases", -word, site:, title:.

Pages are analysed in their own language, but a question does not say which it is in. So each word is read in every
language of the collection, and all the stems it has there are searched. A compound (`write-ahead`, `sqlite3_prepare`,
BusyHandler) is looked for as a whole and by its parts. A word that is a function word in the languages of most pages is
left out, and a note says so; a question of nothing else is searched as it stands, in titles.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from pagekin.collection.store import Store
from pagekin.index.inverted import Postings
from pagekin.parse.language import DEFAULT_LANGUAGE
from pagekin.parse.words import Analyser
from pagekin.search.spelling import nearest

MOST_LANGUAGES = 10  # the most common ones: a page may declare any language, and a crawl finds them all
MOST_WORDS = 1_000  # of a question; each costs time for every page that has it
JOINED = 0.3  # of a time: two words that stand as one are a hint, and each of them counts already
MOST_NAMED = 10  # words that a note names
_QUOTES = str.maketrans("“”„«»", '"' * 5)  # as word processors write them
_TOKEN = re.compile(r'((?:-(?!-))?)((?:site|title):)?(?:"([^"]*)"|([^\s"]+))', re.IGNORECASE)


@dataclass(frozen=True)
class Word:
    """A word of a question: how it is written, its terms in the collection, and how often it is said."""

    text: str
    terms: tuple[int, ...]
    times: float = 1.0


@dataclass(frozen=True)
class Condition:
    """What a page must have, or must not have: a word, a word in its title, a phrase; or the site it must be on."""

    kind: Literal["word", "title", "phrase", "site"]
    text: str
    wanted: bool
    words: tuple[Word, ...] = ()  # a page that meets it has all of them


@dataclass(frozen=True)
class Question:
    """What a question asks for, in the terms of a collection, and notes about what it leaves out or does not find."""

    words: tuple[Word, ...] = ()
    conditions: tuple[Condition, ...] = ()
    notes: tuple[str, ...] = ()
    quotes: bool = False  # it has phrases beside other words: people quote when they ask in sentences, too

    @property
    def terms(self) -> tuple[int, ...]:
        """The distinct terms that are looked up."""
        return tuple(dict.fromkeys(term for word in self.words for term in word.terms))

    def unquoted(self) -> "Question":
        """The same question without the phrases that pages must have; their words still count."""
        gone = [each for each in self.conditions if each.kind == "phrase" and each.wanted]
        kept = tuple(each for each in self.conditions if each not in gone)
        said = f"no page has {_named(each.text for each in gone)} as a phrase, so only the words count"
        return replace(self, conditions=kept, notes=(*self.notes, said), quotes=False)


@lru_cache(8)  # finding out which segmenters are installed takes milliseconds
def _analyser(**segmenters: str) -> Analyser:
    return Analyser(**segmenters)


def analyser_of(store: Store) -> Analyser:
    """The analyser that read the pages of a collection, to read questions the same way."""
    return _analyser(**store.manifest.segmenters)


def read(store: Store, postings: Postings, text: str) -> Question:
    """What a question asks for."""
    reader = _Reader(analyser_of(store), postings)
    notes, conditions, beside = [], [], False
    text = text.encode("utf-8", "replace").decode().translate(_QUOTES)
    if text.count('"') % 2:
        notes.append("a quotation mark without its pair is left out")
        at = text.rindex('"')
        text = f"{text[:at]} {text[at + 1 :]}"
    for sign, key, phrase, word in _TOKEN.findall(text):
        written, kind = (phrase or word).split(), _kind(key, phrase)
        if kind != "site" and not sign:
            reader.say(written)
            beside |= kind == "word"
        needed = () if kind == "site" else reader.of(written)
        if (kind == "site" and written) or (needed and (kind != "word" or sign)):  # `-x` is an option of some command
            conditions.append(Condition(kind, " ".join(written), not sign, needed))
    words = reader.words()
    if len(words) > MOST_WORDS:
        notes.append(f"the question has {len(words):,} different words, of which only the first {MOST_WORDS:,} count")
    if not words and conditions and not reader.unknown:
        notes.append("the question says only what to leave out or where to look; add words to look for")
    elif not words and not reader.unknown:
        notes.append(_why_nothing(reader))
    quotes = beside and any(each.kind == "phrase" and each.wanted for each in conditions)
    return Question(words[:MOST_WORDS], tuple(conditions), (*notes, *reader.notes()), quotes)


def _kind(key: str, phrase: str) -> Literal["word", "title", "phrase", "site"]:
    if key:
        return "site" if key.lower() == "site:" else "title"
    return "phrase" if len(phrase.split()) > 1 else "word"


def _why_nothing(reader: "_Reader") -> str:
    said = "all words of the question are too common or too short to search for"
    return f"{said if reader.heard else 'the question is empty'}; use words that you expect on the pages you look for"


class _Reader:
    """Collects the words that a question says, in the terms of the collection."""

    def __init__(self, analyser: Analyser, postings: Postings) -> None:
        self.analyser, self.postings = analyser, postings
        self.languages = languages_of(postings)
        self.said: dict[tuple[int, ...], Word] = {}  # by its terms: `bee` and `bees` are the same
        self.function: dict[str, None] = {}  # the words that are left out
        self.unknown: dict[str, None] = {}  # those that no page has
        self.before = ""  # the word before this one
        self.groups, self.joined = lru_cache(None)(self._groups), lru_cache(None)(self._joined)

    @property
    def heard(self) -> bool:
        return bool(self.before)

    def say(self, written: Iterable[str]) -> None:
        """Note what pages are to be scored by."""
        for text in written:
            for word in self.joined(self.before, text):
                self._count(word)
            self.before = text
            groups = self.groups(text)
            known = [word for word in groups if word.terms]
            for word in known:
                self._count(word)
            if groups and not known:
                self.unknown[text] = None
            elif not groups and self._is_function_word(text):
                self.function[text] = None

    def _joined(self, one: str, other: str) -> list[Word]:
        """Two words that follow each other count a little more where the collection writes them as one.

        `thread safe` finds threadsafe, `rewrite rule` RewriteRule.
        """
        if not (one.isalnum() and other.isalnum()):
            return []
        terms = {stem for language in self.languages for stem in self.analyser.stems(one + other, language)}
        found = self._numbers(sorted(terms))
        return [Word(f"{one} {other}", found, JOINED)] if found else []

    def _count(self, word: Word) -> None:
        before = self.said.get(word.terms, replace(word, times=0.0))
        self.said[word.terms] = replace(before, times=before.times + word.times)

    def of(self, written: Iterable[str]) -> tuple[Word, ...]:
        """Words that a page must have, all of them."""
        return tuple(word for text in written for word in self.groups(text) or self._as_it_stands(text))

    def words(self) -> tuple[Word, ...]:
        """The words to score by. If the question says nothing else, function words are looked for in titles."""
        if self.said or self.unknown:
            return tuple(self.said.values())
        found = tuple(word for text in self.function for word in self._as_it_stands(text) if word.terms)
        self.function = {} if found else self.function
        return found

    def notes(self) -> Iterator[str]:
        if self.function and self.said:
            yield f"left out as too common: {_named(self.function)}"
        if self.unknown:
            others = "" if self.said else "; try other or shorter words"
            close = dict.fromkeys(filter(None, (nearest(self.postings, text) for text in self.unknown)))
            meant = f"; did you mean {_named(close)}?" if close else ""
            which = _named(self.unknown) if self.said or len(self.unknown) == 1 else "any of these words"
            yield f"no page has {which}{meant or others}"

    def _groups(self, text: str) -> list[Word]:
        """A word, its parts and its whole, each with its terms in all languages; no function words.

        A part is left out where it is a function word in the languages of most pages: `the` is a term only on the odd
        Italian page, and would find nothing but those.
        """
        terms: dict[str, dict[str, None]] = {}
        pages: dict[str, int] = {}
        for language, count in self.languages.items():
            for term in (term for kind in self.analyser.read(text, "", language) for term in kind):
                terms.setdefault(term.surface, {})[term.term] = None
                pages[term.surface] = pages.get(term.surface, 0) + count
        telling = (surface for surface in terms if 2 * pages[surface] >= sum(self.languages.values()))
        return [Word(surface, self._numbers(terms[surface])) for surface in telling]

    def _as_it_stands(self, text: str) -> list[Word]:
        words = (word for language in self.languages for word in self.analyser.function_words(text, language))
        return [Word(word, self._numbers([word])) for word in dict.fromkeys(words)]

    def _is_function_word(self, text: str) -> bool:
        return any(self.analyser.function_words(text, language) for language in self.languages)

    def _numbers(self, terms: Iterable[str]) -> tuple[int, ...]:
        return tuple(number for term in terms if (number := self.postings.find(term)) is not None)


def _named(words: Iterable[str]) -> str:
    named = list(words)
    more = f" and {len(named) - MOST_NAMED:,} more" if len(named) > MOST_NAMED else ""
    return ", ".join(f"“{word}”" for word in named[:MOST_NAMED]) + more


def languages_of(postings: Postings) -> dict[str, int]:
    """Language → number of pages in it; pages without one, common in tables, were read as English."""
    found: dict[str, int] = {}
    for language, pages in list(postings.languages.items())[:MOST_LANGUAGES]:
        found[language or DEFAULT_LANGUAGE] = found.get(language or DEFAULT_LANGUAGE, 0) + pages
    return found or {DEFAULT_LANGUAGE: 0}
