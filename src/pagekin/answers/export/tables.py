"""The exports as batches of rows, and (all but pages) as weighted edges between page numbers.

As in the link graph, an alias counts as its page: it has no row, and a link to it is a link to its page.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.answers.export.files import Column
from pagekin.answers.filters import Facts, Filters, Sieve
from pagekin.collection.schema import LINKS, PAGES
from pagekin.collection.store import Store
from pagekin.graph.edges import Edges
from pagekin.index.base import opened
from pagekin.index.similarity.graph import Similarity, SimilarityGraph
from pagekin.kernels import Ints
from pagekin.kernels.numbers import numbers_in
from pagekin.methods import method
from pagekin.methods.narrowed import Passes, lists

# Rows in a batch. More would not be faster; a batch of links with its addresses takes about 50 MB.
BATCH = 1 << 18


def picked(column: Column, rows: Ints) -> Column:
    """The values of a long column at the given rows, as text.

    Arrow's own `take` first copies all chunks into one array, which fails above 2 GiB of text (`offset overflow`).
    """
    starts = np.cumsum([0, *(len(chunk) for chunk in column.chunks)])
    chunk_of = np.searchsorted(starts, rows, side="right") - 1
    order = np.argsort(chunk_of, kind="stable")
    parts = [
        column.chunk(int(at)).take(pa.array(rows[chunk_of == at] - starts[at])).cast(pa.string())
        for at in np.unique(chunk_of)
    ]
    back = np.empty_like(order)
    back[order] = np.arange(order.size)
    return pa.concat_arrays(parts).take(pa.array(back)) if parts else pa.array([], pa.string())


@dataclass(frozen=True)
class PageRows:
    """Every known page, whether fetched or only linked to."""

    store: Store
    row: ClassVar[str] = "page"
    # Ids are internal and are not exported.
    schema: ClassVar[pa.Schema] = pa.schema([field for field in PAGES if field.name != "id"])

    def batches(self) -> Iterator[pa.RecordBatch]:
        pages, kept = self.store.graph.pages.select(self.schema.names), self.store.graph.is_page
        for start in range(0, self.store.size, BATCH):
            rows = pages.slice(start, BATCH).filter(pa.array(kept[start : start + BATCH]))
            yield from rows.cast(self.schema).combine_chunks().to_batches()


@dataclass(frozen=True)
class LinkRows:
    """Every occurrence of a link; as edges, the distinct pairs of different pages, weighted by occurrences."""

    store: Store
    row: ClassVar[str] = "link"
    edge: ClassVar[str] = "link"
    weight: ClassVar[str] = "long"
    directed: ClassVar[bool] = True
    schema: ClassVar[pa.Schema] = pa.schema(
        {"source": pa.string(), "target": pa.string()}
        | {name: LINKS.field(name).type for name in ("anchor", "block", "position", "rel")}
    )

    def batches(self) -> Iterator[pa.RecordBatch]:
        page, urls, links = self.store.graph.page_of, self.store.graph.pages["url"], self.store.graph.links
        for start in range(0, links.num_rows, BATCH):
            rows = links.slice(start, BATCH)
            ends = [picked(urls, page[rows[end].to_numpy()]) for end in ("source", "target")]
            rest = [rows[name] for name in self.schema.names[2:]]
            table = pa.table([*ends, *rest], names=self.schema.names)
            yield from table.cast(self.schema).combine_chunks().to_batches()

    def edges(self) -> Iterator[Edges]:
        page, links = self.store.graph.page_of, self.store.graph.links
        source, target = page[links["source"].to_numpy()], page[links["target"].to_numpy()]
        if (source[1:] < source[:-1]).any():  # links found on an alias belong to its page's rows
            order = np.argsort(source, kind="stable")
            source, target = source[order], target[order]
        for begin, end in _cuts(source):
            other = source[begin:end] != target[begin:end]
            pairs = source[begin:end][other].astype(np.int64) * self.store.size + target[begin:end][other]
            pairs, weights = np.unique(pairs, return_counts=True)
            source_of, target_of = np.divmod(pairs, self.store.size)
            yield Edges(source_of.astype(np.int32), target_of.astype(np.int32), weights)


def _cuts(source: Ints) -> Iterator[tuple[int, int]]:
    """Ranges of about BATCH rows, each with all rows of its sources."""
    begin = 0
    while begin < source.size:
        last = min(begin + BATCH, source.size) - 1
        end = int(np.searchsorted(source, source[last], side="right"))
        yield begin, end
        begin = end


_ANSWER: dict[str, pa.DataType] = {
    "source": pa.string(),
    "target": pa.string(),
    "rank": pa.int32(),
    "score": pa.float64(),
    "linked": pa.bool_(),  # a link in either direction
    "title": pa.string(),  # title and host are the target's
    "host": pa.string(),
}


def covered(store: Store, filters: Filters) -> Ints:
    """The pages whose related pages are written: fetched ones, or all if none was fetched or all are asked for."""
    own = store.graph.is_page
    fetched = own & store.fetched
    chosen = own if filters.fetched is False or (filters.fetched is None and not fetched.any()) else fetched
    return np.flatnonzero(chosen).astype(np.int32)


@dataclass(frozen=True)
class RelatedRows:
    """The k best related pages of every page that has any; as edges, they are weighted by their scores.

    Fetched pages are covered, if there are any, unless `fetched=False` is among the filters.
    """

    store: Store
    method: str
    k: int
    filters: Filters = field(default_factory=Filters)
    row: ClassVar[str] = "related page"
    edge: ClassVar[str] = "related page"
    weight: ClassVar[str] = "double"
    directed: ClassVar[bool] = True
    schema: ClassVar[pa.Schema] = pa.schema(_ANSWER)

    def edges(self) -> Iterator[Edges]:
        asked, filters = method(self.method).answering(self.store), self.filters
        pages = covered(self.store, filters)
        every = None if pages.size == self.store.size else pages  # some methods are faster for all pages at once
        sizes, found, scores = lists(asked, self.store, self.k, every, filters.fetched, filters.fold, self._passes())
        step = max(1, BATCH // self.k)
        for first in range(0, pages.size, step):
            some = slice(first, first + step)
            kept = np.arange(self.k) < sizes[some][:, None]
            if kept.any():
                yield Edges(np.repeat(pages[some], sizes[some]), found[some][kept], scores[some][kept])

    def _passes(self) -> Passes | None:
        if self.filters.plain:
            return None
        facts = Facts(self.store, self.filters)
        return lambda page: Sieve(self.store, self.filters, [page], facts).lets_pass

    def batches(self) -> Iterator[pa.RecordBatch]:
        pages = self.store.graph.pages
        for source, target, score in self.edges():
            first = np.searchsorted(source, source)  # the rows of a page are consecutive, best first; pages ascend
            columns = {
                "source": picked(pages["url"], source),
                "target": picked(pages["url"], target),
                "rank": np.arange(1, source.size + 1) - first,
                "score": score,
                "linked": self._linked(source, target),
                "title": picked(pages["title"], target),
                "host": picked(pages["host"], target),
            }
            yield from pa.table(columns).cast(self.schema).combine_chunks().to_batches()

    def _linked(self, source: Ints, target: Ints) -> npt.NDArray[np.bool_]:
        linked = np.zeros(source.size, bool)
        for begin, end in zip(*_runs(source), strict=True):
            linked[begin:end] = np.isin(target[begin:end], self.store.arrays.linked(int(source[begin])))
        return linked


def _runs(source: Ints) -> tuple[list[int], list[int]]:
    """The begins and the ends of each source's rows."""
    begins = np.flatnonzero(np.concatenate(([True], source[1:] != source[:-1])))
    return begins.tolist(), [*begins[1:].tolist(), source.size]


