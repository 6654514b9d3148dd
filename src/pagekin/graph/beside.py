"""How near to each other other pages link to two pages: an author puts side by side what belongs together.

    s(q, p) = Σ_c w_c / d_c(q, p)  /  √(W(q) · W(p))        w_c = ln(N / out-links of c)

over the pages c that link to both within `REACH` links of each other; W(p) is the sum of w over all that link to p, or
pages that everybody links to would be beside everything. d_c is the least number of steps from a link to q
to a link to p, in the order in which c has them; links to one page in a row are one. A question costs some 2 · `REACH`
steps for each page that links to q.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.graph.links import LinkArrays
from pagekin.kernels import Floats, Ints, Longs, frozen

REACH = 16  # links to either side
ENDS = ("source", "target")
Rows = Callable[[Sequence[str]], Iterable[pa.Table]]  # gives some columns of all links, as often as it is asked


@dataclass(frozen=True)
class Beside:
    """The links of every page in order, and the weight of each page that links."""

    links: LinkArrays
    start: Longs  # the links of page c lead to target[start[c] : start[c + 1]]
    target: Ints
    weight: Floats
    total: Floats  # W

    def scores(self, page: int) -> npt.NDArray[np.float32]:
        """How near every page is linked to this one."""
        from pagekin.kernels.beside import add_beside

        found = np.zeros(self.links.size, np.float32)
        add_beside(page, self.links.citers(page), self.start, self.target, self.weight, REACH, found)
        there = np.flatnonzero(found > 0)  # few of all pages
        found[there] /= np.sqrt(self.total[there] * self.total[page])
        return found

    def steps(self, citer: int, page: int, other: int) -> int | None:
        """The steps between the links to two pages on a page that links to both; None if they are far apart."""
        row = self.target[self.start[citer] : self.start[citer + 1]]
        between = np.abs(np.flatnonzero(row == page)[:, None] - np.flatnonzero(row == other))
        return int(between.min()) if between.size and between.min() <= REACH else None


def beside(links: LinkArrays, rows: Rows, page_of: Ints) -> Beside:
    """The links in order, from their rows (source, target), of which `page_of` says which pages they mean.

    Memory: 4 bytes for each link, and some 40 for each page.
    """
    from pagekin.kernels.csr import row_sums

    count = _put(rows, page_of, np.zeros(links.size, np.int64), np.empty(0, np.int32))
    start = np.concatenate(([0], np.cumsum(count)))
    target = np.empty(start[-1], np.int32)
    if target.size:
        _put(rows, page_of, start[:-1].copy(), target)
    degree = np.maximum(np.diff(links.out_start), 1)
    weight = np.maximum(np.log(links.size / degree), 0.0)
    return Beside(links, frozen(start), frozen(target), frozen(weight), row_sums(*links.rows("in"), weight))


def _put(rows: Rows, page_of: Ints, at: Longs, into: Ints) -> Longs:
    """Put the links of all rows in order; returns where those of each page end, or how many there are."""
    from pagekin.kernels.beside import in_order

    last = np.full(page_of.size, -1, np.int32)
    for some in rows(ENDS):
        source, target = (frozen(some[end].to_numpy()) for end in ENDS)
        in_order(source, target, frozen(page_of), last, at, into)
    return at
