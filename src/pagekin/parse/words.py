"""Turns the text of a page into counted stems.

A *word* is a run of letters, digits and the marks that belong to them; everything else, `_` and `'` included, separates
words. Scripts written without spaces (Chinese, Japanese, Thai …) are cut by a segmenter, else into pairs of characters,
on any page, whatever its language. A *stem* is the word case-folded and put through its language's Snowball stemmer
(English: Porter's own, as in the papers). Left out: stop words, single characters (but not 猫), words of more than
`LONGEST_WORD` characters, numbers of more than `LONGEST_NUMBER` digits.

Words repeat from page to page, so each is stemmed once per language and cached; and the words of a page are counted
before they are stemmed.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import sub
from threading import local
from typing import Any
from unicodedata import normalize

import Stemmer

from pagekin.errors import MissingExtraError, unknown
from pagekin.model import Term
from pagekin.parse.compounds import REMEMBERED, SPACED, SPACED_OUT, Runs, split
from pagekin.parse.segmenters import PAIRS, SEGMENTERS, cut, installed, pairs, segmenters
from pagekin.parse.stopwords import longest_list, stop_words

LONGEST_WORD = 40  # longer ones are hashes, keys and base64; the longest stems of real languages are shorter
LONGEST_NUMBER = 4  # a year, a port or a course number says something about a page; a telephone number does not

# Kana and Han, then the other scripts without spaces: Thai, Lao, Myanmar, Khmer.
KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_OTHER = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u108f\u1780-\u17d3"
# `\w` knows letters and digits, not the vowel signs and accents inside words of these scripts.
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0971-\u0dff"
_PART = re.compile(f"[{KANA}{HAN}]+|[{_OTHER}]+|(?:(?![_{KANA}{HAN}{_OTHER}])[\\w{_MARKS}])+")
_WITHOUT_SPACES = re.compile(f"[{KANA}{HAN}{_OTHER}]")
_IS_KANA, _IS_CJK = re.compile(f"[{KANA}]"), re.compile(f"[{KANA}{HAN}]")

_NO_STEM = ""


@dataclass(frozen=True)
class Analyser:
    """Analysis with a fixed choice of segmenters: `Analyser(**recorded)` reads words as the collection's index did.

    >>> Analyser(zh="bigrams").stems("The 網頁 of bee-keeping", "en")
    ['網頁', 'bee', 'keep']
    """

    zh: str = PAIRS
    ja: str = PAIRS

    def __post_init__(self) -> None:
        for language, name in (("zh", self.zh), ("ja", self.ja)):
            known = [PAIRS, *(other for other, (of, *_) in SEGMENTERS.items() if of == language)]
            if name not in known:
                raise unknown(f"segmenter for {language}", name, known)
            if name != PAIRS and not installed(name):
                raise MissingExtraError(f"{name}, the segmenter of this collection,", language)

    def stems(self, text: str, language: str) -> list[str]:
        """The stems of a text in order, including repeats: what `analyse` counts."""
        return _reader(self, language).stems(text)

    def function_words(self, text: str, language: str) -> list[str]:
        """The words of a text that `stems` leaves out as stop words, case-folded.

        >>> Analyser().function_words("The WITH Clause", "en")
        ['the', 'with']
        """
        reader = _reader(self, language)
        folded = (reader.fold(word) for run in split(text, SPACED) for word in reader.words(run))
        return [word for word in folded if word in reader.stop]

    def reading(self, language: str) -> Callable[[str], list[str]]:
        """`stems` in one language, for many short texts."""
        return _reader(self, language).stems

    def read(
        self, text: str, title: str, language: str, headings: str = ""
    ) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        """A page's terms and compounds (`analyse`, `compounds`), from one pass over its words."""
        reader = _reader(self, language)
        counts, compounds = reader.count(text)
        titled, in_title = reader.count(title)
        headed, in_headings = reader.count(headings)
        return _terms(reader, counts, titled, headed), _compounds(compounds, in_title, in_headings)

    def analyse(self, text: str, title: str, language: str, headings: str = "") -> tuple[Term, ...]:
        """A page's terms, counted separately in text and title, each with its commonest surface form; and how many of
        those in the text are in its `headings`."""
        return self.read(text, title, language, headings)[0]

    def compounds(self, text: str, title: str, language: str, headings: str = "") -> tuple[Term, ...]:
        """The words of a page that `analyse` takes to pieces, whole, and the parts of those that it leaves whole:
        `write-ahead` and `sqlite3_prepare`; `camel` and `case` of CamelCase.

        >>> [(term.term, term.body) for term in Analyser().compounds("A write-ahead log, see BusyHandler().", "", "en")]
        [('write-ahead', 1), ('busi', 1), ('handler', 1)]
        """
        return self.read(text, title, language, headings)[1]


