"""Cross-topic pages (paper 1, 6.3.4): pages whose own related pages have little to do with each other.

Over the first 15 pages of a page's list at α = 0.5, with d(p) the height of a page's first merge, d(p, q) the height at
which two pages come together, and D the height of the root,

    score = max over B, C of that list  (|d(B) − d(B, C)| + |d(C) − d(B, C)|) / 2D

and the B and C of the maximum are its witnesses: two pages related to it that are far from each other. The list is the
one that `assisted` gives, and the heights are those it was ranked by.
"""

from dataclasses import dataclass

import numpy as np

from pagekin.cluster.hierarchy import PageHierarchy

LIST = 15


@dataclass(frozen=True)
class Bridge:
    """How far apart a page's related pages are (0 … 1), and the two that are farthest apart, as nodes."""

    score: float
    witnesses: tuple[int, int]


def bridge_of(found: PageHierarchy) -> Bridge | None:
    """The score of the page that a hierarchy at α = 0.5 is around; none if fewer than two pages are related to it."""
    places = found.ranked(LIST)[0]
    if places.size < 2:
        return None
    together = found.hierarchy.heights_among(places)
    first = found.hierarchy.first_merge_heights[places]
    apart = np.abs(first[:, None] - together) + np.abs(first[None, :] - together)
    np.fill_diagonal(apart, -1)
    apart = np.round(apart, 12)  # ties go to the pair that comes first in the list
    b, c = divmod(int(np.argmax(apart)), places.size)
    root = float(found.hierarchy.merges[-1, 2])
    score = float(apart[b, c]) / (2 * root) if root > 0 else 0.0
    return Bridge(score, (int(found.nodes[places[b]]), int(found.nodes[places[c]])))
