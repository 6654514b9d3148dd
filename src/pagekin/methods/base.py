"""The interface of a method (a page in, ranked related pages and the reasons out) and the registry of all methods.

A method is a frozen dataclass whose fields are its parameters; written as text it is `amsler(direct=false)` (`spec`).
What most methods do the same way has a default here; a method that can do better overrides it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, TypeVar

import numpy as np

from pagekin import spec
from pagekin.cluster.bridges import Bridge
from pagekin.collection.seen import seen_by
from pagekin.collection.store import Store
from pagekin.engine.base import over_rows
from pagekin.engine.watch import rows_done
from pagekin.errors import UsageError
from pagekin.graph.topk import TopK, joined
from pagekin.index.answers import Answers, kept_answers, kept_pages
from pagekin.index.base import Index, staleness
from pagekin.kernels import Floats, Ints
from pagekin.model import Evidence
from pagekin.wording import command, option

ALONE = "no link leads to or from this page; add pages that link to it, or try the method semantic, which uses words"


def no_citers() -> str:
    """The note on a page that nobody links to, for methods that use only in-links."""
    return f"no page links to this one; try {option('method', 'coupling')}, which compares the links on it"


@dataclass(frozen=True)
class Scores:
    """Page numbers, best first, with their scores; the note says why there are none, or what to know about them."""

    pages: Ints
    scores: Floats
    note: str | None = None

    @classmethod
    def none(cls, note: str) -> "Scores":
        return cls(np.empty(0, np.int32), np.empty(0, np.float64), note)


class Method(ABC):
    """Page → related pages, and why."""

    name: ClassVar[str]
    # The most results per page that `build --method` may compute in advance (`index.answers`); 0: none, for a quick
    # method. For any two lengths up to it, the shorter list must be the beginning of the longer one, and of lists that
    # are not empty the note must be the `caveat`.
    most_kept: ClassVar[int] = 0
    drifts: ClassVar[bool] = False  # whether it looks so far around that it may find the same for all pages of a site
    clusters: ClassVar[bool] = False  # whether it has a hierarchy around a page that can be drawn

    @property
    def index(self) -> Index | None:
        """The index that `build` must have made first, if any."""
        return None

    def seen(self, store: Store) -> Store:
        """The collection as this method sees it: what `related`, `lists` and `why` are to be given."""
        return seen_by(self, store)

    @property
    def ahead(self) -> tuple[Index, ...]:
        """Further indexes that `build` makes for it: it answers without them too, but not as well or as soon."""
        return ()

    def chosen_for(self, store: Store) -> "Method":
        """This method with settings that depend on the collection filled in: `block` becomes `block(scope=site)`."""
        return self

    def answering(self, store: Store) -> "Method":
        """This method with the settings that can answer now: the chosen ones, or former ones that are still built."""
        return self.chosen_for(store)

    @abstractmethod
    def related(self, store: Store, page: int, k: int) -> Scores:
        """The k pages most related to a page, by score (larger is better), then page number; never the page itself."""

    @abstractmethod
    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        """The evidence by which the method relates the two pages, most telling first."""

    def lists(self, store: Store, k: int, pages: Ints | None = None) -> TopK:
        """The k pages most related to each of some pages, or to every page."""
        asked = np.arange(store.size, dtype=np.int32) if pages is None else pages
        found = TopK.empty(asked.size, k)
        for row, page in enumerate(asked.tolist()):
            scores = self.related(store, page, k)
            found.put(row, scores.pages, scores.scores)
            rows_done(row + 1, asked.size)
        return found

    @property
    def folds(self) -> bool:
        """Whether copies and translations of a result are listed under it; a paper's own rule may differ."""
        return True

    def caveat(self, store: Store, page: int) -> str | None:
        """The note on the lists for a page, kept or computed, if they may not be what the method promises."""
        return None

    def left_out(self, store: Store) -> str | None:
        """The note on answers that are without something, because an index is not built."""
        return None

    def bridge(self, store: Store, page: int) -> Bridge | None:
        """How far apart the pages related to a page are, if the method can tell."""
        return None

    __repr__ = spec.text