_TERM = partial(tuple.__new__, Term)  # `Term` itself takes a third longer, and a page has hundreds
Counts = dict[str, int]  # word → how often it occurs
Wholes = list[tuple[tuple[tuple[str, str], ...], int]]  # the compounds of a run, and how often it occurs


def _terms(reader: "_Reader", counts: Counts, titled: Counts, headed: Counts) -> tuple[Term, ...]:
    for surface, count in titled.items():
        counts[surface] = counts.get(surface, 0) + count
    totals: dict[str, int] = {}
    best: dict[str, str] = {}
    for surface, count in counts.items():
        stem = reader[surface]
        if not stem:
            continue
        if stem not in totals:
            totals[stem], best[stem] = count, surface
            continue
        totals[stem] += count
        rival = best[stem]
        if (-count, surface) < (-counts[rival], rival):
            best[stem] = surface
    none = dict.fromkeys(totals, 0)
    of_title = {**none, **reader.stem_counts(titled)}.values()
    of_headings = {**none, **reader.stem_counts(headed)}.values() if headed else none.values()
    rows = zip(totals, best.values(), map(sub, totals.values(), of_title), of_title, of_headings, strict=False)
    return tuple(map(_TERM, rows))


def _compounds(*wholes: Wholes) -> tuple[Term, ...]:
    found: dict[str, list[Any]] = {}  # term → the columns of its row
    for column, runs in enumerate(wholes, 2):
        for compounds, count in runs:
            for term, surface in compounds:
                if term in found:
                    found[term][column] += count
                else:
                    found[term] = row = [term, surface, 0, 0, 0]
                    row[column] = count
    return tuple(map(_TERM, found.values()))


class _Local(local):
    """A stemmer for each thread, because stemmers keep state while they work."""

    def __init__(self, language: str) -> None:
        self.stem = stemmer(language)


