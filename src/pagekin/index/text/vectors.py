"""Pages as dense vectors, and these smoothed over links.

    V    rows of U S^1.5 of the truncated SVD of tf-idf, divided by their length, minus their mean, again of length 1
    Y    from V, five times:  Y ← (1 − a) · G · Y + a · V        then of length 1

    a = n / (n + 300), n the number of the page's distinct terms: the fewer words, the more its links say
    G = D^-½ (B + I) D^-½, B the links either way, D the row sums of B + I

The basis is fitted on a sample that the content alone decides, the pages with the smallest ids, with the document
frequencies in that sample; so every history of adding ends in the same basis. U S^1.5 = X W S^½, so any page, in the
sample or not, is projected by one product with the basis W S^½.
"""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import scipy.sparse as sp

from pagekin.engine.local import over_rows
from pagekin.engine.memory import memory
from pagekin.graph.links import LinkArrays
from pagekin.index.text import svd
from pagekin.index.text.terms import Terms, idf, kept
from pagekin.kernels import Floats, Ints, Longs, frozen
from pagekin.kernels.numbers import numbers_in

Table = npt.NDArray[np.float32]  # a row for each page

SAMPLE = 50_000  # pages that the basis is fitted on
BASIS_TERMS = 100_000  # the most terms of the basis, those on most pages: rarer ones hardly count in it
DIMENSIONS = 256
SINGULAR_POWER = 0.5  # of S in the basis: U S^1.5 damps the weak dimensions, which are mostly noise
OWN_WORDS = 300.0  # distinct terms with which a page's own words count as much as its neighbours' do
STEPS = 5
LARGEST = 127  # of a signed byte
NOTHING = 1e-6  # a vector shorter than this is what rounding left of zeros
ROWS = 8_192  # pages at once: a few megabytes


def unit(rows: Table) -> Table:
    """Rows divided by their length; a row of zeros stays one."""
    length = np.sqrt(np.einsum("...j,...j", rows, rows))[..., None]
    return np.asarray(np.divide(rows, length, out=np.zeros_like(rows), where=length > NOTHING))


@dataclass(frozen=True)
class Basis:
    """The projection from terms to few dimensions."""

    mark: str  # a fingerprint of the sample: the same sample has the same basis
    terms: Ints  # the terms of the basis, by their numbers in `Terms`, ascending
    weight: Floats  # the idf of each, in the sample
    table: Table  # terms × dimensions: W S^½
    mean: Table  # of the projected pages that have words

    def project(self, terms: Ints, counts: Ints) -> Table:
        """V of one page: zeros if the basis has none of its terms."""
        place = numbers_in(self.terms, terms)
        there = place >= 0
        if not there.any():
            return np.zeros(self.table.shape[1], np.float32)
        values = (1 + np.log(counts[there])) * self.weight[place[there]]
        return unit(unit(values.astype(np.float32) @ self.table[place[there]]) - self.mean)


class Sample:
    """The pages that the basis is fitted on, as a matrix of tf-idf."""

    def __init__(self, ids: Longs, terms: Terms) -> None:
        pages = np.flatnonzero(np.diff(terms.start))[:SAMPLE]
        last = int(pages[-1]) + 1 if pages.size else 0
        row = terms.term[: terms.start[last]]
        df = np.bincount(row, minlength=len(terms.names))
        counted = np.flatnonzero(kept(pages.size, df))
        self.terms = np.sort(counted[np.lexsort((counted, -df[counted]))[:BASIS_TERMS]]).astype(np.int32)
        self.weight = idf(pages.size, df[self.terms])
        self.matrix = weighed(terms, self.terms, self.weight, 0, last)
        self.mark = self._mark(ids[pages], terms)

    def _mark(self, ids: Longs, terms: Terms) -> str:
        names = "\n".join(terms.names.take(pa.array(self.terms)).to_pylist()).encode()
        parts = ids, self.matrix.indptr, self.matrix.indices, self.matrix.data
        return blake2b(b"".join([names, *(np.ascontiguousarray(part).tobytes() for part in parts)])).hexdigest()[:32]

    def fitted(self) -> Table:
        """W S^½, by the SVD of rows of length 1."""
        length = np.sqrt(self.matrix.multiply(self.matrix).sum(axis=1))
        rows = sp.diags_array((1 / np.maximum(length, NOTHING)).astype(np.float32)) @ self.matrix
        if not min(rows.shape):
            return np.zeros((rows.shape[1], 1), np.float32)
        s, w = svd.truncated(sp.csr_array(rows), DIMENSIONS)
        return np.asarray(w * s**SINGULAR_POWER, np.float32)


