"""The link graph and the strings of a collection, memory-mapped: opening takes milliseconds, workers share the memory.

`index/graph.…/` holds, by page number (the rank of the id):

    ids.npy                        the ids, ascending: a binary search for an id gives the page number
    out_start, out, in_start, in   links from and to each page: rows ascending, each page once, no self-links
    either_start, either           the pages linked in either direction
    content_out_start, …           the same six without navigation and templates (`roles`); missing if all is content
    link_start                     where each page's rows of links.arrow begin
    stretch_start, print, heading  the stretches of each page's text, and which of them …
    repeated                       … the template of their site repeats (`roles.without_words`)
    pages.arrow, links.arrow       the rows that count (`snapshot`), as uncompressed Arrow; links with their role
    aliases.arrow
    boilerplate.arrow              the words of repeated stretches (`boilerplate`)

Links keep their targets as written in links.arrow; in the arrays an alias is folded into its page.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.collection.array_files import check_rows, load, save
from pagekin.collection.roles import CONTENT, Sites, Stretches, repeated, roles, without_words
from pagekin.collection.schema import LINKS, PAGES, STRETCHES, upgraded
from pagekin.collection.snapshot import UNITED, Contribution, Snapshot
from pagekin.graph.links import Direction, LinkArrays, link_arrays
from pagekin.kernels import Ints, Longs, frozen
from pagekin.kernels.numbers import number_in
from pagekin.url import page_id

CONTENT_PREFIX = "content_"
BOILERPLATE_FILE = "boilerplate.arrow"
STRETCH_FILES = ("stretch_start", "print", "heading", "repeated")
BATCH_ROWS = 1 << 20  # rows in an Arrow batch, which must fit 32-bit string offsets when it becomes a part again


@dataclass(frozen=True)
class Graph:
    """The page numbers, links and strings of one state of a collection."""

    ids: Longs
    arrays: LinkArrays
    content: LinkArrays  # of the links whose role is content; `arrays` itself if all are
    link_start: Longs
    stretches: Stretches
    repeated: npt.NDArray[np.bool_]  # by stretch
    pages: pa.Table
    links: pa.Table
    aliases: pa.Table
    refused: tuple[str, ...] = ()

    @cached_property
    def is_page(self) -> npt.NDArray[np.bool_]:
        """Which numbers are pages; the others are aliases of a page."""
        pages = np.ones(self.ids.size, bool)
        pages[list(self.folded)] = False
        return pages

    @cached_property
    def page_of(self) -> Ints:
        """The page that each number means: itself, or for an alias the page it leads to."""
        return pages_meant(self.ids.size, self.folded)

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
        rows = self.stretches
        stretches = pa.table([self.ids[rows.page], rows.print, rows.heading], schema=STRETCHES)
        return Contribution(
            self.pages.select(PAGES.names).cast(PAGES), renumbered.astype(np.int32),
            links.select(LINKS.names).cast(LINKS), self.aliases, stretches,
        )  # fmt: skip


def from_snapshot(snapshot: Snapshot) -> Graph:
    """The graph of a snapshot, in memory."""
    n = snapshot.ids.size
    source, target = snapshot.links["source"].to_numpy(), snapshot.links["target"].to_numpy()
    link_start = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(source, minlength=n), out=link_start[1:])
    role, in_template = roles_of(snapshot)
    fold = folded_aliases(snapshot.ids, snapshot.pages, snapshot.aliases)
    if fold:
        page_of = pages_meant(n, fold)
        source, target = page_of[source], page_of[target]
    arrays = link_arrays(source, target, n)
    chosen = role == CONTENT
    return Graph(
        frozen(snapshot.ids), arrays, arrays if chosen.all() else link_arrays(source[chosen], target[chosen], n),
        frozen(link_start), snapshot.stretches, without_words(snapshot.stretches, in_template),
        snapshot.pages, snapshot.links.append_column("role", pa.array(role)), snapshot.aliases, snapshot.refused,
    )  # fmt: skip


def roles_of(snapshot: Snapshot) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]:
    """The role of each link, and which stretches the templates repeat."""
    sites = Sites.read(snapshot.pages)
    in_template = repeated(snapshot.stretches, sites)
    return roles(snapshot.links, sites, snapshot.stretches, in_template), in_template


def folded_aliases(ids: Longs, pages: pa.Table, aliases: pa.Table) -> dict[int, int]:
    """Aliases followed to their end. An alias that was itself fetched is a page; one in a circle stays as it is."""
    step: dict[int, int] = {}
    for row in aliases.to_pylist():
        here, there = number_in(ids, page_id(row["alias"])), number_in(ids, row["page"])
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


def pages_meant(numbers: int, folded: dict[int, int]) -> Ints:
    """The page that each of so many numbers means, given alias → page."""
    page_of = np.arange(numbers, dtype=np.int32)
    page_of[list(folded)] = list(folded.values())
    return page_of


def write(graph: Graph, folder: Path) -> None:
    """Write a graph to a new folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for prefix, arrays in (("", graph.arrays), (CONTENT_PREFIX, graph.content)):
        if not prefix or arrays is not graph.arrays:
            for item, values in zip(fields(LinkArrays), arrays.values(), strict=True):
                save(folder / f"{prefix}{item.name.rstrip('_')}.npy", values)
    save(folder / "ids.npy", graph.ids)
    save(folder / "link_start.npy", graph.link_start)
    for name, values in zip(STRETCH_FILES, _stretch_arrays(graph), strict=True):
        save(folder / f"{name}.npy", values)
    for name, table in (("pages", graph.pages), ("links", graph.links), ("aliases", graph.aliases)):
        # Hosts, sites and rels repeat: as dictionaries they take four bytes per row.
        for column in ("host", "site", "language", "content_type", "label", "rel", "region"):
            if column in table.column_names and not pa.types.is_dictionary(table.schema.field(column).type):
                at = table.column_names.index(column)
                table = table.set_column(at, column, table[column].dictionary_encode())
        with pa.ipc.new_file(folder / f"{name}.arrow", table.schema) as file:
            file.write_table(table.unify_dictionaries().combine_chunks(), max_chunksize=BATCH_ROWS)


