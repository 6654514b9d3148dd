"""Random walk with restart: how often a walker, who follows links either way and at times restarts, is at each page.

    π = restart · e_page + (1 − restart) · π P        P(u,v) = 1 / deg(u) for the deg(u) pages linked with u

Computed by local push (Andersen, Chung, Lang, FOCS 2006): a page that holds mass r keeps the share `restart` of it and
hands on the rest in equal parts, as long as r ≥ precision · deg. Distant pages are never read, and with c = `restart`

    0 ≤ π(v) − score(v) ≤ precision · deg(v)        work ≤ 1 / (precision · c) links

because links count both ways: mass still at u reaches v with probability π_u(v) = π_v(u) deg(v) / deg(u).

A page with many links is met often wherever a walk begins: in the long run deg(v) of Σ deg times. That much says
nothing about the page asked about, so it is subtracted, as often as `damping` says:

    score(v) = π(v) − damping · deg(v) / Σ deg,  at least LEAST_LEFT · π(v)
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pagekin.collection.seen import SeesLinks
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.graph.links import LinkArrays
from pagekin.graph.topk import best
from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.numbers import numbers_in
from pagekin.methods import evidence
from pagekin.methods.base import ALONE, Method, Scores, register
from pagekin.model import Evidence

# The precision that is chosen if none is given: the error is a tenth of what damping subtracts, so that it does not
# damp hubs by itself; but it is no finer than FINEST, and in collections where a walk would not come near to its end
# anyway, as coarse as answers in 50 ms ask for.
TENTH = 0.1
FINEST, COARSE = 1e-7, 2e-6
FEW_ENDS = 1_000_000  # Σ deg; the walk ends after some hundred times as many steps, whatever the precision
# What is left of a score that damping would take wholly: in a small web, where every page is met as often from
# anywhere, there are answers still, in the order of the walk.
LEAST_LEFT = 1e-3


@register("walk")
@dataclass(frozen=True, repr=False)
class Walk(SeesLinks, Method):
    """Two pages are alike when a random walk from one often reaches the other."""

    restart: float = 0.15  # the chance, after each step, that the walk starts again
    damping: float = 1.0  # how many times the share that a walk from anywhere has is subtracted
    precision: float | None = None  # none: as the collection allows

    drifts: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0 < self.restart < 1:
            raise UsageError(f"restart must be between 0 and 1, not {self.restart}")
        if not 0 <= self.damping <= 100:
            raise UsageError(f"damping must be between 0 and 100, not {self.damping}")
        if self.precision is not None and not 1e-9 <= self.precision <= 1:  # finer would walk the whole web
            raise UsageError(f"precision must be between 1e-9 and 1, not {self.precision}")

    def related(self, store: Store, page: int, k: int) -> Scores:
        graph = store.arrays
        if not graph.linked(page).size:
            return Scores.none(ALONE)
        found = self._walked(store, page)
        others = found.pages != page
        pages, scores = found.pages[others], self.restart * (found.pushed + found.left)[others]
        scores = np.maximum(scores - self._usual(graph, pages), LEAST_LEFT * scores)
        return Scores(*best(pages, scores, k))

    def _usual(self, graph: LinkArrays, pages: Ints) -> Floats:
        """What is subtracted: how often a long walk is at each of some pages, wherever it began."""
        return self.damping * _degrees(graph, pages) / max(graph.either.size, 1)

    def precise(self, graph: LinkArrays) -> float:
        """The precision that is given, or the one that is chosen for a collection."""
        if self.precision is not None:
            return self.precision
        if graph.either.size > FEW_ENDS:
            return COARSE
        return min(max(TENTH * (self.damping or 1.0) / max(graph.either.size, 1), FINEST), COARSE)

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        graph, found = store.arrays, self._walked(store, page)
        before = graph.linked(other)
        flow = found.flow(graph, before)
        given = np.flatnonzero(flow > found.flow(graph, np.array([other]))[0])  # more than the page gives back
        steps = given[np.lexsort((before[given], -flow[given]))]
        error, damped = self.precise(graph) * before.size, float(self._usual(graph, np.array([other]))[0])
        return [
            Evidence(
                "walk",
                evidence.path(store, [*found.way(graph, page, int(before[at])), other])
                | {"share": float(flow[at] / flow.sum()), "error": error, "damped": damped, "of": steps.size},
            )
            for at in steps[: evidence.MOST].tolist()
        ]

    def _walked(self, store: Store, page: int) -> "Walked":
        key = (self.restart, self.precise(store.arrays), page)
        return store.memo.get("walk", key, lambda: walked(store.arrays, page, *key[:2]))


@dataclass(frozen=True)
class Walked:
    """The pages that a walk reached, ascending, what each has handed on, and what it still holds."""

    pages: Ints
    pushed: Floats
    left: Floats

    def flow(self, graph: LinkArrays, pages: Ints) -> Floats:
        """How much each of some pages has handed to every page linked with it, without the factor 1 − restart."""
        at = numbers_in(self.pages, pages)
        return np.where(at >= 0, self.pushed[at], 0.0) / _degrees(graph, pages)

    def way(self, graph: LinkArrays, page: int, to: int) -> list[int]:
        """A path from the page to another, traced back along the largest flow.

        Tracing ends at the page: any other page has received from its neighbours at least what it has handed on, so
        one of them hands more to each of its own neighbours.
        """
        back = [to]
        while back[-1] != page:
            before = graph.linked(back[-1])
            back.append(int(before[np.argmax(self.flow(graph, before))]))
        return back[::-1]


def walked(graph: LinkArrays, page: int, restart: float, precision: float) -> Walked:
    """Push from a page until no page holds precision · deg or more."""
    from pagekin.kernels.walk import LEFT, PUSHED, push

    mass = np.zeros((graph.size, 2))
    found = np.sort(push(*graph.rows("either"), page, restart, precision, mass))
    return Walked(found, mass[found, PUSHED], mass[found, LEFT])


def _degrees(graph: LinkArrays, pages: Ints) -> Longs:
    return graph.either_start[pages + 1] - graph.either_start[pages]