def weighed(terms: Terms, chosen: Ints, weight: Floats, first: int, last: int) -> sp.csr_array:
    """Some pages × some terms: (1 + ln tf) · weight."""
    place = np.full(len(terms.names), -1, np.int32)
    place[chosen] = np.arange(chosen.size)
    some = slice(terms.start[first], terms.start[last])
    column = place[terms.term[some]]
    there = column >= 0
    start = np.concatenate(([0], np.cumsum(there)))[terms.start[first : last + 1] - terms.start[first]]
    data = (1 + np.log(terms.count[some][there])) * weight[column[there]]
    return sp.csr_array((data.astype(np.float32), column[there], start), shape=(last - first, chosen.size))


def fit(ids: Longs, terms: Terms, former: Basis | None) -> Basis:
    """The basis of a collection: the former one if the sample is the same. Its mean is yet to be found."""
    sample = Sample(ids, terms)
    table = former.table if former and former.mark == sample.mark else sample.fitted()
    return Basis(sample.mark, sample.terms, sample.weight, table, np.zeros(table.shape[1], np.float32))


def projected(basis: Basis, terms: Terms, v: Table) -> Table:
    """Fill in V of all pages, by blocks of rows; returns the mean that was taken off."""

    def project(first: int, last: int) -> tuple[Floats, int]:
        v[first:last] = unit(weighed(terms, basis.terms, basis.weight, first, last) @ basis.table)
        there = np.abs(v[first:last]).max(axis=1, initial=0) > 0
        return v[first:last].sum(axis=0, dtype=np.float64), int(np.count_nonzero(there))

    sums = over_rows(project, v.shape[0], most=ROWS)
    total = sum((each for each, _ in sums), np.zeros(v.shape[1]))
    mean = (total / max(sum(count for _, count in sums), 1)).astype(np.float32)

    def centre(first: int, last: int) -> None:
        rows = v[first:last]
        rows[np.abs(rows).max(axis=1, initial=0) > 0] -= mean
        v[first:last] = unit(rows)

    over_rows(centre, v.shape[0], most=ROWS)
    return mean


def own_share(distinct: npt.NDArray[Any]) -> Table:
    """a: how much a page's own words count in its smoothed vector."""
    return np.asarray(distinct / (distinct + OWN_WORDS), np.float32)


def root_degrees(links: LinkArrays) -> Table:
    """D^-½."""
    return np.asarray(1 / np.sqrt(1 + np.diff(links.either_start)), np.float32)


def smooth(v: Table, links: LinkArrays, distinct: npt.NDArray[Any], y: Table) -> None:
    """Fill in Y from V, as many columns at once as half of the memory holds three times."""
    from pagekin.kernels import text as kernels

    share, root = frozen(own_share(distinct)), frozen(root_degrees(links))
    columns = int(np.clip(memory() // 2 // (12 * max(v.shape[0], 1)), 1, v.shape[1]))
    for first in range(0, v.shape[1], columns):
        some = slice(first, first + columns)
        own = frozen(np.ascontiguousarray(v[:, some]))
        now, then = own.copy(), np.empty_like(own)
        for _ in range(STEPS):
            rows = links.either_start, links.either, root, share, own, frozen(now), then
            over_rows(lambda begin, end, rows=rows: kernels.smooth(begin, end, *rows), v.shape[0])  # type: ignore[misc]
            now, then = then, now
        y[:, some] = now


def finish(y: Table, small: npt.NDArray[np.int8], scale: Table) -> None:
    """Make the rows of Y of length 1, and fill in their copies as small integers: y ≈ small · scale."""

    def block(first: int, last: int) -> None:
        rows = y[first:last] = unit(y[first:last])
        scale[first:last] = np.maximum(np.abs(rows).max(axis=1, initial=0), NOTHING) / LARGEST
        small[first:last] = np.rint(rows / scale[first:last, None])

    over_rows(block, y.shape[0], most=ROWS)
