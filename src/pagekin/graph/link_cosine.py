"""The cosine of in-links or of out-links with every page, where a page that links much says little.

    s(q, p) = Σ_{c ∈ C(q) ∩ C(p)} w_c / √(Σ_{c ∈ C(q)} w_c · Σ_{c ∈ C(p)} w_c)        w_c = ln(N / degree of c)

For in-links C(p) are the citers of p, and the degree is the number of their out-links; for out-links the other way
round. A question costs the links of the pages in C(q).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pagekin.graph.links import Direction, LinkArrays
from pagekin.kernels import Floats, Ints


@dataclass(frozen=True)
class LinkCosine:
    """The weights of one direction, worked out once for a graph: O(links)."""

    links: LinkArrays
    near: Direction  # of C(p)
    far: Direction
    weight: Floats  # of each page as a member of C
    total: Floats  # Σ w over C(p) of each page p

    def scores(self, page: int) -> npt.NDArray[np.float32]:
        """The cosine with every page."""
        from pagekin.kernels.text import add_members

        members, (start, row) = self.members(page), self.links.rows(self.far)
        found = np.zeros(self.links.size, np.float32)
        add_members(start[members], start[members + 1], self.weight[members], row, found)
        there = np.flatnonzero(found > 0)  # few of all pages
        found[there] /= np.sqrt(self.total[there] * self.total[page])
        return found

    def members(self, page: int) -> Ints:
        """C(p) without pages of no weight."""
        start, row = self.links.rows(self.near)
        found = row[start[page] : start[page + 1]]
        return found[self.weight[found] > 0]


def link_cosine(links: LinkArrays, near: Direction) -> LinkCosine:
    """The weights for in-links (`near="in"`) or out-links."""
    from pagekin.kernels.csr import row_sums

    far: Direction = "out" if near == "in" else "in"
    degree = np.maximum(np.diff(links.rows(far)[0]), 1)
    weight = np.maximum(np.log(links.size / degree), 0.0)
    return LinkCosine(links, near, far, weight, row_sums(*links.rows(near), weight))
