"""Co-citation, bibliographic coupling and Amsler: pages are alike when they share linked pages.

With I(p) the pages that link to p, O(p) those p links to, and C(p) = I(p), O(p) or I(p) ∪ O(p) (paper 1, Eq. 1–4):

    sim(a, b) = (|C(a) ∩ C(b)| + direct(a, b)) / |C(a) ∪ C(b) ∪ {a} ∪ {b}|

`direct` counts the links between a and b: 0, 1 or 2. With `direct=false` it is left out, and the denominator is
|C(a) ∪ C(b)| (Eq. 1–3). Two pages without neighbours have similarity 0.

A question costs the two-step walk Σ_{q∈C(p)} |pages with q in their C|; nothing is built in advance.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pagekin.collection.seen import SeesLinks
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.graph.links import Direction, LinkArrays
from pagekin.graph.shared_neighbours import most_shared
from pagekin.graph.topk import TopK
from pagekin.kernels import Ints
from pagekin.methods import evidence
from pagekin.methods.base import ALONE, Method, Scores, register
from pagekin.model import Evidence
from pagekin.wording import option


@dataclass(frozen=True, repr=False)
class _Shared(SeesLinks, Method):
    """The common part of the three methods, which differ in which pages count as neighbours."""

    direct: bool = True  # count links between the two pages
    max_in: int | None = None  # the most citers kept per page, those with most in-links (paper 1: 50)
    max_out: int | None = None  # a citer with more out-links is a portal and is dropped

    near: ClassVar[Direction]  # the rows C(p)
    far: ClassVar[Direction]  # the opposite graph: {p : q ∈ C(p)}
    shared: ClassVar[str]  # how a related page is linked, in words

    def __post_init__(self) -> None:
        for name in ("max_in", "max_out"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"{name} must be at least 1, or none, not {value}")

    def related(self, store: Store, page: int, k: int) -> Scores:
        graph = store.limited(self.max_in, self.max_out)
        pages, scores = most_shared(graph, self.near, self.far, self.direct, page, k)
        return Scores(pages, scores) if pages.size else Scores.none(self._reason(graph, page))

    def lists(self, store: Store, k: int, pages: Ints | None = None) -> TopK:
        from pagekin.graph.all_pairs import all_strongest, strongest_of
        from pagekin.kernels.similarity import DIRECT, SETS

        graph, formula = store.limited(self.max_in, self.max_out), DIRECT if self.direct else SETS
        if pages is None:
            return all_strongest(graph, self.near, self.far, formula, k)
        return strongest_of(pages, graph, self.near, self.far, formula, k)

    def _reason(self, graph: LinkArrays, page: int) -> str:
        has_in, has_out = graph.citers(page).size, graph.targets(page).size
        if not has_in and not has_out:
            return ALONE
        if self.name == "amsler":
            return f"no other page {self.shared}"
        both = option("method", "amsler")
        return f"no other page {self.shared}; try {both}, which follows links both ways"

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        graph = store.limited(self.max_in, self.max_out)
        start, row = graph.rows(self.near)
        both = np.intersect1d(row[start[page] : start[page + 1]], row[start[other] : start[other + 1]], True)
        # The fewer links a shared page has, the more telling its links with these two pages are.
        links = graph.either_start[both + 1] - graph.either_start[both]
        telling = both[np.lexsort((both, links))]
        found = list(self._direct(store, graph, page, other)) if self.direct else []
        kinds: dict[str, list[Evidence]] = {"cited-by": [], "cites": [], "walk": []}
        for q in telling.tolist():
            for reason in _relations(store, graph, page, q, other):
                kinds[reason.kind].append(reason)
        return found + [each for reasons in kinds.values() for each in evidence.counted(reasons)]

    def _direct(self, store: Store, graph: LinkArrays, page: int, other: int) -> Iterator[Evidence]:
        for source, target in ((page, other), (other, page)):
            if target in graph.targets(source):
                yield evidence.direct(store, source, target)


def _relations(store: Store, graph: LinkArrays, page: int, q: int, other: int) -> Iterator[Evidence]:
    """How the page q lies between the two: it cites both, both cite it, or one cites it and it cites the other."""
    cites, cited = graph.targets(q), graph.citers(q)
    if page in cites and other in cites:
        yield evidence.cited_by(store, q, page, other)
    if page in cited and other in cited:
        yield evidence.cites(store, q, page, other)
    for first, last in ((page, other), (other, page)):
        if first in cited and last in cites:
            anchors = [store.anchor(first, q), store.anchor(q, last)]
            path = evidence.path(store, [first, q, last]) | {"anchors": anchors}  # of the links that lead this way
            yield Evidence("walk", evidence.named(store, q) | path)


@register("co-citation")
@dataclass(frozen=True, repr=False)
class CoCitation(_Shared):
    """Two pages are alike when many pages link to both."""

    near, far, shared = "in", "out", "is linked to by a page that links to this one"


@register("coupling")
@dataclass(frozen=True, repr=False)
class Coupling(_Shared):
    """Two pages are alike when they link to the same pages."""

    near, far, shared = "out", "in", "links to a page that this one links to"


@register("amsler")
@dataclass(frozen=True, repr=False)
class Amsler(_Shared):
    """Two pages are alike when they have linked pages in common, whichever way the links go."""

    near, far, shared = "either", "either", "is linked with a page that this one is linked with"
