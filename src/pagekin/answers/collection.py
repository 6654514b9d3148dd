"""The public `Collection`: a thin façade that puts pages in, asks methods, and gives answers with their evidence."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pagekin.answers.clusters import mark
from pagekin.answers.filters import Filters, Sieve
from pagekin.collection.lookup import find, nearest
from pagekin.collection.store import Store
from pagekin.errors import UnknownPageError, UsageError
from pagekin.index.base import staleness
from pagekin.index.keywords import INDEX
from pagekin.methods import DEFAULT, Method, Scores, ask, method
from pagekin.methods.assisted import Assisted
from pagekin.model import Evidence, Ranking, Related

if TYPE_CHECKING:
    from pagekin.answers.clusters import Clusters
    from pagekin.collection.ingest import Report  # parsers and archives, which a question does not need
    from pagekin.index.similarity.neighbourhoods import Measure
    from pagekin.index.subrelevant import Kind
    from pagekin.search.answer import By
    from pagekin.search.keywords import Suggested

# Reciprocal rank fusion of several seeds: a page at rank r of a seed's list counts 1 / (60 + r) (Cormack et al. 2009).
RANK_OFFSET = 60
FUSED_DEPTH = 200  # how deep each seed's list is read, at least
DEEPER = 4  # when filters empty a list, it is asked for so many times more


class Collection:
    """A collection on disk: `Collection("site.kin").related("http://site.example/", k=15, method="amsler")`."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._store: Store | None = None

    @property
    def store(self) -> Store:
        """The state on disk; read once, until something is added through this object."""
        if self._store is None:
            self._store = Store(self.path)
        return self._store

    def add(
        self,
        *paths: Path | str,
        kind: str = "auto",
        base_url: str | None = None,
        text: bool = True,
        icann_only: bool = False,
        say: Callable[[str], None] = lambda line: None,
        progress: Callable[["Report"], None] = lambda report: None,
    ) -> "Report":
        """Add sites, archives, folders or tables; the collection is made where there is none."""
        from pagekin.acquire.sources import open_sources
        from pagekin.collection.ingest import ingest

        sources = open_sources([Path(path) for path in paths], kind, base_url)
        for source in sources:
            say(source.said)
        self._store = None
        return ingest(self.path, sources, text=text, icann_only=icann_only, progress=progress)

    def related(
        self,
        *pages: str,
        k: int = 15,
        method: str | Method = DEFAULT,
        why: bool = False,
        filters: Filters | None = None,
    ) -> Ranking:
        """The k pages most related to one page, or to several together."""
        if k < 1:
            raise UsageError(f"k must be at least 1, not {k}")
        if not pages:
            raise UsageError("name a page to find the related ones of")
        store = self.store
        asked = _method(method).chosen_for(store)
        k = min(k, max(store.size, 1))
        seeds, unknown, notes = self._seeds(pages)
        scores, note = self._ranked(asked, seeds, k, filters or Filters())
        notes += [said for said in (note, staleness(store, asked.index)) if said]
        linked = {int(page) for seed in seeds for page in store.arrays.linked(seed)}
        results = tuple(
            Related(
                rank=rank,
                url=store.url(page),
                title=store.title(page),
                host=store.value("host", page),
                score=score,
                linked=page in linked,
                bridge=mark(store, asked, page) if isinstance(asked, Assisted) else None,
                mirrors=tuple(map(store.url, asked.copies(store, page))) if isinstance(asked, Assisted) else (),
                why=tuple(_why(asked, store, seeds, page)) if why else None,
            )
            for rank, (page, score) in enumerate(scores, 1)
        )
        query = tuple((store.url(seed), store.title(seed)) for seed in seeds)
        return Ranking(query, repr(asked), results, tuple(unknown), "; ".join(notes) or None)

    def clusters(self, page: str, alpha: float = 0.5, measure: "Measure" = "co-citation") -> "Clusters":
        """The hierarchy around a page for one α, as `assisted` ranks by it."""
        from pagekin.answers.clusters import clusters

        return clusters(self.store, page, Assisted(measure=measure, alpha=alpha))

    def search(
        self,
        words: str,
        k: int = 15,
        alpha: float | None = None,
        kind: "Kind" = "fan-out",
        tau: int = 20,
        by: "By" = "tf-idf",
    ) -> dict[str, Any]:
        """The k pages that answer a question, with those that lead to them; the same as the JSON of the shell.

        alpha: 0 looks at a page's own words, 1 at the words of its clusters; 0.8 if none is given.
        """
        from pagekin.search.answer import search

        return search(self.store, words, k, alpha, kind, tau, by)

    def classes(self, ranking: Ranking) -> list[dict[str, Any]]:
        """The pages of an answer in classes, each labelled with its main keywords."""
        from pagekin.search.classes import classes

        rank = {page: result.rank for result in ranking if (page := self._page(result.url)) is not None}
        found = classes(self.store, list(rank))
        return [{"label": list(each.label), "ranks": [rank[page] for page in each.pages]} for each in found]

    def keywords(self, page: str, k: int = 20) -> dict[str, Any]:
        """The main keywords of a page, best first: `{"query": …, "note": …, "results": [{"word": …, "score": …}]}`."""
        from pagekin.search.keywords import main_keywords

        [seed], _, notes = self._seeds([page])
        found = main_keywords(self.store, seed, k)
        query = [{"url": self.store.url(seed), "title": self.store.title(seed)}]
        return self._words(query, [], notes, found)

    def suggest(
        self, *words: str, k: int = 15, logical: bool = False, information: bool = False, support: float = 0.5
    ) -> dict[str, Any]:
        """Words that go with the given ones on pages, or (`logical`) across links."""
        from pagekin.search.keywords import suggest

        if not words:
            raise UsageError("name a word to find those that go with it")
        found = suggest(self.store, words, k, logical, support, "information" if information else "support")
        return self._words(list(words), list(found.unknown), [], found)

    def _words(self, query: list[Any], unknown: list[str], notes: list[str], found: "Suggested") -> dict[str, Any]:
        stale = staleness(self.store, INDEX)
        note = "; ".join([*notes, *filter(None, (found.note, stale))]) or None
        rows = [{"word": word, "score": score} for word, score in found.words]
        return {"query": query, "unknown": unknown, "note": note, "results": rows}

    def _page(self, url: str) -> int | None:
        found = find(self.store, url)
        return found.page if found else None

    def _seeds(self, pages: Iterable[str]) -> tuple[list[int], list[str], list[str]]:
        """Page numbers of what was asked for, what is unknown, and what to say of the others."""
        seeds: list[int] = []
        unknown, notes = [], []
        for text in pages:
            found = find(self.store, text)
            if found is None:
                unknown.append(text)
            elif found.page not in seeds:
                seeds.append(found.page)
                notes += [found.note] if found.note else []
        if not seeds:
            raise UnknownPageError(unknown, nearest(self.store, unknown[0]))
        return seeds, unknown, notes

    def _ranked(
        self, asked: Method, seeds: Sequence[int], k: int, filters: Filters
    ) -> tuple[list[tuple[int, float]], str | None]:
        """The k best that the filters let pass, asking deeper while the filters leave too few."""
        depth = k if len(seeds) == 1 else max(FUSED_DEPTH, k)
        while True:
            lists = [ask(asked, self.store, seed, depth) for seed in seeds]
            merged = _merged(lists) if len(seeds) > 1 else list(_pairs(lists[0]))
            merged = [(page, score) for page, score in merged if page not in seeds]
            sieve = Sieve(self.store, filters, seeds)
            passed = [(page, score) for page, score in merged if sieve.lets_pass(page, score)]
            if len(passed) >= k or all(len(found.pages) < depth for found in lists):
                break
            depth *= DEEPER
        note = "; ".join(dict.fromkeys(found.note for found in lists if found.note)) or None
        if not passed and merged and filters:
            note = f"all {len(merged)} related pages were left out by the filters; loosen them"
        elif not passed and not note:
            note = "they are related to each other, and to no other page"
        elif passed and not all(found.note for found in lists):
            note = None if len(seeds) > 1 else note
        return passed[:k], note


def _method(asked: str | Method) -> Method:
    return method(asked) if isinstance(asked, str) else asked


def _pairs(scores: Scores) -> Iterable[tuple[int, float]]:
    return zip(scores.pages.tolist(), scores.scores.tolist(), strict=True)


def _merged(lists: Sequence[Scores]) -> list[tuple[int, float]]:
    """Several rankings as one by reciprocal rank, equal scores in page order."""
    total: dict[int, float] = {}
    for scores in lists:
        for rank, page in enumerate(scores.pages.tolist(), 1):
            total[page] = total.get(page, 0.0) + 1 / (RANK_OFFSET + rank)
    return sorted(total.items(), key=lambda item: (-float(f"{item[1]:.12g}"), item[0]))


def _why(asked: Method, store: Store, seeds: Sequence[int], page: int) -> Iterable[Evidence]:
    """The evidence for a result; with several seeds each reason says to which it belongs."""
    for seed in seeds:
        for reason in asked.why(store, seed, page):
            detail: dict[str, Any] = dict(reason.detail)
            yield Evidence(reason.kind, detail if len(seeds) == 1 else {"seed": store.url(seed), **detail})
