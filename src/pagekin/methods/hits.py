"""Hubs and authorities around a page: the pages that the best link lists in its neighbourhood point to (paper 5).

The base set is the pages within `radius` links. In it, F_p are the pages that p links to and B_p those that link to p:

    a(p) = α_p Σ_{q→p} ω(q,p) h(q)        h(p) = κ_p Σ_{p→q} ω(p,q) a(q)        (Eq. 4, Euclidean length 1 each step)

    ω(u,v) = damping^n, n = equal leading components of the two URLs, 0 if they are equal        (2.2.2.3)
    κ_p    = (1 + ln|F_p|) / |F_p|   hub_weights=log (Eq. 6);   1 / |F_p|   inverse (Eq. 5);   1   none
    α_p    = the same with |B_p|     authority_weights

`link_weights=false, hub_weights=none` is Kleinberg's HITS. `salsa=true` is Lempel and Moran's walk, which goes back
along one link and forward along another. In the same form: in the first sum a link counts by its share ω / Σ ω of the
links from q, in the second by its share of the links to q, and κ and α are 1.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from pagekin.collection.seen import SeesLinks
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.graph.base_set import MAX_PAGES, BaseSet, base_set, check_limits
from pagekin.graph.hubs import Role, Scored, Web, score_web
from pagekin.graph.url_weights import link_weights
from pagekin.kernels import Floats, Ints, Longs
from pagekin.methods import evidence
from pagekin.methods.base import ALONE, Method, Scores, register
from pagekin.model import Evidence

NodeWeights = Literal["log", "inverse", "none"]


@register("hits")
@dataclass(frozen=True, repr=False)
class Hits(SeesLinks, Method):
    """The best authorities, or hubs, among the pages around a page."""

    radius: int = 2  # how many links away a page of the base set may be
    link_weights: bool = True  # damp links within a host, more so the deeper they are
    hub_weights: NodeWeights = "log"
    damping: float = 0.5  # for each leading component that two URLs share; 0 drops links within a host
    by: Role = "authority"
    salsa: bool = False
    distance_damping: float = 1.0  # multiplies both scores for each link that a page is away; 1: no damping
    authority_weights: NodeWeights = "none"
    max_pages: int = MAX_PAGES

    drifts: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_limits(self.radius, self.max_pages)
        if not 0 <= self.damping <= 1:
            raise UsageError(f"damping must be between 0 and 1, not {self.damping}")
        if not 0 < self.distance_damping <= 1:
            raise UsageError(f"distance_damping must be greater than 0 and at most 1, not {self.distance_damping}")
        if self.salsa and (self.hub_weights != "log" or self.authority_weights != "none"):
            raise UsageError("salsa weights hubs and authorities itself; leave out hub_weights and authority_weights")

    def related(self, store: Store, page: int, k: int) -> Scores:
        base, found = self.scored(store, page)
        if base.pages.size == 1:
            return Scores.none(ALONE)
        pages, scores = found.ranked(self.by, k)
        if not pages.size:
            return Scores.none(self._reason(base, found))
        return Scores(pages, scores, self._note(base, found))

    def scored(self, store: Store, page: int) -> tuple[BaseSet, Scored]:
        """The base set of a page and its scores."""
        return store.memo.get("hits", (self, page), lambda: self._scored(store, page))

    def _scored(self, store: Store, page: int) -> tuple[BaseSet, Scored]:
        base = base_set(store.arrays, page, self.radius, self.max_pages)
        link: Floats = np.ones(base.source.size)
        if self.link_weights:
            link = link_weights(store.values("url", base.pages), base.source, base.target, self.damping)
        to_authority = to_hub = link
        near: Floats = np.power(self.distance_damping, base.distance.astype(np.float64))
        authority_weight, hub_weight = near, near
        if self.salsa:
            to_authority, to_hub = _shares(link, base.source), _shares(link, base.target)
        else:
            authority_weight = near * _node_weights(self.authority_weights, base.in_degree)
            hub_weight = near * _node_weights(self.hub_weights, base.out_degree)
        links = (base.source, base.target, to_authority, to_hub)
        return base, score_web(Web(base.pages, base.place, *links, authority_weight, hub_weight))

    def _reason(self, base: BaseSet, found: Scored) -> str:
        if not found.authority.any():
            remedy = "damping=0.5 or link_weights=false" if self.damping == 0 else "link_weights=false"
            return f"every link among the {base.pages.size:,} pages around this one has weight 0; try {remedy}"
        around = f"the {base.pages.size - 1:,} other pages around this one"
        if self.by == "authority":
            return f"none of {around} is an authority: all links that count lead to this page; try by=hub"
        return f"none of {around} is a hub: all links that count come from this page; try by=authority"

    def _note(self, base: BaseSet, found: Scored) -> str:
        own = f"own authority {found.authority[base.place]:.4g}, hub {found.hub[base.place]:.4g}"
        said = [f"base set of {base.pages.size:,} pages and {base.source.size:,} links, {found.steps()}; {own}"]
        if not self.salsa and not found.simple:
            said.append(
                "the largest eigenvalue is not simple: groups of pages tie, and the even start decides their shares"
            )
        return "; ".join(filter(None, [*said, base.note]))

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        base, found = self.scored(store, page)
        place = base.place_of(other)
        return [
            *evidence.of_scores(store, found, place, self.by),
            Evidence(
                "base-set",
                {
                    "distance": int(base.distance[place]),
                    "authority": float(found.authority[place]),
                    "hub": float(found.hub[place]),
                    "own_authority": float(found.authority[base.place]),
                    "own_hub": float(found.hub[base.place]),
                    "statistics": base.statistics(),
                    "converged": found.converged,
                    "changes": found.changes.tolist(),
                },
            ),
        ]


def _node_weights(kind: NodeWeights, degree: Longs) -> Floats:
    """Eq. 5 and 6: the more links a page has, the less each of them counts; 0 for a page without links."""
    links = np.maximum(degree, 1)
    weight = {"log": (1 + np.log(links)) / links, "inverse": 1 / links, "none": np.ones(links.size)}[kind]
    return np.where(degree > 0, weight, 0.0)


def _shares(link: Floats, end: Ints) -> Floats:
    """Each link's share of the total weight of links at one of its ends."""
    total = np.bincount(end, weights=link)[end]
    return np.divide(link, total, out=np.zeros(link.size), where=total > 0)
