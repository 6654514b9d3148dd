"""Recommended words (paper 4, section 5): the main keywords of a page, and words related to given words.

main keywords of a page with keywords W     w ∈ W by Σ_{v∈W} r_s(v, w)                       (Eq. 23)
similar to the words W                      any other word w by Σ_{v∈W} r_s(v, w)            (Eq. 24)
logically related to the words W            any other word w by Σ_{v∈W} r_l(v → w)           (Eq. 25)
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc

from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.graph.links import LinkArrays
from pagekin.graph.topk import best
from pagekin.index.keywords import Keywords, WordMeasure, keywords_of
from pagekin.kernels import Floats, Ints
from pagekin.parse.language import DEFAULT_LANGUAGE
from pagekin.parse.words import Analyser

SUPPORT = 0.5


@dataclass(frozen=True)
class Suggested:
    """Words as pages spell them, with scores, best first; the given words that are no page's keyword; and a note."""

    words: tuple[tuple[str, float], ...]
    unknown: tuple[str, ...] = ()
    note: str | None = None


def main_keywords(store: Store, page: int, k: int, support: float = SUPPORT) -> Suggested:
    """The k main keywords of a page: those most relevant to all its keywords."""
    _check(k, support)
    held = keywords_of(store)
    words = held.of(page)
    if not words.size:
        return Suggested((), note="this page has no keywords, because it was never fetched or has no text")
    return Suggested(_spelled(held, *best(words, relevances(held, words, words, support), k)))


def relevances(held: Keywords, given: Iterable[int], wanted: Ints, support: float = SUPPORT) -> Floats:
    """Σ r_s(v, w) over the given words v, for each wanted word w."""
    from pagekin.kernels.keywords import relevance_to_all

    words = held.semantic(support)
    return np.sum([relevance_to_all(int(word), words)[wanted] for word in given], axis=0)  # type: ignore[no-any-return]


def suggest(
    store: Store,
    typed: Sequence[str],
    k: int,
    logical: bool = False,
    support: float = SUPPORT,
    part: WordMeasure = "support",
) -> Suggested:
    """The k words most similar to the given ones together, or most related across links; never the given words."""
    _check(k, support)
    held = keywords_of(store)
    given, unknown = _numbers(store, held, typed)
    if not given:
        return Suggested((), unknown, _why_none(held, unknown))
    from pagekin.kernels.keywords import relevance_to_all

    total = np.zeros(held.pages.size)
    for word in given:
        if logical:
            words, confidence = held.logical(support, part)
            total += relevance_to_all(word, words) + confidence[0] + confidence[1] * linked(held, store.arrays, word)
        else:
            total += relevance_to_all(word, held.semantic(support))
    total[given] = 0.0
    others = np.flatnonzero(total > 0).astype(np.int32)
    note = f"no page has the keyword {', '.join(unknown)}" if unknown else None
    if not others.size:
        note = "no other keyword is on the same pages, or on pages linked from those"
    return Suggested(_spelled(held, *best(others, total[others], k)), unknown, note)


def linked(held: Keywords, graph: LinkArrays, word: int) -> Floats:
    """C(word → w), the share of the word's pages that link to a page with w, for every word w (Eq. 10)."""
    start, holder = held.holders
    pages = holder[start[word] : start[word + 1]].tolist()
    counts = np.zeros(held.pages.size)
    for page in pages:
        targets = [held.of(target) for target in graph.targets(page).tolist()]
        if targets:
            counts[np.unique(np.concatenate(targets))] += 1
    return counts / max(len(pages), 1)


def _check(k: int, support: float) -> None:
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    if not 0 <= support <= 1:
        raise UsageError(f"support must be from 0 to 1, not {support}")


def _spelled(held: Keywords, words: Ints, scores: Floats) -> tuple[tuple[str, float], ...]:
    return tuple((held.surface(word), score) for word, score in zip(words.tolist(), scores.tolist(), strict=True))


def _numbers(store: Store, held: Keywords, typed: Sequence[str]) -> tuple[list[int], tuple[str, ...]]:
    """The keywords meant by the typed words, as written or stemmed in a language of the collection; and the others."""
    languages = [*filter(None, pc.unique(store.graph.pages["language"]).to_pylist()), DEFAULT_LANGUAGE]
    analyser = Analyser(**store.manifest.segmenters)
    found: dict[int, None] = {}
    unknown = []
    for text in typed:
        spelled = [[text], [text.casefold()], *(analyser.stems(text, language) for language in languages)]
        meant = next((numbers for terms in spelled if (numbers := _known(held, terms))), [])
        found |= dict.fromkeys(meant)
        unknown += [] if meant else [text]
    return list(found), tuple(unknown)


def _known(held: Keywords, terms: Iterable[str]) -> list[int]:
    return [held.number[term] for term in terms if term in held.number]


def _why_none(held: Keywords, unknown: Sequence[str]) -> str:
    if not held.total:
        return "no page in this collection has keywords; add pages with their text"
    if not unknown:
        return "no word was given"
    from difflib import get_close_matches

    close = get_close_matches(unknown[0].casefold(), held.names["surface"].to_pylist(), n=3)
    near = f"; the nearest keywords are: {', '.join(close)}" if close else ""
    return f"no page has the keyword {', '.join(unknown)}{near}"
