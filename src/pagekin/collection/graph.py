"""The link graph and the strings of a collection, memory-mapped: opening costs milliseconds, workers share the pages.

`index/graph.…/` holds, over page numbers (the rank of the id):

    ids.npy                        the ids, ascending: the look-up's binary search is the numbering
    out_start, out, in_start, in   links from and to each page: rows ascending, each page once, no self-links
    either_start, either           the pages linked in one direction or the other
    link_start                     where each page's rows of links.arrow begin
    pages.arrow, links.arrow       the rows that count (`snapshot`), as uncompressed Arrow
    aliases.arrow

Links keep their targets as written in links.arrow; in the arrays an alias is folded into its page.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.collection.schema import LINKS, PAGES
from pagekin.collection.snapshot import UNITED, Contribution, Snapshot
from pagekin.kernels import Ints, Longs, frozen, frozen_rows
from pagekin.url import page_id

# What reading a graph that is not there, cut short or overwritten may raise.
DAMAGE = (OSError, ValueError, EOFError, pa.ArrowException)

BATCH_ROWS = 1 << 20  # of a batch of Arrow; a batch must fit 32-bit string offsets when it becomes a part again

Direction = Literal["in", "out", "either"]


@dataclass(frozen=True)
class Arrays:
    """Who links to whom, as the kernels want it."""

    out_start: Longs
    out: Ints
    in_start: Longs
    in_: Ints
    either_start: Longs
    either: Ints

    @property
    def size(self) -> int:
        """How many pages there are."""
        return int(self.out_start.size - 1)

    @property
    def links(self) -> int:
        """How many pairs (page, page linked to) there are."""
        return int(self.out.size)

    def rows(self, direction: Direction) -> tuple[Longs, Ints]:
        """All rows of one direction: where each begins, and the rows one after another."""
        name = "in_" if direction == "in" else direction
        return getattr(self, f"{direction}_start"), getattr(self, name)

    def targets(self, page: int) -> Ints:
        """O(p), ascending."""
        return self.out[self.out_start[page] : self.out_start[page + 1]]

    def citers(self, page: int) -> Ints:
        """I(p), ascending."""
        return self.in_[self.in_start[page] : self.in_start[page + 1]]

    def linked(self, page: int) -> Ints:
        """I(p) ∪ O(p), ascending."""
        return self.either[self.either_start[page] : self.either_start[page + 1]]

    def gathered(self, direction: Direction, pages: Ints) -> tuple[Ints, Longs]:
        """The rows of some pages one after another, and the length of each; no other row is read."""
        start, row = self.rows(direction)
        begins = start[pages]
        lengths = start[pages + 1] - begins
        places = np.repeat(begins - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
        return row[places], lengths

    def limited(self, max_in: int | None, max_out: int | None) -> "Arrays":
        """Without portals (over `max_out` out-links) and with at most `max_in` citers a page (paper 1, 6.1).

        Kept are the citers with most in-links, then page order. A link is dropped at both its ends. O(links), once.
        """
        if max_in is None and max_out is None:
            return self
        if (max_in, max_out) not in self._limited:
            from pagekin.kernels.csr import kept_citers

            kept = kept_citers(self.in_start, self.in_, self.out_start, max_in or -1, max_out or -1)
            target = np.repeat(np.arange(self.size, dtype=np.int32), np.diff(self.in_start))
            self._limited[max_in, max_out] = arrays(self.in_[kept], target[kept], self.size)
        return self._limited[max_in, max_out]

    @cached_property
    def _limited(self) -> dict[tuple[int | None, int | None], "Arrays"]:
        return {}

    def values(self) -> Iterator[npt.NDArray[Any]]:
        return (getattr(self, item.name) for item in fields(self))


def arrays(source: Ints, target: Ints, n: int) -> Arrays:
    """The arrays of n pages from pairs of page numbers; repetitions and self-links are dropped."""
    from pagekin.kernels.csr import rows_from_pairs, simplified, transposed, union_rows

    as_written = frozen_rows(rows_from_pairs(frozen(source), frozen(target), n))
    ascending = frozen_rows(transposed(*frozen_rows(transposed(*as_written))))
    out = frozen_rows(simplified(*ascending))
    inward = frozen_rows(transposed(*out))
    return Arrays(*out, *inward, *frozen_rows(union_rows(*out, *inward)))


@dataclass(frozen=True)
class Graph:
    """Page numbers, links and strings of one state of a collection."""

    ids: Longs
    arrays: Arrays
    link_start: Longs
    pages: pa.Table
    links: pa.Table
    aliases: pa.Table
    refused: tuple[str, ...] = ()

    @cached_property
    def is_page(self) -> npt.NDArray[np.bool_]:
        """Which numbers are pages; the others are aliases of one."""
        pages = np.ones(self.ids.size, bool)
        pages[list(self.folded)] = False
        return pages

    @cached_property
    def folded(self) -> dict[int, int]:
        """Alias → page, as page numbers."""
        return folded_aliases(self.ids, self.pages, self.aliases)

    def contribution(self, parts: npt.NDArray[np.int32]) -> Contribution:
        """This state as something to merge later parts with; `parts[i]` is the new index of the old part i."""
        links = self.links
        for column in ("source", "target"):
            at = links.column_names.index(column)
            links = links.set_column(at, LINKS.field(column), pa.array(self.ids[links[column].to_numpy()]))
        part = self.pages["part"].to_numpy()
        renumbered = np.where(part == UNITED, UNITED, parts[part]) if parts.size else part
        return Contribution(
            self.pages.select(PAGES.names).cast(PAGES), links.cast(LINKS), self.aliases, renumbered.astype(np.int32)
        )


def from_snapshot(snapshot: Snapshot) -> Graph:
    """The graph of a snapshot, in memory."""
    n = snapshot.ids.size
    source, target = snapshot.links["source"].to_numpy(), snapshot.links["target"].to_numpy()
    link_start = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(source, minlength=n), out=link_start[1:])
    fold = folded_aliases(snapshot.ids, snapshot.pages, snapshot.aliases)
    if fold:
        page = np.arange(n, dtype=np.int32)
        page[list(fold)] = list(fold.values())
        source, target = page[source], page[target]
    return Graph(
        frozen(snapshot.ids), arrays(source, target, n), frozen(link_start),
        snapshot.pages, snapshot.links, snapshot.aliases, snapshot.refused,
    )  # fmt: skip


def folded_aliases(ids: Longs, pages: pa.Table, aliases: pa.Table) -> dict[int, int]:
    """Aliases followed to their end. An alias that was itself fetched is a page; one in a circle stays as it is."""
    step: dict[int, int] = {}
    for row in aliases.to_pylist():
        here, there = find(ids, page_id(row["alias"])), find(ids, row["page"])
        if here is not None and there is not None and pages["part"][here].as_py() == UNITED:
            step[here] = there
    ends = {}
    for alias in step:
        seen, end = {alias}, step[alias]
        while end in step and end not in seen:
            seen.add(end)
            end = step[end]
        if end not in seen:
            ends[alias] = end
    return ends


def find(ids: Longs, number: int) -> int | None:
    """The page number of an id: its rank."""
    at = int(np.searchsorted(ids, number))
    return at if at < ids.size and ids[at] == number else None


def write(graph: Graph, folder: Path) -> None:
    """Write a graph to a new folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for item, values in zip(fields(Arrays), graph.arrays.values(), strict=True):
        np.save(folder / f"{item.name.rstrip('_')}.npy", values)
    np.save(folder / "ids.npy", graph.ids)
    np.save(folder / "link_start.npy", graph.link_start)
    for name, table in (("pages", graph.pages), ("links", graph.links), ("aliases", graph.aliases)):
        # Hosts, sites and rels repeat: as dictionaries they cost four bytes a row.
        for column in ("host", "site", "language", "content_type", "label", "rel"):
            if column in table.column_names and not pa.types.is_dictionary(table.schema.field(column).type):
                at = table.column_names.index(column)
                table = table.set_column(at, column, table[column].dictionary_encode())
        with pa.ipc.new_file(folder / f"{name}.arrow", table.schema) as file:
            file.write_table(table.unify_dictionaries().combine_chunks(), max_chunksize=BATCH_ROWS)


