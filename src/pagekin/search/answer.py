"""The answer to a question in words: pages best first, with snippets, and for some the page they lead to."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np

from pagekin.answer import Answer, Row, cell
from pagekin.collection.store import Store
from pagekin.errors import UsageError, unknown
from pagekin.harmless import clean
from pagekin.index.base import opened, staleness
from pagekin.index.inverted import Inverted, Postings
from pagekin.index.mirrors.kin import Relatives, relatives
from pagekin.index.subrelevant import Kind, PageClusters, Subrelevant
from pagekin.kernels import Floats, Ints
from pagekin.kernels.similarity import rounded
from pagekin.parse.language import DEFAULT_LANGUAGE
from pagekin.search import DEFAULT_ALPHA, PAPER_ALPHA
from pagekin.search.feedback import FIRST, expanded
from pagekin.search.leads import leads_to
from pagekin.search.narrowing import Phrases, has_text, narrowed
from pagekin.search.question import Question, analyser_of, read
from pagekin.search.ranking import Ranker, WordScores
from pagekin.search.snippet import LENGTH, Matcher, snippet
from pagekin.wording import option

Weighting = Literal["bm25", "tf-idf"]
NAMED = 5  # of the words that joined a question: the note says which


@dataclass(frozen=True)
class Hit(Row):
    """A page that answers a question, or leads to one that does."""

    rank: int
    url: str
    title: str
    score: float
    snippet: str
    words: tuple[str, ...]  # words of the question, as the snippet spells them
    mirrors: tuple[str, ...]  # copies of it, which are no further results
    translations: tuple[str, ...]  # the same in other languages, which are no further results either
    leads_to: Mapping[str, Any] | None  # url, title, anchor, path, seed; None: found by its own words

    def lines(self) -> list[str]:
        """The lines to show below the page: its snippet and, if that is why it was found, where it leads."""
        said = [clean(self.snippet)] if self.snippet else []
        lead = self.leads_to
        name = (lead["title"] or lead["url"]) if lead else ""
        if lead and lead["path"]:
            named = f" as “{lead['anchor']}”" if lead["anchor"] else ""
            if len(lead["path"]) > 2:
                said.append(clean(f"two clicks: links{named} to {lead['path'][1]}, and that to {name}: {lead['url']}"))
            else:
                said.append(clean(f"one click: links to {name}{named}: {lead['url']}"))
        elif lead:
            said.append(clean(f"near {name}: {lead['url']}"))
        return said


@dataclass(frozen=True, repr=False)
class SearchAnswer(Answer[Hit]):
    """The pages that answer a question in words, best first."""

    terms: tuple[str, ...] = ()  # the stems that were looked up
    by: str = "bm25"
    alpha: float = 0.0
    clusters: str | None = None  # the clusters that raised pages

    shown: ClassVar[tuple[str, ...]] = ("rank", "score", "title", "url")
    header: ClassVar[tuple[str, ...]] = (
        "rank", "url", "title", "score", "snippet", "words", "mirrors", "translations", "leads_to",
    )  # fmt: skip

    def as_lines(self) -> list[str]:
        lines = []
        for hit in self:
            lines.append("  ".join(filter(None, map(cell, (hit.rank, hit.score, hit.title, hit.url)))))
            lines += [f"      {line}" for line in hit.lines()]
        return [*lines, *([clean(self.note)] if self.note else [])]


def search(
    store: Store,
    text: str,
    k: int = 15,
    alpha: float | None = None,
    kind: Kind = "fan-out",
    tau: int = 20,
    by: Weighting = "bm25",
    expand: bool = False,
) -> SearchAnswer:
    """The k pages that best answer a question.

    With α = 0 only a page's own words count and no clusters are needed. `expand`: words of the first pages join it.
    """
    alpha, chosen = checked(k, alpha, by), Subrelevant(kind, tau)
    if expand and by != "bm25":
        raise UsageError(f"{option('expand')} weighs words by bm25; leave out {option('by')} {by}")
    index = chosen if alpha else None
    store = store.seeing()
    postings = numbered(store, Inverted())
    clusters: PageClusters | None = numbered(store, index) if index else None
    asked = read(store, postings, text)
    folded = relatives(store)
    ranker = Ranker(postings, clusters)
    found = ranked(store, ranker, asked, by, max(k, FIRST) if expand else k, alpha, folded)
    terms = [postings.terms[term].as_py() for term in found.asked.terms]
    if expand and found.pages.size:
        found = ranked(store, ranker, more_words(store, postings, found), by, k, alpha, folded)
    asked, scored, pages, scores = found
    analyser = analyser_of(store)
    matchers: dict[str, Matcher] = {}  # by language
    rows = []
    for rank, (page, text_of) in enumerate(zip(pages.tolist(), store.texts(pages.tolist()), strict=True), 1):
        language = store.value("language", page) or DEFAULT_LANGUAGE
        matcher = matchers.setdefault(language, Matcher.of(terms, analyser, language))
        shown, matched = snippet(store.own_text(page, text_of), matcher)
        raised = clusters is not None and rounded(scored.led[page]) > rounded(scored.own[page])
        rows.append(
            Hit(
                rank=rank,
                url=store.url(page),
                title=store.title(page),
                score=float(scores[rank - 1]),
                snippet=shown or store.value("summary", page)[:LENGTH],
                words=tuple(matched),
                mirrors=tuple(map(store.url, folded.mirrors(page))) if folded else (),
                translations=tuple(map(store.url, folded.translations(page))) if folded else (),
                leads_to=leads_to(store, clusters, scored.own, page) if clusters is not None and raised else None,
            )
        )
    return SearchAnswer(
        query=tuple(text.split()),
        note=_note(store, postings, asked, index, bool(rows)),
        results=tuple(rows),
        terms=tuple(terms),
        by=by,
        alpha=alpha,
        clusters=repr(index) if index else None,
    )


class Ranked(NamedTuple):
    """The best pages for a question; the scores of all; and the question as it was answered."""

    asked: Question
    scored: WordScores
    pages: Ints
    scores: Floats


def ranked(
    store: Store, ranker: Ranker, asked: Question, by: Weighting, k: int, alpha: float, folded: Relatives | None = None
) -> Ranked:
    """The k best pages that meet the conditions of a question and, if `folded` knows them, without their copies.

    If a question has phrases beside other words, and no page has the phrases, their words count alone.
    """
    scored = ranker.bm25(asked.words) if by == "bm25" else ranker.tf_idf(np.array(asked.terms, np.int64))
    allowed = narrowed(store, ranker.postings, asked)
    if allowed is not None:
        scored = replace(scored, eligible=scored.eligible & allowed)
    pages, scores = _found(store, scored, asked, k, alpha, folded)
    if asked.quotes and not pages.size:
        return ranked(store, ranker, asked.unquoted(), by, k, alpha, folded)
    return Ranked(asked, scored, pages, scores)


def more_words(store: Store, postings: Postings, found: Ranked) -> Question:
    """The question that was answered, with words of the first pages; they narrow nothing."""
    words = expanded(store, postings, found.asked.words, found.pages.tolist())
    new = sorted(words[len(found.asked.words) :], key=lambda word: -word.times)[:NAMED]
    said = (f"also looked for: {', '.join(word.text for word in new)} …",) if new else ()
    return replace(found.asked, words=words, notes=(*found.asked.notes, *said))


def _found(
    store: Store, scored: WordScores, asked: Question, k: int, alpha: float, folded: Relatives | None
) -> tuple[Ints, Floats]:
    """The best pages that have the phrases of the question, copies left out."""
    phrases, most = Phrases(asked) if has_text(store) else None, k
    while True:
        pages, scores = scored.best(most, alpha)
        met = np.ones(pages.size, bool)
        if phrases:
            met &= np.fromiter(phrases.met(store, pages.tolist()), bool, pages.size)
        if folded:
            met[met] = _first_of_kin(folded, pages[met].tolist())
        if met.sum() >= k or pages.size < most:
            return pages[met][:k], scores[met][:k]
        most *= 4


def _first_of_kin(folded: Relatives, pages: list[int]) -> list[bool]:
    """Which pages are no copies or translations of one before them."""
    hidden: set[int] = set()
    passed = []
    for page in pages:
        passed.append(page not in hidden)
        if passed[-1]:
            hidden.update(folded.mirrors(page), folded.translations(page))
    return passed


def checked(k: int, alpha: float | None, by: Weighting) -> float:
    """The mixture ratio α, after checking the options."""
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    if by not in get_args(Weighting):
        raise unknown("weighting", by, get_args(Weighting))
    if alpha is None:
        return PAPER_ALPHA if by == "tf-idf" else DEFAULT_ALPHA
    if not 0 <= alpha <= 1:
        raise UsageError(
            f"alpha is {alpha}; expected 0 (a page's own words) to 1 (its clusters' words), for example {DEFAULT_ALPHA}"
        )
    return float(alpha)


def numbered(store: Store, index: Inverted | Subrelevant) -> Any:
    """An index in the page numbers of the store; translated once if pages have been added since it was made."""
    return store.memo.get("numbered", repr(index), lambda: opened(store, index).for_pages(store.graph.ids))


def _note(store: Store, postings: Postings, asked: Question, index: Subrelevant | None, answered: bool) -> str | None:
    notes = list(asked.notes)
    if not postings.pages:
        notes = ["no page in the collection has text, so there is nothing to search; add pages with their text"]
    elif asked.words and not answered:
        notes.append("no page has these words and is what else the question asks for; leave some of that out")
    if any(each.kind == "phrase" for each in asked.conditions) and not has_text(store):
        notes.append("the collection keeps no texts, so the words of a phrase are looked for, in any order")
    if postings.pages and index and not store.arrays.links:
        notes.append("the collection has no links, so no page leads to another: only a page's own words count")
    notes += [said for used in (Inverted(), index) if (said := staleness(store, used))]
    return "; ".join(notes) or None
