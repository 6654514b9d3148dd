"""Hubs and authorities of a small web around a page: the common part of `hits` and `companion`.

    a(p) = α_p Σ_{q→p} ω h(q)        h(p) = κ_p Σ_{p→q} ω' a(q)        (paper 5, Eq. 4)

The two methods differ in which pages they take in, in the weights ω and ω' of the links (equal in `hits`, but for
`salsa`) and in those of the pages, α for authorities and κ for hubs.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pagekin.graph.topk import best
from pagekin.kernels import Floats, Ints
from pagekin.kernels.hits import TOLERANCE, hubs_and_authorities, is_simple

Role = Literal["authority", "hub"]


@dataclass(frozen=True)
class Web:
    """Links among some pages and their weights; `source` and `target` are places in `pages`."""

    pages: Ints  # page numbers, ascending
    place: int  # of the page asked about
    source: Ints
    target: Ints
    to_authority: Floats  # ω of each link
    to_hub: Floats  # ω' of each link
    authority_weight: Floats  # α of each page
    hub_weight: Floats  # κ of each page


@dataclass(frozen=True)
class Scored:
    """A web with its scores."""

    web: Web
    authority: Floats
    hub: Floats
    changes: Floats  # how far the hub and the authority scores moved at each step

    @property
    def converged(self) -> bool:
        return bool(self.changes[-1].max() < TOLERANCE)

    @property
    def simple(self) -> bool:
        """Whether the scores do not depend on where the iteration starts."""
        return is_simple(self.web.source, self.web.target, self.authority, self.hub)

    def scores(self, by: Role) -> Floats:
        return self.authority if by == "authority" else self.hub

    def ranked(self, by: Role, k: int) -> tuple[Ints, Floats]:
        """The k pages with the highest scores, without the page asked about and pages with score 0."""
        scores = self.scores(by)
        there = np.flatnonzero(scores > 0)
        there = there[there != self.web.place]
        return best(self.web.pages[there], scores[there], k)

    def steps(self) -> str:
        """How the iteration ended, in words."""
        if self.converged:
            return f"converged in {len(self.changes):,} steps"
        return f"NOT converged: after {len(self.changes):,} steps, scores still move by {self.changes[-1].max():.1g}"

    def to_authority_of(self, place: int) -> dict[int, float]:
        """The pages that link to a page, with the weights of the links."""
        links = np.flatnonzero(self.web.target == place)
        return dict(zip(self.web.source[links].tolist(), self.web.to_authority[links].tolist(), strict=True))

    def to_hub_of(self, place: int) -> dict[int, float]:
        """The pages that a page links to, with the weights of the links."""
        links = np.flatnonzero(self.web.source == place)
        return dict(zip(self.web.target[links].tolist(), self.web.to_hub[links].tolist(), strict=True))


def score_web(web: Web) -> Scored:
    """The hub and authority scores of a web."""
    found = hubs_and_authorities(
        web.source, web.target,
        web.to_authority * web.authority_weight[web.target], web.to_hub * web.hub_weight[web.source], web.pages.size,
    )  # fmt: skip
    return Scored(web, *found)