class _Reader(dict[str, str]):
    """Word → stem in one language, learning new words as they come. A word that does not count has an empty stem."""

    def __init__(self, analyser: Analyser, language: str) -> None:
        super().__init__()
        self.analyser = analyser
        self.language = language
        self.fold = _fold_turkish if language in ("tr", "az") else str.casefold
        self.local = _Local(language)
        self.stop = {self.fold(part) for word in stop_words(language) for part in _PART.findall(word)}
        self.split = lru_cache(REMEMBERED >> 3)(self._split)
        self.runs = Runs(self)

    def stems(self, text: str) -> list[str]:
        """The stems of a text in order."""
        runs = [text] if text.isascii() and text.isalnum() else split(text, SPACED)
        return [stem for run in runs for word in self.words(run) if (stem := self[word])]

    def count(self, text: str) -> tuple[Counts, Wholes]:
        """How often each word occurs in a text, and its compounds. Words of runs that are not ASCII come last."""
        counts: Counts = {}
        others: Counts = {}
        wholes: Wholes = []
        plain, runs = self.runs.plain, self.runs
        for run, times in Counter(split(text, SPACED_OUT)).items():
            if run in plain:
                counts[run] = times if run not in counts else counts[run] + times
                continue
            parts, compounds = runs[run]
            for part in parts:
                among = counts if part.isascii() else others
                among[part] = among.get(part, 0) + times
            if compounds:
                wholes.append((compounds, times))
        for part, times in others.items():
            for word in self.words(part):
                counts[word] = counts.get(word, 0) + times
        return counts, wholes

    def stem_counts(self, words: Mapping[str, int]) -> Counts:
        """How often each stem occurs, given how often each word does."""
        counts: Counts = {}
        for word, count in words.items():
            if stem := self[word]:
                counts[stem] = counts.get(stem, 0) + count
        return counts

    def words(self, run: str) -> list[str]:
        """The words of a run of non-space characters."""
        if run.isascii():
            return [run]
        return self.split(run) if len(run) <= LONGEST_WORD else self._split(run)

    def _split(self, run: str) -> list[str]:
        parts = _PART.findall(normalize("NFKC", run))
        return [word for part in parts for word in (self._cut(part) if _WITHOUT_SPACES.match(part) else (part,))]

    def __missing__(self, word: str) -> str:
        stem = self._stem(word)
        if len(word) <= LONGEST_WORD:
            if len(self) >= REMEMBERED:
                self.clear()
            self[word] = stem
        return stem

    def _stem(self, word: str) -> str:
        length = len(word)
        if length > LONGEST_WORD or (length > LONGEST_NUMBER and word.isdigit()):
            return _NO_STEM
        folded = self.fold(word)
        if folded in self.stop or (length == 1 and not _WITHOUT_SPACES.match(word)):
            return _NO_STEM
        return self.local.stem(folded)

    def _cut(self, run: str) -> Iterable[str]:
        if not _IS_CJK.match(run):
            return pairs(run)
        japanese = self.language == "ja" or (self.language != "zh" and _IS_KANA.search(run))
        name = self.analyser.ja if japanese else self.analyser.zh
        return cut(name, run)


def _fold_turkish(word: str) -> str:
    return word.replace("I", "ı").replace("İ", "i").casefold()  # in Turkish, I is the capital of ı


@lru_cache(256)
def _reader(analyser: Analyser, language: str) -> _Reader:
    return _Reader(analyser, language)


def stemmer(language: str) -> Callable[[str], str]:
    """The stemmer of a language, for one thread; `str` if there is none."""
    try:
        return Stemmer.Stemmer("porter" if language == "en" else language, 0).stemWord  # type: ignore[no-any-return]
    except KeyError:
        return str


@lru_cache(64)
def _widely_common(language: str) -> frozenset[str]:
    return frozenset(part.casefold() for word in longest_list(language) for part in _PART.findall(word))


def is_common(word: str, language: str) -> bool:
    """Whether a word says little next to others: long stop-word lists have it, although it is kept as a term.

    >>> is_common("interested", "en"), is_common("computer", "en"), is_common("compiler", "en")
    (True, True, False)
    """
    return all(part in _widely_common(language) for part in _PART.findall(normalize("NFKC", word).casefold()))


@lru_cache(1)
def _default() -> Analyser:
    return Analyser(**segmenters())


def stems(text: str, language: str) -> list[str]:
    """The stems of a query or an anchor, the same as `analyse` gives for these words.

    >>> stems("The keepers' bees", "en")
    ['keeper', 'bee']
    """
    return _default().stems(text, language)


def analyse(text: str, title: str, language: str, headings: str = "") -> tuple[Term, ...]:
    """The terms of a page, with this machine's segmenters.

    >>> [tuple(term) for term in analyse("A bee, some bees; the bees' keeper", "Bees", "en")]
    [('bee', 'bees', 3, 1, 0), ('keeper', 'keeper', 1, 0, 0)]
    """
    return _default().analyse(text, title, language, headings)


def compounds(text: str, title: str, language: str, headings: str = "") -> tuple[Term, ...]:
    """The compound words of a page (`Analyser.compounds`), with this machine's segmenters."""
    return _default().compounds(text, title, language, headings)