def write_boilerplate(rows: pa.Table, folder: Path) -> None:
    with pa.ipc.new_file(folder / BOILERPLATE_FILE, rows.schema) as file:
        file.write_table(rows.combine_chunks())


def read_boilerplate(path: Path) -> pa.Table:
    return pa.ipc.open_file(pa.memory_map(str(path))).read_all()


def read(folder: Path) -> Graph:
    """Open a written graph; nothing is read until it is used. `Store.opened` says what a failure means."""

    def mapped(name: str) -> npt.NDArray[Any]:
        return load(folder / f"{name}.npy")

    def strings(name: str) -> pa.Table:
        return pa.ipc.open_file(pa.memory_map(str(folder / f"{name}.arrow"))).read_all()

    def arrays(prefix: str = "") -> LinkArrays:
        return LinkArrays(*(mapped(prefix + item.name.rstrip("_")) for item in fields(LinkArrays)))

    made, ids = arrays(), mapped("ids")
    pages, links = upgraded("pages", strings("pages")), upgraded("links", strings("links"))
    content = arrays(CONTENT_PREFIX) if (folder / f"{CONTENT_PREFIX}out.npy").exists() else made
    if "role" in links.column_names:
        start, print_, heading, in_template = map(mapped, STRETCH_FILES)
    else:  # written before format 3
        links = links.append_column("role", pa.array(np.full(links.num_rows, CONTENT, np.uint8)))
        start, print_, heading, in_template = _no_stretches(ids.size)
    graph = Graph(
        ids, made, content, mapped("link_start"), Stretches(start, print_, heading), in_template,
        pages, links, strings("aliases"),
    )  # fmt: skip
    _check(graph)
    return graph


def _stretch_arrays(graph: Graph) -> tuple[npt.NDArray[Any], ...]:
    rows = graph.stretches
    return rows.start, rows.print, rows.heading, graph.repeated


def _no_stretches(pages: int) -> tuple[npt.NDArray[Any], ...]:
    return np.zeros(pages + 1, np.int64), np.empty(0, np.int32), np.empty(0, bool), np.empty(0, bool)


def _check(graph: Graph) -> None:
    """Check what can be checked without reading the arrays."""
    directions: tuple[Direction, ...] = ("in", "out", "either")
    for arrays in (graph.arrays, graph.content):
        for start, row in map(arrays.rows, directions):
            check_rows(start, graph.ids.size, row)
    start, *rows = _stretch_arrays(graph)
    check_rows(start, graph.ids.size, *rows)
    check_rows(graph.link_start, graph.ids.size, graph.links["target"])
    if graph.pages.num_rows != graph.ids.size:
        raise ValueError("there are not as many pages as ids")


def equal(a: Graph, b: Graph) -> bool:
    """Whether two graphs of the same parts are equal to the last column: also in which part a page's rows are."""
    return same(a, b) and bool(a.pages["part"].equals(b.pages["part"]))


def same(a: Graph, b: Graph) -> bool:
    """Whether two graphs, made from any parts, have the same pages, links and aliases, with the same details."""
    numbers = zip(_numbers(a), _numbers(b), strict=True)
    if not all(np.array_equal(left, right) for left, right in numbers):
        return False
    columns = [name for name in PAGES.names if name != "fetched"]
    links = [*LINKS.names, "role"]
    strings = PAGES.remove(PAGES.names.index("fetched"))
    return bool(
        a.pages.select(columns).cast(strings).equals(b.pages.select(columns).cast(strings))
        and a.pages["fetched"].equals(b.pages["fetched"])
        and a.aliases.cast(b.aliases.schema).equals(b.aliases)
        and all(a.links[name].cast(b.links[name].type).equals(b.links[name]) for name in links)
    )


def _numbers(graph: Graph) -> list[npt.NDArray[Any]]:
    return [
        graph.ids,
        graph.link_start,
        *_stretch_arrays(graph),
        *graph.arrays.values(),
        *graph.content.values(),
    ]
