"""Reads the rows of parts and of a written graph in the order of pages, side by side, a slice of all pages at a time.

Every table of a part ascends by page id, and so does the written graph: *runs*. A slice holds all rows of all runs
about the pages whose ids lie between two bounds, so whatever is decided page by page can be decided slice by slice, in
memory that does not grow with the collection.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.schema import LINKS, OWNER, PAGES, SCHEMAS, STRETCHES
from pagekin.collection.snapshot import Contribution

if TYPE_CHECKING:
    from pagekin.collection.graph import Graph
    from pagekin.collection.store import Store

PART = pa.field("part", pa.int32())
CODED = ("rel", "region")  # columns of links with few different values: read as dictionaries, not as texts


class Run(Protocol):
    """Rows that ascend by page id; `part` is a column beyond those of the schema."""

    def size(self, table: str) -> int:
        """How many rows of a table there are."""
        ...

    def batches(self, table: str, rows: int) -> Iterator[pa.Table]:
        """The rows of a table, about so many at a time."""
        ...

    def addresses(self) -> Iterator[pa.Array]:
        """The addresses of all pages."""
        ...

    def values(self, column: str) -> Iterator[pa.Array]:
        """All different texts of a column of links, and perhaps more."""
        ...

    def aliases(self) -> pa.Table: ...


@dataclass(frozen=True)
class PartRun:
    """The rows of the part at `index`."""

    store: "Store"
    index: int

    def size(self, table: str) -> int:
        return self.store.manifest.parts[self.index].rows.get(table, 0)

    def batches(self, table: str, rows: int) -> Iterator[pa.Table]:
        for batch in self.store.batches(self.store.manifest.parts[self.index], table, rows, CODED):
            yield batch.append_column(PART, pa.repeat(pa.scalar(self.index, pa.int32()), batch.num_rows))

    def addresses(self) -> Iterator[pa.Array]:
        for rows in self.store.pieces(self.store.manifest.parts[self.index], "pages", ["id", "url"]):
            yield from rows["url"].chunks

    def values(self, column: str) -> Iterator[pa.Array]:
        return self.store.texts_in(self.store.manifest.parts[self.index], "links", column)

    def aliases(self) -> pa.Table:
        return self.store.table(self.store.manifest.parts[self.index], "aliases")


@dataclass(frozen=True)
class GraphRun:
    """The rows of a written graph, which are of earlier parts: `parts[i]` is the new index of the old part i."""

    graph: "Graph"
    parts: npt.NDArray[np.int32]

    def size(self, table: str) -> int:
        graph = self.graph
        return int(
            {"pages": graph.ids.size, "links": graph.links.num_rows, "stretches": graph.stretches.print.size}[table]
        )

    def batches(self, table: str, rows: int) -> Iterator[pa.Table]:
        read = {"pages": self._pages, "links": self._links, "stretches": self._stretches}[table]
        for first in range(0, self.size(table), rows):
            yield read(first, min(first + rows, self.size(table)))

    def _pages(self, first: int, last: int) -> pa.Table:
        rows = self.graph.pages.slice(first, last - first)
        return rows.select(PAGES.names).append_column(PART, self._parts(slice(first, last)))

    def _links(self, first: int, last: int) -> pa.Table:
        rows = self.graph.links.slice(first, last - first).select(LINKS.names)
        source, target = (rows[end].to_numpy() for end in ("source", "target"))
        for at, (end, page) in enumerate((("source", source), ("target", target))):
            rows = rows.set_column(at, LINKS.field(end), pa.array(self.graph.ids[page]))
        return rows.append_column(PART, self._parts(source))

    def _stretches(self, first: int, last: int) -> pa.Table:
        rows = self.graph.stretches
        page = np.searchsorted(rows.start, np.arange(first, last), "right") - 1
        found = pa.table([self.graph.ids[page], rows.print[first:last], rows.heading[first:last]], schema=STRETCHES)
        return found.append_column(PART, self._parts(page))

    def _parts(self, pages: slice | npt.NDArray[np.integer]) -> pa.Array:
        part = self.graph.part[pages]
        return pa.array(np.where(part < 0, part, self.parts[part]) if self.parts.size else part, pa.int32())

    def addresses(self) -> Iterator[pa.Array]:
        yield from self.graph.pages["url"].chunks

    def values(self, column: str) -> Iterator[pa.Array]:
        for chunk in self.graph.links[column].chunks:
            yield chunk.dictionary if pa.types.is_dictionary(chunk.type) else pc.unique(chunk)

    def aliases(self) -> pa.Table:
        return self.graph.aliases


def contribution(run: Run) -> Contribution:
    """All rows of a run, in memory, in the types of the schema."""
    tables = {}
    for name in ("pages", "links", "stretches"):
        rows = list(run.batches(name, max(run.size(name), 1)))
        tables[name] = pa.concat_tables(
            [SCHEMAS[name].append(PART).empty_table(), *(_cast(name, each) for each in rows)]
        )
    pages = tables["pages"]
    kept = {name: rows.select(SCHEMAS[name].names) for name, rows in tables.items()}
    return Contribution(kept["pages"], pages["part"].to_numpy(), kept["links"], run.aliases(), kept["stretches"])


def _cast(name: str, rows: pa.Table) -> pa.Table:
    return rows.cast(SCHEMAS[name].append(PART))


def slices(runs: Sequence[Run], table: str, rows: int) -> Iterator[list[pa.Table]]:
    """The rows of a table, in slices of about so many rows; a slice has a table for each run, with all its rows about
    the pages of the slice."""
    total = sum(run.size(table) for run in runs)
    pieces = -(-total // max(rows, 1))
    cursors = [_Cursor(run, table, -(-run.size(table) // max(pieces, 1))) for run in runs]
    while True:
        for cursor in cursors:
            cursor.fill()
        behind = [cursor.last for cursor in cursors if not cursor.ended]
        bound = min(behind, default=None)
        found = [cursor.before(bound) for cursor in cursors]
        if any(map(len, found)):
            yield found
        if bound is None:
            return
        for cursor in cursors:
            cursor.pass_by(bound)


class _Cursor:
    """A place in a run: rows that were read and not yet handed on."""

    def __init__(self, run: Run, table: str, rows: int) -> None:
        self.owner, self.least = OWNER[table], max(rows, 1)
        self.batches = run.batches(table, self.least)
        self.waiting, self.nothing = list[pa.Table](), SCHEMAS[table].append(PART).empty_table()
        self.ids = np.empty(0, np.int64)
        self.ended = False

    @property
    def last(self) -> int:
        """The page of the last row that was read: there may be more about it."""
        return int(self.ids[-1])

    def fill(self, rows: int = 1) -> None:
        """Read on until so many rows wait."""
        ids, size = [self.ids], self.ids.size
        while size < max(rows, self.least // 2) and not self.ended:
            batch = next(self.batches, None)
            if batch is None:
                self.ended = True
            elif batch.num_rows:
                self.waiting.append(batch)
                ids.append(batch[self.owner].to_numpy())
                size += batch.num_rows
        self.ids = np.concatenate(ids) if len(ids) > 1 else self.ids

    def before(self, bound: int | None) -> pa.Table:
        """Hand on the rows of pages before the bound, or all."""
        many = self.ids.size if bound is None else int(np.searchsorted(self.ids, bound))
        if not many:
            return self.nothing
        rows = pa.concat_tables(self.waiting)
        self.waiting, self.ids = [rows.slice(many)] if many < self.ids.size else [], self.ids[many:]
        return rows.slice(0, many)

    def pass_by(self, bound: int) -> None:
        """Read on if the last row is of the page at the bound: all the rows of a page come together."""
        while not self.ended and self.ids.size and self.last <= bound:
            self.fill(2 * self.ids.size)
