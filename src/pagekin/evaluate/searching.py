"""Searches as methods to measure: `search(by=tf-idf)`, `search(alpha=0.5, kind=fan-in)`, with the settings of `search`.

A question costs what it costs `search.answer`, without snippets; the lists are the same, with copies beside each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pagekin import spec
from pagekin.collection.store import Store
from pagekin.engine.watch import rows_done
from pagekin.errors import UsageError
from pagekin.graph.topk import TopK
from pagekin.index.base import staleness
from pagekin.index.inverted import Inverted
from pagekin.index.subrelevant import Kind, Subrelevant
from pagekin.methods import REGISTRY
from pagekin.search.answer import Weighting, checked, numbered, ranked
from pagekin.search.question import read
from pagekin.search.ranking import Ranker

DEFAULTS = ("search", "search(alpha=0.0)", "search(by=tf-idf)")  # measured if none is named


@dataclass(frozen=True, repr=False)
class Search:
    """A search with its settings; they mean what they mean in `Collection.search`."""

    alpha: float | None = None
    kind: Kind = "fan-out"
    tau: int = 20
    by: Weighting = "bm25"

    name: ClassVar[str] = "search"

    def __post_init__(self) -> None:
        checked(1, self.alpha, self.by)

    @property
    def indexes(self) -> tuple[Inverted | Subrelevant, ...]:
        """What `build` must have made first."""
        clusters = (Subrelevant(self.kind, self.tau),) if checked(1, self.alpha, self.by) else ()
        return Inverted(), *clusters

    def lists(self, store: Store, texts: Sequence[str], k: int) -> TopK:
        """The k best pages for each text."""
        alpha, (words, *clusters) = checked(k, self.alpha, self.by), self.indexes
        store = store.seeing()
        postings = numbered(store, words)
        ranker = Ranker(postings, numbered(store, clusters[0]) if clusters else None)
        lists = TopK.empty(len(texts), k)
        for row, text in enumerate(texts):
            asked = read(store, postings, text)
            found = ranked(store, ranker, asked, self.by, k, alpha)
            lists.put(row, found.pages, found.scores)
            rows_done(row + 1, len(texts))
        return lists

    def note(self, store: Store) -> str | None:
        return next(filter(None, (staleness(store, each) for each in self.indexes)), None)

    __repr__ = spec.text


def search(written: str) -> Search:
    """The search that a text names; else a `UsageError`."""
    if written.partition("(")[0].strip() in REGISTRY:
        known = ", ".join(DEFAULTS)
        raise UsageError(f"{written} answers pages; questions in words are answered by a search: {known} …")
    return spec.read("search", written, {Search.name: Search})  # type: ignore[no-any-return]
