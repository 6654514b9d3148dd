"""Snippets: the piece of a page's text where most of the question's words occur together."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from textwrap import shorten

from pagekin.parse.words import Analyser

LENGTH = 200  # characters: two lines on a screen
LOOKED_AT = 20_000  # characters of a text; a page without a match in these shows its beginning
REMEMBERED = 1 << 16  # words remembered for each language
_RUN = re.compile(r"[^\s。、，．！？；]+")  # in scripts without spaces, a clause counts as a word
_SPACE = re.compile(r"\s")


class Matcher(dict[str, frozenset[str]]):
    """Word → the terms of a question that it matches, in one language; each word is looked up once for all results."""

    def __init__(self, terms: Iterable[str], analyser: Analyser, language: str) -> None:
        super().__init__()
        self.terms, self.stems = frozenset(terms), _stems(analyser, language)

    def __missing__(self, word: str) -> frozenset[str]:
        self[word] = self.terms.intersection(self.stems(word))
        return self[word]


@lru_cache(16)
def _stems(analyser: Analyser, language: str) -> Callable[[str], list[str]]:
    """A function from word to stems, cached across questions, because pages share most of their words."""
    return lru_cache(REMEMBERED)(analyser.reading(language))


def snippet(text: str, terms_of: Matcher) -> tuple[str, list[str]]:
    """The first piece of the text with as many different terms as possible, and the words that match in it.

    >>> snippet("Wax. " * 99 + "The hives hold bees.", Matcher({"bee", "hive"}, Analyser(), "en"))[1]
    ['hives', 'bees']
    """
    text = text[:LOOKED_AT]
    runs = ((run.start(), run.end(), terms_of[run[0]]) for run in _RUN.finditer(text))
    hits = [run for run in runs if run[2]]
    if not hits:
        return shorten(text, LENGTH, placeholder=" …"), []
    first, last = _densest(hits)
    start, end = _around(text, hits[first][0], hits[last][1])
    words = dict.fromkeys(text[a:b].strip("""!"'(),.:;?[]“”„’…""") for a, b, _ in hits if start <= a and b <= end)
    piece = " ".join(text[start:end].split())
    return f"{'… ' if start else ''}{piece}{' …' if end < len(text) else ''}", list(words)


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
