"""Random walk with restart: how often a walker, who follows links either way and at times restarts, is at each page.

    π = restart · e_page + (1 − restart) · π P        P(u,v) = 1 / deg(u) for the deg(u) pages linked with u

Computed by local push (Andersen, Chung, Lang, FOCS 2006): a page that holds mass r keeps the share `restart` of it and
hands on the rest in equal parts, as long as r ≥ precision · deg. Distant pages are never read, and with c = `restart`

    0 ≤ π(v) − score(v) ≤ precision · deg(v)        work ≤ 1 / (precision · c) links

because links count both ways: mass still at u reaches v with probability π_u(v) = π_v(u) deg(v) / deg(u).
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

PRECISION = 2e-6  # times the number of a page's links: the most that its score may be too low


@register("walk")
@dataclass(frozen=True, repr=False)
class Walk(SeesLinks, Method):
    """Two pages are alike when a random walk from one often reaches the other."""

    restart: float = 0.15  # the chance, after each step, that the walk starts again
    damp_hubs: bool = False  # divide by the square root of the number of linked pages
    precision: float = PRECISION

    drifts: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0 < self.restart < 1:
            raise UsageError(f"restart must be between 0 and 1, not {self.restart}")
        if not 1e-9 <= self.precision <= 1:  # finer would walk the whole web
            raise UsageError(f"precision must be between 1e-9 and 1, not {self.precision}")

    def related(self, store: Store, page: int, k: int) -> Scores:
        graph = store.arrays
        if not graph.linked(page).size:
            return Scores.none(ALONE)
        found = self._walked(store, page)
        others = found.pages != page
        pages, scores = found.pages[others], self.restart * (found.pushed + found.left)[others]
        if self.damp_hubs:
            scores = scores / np.sqrt(_degrees(graph, pages))
        return Scores(*best(pages, scores, k))

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        graph, found = store.arrays, self._walked(store, page)
        before = graph.linked(other)
        flow = found.flow(graph, before)
        given = np.flatnonzero(flow > found.flow(graph, np.array([other]))[0])  # more than the page gives back
        steps = given[np.lexsort((before[given], -flow[given]))]
        error = self.precision * before.size
        return [
            Evidence(
                "walk",
                evidence.path(store, [*found.way(graph, page, int(before[at])), other])
                | {"share": float(flow[at] / flow.sum()), "error": error, "of": steps.size},
            )
            for at in steps[: evidence.MOST].tolist()
        ]

    def _walked(self, store: Store, page: int) -> "Walked":
        key = (self.restart, self.precision, page)
        return store.memo.get("walk", key, lambda: walked(store.arrays, page, self.restart, self.precision))


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
