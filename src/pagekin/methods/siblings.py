"""Traditional co-citation (Dean & Henzinger 1999): pages whose links appear next to the links to a page.

A parent of p is a page that links to it. The siblings of p are the BF links nearest the link to p on each parent, half
of them before it and half after. They are ranked by the number of parents that cite both:

    score(p, s) = |I(p) ∩ I(s)|,   s among the siblings of p

Nothing is built in advance; a question reads the links of each parent of the page.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from pagekin.collection.seen import SeesLinks
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.graph.topk import best
from pagekin.kernels import Floats, Ints
from pagekin.methods import evidence
from pagekin.methods.base import Method, Scores, no_citers, register
from pagekin.model import Evidence


@register("siblings")
@dataclass(frozen=True, repr=False)
class Siblings(SeesLinks, Method):
    """Two pages are alike when many pages link to both, and at least one puts the two links close together."""

    around: int = 8  # BF: links nearest the link to the page, half before it and half after
    max_parents: int | None = None  # B: the most parents searched for siblings (Dean & Henzinger: 2,000)

    def __post_init__(self) -> None:
        if self.around < 2 or self.around % 2:
            raise UsageError(f"around must be an even number, at least 2, not {self.around}")
        if self.max_parents is not None and self.max_parents < 1:
            raise UsageError(f"max_parents must be at least 1, or none, not {self.max_parents}")

    def related(self, store: Store, page: int, k: int) -> Scores:
        parents = store.arrays.citers(page)
        if not parents.size:
            return Scores.none(no_citers())
        found = {near for parent in self._parents(parents).tolist() for near in self._siblings(store, parent, page)}
        siblings = np.array(sorted(found), np.int32)
        if not siblings.size:
            return Scores.none("the pages that link to this one link to no other page; add more pages that link to it")
        return Scores(*best(siblings, _common(store, parents, siblings), k))

    def _parents(self, parents: Ints) -> Ints:
        return parents if self.max_parents is None else parents[: self.max_parents]

    def _siblings(self, store: Store, parent: int, page: int) -> Iterator[int]:
        """The pages linked around a parent's first link to the page, each page once."""
        row = store.graph.page_of[store.links_of(parent)["target"].to_numpy()].tolist()
        if page not in row:
            return
        at = row.index(page)
        seen = {page, parent}
        for side in (reversed(row[:at]), row[at + 1 :]):
            yield from self._nearest(side, seen)

    def _nearest(self, side: Iterable[int], seen: set[int]) -> Iterator[int]:
        left = self.around // 2
        for target in side:
            if left and target not in seen:
                seen.add(target)
                left -= 1
                yield target

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        both = np.intersect1d(store.arrays.citers(page), store.arrays.citers(other), True).tolist()
        beside = [parent for parent in self._parents(store.arrays.citers(page)).tolist() if parent in set(both)]
        near = {parent for parent in beside if other in self._siblings(store, parent, page)}
        both.sort(key=lambda parent: (parent not in near, store.arrays.targets(parent).size, parent))
        return [
            evidence.cited_by(store, parent, page, other, beside=parent in near, of=len(both))
            for parent in both[: evidence.MOST]
        ]


def _common(store: Store, parents: Ints, pages: Ints) -> Floats:
    """For each page, how many of the parents link to it as well."""
    graph = store.arrays
    common = [np.intersect1d(parents, graph.citers(int(page)), True).size for page in pages]
    return np.array(common, np.float64)
