"""Flexible clustering of a similarity graph, and the ranking that paper 1 reads off it (5.3, Table 1).

The closest pair of clusters (i), (j) merges into (k), whose distance to every other cluster (h) is

    d(h,k) = α d(h,i) + α d(h,j) + (1 − 2α) d(i,j)        (Eq. 5)

with 0 < α ≤ 1 chosen by the user: near 0 everything joins one growing chain, near 1 groups are sharp.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pagekin.errors import UsageError
from pagekin.graph.edges import Edges
from pagekin.kernels import Floats, Ints, frozen

DEFAULT_ALPHA = 0.5
HALF = 0.5  # the α at which a pair without an edge stays at distance 1, so that only edges need memory
BYTES_OF_DISTANCE, BYTES_OF_EDGE = 8, 100  # in the two ways of clustering: every pair, or only those with an edge


@dataclass(frozen=True)
class Hierarchy:
    """The merges of n pages; `merges` is in SciPy's linkage form, so `scipy.cluster.hierarchy` can read it.

    Row r merges the clusters merges[r, 0] < merges[r, 1] (a page, or n + the row that made the cluster) at height
    merges[r, 2] into one of merges[r, 3] pages. Heights do not decrease, except in the last bits of equal ones.
    """

    merges: Floats

    @property
    def size(self) -> int:
        """The number of pages."""
        return len(self.merges) + 1

    @cached_property
    def first_merge_heights(self) -> Floats:
        """d(p) of every page: the height at which it is first merged with anything. A single page has NaN."""
        heights = np.full(self.size, np.nan)
        for side in (0, 1):
            pages = self.merges[self.merges[:, side] < self.size]
            heights[pages[:, side].astype(np.int64)] = pages[:, 2]
        return heights

    @cached_property
    def parents(self) -> Ints:
        """The merge (or −1) that takes in each page, and each cluster (n + its merge)."""
        parent = np.full(2 * self.size - 1, -1, np.int32)
        parent[self.merges[:, :2].astype(np.int64)] = np.arange(self.size - 1, dtype=np.int32)[:, None]
        return parent

    def heights_with(self, page: int) -> Floats:
        """d(p,q) of a page p with every page q: the height at which they come together (cophenetic); d(p,p) = 0."""
        from pagekin.kernels.flexible import heights_with

        return heights_with(frozen(self.merges), self.known(page))

    def heights_among(self, pages: Ints) -> Floats:
        """d(p,q) of every two of some pages, a row for each."""
        from pagekin.kernels.flexible import heights_among

        return heights_among(frozen(self.merges), frozen(self.parents), frozen(pages))

    def order(self) -> Ints:
        """The pages from left to right in a drawing, as SciPy's `leaves_list` has them."""
        from pagekin.kernels.flexible import leaf_order

        return leaf_order(frozen(self.merges))

    def known(self, page: int) -> int:
        """The page, if there is one of that number; else an `IndexError`."""
        if not 0 <= page < self.size:
            raise IndexError(f"there is no page {page}; the pages of this hierarchy are 0 … {self.size - 1}")
        return int(page)


def flexible(
    pages: int, a: npt.ArrayLike, b: npt.ArrayLike, sim: npt.ArrayLike, alpha: float = DEFAULT_ALPHA
) -> Hierarchy:
    """Cluster `pages` pages by Eq. 5; edge e gives pages a[e] and b[e] the similarity 0 < sim[e] ≤ 1.

    Distances are 1 − sim, and 1 where there is no edge; an edge may be given once or both ways. The pair at the least
    distance of all merges next. A cluster is named by its first page; among equal distances (within 1e-12 of the least,
    relatively) the least pair of names, compared as (smaller, larger), merges first.

    Time O(n²) except for stale rows (see the kernel), about 50 ms for 2,000 pages; memory 8 n² bytes, 32 MB for 2,000.
    At α = ½ only pairs with an edge take time and memory, if they are few (`kernels.flexible_half`).

    The paper's example (5.3, Fig. 2), its pages a, b, c, d as 0 … 3: a and b merge at 1 − 0.5, d joins at 0.5 + 0.5α,
    then c.

    >>> flexible(4, [0, 0, 0, 1], [1, 2, 3, 3], [0.5, 0.4, 0.3, 0.2], alpha=0.5).merges.round(6).tolist()
    [[0.0, 1.0, 0.5, 2.0], [3.0, 4.0, 0.75, 3.0], [2.0, 5.0, 0.9, 4.0]]
    """
    edges = _edges(pages, a, b, sim)
    if checked_alpha(alpha) == HALF and not _over_all_pairs(pages, edges[0].size):
        from pagekin.kernels.flexible_half import merged_half

        merges = merged_half(pages, *_once(edges))
    else:
        from pagekin.kernels.flexible import distances, merged

        merges = merged(distances(pages, *edges), alpha)
    merges.flags.writeable = False
    return Hierarchy(merges)


