"""Pages as dense vectors, and these smoothed over links.

    V    rows of U S^1.5 of the truncated SVD of tf-idf, divided by their length, minus their mean, again of length 1
    Y    from V, five times:  Y ← (1 − a) · G · Y + a · V        then of length 1

    a = n / (n + 300), n the number of the page's distinct terms: the fewer words, the more its links say
    G = D^-½ (B + I) D^-½, B the links either way, D the row sums of B + I

The basis is fitted on a sample that the content alone decides, the pages with the smallest ids, with the document
frequencies in that sample; so every history of adding ends in the same basis. U S^1.5 = X W S^½, so any page, in the
sample or not, is projected by one product with the basis W S^½.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import scipy.sparse as sp

from pagekin.engine import local
from pagekin.engine.base import engine, one_by_one
from pagekin.engine.memory import memory
from pagekin.engine.watch import rows_done
from pagekin.graph.links import LinkArrays
from pagekin.index.text import svd
from pagekin.index.text.terms import Terms, idf, kept
from pagekin.kernels import Floats, Ints, Longs, frozen
from pagekin.kernels.numbers import numbers_in

T = TypeVar("T")
Table = npt.NDArray[np.float32]  # a row for each page

SAMPLE = 50_000  # pages that the basis is fitted on
BASIS_TERMS = 100_000  # the most terms of the basis, those on most pages: rarer ones hardly count in it
DIMENSIONS = 256
SINGULAR_POWER = 0.5  # of S in the basis: U S^1.5 damps the weak dimensions, which are mostly noise
OWN_WORDS = 300.0  # distinct terms with which a page's own words count as much as its neighbours' do
STEPS = 5
LEAST_COLUMNS = 16  # of a task that smooths: a line of the processor's cache, of which fewer take as long
LARGEST = 127  # of a signed byte
NOTHING = 1e-6  # a vector shorter than this is what rounding left of zeros
ROWS = 4_096  # pages at once: a few megabytes; always as many, as the last digits of a sum tell where it was cut


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
        self.matrix = weighed(Columns(terms, self.terms, self.weight), 0, last)
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


class Columns:
    """Some terms of all pages, without the terms' names, which workers need not have."""

    def __init__(self, terms: Terms, chosen: Ints, weight: Floats) -> None:
        self.start, self.term, self.count, self.weight = terms.start, terms.term, terms.count, weight
        self.place = np.full(len(terms.names), -1, np.int32)  # of a term among the chosen ones
        self.place[chosen] = np.arange(chosen.size)


def weighed(of: Columns, first: int, last: int) -> sp.csr_array:
    """Some pages × some terms: (1 + ln tf) · weight."""
    some = slice(of.start[first], of.start[last])
    column = of.place[of.term[some]]
    there = column >= 0
    start = np.concatenate(([0], np.cumsum(there)))[of.start[first : last + 1] - of.start[first]]
    data = (1 + np.log(of.count[some][there])) * of.weight[column[there]]
    return sp.csr_array((data.astype(np.float32), column[there], start), shape=(last - first, of.weight.size))


def fit(ids: Longs, terms: Terms, former: Basis | None) -> Basis:
    """The basis of a collection: the former one if the sample is the same. Its mean is yet to be found."""
    sample = Sample(ids, terms)
    table = former.table if former and former.mark == sample.mark else sample.fitted()
    return Basis(sample.mark, sample.terms, sample.weight, table, np.zeros(table.shape[1], np.float32))


def _fill(work: Callable[[int, int], tuple[tuple[npt.NDArray[Any], ...], T]], *into: npt.NDArray[Any]) -> list[T]:
    """Put the rows that `work(first, last)` makes into the same rows of arrays; returns what else it makes.

    The engine runs it, by blocks of rows.
    """
    rows, aside = into[0].shape[0], list[T]()
    blocks = [(first, min(first + ROWS, rows)) for first in range(0, rows, ROWS)]
    for (first, last), (made, other) in zip(blocks, one_by_one(work, blocks), strict=True):
        for array, values in zip(into, made, strict=True):
            array[first:last] = values
        aside.append(other)
        rows_done(last, rows)
    return aside


def projected(basis: Basis, terms: Terms, v: Table) -> Table:
    """Fill in V of all pages; returns the mean that was taken off."""
    columns, table = Columns(terms, basis.terms, basis.weight), basis.table

    def project(first: int, last: int) -> tuple[tuple[Table], tuple[Floats, int]]:
        rows = unit(weighed(columns, first, last) @ table)
        return (rows,), (rows.sum(axis=0, dtype=np.float64), int(np.count_nonzero(rows.any(axis=1))))

    sums = _fill(project, v)
    total = sum((each for each, _ in sums), np.zeros(v.shape[1]))
    mean = (total / max(sum(count for _, count in sums), 1)).astype(np.float32)

    def centre(first: int, last: int) -> tuple[tuple[Table], None]:
        rows = v[first:last].copy()
        rows[rows.any(axis=1)] -= mean
        return (unit(rows),), None

    _fill(centre, v)
    return mean


def own_share(distinct: npt.NDArray[Any]) -> Table:
    """a: how much a page's own words count in its smoothed vector."""
    return np.asarray(distinct / (distinct + OWN_WORDS), np.float32)


def root_degrees(links: LinkArrays) -> Table:
    """D^-½."""
    return np.asarray(1 / np.sqrt(1 + np.diff(links.either_start)), np.float32)


def smooth(v: Table, links: LinkArrays, distinct: npt.NDArray[Any], y: Table) -> None:
    """Fill in Y from V, as many columns at once as half of the memory holds three times; on Spark, tasks share them."""
    share, root, width = frozen(own_share(distinct)), frozen(root_degrees(links)), v.shape[1]
    columns = int(np.clip(memory() // 2 // (12 * max(v.shape[0], 1)), 1, width))
    if engine().spreads:
        columns = min(columns, max(-(-width // engine().at_once), LEAST_COLUMNS))
    blocks = [(first, min(first + columns, width)) for first in range(0, width, columns)]
    threads = 1 if engine().spreads else None
    work = partial(_smoothed, v, links.either_start, links.either, root, share, threads)
    for (first, last), made in zip(blocks, one_by_one(work, blocks, workers=1), strict=True):
        y[:, first:last] = made


def _smoothed(
    v: Table, start: Longs, linked: Ints, root: Table, share: Table, threads: int | None, first: int, last: int
) -> Table:
    """Some columns of Y, for all pages."""
    from pagekin.kernels import text as kernels

    own = frozen(np.ascontiguousarray(v[:, first:last]))
    now, then = own.copy(), np.empty_like(own)
    for _ in range(STEPS):
        rows = start, linked, root, share, own, frozen(now), then
        local.over_rows(lambda begin, end, rows=rows: kernels.smooth(begin, end, *rows), v.shape[0], threads)  # type: ignore[misc]
        now, then = then, now
    return now


def finish(y: Table, small: npt.NDArray[np.int8], scale: Table) -> None:
    """Make the rows of Y of length 1, and fill in their copies as small integers: y ≈ small · scale."""

    def block(first: int, last: int) -> tuple[tuple[Table, npt.NDArray[np.int8], Table], None]:
        rows = unit(y[first:last])
        step = (np.maximum(np.abs(rows).max(axis=1, initial=0), NOTHING) / LARGEST).astype(np.float32)
        return (rows, np.rint(rows / step[:, None]).astype(np.int8), step), None

    _fill(block, y, small, scale)
