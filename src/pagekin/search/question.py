"""Turn the words of a question into terms of the collection, in the way its pages were read when they were added.

Pages are analysed in their own language, but a question does not say which it is in. So each word is read in every
language of the collection, and all the stems it has there are searched. A word that is a stop word in the languages of
most pages is left out: `the` is a term only on the odd Italian page, and would find nothing but those.

People ask in sentences. A word that only long lists of stop words have (`interested`, `describe`, but also `computer`)
is indexed on pages. In a question it counts only if there is no better word; beside words that say more it is left out.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pagekin.collection.store import Store
from pagekin.index.inverted import Postings
from pagekin.kernels import Longs
from pagekin.parse.language import DEFAULT_LANGUAGE
from pagekin.parse.words import Analyser, is_common

MOST_LANGUAGES = 10  # the most common ones: a page may declare any language, and a crawl finds them all
MOST_TERMS = 1_000  # terms of a question; each costs time for every page that has it


@dataclass(frozen=True)
class Question:
    """The distinct terms of a question that occur in the collection, with their numbers, and notes about the others."""

    terms: tuple[str, ...]
    numbers: Longs
    notes: tuple[str, ...] = ()


@lru_cache(8)  # finding out which segmenters are installed takes milliseconds
def _analyser(**segmenters: str) -> Analyser:
    return Analyser(**segmenters)


def analyser_of(store: Store) -> Analyser:
    """The analyser that read the pages of a collection, to read questions the same way."""
    return _analyser(**store.manifest.segmenters)


def read(store: Store, postings: Postings, text: str) -> Question:
    """The terms of a question."""
    analyser = analyser_of(store)
    languages = _languages(postings)
    telling: dict[str, None] = {}
    common: dict[str, None] = {}
    unread = 0
    for word in dict.fromkeys(text.encode("utf-8", "replace").decode().split()):
        stems = {language: analyser.stems(word, language) for language in languages}
        if 2 * sum(languages[language] for language, found in stems.items() if found) >= sum(languages.values()):
            kind = common if is_common(word, next(iter(languages))) else telling
            kind.update(dict.fromkeys(stem for found in stems.values() for stem in found))
        else:
            unread += 1
    terms = telling or common
    if not terms:
        said = (
            "all words of the question are too common or too short to search for" if unread else "the question is empty"
        )
        return Question((), np.empty(0, np.int64), (f"{said}; use words that you expect on the pages you look for",))
    notes = []
    known = {term: number for term in terms if (number := postings.find(term)) is not None}
    if len(known) > MOST_TERMS:
        notes.append(f"the question has {len(known):,} different words, of which only the first {MOST_TERMS:,} count")
        known = dict(list(known.items())[:MOST_TERMS])
    if not known:
        notes.append("no page has any of these words; try other or shorter words")
    return Question(tuple(known), np.array(list(known.values()), np.int64), tuple(notes))


def _languages(postings: Postings) -> dict[str, int]:
    """Language → number of pages in it; pages without one, common in tables, were read as English."""
    found: dict[str, int] = {}
    for language, pages in list(postings.languages.items())[:MOST_LANGUAGES]:
        found[language or DEFAULT_LANGUAGE] = found.get(language or DEFAULT_LANGUAGE, 0) + pages
    return found or {DEFAULT_LANGUAGE: 0}