def read(folder: Path) -> Graph:
    """Open a written graph; nothing is read before it is asked for. What it raises for a damaged one is in `DAMAGE`."""

    def mapped(name: str) -> npt.NDArray[Any]:
        return frozen(np.load(folder / f"{name}.npy", mmap_mode="r"))

    def strings(name: str) -> pa.Table:
        return pa.ipc.open_file(pa.memory_map(str(folder / f"{name}.arrow"))).read_all()

    made = Arrays(*(mapped(item.name.rstrip("_")) for item in fields(Arrays)))
    graph = Graph(mapped("ids"), made, mapped("link_start"), strings("pages"), strings("links"), strings("aliases"))
    _check(graph)
    return graph


def _check(graph: Graph) -> None:
    """What can be seen without reading the arrays: a kernel would run past the end of one that was cut short."""
    n = graph.ids.size
    starts = [(graph.link_start, graph.links.num_rows)]
    directions: tuple[Direction, ...] = ("in", "out", "either")
    starts += [(start, row.size) for start, row in map(graph.arrays.rows, directions)]
    if graph.pages.num_rows != n or any(
        start.size != n + 1 or start[0] != 0 or start[-1] != size for start, size in starts
    ):
        raise ValueError("the arrays do not fit together")


def same(a: Graph, b: Graph) -> bool:
    """Whether two graphs have the same pages, the same links and say the same of them."""
    numbers = zip((a.ids, a.link_start, *a.arrays.values()), (b.ids, b.link_start, *b.arrays.values()), strict=True)
    if not all(np.array_equal(left, right) for left, right in numbers):
        return False
    content = [name for name in PAGES.names if name != "fetched"]
    links = ["target", "block", "position", "anchor", "rel"]
    strings = PAGES.remove(PAGES.names.index("fetched"))
    return bool(
        a.pages.select(content).cast(strings).equals(b.pages.select(content).cast(strings))
        and a.pages["fetched"].equals(b.pages["fetched"])
        and all(a.links[name].cast(b.links[name].type).equals(b.links[name]) for name in links)
    )
