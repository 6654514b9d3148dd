"""The answer to a question in words: pages best first, each with a snippet, and where it leads if that is why."""

from typing import Any, Literal, get_args

from pagekin.collection.store import Store
from pagekin.errors import UsageError, unknown
from pagekin.index.base import opened, staleness
from pagekin.index.inverted import Inverted, Postings
from pagekin.index.subrelevant import Clusters, Kind, Subrelevant
from pagekin.kernels.similarity import rounded
from pagekin.parse.language import DEFAULT_LANGUAGE
from pagekin.search import DEFAULT_ALPHA
from pagekin.search.leads import leads_to
from pagekin.search.question import Question, analyser_of, read
from pagekin.search.ranking import Ranker
from pagekin.search.snippet import LENGTH, Matcher, snippet

By = Literal["tf-idf", "bm25"]


def search(
    store: Store,
    text: str,
    k: int = 15,
    alpha: float | None = None,
    kind: Kind = "fan-out",
    tau: int = 20,
    by: By = "tf-idf",
) -> dict[str, Any]:
    """The k pages that answer a question; `{"query": …, "note": …, "results": [row, …]}`.

    α = 0 looks at a page's own words only and needs no clusters; BM25 always does.
    """
    alpha, chosen = _checked(k, alpha, by), Subrelevant(kind, tau)
    index = chosen if alpha else None
    postings = _numbered(store, Inverted())
    clusters: Clusters | None = _numbered(store, index) if index else None
    asked = read(store, postings, text)
    ranker = Ranker(postings, clusters)
    scored = ranker.bm25(asked.numbers) if by == "bm25" else ranker.scored(asked.numbers)
    pages, scores = scored.best(k, alpha)
    analyser = analyser_of(store)
    matchers: dict[str, Matcher] = {}  # by language
    rows = []
    for rank, (page, text_of) in enumerate(zip(pages.tolist(), store.texts(pages.tolist()), strict=True), 1):
        language = store.value("language", page) or DEFAULT_LANGUAGE
        matcher = matchers.setdefault(language, Matcher(asked.terms, analyser, language))
        shown, matched = snippet(text_of, matcher)
        raised = clusters is not None and rounded(scored.led[page]) > rounded(scored.own[page])
        rows.append(
            {
                "rank": rank,
                "url": store.url(page),
                "title": store.title(page),
                "score": float(scores[rank - 1]),
                "snippet": shown or store.value("summary", page)[:LENGTH],
                "words": matched,
                "leads_to": leads_to(store, clusters, scored.own, page) if clusters is not None and raised else None,
            }
        )
    query = {
        "words": text,
        "terms": list(asked.terms),
        "by": by,
        "alpha": alpha,
        "clusters": repr(index) if index else None,
    }
    return {"query": query, "note": _note(store, postings, asked, index), "results": rows}


def _checked(k: int, alpha: float | None, by: By) -> float:
    """The mixture ratio, after a look at what was asked."""
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    if by not in get_args(By):
        raise unknown("weighting", by, get_args(By))
    if alpha is None:
        return 0.0 if by == "bm25" else DEFAULT_ALPHA
    if not 0 <= alpha <= 1:
        raise UsageError(f"alpha is {alpha}; expected 0 (a page's own words) to 1 (its clusters' words), as 0.8")
    if by == "bm25" and alpha:
        raise UsageError(f"BM25 looks at a page's own words only; alpha {alpha} goes with tf-idf")
    return float(alpha)


def _numbered(store: Store, index: Inverted | Subrelevant) -> Any:
    """An index over the page numbers of the store; translated once, where pages have come since it was made."""
    return store.memo.get("numbered", repr(index), lambda: opened(store, index).for_pages(store.graph.ids))


def _note(store: Store, postings: Postings, asked: Question, index: Subrelevant | None) -> str | None:
    notes = list(asked.notes)
    if not postings.pages:
        notes = ["no page of the collection has text, so there is nothing to search; add pages with their text"]
    elif index and not store.arrays.links:
        notes.append("the collection has no links, so no page leads to another: only a page's own words count")
    notes += [said for used in (Inverted(), index) if (said := staleness(store, used))]
    return "; ".join(notes) or None
