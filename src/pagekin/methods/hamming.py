"""Hamming distance: how many links two pages do not have in common, paper 5's baseline (Eq. 7).

    H(u,v) = |F_u Δ F_v| + |B_u Δ B_v|        score = 1 / (1 + H)

F_p are the pages that p links to and B_p those that link to p, both within the base set of radius `radius`.
"""

from dataclasses import dataclass

import numpy as np

from pagekin.collection.seen import SeesLinks
from pagekin.collection.store import Store
from pagekin.graph.base_set import MAX_PAGES, BaseSet, base_set, check_limits
from pagekin.graph.topk import best
from pagekin.kernels import Ints, Longs
from pagekin.methods import evidence
from pagekin.methods.base import ALONE, Method, Scores, register
from pagekin.model import Evidence


@register("hamming")
@dataclass(frozen=True, repr=False)
class Hamming(SeesLinks, Method):
    """Two pages are alike when few links lead to or from only one of them."""

    radius: int = 2  # how many links away a page of the base set may be
    max_pages: int = MAX_PAGES

    def __post_init__(self) -> None:
        check_limits(self.radius, self.max_pages)

    def related(self, store: Store, page: int, k: int) -> Scores:
        base = self._base(store, page)
        if base.pages.size == 1:
            return Scores.none(ALONE)
        others = np.arange(base.pages.size) != base.place
        forth, back = distances(base)
        return Scores(*best(base.pages[others], 1 / (1 + forth + back)[others], k), base.note)

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        base = self._base(store, page)
        forth, back = (int(side[base.place_of(other)]) for side in distances(base))
        found = [Evidence("distance", {"distance": forth + back, "targets": forth, "citers": back})]
        for kind, ends, others in (
            (evidence.cites, base.target, base.source),
            (evidence.cited_by, base.source, base.target),
        ):
            both = np.intersect1d(ends[others == base.place], ends[others == base.place_of(other)], True)
            links = base.out_degree[both] + base.in_degree[both]  # a page with few links tells most
            shared = base.pages[both[np.lexsort((both, links))[: evidence.MOST]]].tolist()
            found += [kind(store, q, page, other, of=int(both.size)) for q in shared]
        return found

    def _base(self, store: Store, page: int) -> BaseSet:
        return store.memo.get(
            "hamming", (self, page), lambda: base_set(store.arrays, page, self.radius, self.max_pages)
        )


def distances(base: BaseSet) -> tuple[Longs, Longs]:
    """|F_u Δ F_v| and |B_u Δ B_v| between the page asked about and each page of the base set."""
    forth = _differences(base.out_degree, base.source, base.target, base.place)
    return forth, _differences(base.in_degree, base.target, base.source, base.place)


def _differences(degree: Longs, here: Ints, there: Ints, place: int) -> Longs:
    """|A Δ B| = |A| + |B| − 2 |A ∩ B| for the set A of one page and the set B of each page."""
    its = np.zeros(degree.size, bool)
    its[there[here == place]] = True
    shared = np.bincount(here[its[there]], minlength=degree.size)
    return np.asarray(degree[place] + degree - 2 * shared)
