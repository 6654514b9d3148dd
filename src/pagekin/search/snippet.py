"""Snippets: the piece of a page's text where most of the question's words occur together."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from textwrap import shorten
from typing import NamedTuple

from pagekin.parse.words import Analyser

LENGTH = 200  # characters: two lines on a screen
LOOKED_AT = 20_000  # characters of a text, at first
MOST_LOOKED_AT = 500_000  # if those have no match: a book; without a match in these its beginning is shown
REMEMBERED = 1 << 16  # words remembered for each language
_SIGNS = "。、，．！？；"  # in scripts without spaces, a clause counts as a word
_RUN = re.compile(rf"[^\s{_SIGNS}]+")
_SPACE = re.compile(r"\s")


class Matcher(NamedTuple):
    """The terms of a question, and how a language makes terms of words."""

    terms: frozenset[str]
    stems: "Stems"

    @classmethod
    def of(cls, terms: Iterable[str], analyser: Analyser, language: str) -> "Matcher":
        return cls(frozenset(terms), _stems(analyser, language))


class Stems:
    """How words of one language are stemmed; kept across questions, because pages share most of their words."""

    def __init__(self, read: Callable[[str], list[str]]) -> None:
        self.read = read
        self._forget()

    def _forget(self) -> None:
        self.known: tuple[dict[str, list[str]], dict[str, set[str]]] = {}, {}  # word → stems, stem → words

    def matching(self, words: set[str], terms: frozenset[str]) -> list[tuple[str, frozenset[str]]]:
        """The words that have some of the terms among their stems, and those terms; each word is read once, ever."""
        if len(self.known[0]) > REMEMBERED:
            self._forget()
        stems_of, words_of = self.known  # another thread may forget them meanwhile
        for word in words.difference(stems_of):
            stems = self.read(word)
            for stem in stems:
                words_of.setdefault(stem, set()).add(word)
            stems_of[word] = stems
        spelled = set[str]().union(*(words_of.get(term, ()) for term in terms))
        return [(word, terms.intersection(stems_of[word])) for word in words & spelled]


@lru_cache(16)
def _stems(analyser: Analyser, language: str) -> Stems:
    return Stems(analyser.reading(language))


def snippet(text: str, question: Matcher) -> tuple[str, list[str]]:
    """The first piece of the text with as many different terms as possible, and the words that match in it.

    >>> snippet("Wax. " * 99 + "The hives hold bees.", Matcher.of({"bee", "hive"}, Analyser(), "en"))[1]
    ['hives', 'bees']
    """
    hits = _hits(text[:LOOKED_AT], question)
    if len(text) > LOOKED_AT and not hits:
        hits = _hits(text[:MOST_LOOKED_AT], question)
    if not hits:
        return shorten(text[:LOOKED_AT], LENGTH, placeholder=" …"), []
    first, last = _densest(hits)
    start, end = _around(text, hits[first][0], hits[last][1])
    words = dict.fromkeys(text[a:b].strip("""!"'(),.:;?[]“”„’…""") for a, b, _ in hits if start <= a and b <= end)
    piece = " ".join(text[start:end].split())
    return f"{'… ' if start else ''}{piece}{' …' if end < len(text) else ''}", list(words)


def _hits(text: str, question: Matcher) -> list[tuple[int, int, frozenset[str]]]:
    """Where words of the text match, and which terms; only words that match are looked for."""
    terms, stems = question
    words = set(_RUN.findall(text) if any(sign in text for sign in _SIGNS) else text.split())
    found = []
    for word, matched in stems.matching(words, terms):
        at = text.find(word)
        while at >= 0:
            if _apart(text, at - 1) and _apart(text, at + len(word)):
                found.append((at, at + len(word), matched))
            at = text.find(word, at + 1)
    return sorted(found, key=lambda hit: hit[0])


def _apart(text: str, at: int) -> bool:
    """Whether a word may end or begin here: outside of the text, at a space, at a sign of scripts without them."""
    return not 0 <= at < len(text) or text[at].isspace() or text[at] in _SIGNS


def _densest(hits: list[tuple[int, int, frozenset[str]]]) -> tuple[int, int]:
    """The first run of hits that fits into a snippet and has the most different terms."""
    best, most = (0, 0), 0
    for first, (start, *_) in enumerate(hits):
        found: set[str] = set()
        for last in range(first, len(hits)):
            if hits[last][1] - start > LENGTH and last > first:
                break
            found |= hits[last][2]
            if len(found) > most:
                best, most = (first, last), len(found)
    return best


def _around(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a range to the length of a snippet, a third of it to the left, and align it with words."""
    end = min(end, start + LENGTH)
    spare = LENGTH - (end - start)
    first, last = max(start - spare // 3, 0), min(end + spare - spare // 3, len(text))
    if first:
        space = _SPACE.search(text, first, start)
        first = space.end() if space else start
    if last < len(text):
        last = max((space.start() for space in _SPACE.finditer(text, end, last)), default=end)
    return first, last
