"""The words and phrases that set a page apart: what it says much more often than the collection does.

    score(t) = tf · ln((tf / l) / (cf / c))

tf is how often the page says term t, a word of its title, headings and address counting more (`index.fields`), l how
many words it has; cf is how often all pages say t, and c how many words they have. A phrase of two or three words that
stands in its text at least twice, or in its title, scores tf times the sum of its words' logarithms: what the words it
is made of would score if the phrase were all they are used for.

Words and phrases are taken best first, as the page spells them. One is passed over if a phrase taken is half of
its occurrences or more, if it shares more than half of its words with such a phrase, or if all its words are taken.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from pagekin.collection.store import Store
from pagekin.index.fields import WEIGHT, words_of
from pagekin.index.inverted import Postings
from pagekin.parse.language import DEFAULT_LANGUAGE
from pagekin.search.question import analyser_of

LONGEST = 3  # words of a phrase
LEAST = 2  # times that a phrase is said
LOOKED_AT = 200_000  # characters of a text: hundreds of pages of a book
_RUN = re.compile(r"[^\s]+")
_TOKEN = re.compile(r"\w+(?:[-'’.]\w+)*")
_ENDS = frozenset('.,;:!?()[]{}<>"“”„«»|/=…–—')  # signs that no phrase goes across

Key = tuple[str, ...]  # the stems of a word or phrase


@dataclass
class _Said:
    """How often a page says a word or a phrase, and how it spells it."""

    count: float = 0.0
    spelled: Counter[str] = field(default_factory=Counter)

    def add(self, surface: str, count: float) -> None:
        self.count += count
        self.spelled[surface] += 1

    @property
    def surface(self) -> str:
        return min(self.spelled, key=lambda surface: (-self.spelled[surface], surface))


def topic(store: Store, postings: Postings, page: int, k: int) -> list[tuple[str, float]]:
    """The k words and phrases that set a page apart, as it spells them, with their scores."""
    said = _said(store, page)
    lift = _lifts(postings, {key[0]: each.count for key, each in said.items() if len(key) == 1})
    scores = {}
    for key, each in said.items():
        lifts = [lift.get(stem, 0.0) for stem in key]
        if min(lifts) > 0:
            scores[key] = each.count * sum(lifts)
    return [(said[key].surface, scores[key]) for key in _chosen(said, scores, k)]


def _said(store: Store, page: int) -> dict[Key, _Said]:
    """What a page says: its words, and its phrases that are said often enough."""
    language = store.value("language", page) or DEFAULT_LANGUAGE
    stems = analyser_of(store).reading(language)
    said: dict[Key, _Said] = {}
    for rows in store.rows_of(page, "terms"):
        for row in rows.to_pylist():
            count = sum(WEIGHT[name] * row[name] for name in ("body", "title", "headings"))
            said.setdefault((row["term"],), _Said()).add(row["surface"], count)
    for word in stems(words_of(store.url(page))):
        if (word,) in said:
            said[word,].count += WEIGHT["address"]
    title, text = store.title(page), store.own_text(page, store.text(page))[:LOOKED_AT]
    phrases: dict[Key, _Said] = {}
    for weight, written in ((1.0, text), (WEIGHT["title"], title)):
        for key, surface in _phrases(written, stems):
            phrases.setdefault(key, _Said()).add(surface, weight)
    often = (item for item in phrases.items() if item[1].count >= LEAST)
    return said | {key: each for key, each in often if len(set(key)) == len(key) > 1}


def _phrases(text: str, stems: Callable[[str], list[str]]) -> Iterator[tuple[Key, str]]:
    """The phrases of a text: runs of words that say something, with nothing but spaces between them."""
    for line in text.split("\n"):
        run: list[tuple[Key, str]] = []
        for token in _RUN.finditer(line):
            written = token[0]
            word = written.strip("".join(_ENDS) + "'’`*")
            key = tuple(stems(word)) if _TOKEN.fullmatch(word) else ()
            if not key or written[0] in _ENDS:
                run = []
            if key:
                run.append((key, word))
                for size in range(1, min(LONGEST, len(run)) + 1):
                    some = run[-size:]
                    yield tuple(stem for each, _ in some for stem in each), " ".join(surface for _, surface in some)
            if written[-1] in _ENDS:
                run = []


def _lifts(postings: Postings, counts: dict[str, float]) -> dict[str, float]:
    """Term → how much more often the page says it than the collection does, as a logarithm."""
    own, everything = sum(counts.values()), float(postings.length.sum())
    found = {}
    for term, count in counts.items():
        number = postings.find(term)
        all_counts = 0 if number is None else int(postings.count[postings.rows(number)].sum())
        if all_counts:
            found[term] = float(np.log((count / own) / (all_counts / everything)))
    return found


def _chosen(said: dict[Key, _Said], scores: dict[Key, float], k: int) -> list[Key]:
    chosen: list[Key] = []
    taken: set[str] = set()
    for key in sorted(scores, key=lambda key: (-round(scores[key], 9), key)):
        covered = sum(said[other].count for other in chosen if _holds(other, key))
        alike = any(2 * len(set(other) & set(key)) > len(key) for other in chosen if len(other) > 1)
        if 2 * covered >= said[key].count or taken.issuperset(key) or (alike and len(key) > 1):
            continue
        chosen.append(key)
        taken |= set(key) if len(key) == 1 else set()
        if len(chosen) == k:
            break
    return chosen


def _holds(phrase: Key, part: Key) -> bool:
    return any(phrase[at : at + len(part)] == part for at in range(len(phrase) - len(part) + 1))
