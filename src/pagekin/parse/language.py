"""Finds the language of a page: the one it declares, else the one that its script and its stop words suggest."""

import re
from collections import Counter
from functools import lru_cache
from itertools import chain

from pagekin.parse.stopwords import languages, longest_list
from pagekin.parse.words import HAN, KANA, stemmer

DEFAULT_LANGUAGE = "en"

# The vote on a page that declares no language. Its first characters decide if the result is clear, else more of them
# do; a winner needs enough votes, so that a list of names does not become Estonian.
VOTERS = (500, 4000)
CLEAR = 2  # times the votes of the runner-up
LEAST_VOTES = 5
LEAST_SHARE = 0.1  # of the words, or of the characters for a script; running text has a third or more

_SCRIPTS = {
    "ja": re.compile(f"[{KANA}]"),
    "ko": re.compile("[\uac00-\ud7a3]"),
    "zh": re.compile(f"[{HAN}]"),
}  # in this order: Japanese has Han too
_LETTER = re.compile(r"[^\W\d_]")

_DECLARED = re.compile(r"\s*([A-Za-z]{2,3})(?:[-_][A-Za-z0-9_-]*)?\s*")
_SAME_LANGUAGE = {"nb": "no", "nn": "no", "jp": "ja", "cn": "zh"}  # the same stop words and stemmer; frequent mistakes
_NO_LANGUAGE = frozenset({"und", "mul", "zxx", "mis"})  # ISO 639-2: undetermined, several, none, uncoded


def language_of(text: str, *declared: str | None) -> str:
    """The language of a page: the first usable declaration (`lang` attribute, HTTP header), else a vote, else English.

    Each stop word votes for every language that lists it; a page in Kana, Hangul or Han needs no vote.

    >>> language_of("", None, "de-AT"), language_of("whatever", "x-default"), language_of("どの頁も猫の頁です")
    ('de', 'en', 'ja')
    >>> language_of("la casa de mi abuela está en el centro de la ciudad y no es muy grande")
    'es'
    """
    for value in declared:
        match = _DECLARED.fullmatch(value or "")
        if match and (code := match[1].lower()) not in _NO_LANGUAGE:
            return _SAME_LANGUAGE.get(code, code)
    return _by_script(text[: VOTERS[0]]) or _by_vote(text) or DEFAULT_LANGUAGE


def _by_script(sample: str) -> str | None:
    if sample.isascii():
        return None
    enough = LEAST_SHARE * len(sample)
    return next((code for code, script in _SCRIPTS.items() if len(script.findall(sample)) > enough), None)


def _by_vote(text: str) -> str | None:
    best = None
    for size in VOTERS:
        runs = text[:size].casefold().split()
        votes = Counter(chain.from_iterable(filter(None, map(_voters().get, runs))))
        ranked = sorted(votes, key=lambda language: (-votes[language], language))[:2]
        least = max(LEAST_VOTES, LEAST_SHARE * len(runs))
        best = ranked[0] if ranked and votes[ranked[0]] >= least else None
        if best and votes[best] >= CLEAR * votes[ranked[-1]]:
            break
    return best


@lru_cache(1)
def _voters() -> dict[str, list[str]]:
    """Stop word → the languages that list it and have a stemmer."""
    voters: dict[str, list[str]] = {}
    for language in languages():
        if stemmer(language) is not str:
            for word in filter(_LETTER.search, longest_list(language)):  # some lists have ":" and "2"
                voters.setdefault(word.casefold(), []).append(language)
    return voters
