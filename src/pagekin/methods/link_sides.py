"""The pages that a page is linked with on one side, and what they add to the score of another: exact, by bounds.

An upper bound of what the side adds is cheap for all pages (`kernels.matchbounds`); in full precision it is worked out
for the pages that the bounds leave open (`kernels.matchneeded`).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pagekin.kernels import Floats, Ints, Longs, frozen

# The most that an exact answer may cost: about a millisecond for each linked page of a wiki of 20,000 pages, two where
# words are few and related to all others (PlanetMath: 3.8 s for 1,598 linked pages, on a busy machine).
MOST_WORK = 4_000_000_000  # linked pages × (keywords of all pages + links of all pages)
MOST_BOUNDS = 40_000_000  # linked pages × pages: two bytes each
MOST_SCORED = 4_000_000  # linked pages of the pages scored at once × linked pages: eleven bytes each


def affordable(linked: int, pages: int, keywords: int, links: int) -> bool:
    """Whether an exact answer about a page with so many linked pages, of a collection with so much, can be had."""
    return linked * (keywords + links) <= MOST_WORK and linked * pages <= MOST_BOUNDS


def linked_with(pages: Ints, start: Longs, row: Ints) -> Ints:
    """The pages linked with any of some pages, ascending."""
    lengths = start[pages + 1] - start[pages]
    return np.unique(row[np.repeat(start[pages] - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())])


@dataclass(frozen=True)
class Side:
    """The pages that a page links to, or those that link to it, and what is known of their similarities."""

    mine: Ints
    start: Longs
    row: Ints
    words: Any
    strong: Any
    weight: float
    alike: Any  # bounds of the similarity of each of `mine` with every page
    bounds: Floats  # of what the side adds to each page's score

    def scores(self, pages: Ints) -> Floats:
        """What the side adds to the score of each of some pages, in full precision."""
        from pagekin.kernels.bestmatch import means
        from pagekin.kernels.matchneeded import needed_similarities

        theirs, place = linked_with(pages, self.start, self.row), np.zeros(self.start.size - 1, np.int32)
        place[theirs] = np.arange(theirs.size)
        rows = frozen(pages), self.start, self.row, frozen(place)
        matrix = needed_similarities(self.mine, frozen(theirs), self.alike, *rows, self.words, self.strong)
        return self.weight * means(*rows, frozen(matrix))


def together(pages: Ints, sides: list[Side]) -> int:
    """How many of some pages are scored at once: what they take is limited, and one page is the least."""
    cost = sum((np.diff(side.start)[pages] * side.mine.size for side in sides), np.zeros(pages.size, np.int64))
    return max(int((np.cumsum(cost) <= MOST_SCORED).sum()), 1)
