"""The base set of a page (paper 5, 3.2): all pages within a radius, links followed both ways, and the links among them.

It grows ring by ring. If the next ring would exceed the limit, its pages with most links to the previous ring stay
(ties in page order); the others, and all pages farther away, are left out. `left_out` counts those of that ring.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pagekin.errors import UsageError
from pagekin.graph.links import LinkArrays
from pagekin.graph.shared_neighbours import how_often
from pagekin.kernels import Ints, Longs
from pagekin.kernels.numbers import numbers_in

MAX_PAGES = 5_000  # "base sets are typically constrained to contain only a few thousand nodes" (3.2.1)


@dataclass(frozen=True)
class BaseSet:
    """The pages around a page. Links are pairs of places in `pages`, ordered by source, then target."""

    pages: Ints  # page numbers, ascending
    distance: Ints  # in links from the page asked about, along the shortest path
    place: int  # of the page asked about
    source: Ints
    target: Ints
    left_out: int  # pages of the last ring that the limit left out

    @cached_property
    def out_degree(self) -> Longs:
        """|F_p| within the base set."""
        return np.bincount(self.source, minlength=self.pages.size)

    @cached_property
    def in_degree(self) -> Longs:
        """|B_p| within the base set."""
        return np.bincount(self.target, minlength=self.pages.size)

    def place_of(self, page: int) -> int:
        """The place of a page in the base set."""
        return int(np.searchsorted(self.pages, page))

    def statistics(self) -> dict[str, Any]:
        """The figures that the paper's appendix prints for a base set; a pendant is a page without out-links.

        Mean degrees are over the pages that have any, as in the appendix.
        """
        linking, linked = (int(np.count_nonzero(degree)) for degree in (self.out_degree, self.in_degree))
        return {
            "pages": self.pages.size,
            "links": self.source.size,
            "mean_out": self.source.size / max(linking, 1),
            "mean_in": self.source.size / max(linked, 1),
            "max_out": int(self.out_degree.max()),
            "max_in": int(self.in_degree.max()),
            "pendants": int(self.pages.size - linking),
            "rings": np.bincount(self.distance).tolist(),
            "left_out": self.left_out,
        }

    @property
    def note(self) -> str | None:
        """The note for the user if the limit was reached."""
        if not self.left_out:
            return None
        ring = int(self.distance.max())
        return (
            f"the base set is full at {self.pages.size:,} pages: of those {_links(ring)} away, {self.left_out:,} are "
            "left out (those with fewest links to nearer pages), as are all beyond; raise max_pages to keep more"
        )


def _links(count: int) -> str:
    return "one link" if count == 1 else f"{count} links"


def base_set(graph: LinkArrays, page: int, radius: int, max_pages: int = MAX_PAGES) -> BaseSet:
    """The pages within `radius` links of a page, at most `max_pages` including itself.

    Time: sorting the links of its pages; the rows of other pages are not read.
    """
    ring = np.array([page], np.int32)
    pages, distance = ring, np.zeros(1, np.int32)
    left_out = 0
    for step in range(1, radius + 1):
        met, times = how_often(graph.gathered("either", ring)[0], graph.size)
        new = ~np.isin(met, pages, assume_unique=True)
        ring, times = met[new], times[new]
        left_out = max(0, pages.size + ring.size - max_pages)
        if left_out:
            ring = ring[np.lexsort((ring, -times))[: ring.size - left_out]]
        pages, distance = np.append(pages, ring), np.append(distance, np.full(ring.size, step, np.int32))
        if left_out or not ring.size:
            break
    order = np.argsort(pages)
    pages, distance = pages[order], distance[order]
    return BaseSet(pages, distance, int(np.searchsorted(pages, page)), *links_among(graph, pages), left_out)


def links_among(graph: LinkArrays, pages: Ints) -> tuple[Ints, Ints]:
    """The links among some pages (ascending), as pairs of places in `pages`, ordered by source, then target."""
    targets, lengths = graph.gathered("out", pages)
    places = numbers_in(pages, targets)
    inside = places >= 0
    source = np.repeat(np.arange(pages.size, dtype=np.int32), lengths)
    return source[inside], places[inside]


def check_limits(radius: int, max_pages: int) -> None:
    """Raise a `UsageError` for limits under which a base set could hold no other page."""
    if radius < 1:
        raise UsageError(f"radius must be at least 1, not {radius}: within 0 links there is only the page itself")
    if max_pages < 2:
        raise UsageError(f"max_pages must be at least 2, not {max_pages}: the page itself is one of them")
