"""Cosine similarity of pages by who links to them, where a much-cited citer counts less: what Marginalia Search runs.

    score(a,b) = Σ_{q∈I(a)∩I(b)} w_q / √(Σ_{q∈I(a)} w_q · Σ_{q∈I(b)} w_q)        w_q = 1 / ln(2 + |I(q)|)

I(p) are the pages that link to p, except portals with over `max_out` links. Both pages need `min_in` in-links.
"""

from dataclasses import dataclass

import numpy as np

from pagekin.collection.seen import SeesLinks
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.graph.links import LinkArrays
from pagekin.graph.topk import best
from pagekin.kernels import Floats, Ints
from pagekin.methods import evidence
from pagekin.methods.base import Method, Scores, register
from pagekin.model import Evidence
from pagekin.wording import option


@register("cosine")
@dataclass(frozen=True, repr=False)
class Cosine(SeesLinks, Method):
    """Two pages are alike when many pages link to both, above all pages that are little cited themselves."""

    max_out: int = 1_000  # a citer with more out-links is a portal and does not count
    min_in: int = 1  # a page with fewer in-links has too little to go on; Marginalia, which compares hosts, takes 4

    def __post_init__(self) -> None:
        for name in ("max_out", "min_in"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} must be at least 1, not {getattr(self, name)}")

    def related(self, store: Store, page: int, k: int) -> Scores:
        graph = store.arrays
        if (cited := graph.citers(page).size) < self.min_in:
            return Scores.none(
                f"too few in-links: this page has {cited}, and cosine needs {self.min_in}; "
                f"try cosine(min_in={max(cited, 1)}) or {option('method', 'amsler')}"
            )
        pages, common = self._common(graph, page)
        enough = (pages != page) & (graph.in_start[pages + 1] - graph.in_start[pages] >= self.min_in)
        pages, common = pages[enough], common[enough]
        if not pages.size:
            other = option("method", "amsler")
            return Scores.none(f"no page with {self.min_in} or more in-links shares a citer with this one; try {other}")
        own = self._weights(graph, graph.citers(page)).sum()
        return Scores(*best(pages, common / np.sqrt(own * self._totals(graph, pages)), k))

    def _common(self, graph: LinkArrays, page: int) -> tuple[Ints, Floats]:
        """The pages that share a citer with a page, and the total weight of the citers they share with it."""
        citers = graph.citers(page)
        weights = self._weights(graph, citers)
        met, lengths = graph.gathered("out", citers[weights > 0])
        pages, place = np.unique(met, return_inverse=True)
        return pages, np.bincount(place, np.repeat(weights[weights > 0], lengths), pages.size).astype(np.float64)

    def _totals(self, graph: LinkArrays, pages: Ints) -> Floats:
        """Σ_{q∈I(b)} w_q of each page b."""
        citers, lengths = graph.gathered("in", pages)
        return np.add.reduceat(self._weights(graph, citers), np.cumsum(lengths) - lengths)

    def _weights(self, graph: LinkArrays, citers: Ints) -> Floats:
        """w_q of each citer, 0 for a portal."""
        cited = graph.in_start[citers + 1] - graph.in_start[citers]
        links = graph.out_start[citers + 1] - graph.out_start[citers]
        return np.where(links > self.max_out, 0.0, 1 / np.log(2.0 + cited))

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        graph = store.arrays
        both = np.intersect1d(graph.citers(page), graph.citers(other), True)
        weights = self._weights(graph, both)
        both, weights = both[weights > 0], weights[weights > 0]
        return [
            evidence.cited_by(store, int(both[at]), page, other, weight=float(weights[at]), of=int(both.size))
            for at in np.lexsort((both, -weights))[: evidence.MOST].tolist()
        ]