def bytes_needed(pages: int, edges: int, alpha: float) -> int:
    """The memory that clustering so many pages with so many edges takes, about."""
    if alpha == HALF and not _over_all_pairs(pages, edges):
        return BYTES_OF_EDGE * edges
    return BYTES_OF_DISTANCE * pages * pages


def _over_all_pairs(pages: int, edges: int) -> bool:
    """Whether edges are so many that a number for every pair takes no more memory; then it also takes less time."""
    return BYTES_OF_DISTANCE * pages * pages <= BYTES_OF_EDGE * edges


def _once(edges: Edges) -> Edges:
    """The edges, each once, from the smaller page to the larger; of an edge given twice, the last."""
    a, b, sim = edges
    low, high = np.minimum(a, b), np.maximum(a, b)
    key = (low.astype(np.int64) << 32) | high
    if (key[1:] > key[:-1]).all() and (a == low).all():
        return edges
    _, last = np.unique(key[::-1], return_index=True)
    kept = key.size - 1 - last
    return Edges(frozen(low[kept]), frozen(high[kept]), frozen(sim[kept]))


def checked_alpha(alpha: float) -> float:
    """α, if it is in range; else a `UsageError`."""
    if not 0 < alpha <= 1:
        raise UsageError(
            f"alpha is {alpha}; expected more than 0 and at most 1, as 0.06 (chains) or 0.8 (tight groups)"
        )
    return float(alpha)


def _edges(pages: int, a: npt.ArrayLike, b: npt.ArrayLike, sim: npt.ArrayLike) -> Edges:
    """The edges in the form that kernels take, checked: a wrong one would be written outside the matrix."""
    left, right, alike = np.asarray(a, np.int32), np.asarray(b, np.int32), np.asarray(sim, np.float64)
    if pages < 1:
        raise ValueError(f"there are {pages} pages; expected 1 or more")
    if not left.shape == right.shape == alike.shape:
        raise ValueError(
            f"a, b and sim have {left.size}, {right.size} and {alike.size} entries; expected equal numbers"
        )
    if not ((left >= 0) & (left < pages) & (right >= 0) & (right < pages) & (left != right)).all():
        raise ValueError(f"an edge ends outside 0 … {pages - 1}, or joins a page to itself")
    if not ((alike > 0) & (alike <= 1)).all():
        raise ValueError(f"similarities are {alike.min()} to {alike.max()}; expected more than 0 and at most 1")
    return Edges(frozen(left), frozen(right), frozen(alike))


def ranking(hierarchy: Hierarchy, page: int, k: int | None = None) -> tuple[Ints, Floats]:
    """The k most related pages (or all others), best first, by |d(p) − d(p,q)| + |d(q) − d(p,q)| (5.3, Table 1).

    Returns pages, and their distances. Equal distances are ordered by d(p,q), then by page. They are differences of
    heights, so equal means within 1e-12 of the heights, not of the differences: 0.7 − 0.7 must equal 0.7 − (0.1 + 0.6).
    O(n log n); for a few pages only the part of the tree around the page.

    In the paper's example, the ranking for page b at α = 0.5 is a, d, c.

    >>> pages, distance = ranking(flexible(4, [0, 0, 0, 1], [1, 2, 3, 3], [0.5, 0.4, 0.3, 0.2]), page=1)
    >>> pages.tolist(), distance.round(6).tolist()
    ([0, 3, 2], [0.0, 0.25, 0.4])
    """
    from pagekin.kernels.flexible import WINDOW, around, levelled

    page, first = hierarchy.known(page), hierarchy.first_merge_heights
    if k is None or k >= hierarchy.size - 1:
        others = np.delete(np.arange(hierarchy.size, dtype=np.int32), page)
        together = met = np.delete(hierarchy.heights_with(page), page)
    else:
        others, together, met = around(
            frozen(hierarchy.merges), frozen(hierarchy.parents), frozen(first), hierarchy.known(page), k
        )
        ascending = np.argsort(others)
        others, together = others[ascending], together[ascending]
    heights = np.unique(met)
    by_height = levelled(heights, WINDOW * heights)[np.searchsorted(heights, together)]
    apart = np.abs(first[page] - together) + np.abs(first[others] - together)
    by_distance = _levelled(apart, WINDOW * together)
    order = np.lexsort((others, by_height, by_distance))[:k]
    return others[order], by_distance[order]


def _levelled(values: Floats, noise: Floats) -> Floats:
    """The values, where those that differ only by noise are made equal."""
    from pagekin.kernels.flexible import levelled

    order = np.argsort(values, kind="stable")
    level = np.empty_like(values)
    level[order] = levelled(values[order], noise[order])
    return level
