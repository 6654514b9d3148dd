"""Connected components of a similarity graph (paper 1, 5.2), and the candidates around a page.

A similarity graph is in CSR: `start` (int64, n + 1 offsets), `neighbour` and `bits` (int32), every edge in the rows
of both its ends, and `size` (int32, n). An edge's similarity is computed from its bits and the sizes of the sets at its
ends (kernels.similarity_graph).
"""

import numpy as np
import numpy.typing as npt

from pagekin.errors import UsageError
from pagekin.graph.edges import Edges
from pagekin.kernels import Ints, Longs, frozen

MAX_CANDIDATES = 2_000  # clustering is quadratic: 32 MB and some 50 ms at this many pages


def labels(pages: int, a: npt.ArrayLike, b: npt.ArrayLike) -> Ints:
    """The component of every page; components are numbered by their first page. Near linear in pages and edges.

    >>> labels(5, [4, 1], [2, 3]).tolist()
    [0, 1, 2, 1, 2]
    """
    from pagekin.kernels.components import labelled

    return labelled(pages, frozen(np.asarray(a, np.int32)), frozen(np.asarray(b, np.int32)))


def candidates(
    start: Longs, neighbour: Ints, bits: Ints, size: Ints, page: int, max_candidates: int = MAX_CANDIDATES
) -> Ints:
    """The page and those nearest to it, nearest first, at most `max_candidates` in all.

    The value of a path is the product of its similarities, the paper's own picture of how similarity spreads
    (0.5 × 0.4 = 0.2). The best path to a page counts; equal products (to 12 digits) are in page order. Best-first
    search: O(m log m) for the m edges of the pages reached, so in a huge component only the part around the page costs.
    """
    if max_candidates < 1:
        raise UsageError(f"max_candidates must be at least 1, not {max_candidates}")
    if not 0 <= page < start.size - 1:
        raise IndexError(f"there is no page {page}; the pages of this graph are 0 … {start.size - 2}")
    from pagekin.kernels.components import reached

    graph = frozen(start), frozen(neighbour), frozen(bits), frozen(size)
    found, key = reached(*graph, int(page), max_candidates, np.zeros(start.size - 1))
    nearest = np.lexsort((found[1:], -key[1:]))  # the page itself stays first, even if others are at 1
    return np.concatenate((found[:1], found[1:][nearest]))[:max_candidates]


def edges_among(start: Longs, neighbour: Ints, bits: Ints, size: Ints, pages: Ints) -> Edges:
    """The edges among some pages, which ascend: (a, b, sim) with places in `pages`, the input of `flexible`."""
    from pagekin.kernels import components

    found = components.edges_among(frozen(start), frozen(neighbour), frozen(bits), frozen(size), frozen(pages))
    return Edges(*found)