def index_note(asked: Method, store: Store) -> str | None:
    """The note on an answer without its index, or from one that is stale or suited the collection only formerly."""
    used, chosen = asked.answering(store), asked.chosen_for(store)
    stale = used.left_out(store) or staleness(store, used.index)
    if used == chosen:
        return stale
    instead = f"{used!r} answers instead of {chosen!r}, which suits the collection but is not built"
    return f"{instead}; {stale}" if stale else f"{instead}; run: {command('build', store.path)}"


def ask(asked: Method, store: Store, page: int, k: int) -> Scores:
    """The k pages most related to a page: looked up if `build` has stored them, otherwise computed by the method."""
    held = kept_answers(store, repr(asked), k) if k <= asked.most_kept else None
    if held is not None:
        ids, scores = held.of(int(store.graph.ids[page]))
        if ids.size:
            pages = np.searchsorted(store.graph.ids, ids[:k]).astype(np.int32)
            return Scores(pages, np.array(scores[:k]), asked.caveat(asked.seen(store), page))
    seen = asked.seen(store)
    found = asked.related(seen, page, k)
    if not found.pages.size and store.arrays.linked(page).size > seen.arrays.linked(page).size == 0:
        return Scores.none(_only_template(asked))
    return found


def _only_template(asked: Method) -> str:
    every = option("method", repr(replace(asked, links="all")))  # type: ignore[type-var]
    words = "" if hasattr(asked, "words") else "; or try the method semantic, which uses words"
    return (
        "only navigation and the template of its site link to or from this page, and they are no author's choice; "
        f"to count them, try {every}{words}"
    )


def ask_all(asked: Method, store: Store, k: int, pages: Ints | None = None) -> TopK:
    """The k pages most related to each of some pages, or to every page, looked up or computed as in `ask`."""
    held = kept_answers(store, repr(asked), k) if k <= asked.most_kept else None
    if held is None:
        return asked.lists(asked.seen(store), k, pages)
    found = TopK.empty(store.size, k)
    lengths = np.minimum(np.diff(held.start), k)
    found.sizes[np.searchsorted(store.graph.ids, held.ids)] = lengths
    place = np.arange(lengths.sum()) + np.repeat(held.start[:-1] - np.cumsum(lengths) + lengths, lengths)
    there = np.arange(k) < found.sizes[:, None]
    found.pages[there] = np.searchsorted(store.graph.ids, held.related[place])
    found.scores[there] = held.scores[place]
    wanted = np.arange(store.size, dtype=np.int32) if pages is None else pages
    rest = np.setdiff1d(wanted, kept_pages(store))
    if rest.size:
        found.sizes[rest], found.pages[rest], found.scores[rest] = asked.lists(asked.seen(store), k, rest)
    return found if pages is None else TopK(found.sizes[pages], found.pages[pages], found.scores[pages])


def lists_in_threads(asked: Method, store: Store, k: int, pages: Ints | None, at_once: int) -> TopK:
    """`Method.lists` page by page, on all cores; what the questions share must have been worked out before."""
    rows = np.arange(store.size, dtype=np.int32) if pages is None else pages

    def block(first: int, last: int) -> TopK:
        found = TopK.empty(last - first, k)
        for row in range(first, last):
            scores = asked.related(store, int(rows[row]), k)
            found.put(row - first, scores.pages, scores.scores)
        return found

    return joined(over_rows(block, rows.size, most=at_once), k)


REGISTRY: dict[str, type[Method]] = {}
M = TypeVar("M", bound=Method)


def register(name: str) -> Callable[[type[M]], type[M]]:
    """A class decorator that enters a method in the registry under its name."""

    def enter(cls: type[M]) -> type[M]:
        REGISTRY[name] = cls
        cls.name = name
        return cls

    return enter


def method(written: str) -> Method:
    """The method that a text names, as `co-citation` or `amsler(direct=false, max_in=50)`; else a `UsageError`."""
    return spec.read("method", written, REGISTRY)  # type: ignore[no-any-return]


def _slow_method(written: str) -> Method:
    """The method that a text names, if `build` may keep its answers; else a `UsageError`."""
    asked = method(written)
    if not asked.most_kept:
        known = ", ".join(sorted(name for name, cls in REGISTRY.items() if cls.most_kept))
        raise UsageError(f"answers can be kept for {known}; {asked!r} answers quickly enough without")
    return asked


Answers.method_named = staticmethod(_slow_method)
