"""The link graph and the strings of a collection, memory-mapped: opening takes milliseconds, workers share the memory.

`index/graph.…/` holds, by page number (the rank of the id):

    ids.npy                        the ids, ascending: a binary search for an id gives the page number
    out_start, out, in_start, in   links from and to each page: rows ascending, each page once, no self-links
    either_start, either           the pages linked in either direction
    content_out_start, …           the same six without navigation and templates (`roles`); missing if all is content
    link_start                     where each page's rows of links.arrow begin
    role                           the role of each row of links.arrow (`roles`)
    stretch_start, print, heading  the stretches of each page's text, and which of them …
    repeated                       … the template of their site repeats (`roles.without_words`)
    pages.arrow, links.arrow       the rows that count (`snapshot`), as uncompressed Arrow
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

from pagekin.collection.array_files import check_rows, load
from pagekin.collection.arrow_files import BATCH_ROWS
from pagekin.collection.arrow_files import mapped as rows_of
from pagekin.collection.repeats import Sites
from pagekin.collection.roles import CONTENT, Stretches, repeated, roles, without_words
from pagekin.collection.schema import LINKS, PAGES, upgraded
from pagekin.collection.snapshot import UNITED, Snapshot, plain
from pagekin.engine.base import Local, using
from pagekin.graph.links import Direction, LinkArrays, link_arrays
from pagekin.kernels import Ints, Longs, frozen
from pagekin.kernels.numbers import number_in
from pagekin.url import page_id

CONTENT_PREFIX = "content_"
BOILERPLATE_FILE = "boilerplate.arrow"
ROLE_FILE = "role.npy"
STRETCH_FILES = ("stretch_start", "print", "heading", "repeated")


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
    def part(self) -> Ints:
        """The part that each page's rows are from, or UNITED."""
        return np.asarray(self.pages["part"].to_numpy())

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
        return folded_aliases(self.ids, self.part, self.aliases)


def from_snapshot(snapshot: Snapshot) -> Graph:
    """The graph of a snapshot, in memory."""
    n = snapshot.ids.size
    source, target = snapshot.links["source"].to_numpy(), snapshot.links["target"].to_numpy()
    link_start = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(source, minlength=n), out=link_start[1:])
    role, in_template = roles_of(snapshot, link_start)
    fold = folded_aliases(snapshot.ids, snapshot.pages["part"].to_numpy(), snapshot.aliases)
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


def roles_of(snapshot: Snapshot, link_start: Longs) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]:
    """The role of each link, and which stretches the templates repeat."""
    sites = Sites.read(snapshot.pages)
    with using(Local()):  # it is all in memory here
        in_template = repeated(snapshot.stretches, sites)
        return roles(snapshot.links, link_start, sites, snapshot.stretches, in_template), in_template


def folded_aliases(ids: Longs, part: Ints, aliases: pa.Table) -> dict[int, int]:
    """Aliases followed to their end. An alias that was itself fetched is a page; one in a circle stays as it is."""
    step: dict[int, int] = {}
    for alias, page in zip(aliases["alias"].to_pylist(), aliases["page"].to_pylist(), strict=True):
        here, there = number_in(ids, page_id(alias)), number_in(ids, page)
        if here is not None and there is not None and part[here] == UNITED:
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


def write_boilerplate(rows: pa.Table, folder: Path) -> None:
    with pa.ipc.new_file(folder / BOILERPLATE_FILE, rows.schema) as file:
        file.write_table(rows.combine_chunks())


def read_boilerplate(path: Path) -> pa.Table:
    return rows_of(path)


def read(folder: Path) -> Graph:
    """Open a written graph; nothing is read until it is used. `Store.opened` says what a failure means."""

    def mapped(name: str) -> npt.NDArray[Any]:
        return load(folder / f"{name}.npy")

    def strings(name: str) -> pa.Table:
        return rows_of(folder / f"{name}.arrow")

    def arrays(prefix: str = "") -> LinkArrays:
        return LinkArrays(*(mapped(prefix + item.name.rstrip("_")) for item in fields(LinkArrays)))

    made, ids = arrays(), mapped("ids")
    pages, links = upgraded("pages", strings("pages")), upgraded("links", strings("links"))
    content = arrays(CONTENT_PREFIX) if (folder / f"{CONTENT_PREFIX}out.npy").exists() else made
    if (folder / ROLE_FILE).exists():
        links = links.append_column("role", pa.array(load(folder / ROLE_FILE)))
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
    return bool(
        _equal(a.pages.select(PAGES.names), b.pages.select(PAGES.names))
        and a.aliases.cast(b.aliases.schema).equals(b.aliases)
        and _equal(a.links.select([*LINKS.names, "role"]), b.links.select([*LINKS.names, "role"]))
    )


def _equal(a: pa.Table, b: pa.Table) -> bool:
    """Whether two tables have equal rows, looked at some at a time; texts may be numbered in different ways."""
    return a.num_rows == b.num_rows and all(
        plain(a.slice(first, BATCH_ROWS)).equals(plain(b.slice(first, BATCH_ROWS)))
        for first in range(0, a.num_rows, BATCH_ROWS)
    )


def _numbers(graph: Graph) -> list[npt.NDArray[Any]]:
    return [
        graph.ids,
        graph.link_start,
        *_stretch_arrays(graph),
        *graph.arrays.values(),
        *graph.content.values(),
    ]