@dataclass(frozen=True)
class SimilarityRows:
    """Every pair of the similarity graph once; mirrors appear as the first of them, a host as one of its pages."""

    store: Store
    settings: Similarity
    row: ClassVar[str] = "pair"
    edge: ClassVar[str] = "pair"
    weight: ClassVar[str] = "double"
    directed: ClassVar[bool] = False
    schema: ClassVar[pa.Schema] = pa.schema({"source": pa.string(), "target": pa.string(), "similarity": pa.float64()})

    def edges(self) -> Iterator[Edges]:
        graph: SimilarityGraph = opened(self.store, self.settings)
        page = numbers_in(self.store.graph.ids, graph.head)
        known = page >= 0  # a scrub may have dropped some since
        for a, b, sim in graph.edges():
            for first in range(0, a.size, BATCH):
                some = slice(first, first + BATCH)
                kept = known[a[some]] & known[b[some]]
                yield Edges(page[a[some][kept]], page[b[some][kept]], sim[some][kept])

    def batches(self) -> Iterator[pa.RecordBatch]:
        urls = self.store.graph.pages["url"]
        for source, target, sim in self.edges():
            columns = {"source": picked(urls, source), "target": picked(urls, target), "similarity": sim}
            yield from pa.table(columns).cast(self.schema).combine_chunks().to_batches()
