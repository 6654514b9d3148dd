"""The sets C(p) that similarities compare (paper 1, 5.1 and 6.1), at a level and within limits.

A *node* is a page or, by `level`, a host or a site with the links of its pages put together. Citers that are portals
(over `max_out` out-links) are dropped, then all but the `max_in` with most in-links. A page with under `chop_below`
in-links uses those of another: its address loses one, two … path elements until it is a page of the collection.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from uuid import uuid4

import numpy as np

from pagekin.collection.array_files import reserved
from pagekin.collection.lookup import stop_list
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.graph.links import Direction, LinkArrays, link_arrays
from pagekin.index.similarity.node_links import write_between, write_limited
from pagekin.kernels import Ints, Longs, frozen, frozen_rows
from pagekin.url import ancestors, page_id

if TYPE_CHECKING:
    from pagekin.kernels.similarity_graph import Sets

Measure = Literal["co-citation", "coupling", "amsler"]
Level = Literal["page", "host", "site"]
DIRECTION: dict[Measure, Direction] = {"co-citation": "in", "coupling": "out", "amsler": "either"}


@dataclass(frozen=True)
class Neighbourhoods:
    """The sets of all nodes, and the links between nodes."""

    node: Ints  # of each page number; −1: left out
    head: Ints  # the page number that represents each node; heads ascend, so node order is page order
    links: LinkArrays
    near_start: Longs  # C(p)
    near: Ints
    far_start: Longs  # the nodes with p in their sets, by the sizes of those sets
    far: Ints

    @property
    def nodes(self) -> int:
        return int(self.head.size)

    @property
    def size(self) -> Ints:
        """|C(p)| of each node."""
        return np.diff(self.near_start).astype(np.int32)

    def sets(self) -> "Sets":
        """All that the kernels compare."""
        from pagekin.kernels.similarity_graph import Sets

        near, far = frozen_rows((self.near_start, self.near)), frozen_rows((self.far_start, self.far))
        return Sets(*near, *far, *self.links.rows("out"), *self.links.rows("in"), frozen(self.size))


def neighbourhoods(
    store: Store,
    measure: Measure,
    level: Level = "page",
    max_in: int | None = None,
    max_out: int | None = None,
    chop_below: int | None = None,
    stop: str | None = None,
    copies: Sequence[Ints] = (),
    folder: Path | None = None,
) -> Neighbourhoods:
    """The sets of a collection; pages that are `copies` of each other are one node. O(links).

    `folder`: where what grows with links stands, in files; otherwise it is in memory.
    """
    from pagekin.kernels.csr import union_rows
    from pagekin.kernels.similarity_graph import far_by_size

    if chop_below is not None and level != "page":
        raise UsageError(f"chop_below is only for pages, but level={level} compares {level}s; leave out one of the two")
    node, head = _nodes(store, level, [] if stop is None else stop_list(store, stop), copies)
    if folder is None:
        links = _between(store.arrays, node, head.size).limited(max_in, max_out)
    else:
        same = _is_same(store.arrays, node, head.size)
        links = store.arrays if same else write_between(store.arrays, node, head.size, folder)
        links = write_limited(links, max_in, max_out, folder)
    near = links.rows(DIRECTION[measure])
    if chop_below is not None and measure != "coupling":
        near = _borrowed(store, head, links.rows("in"), chop_below)
        if measure == "amsler":
            near = union_rows(*frozen_rows(near), *links.rows("out"))
    near = frozen_rows(near)
    by_size = np.argsort(np.diff(near[0]), kind="stable").astype(np.int32)
    far = room_for(near[1].size, folder)
    return Neighbourhoods(node, head, links, *near, far_by_size(*near, frozen(by_size), far), far)


def _nodes(store: Store, level: Level, stopped: list[int], copies: Sequence[Ints]) -> tuple[Ints, Ints]:
    """The node of each page, and the page that represents each node.

    A page represents itself, and an alias belongs to its page's node. A copy belongs to the node of the first of them.
    A host or site is represented by its shortest address, which is the root if that is known.
    """
    own = store.graph.page_of
    left_out = np.isin(own, stopped)
    if level == "page":
        stands = np.arange(store.size, dtype=np.int32)
        for group in copies:
            kept = group[~left_out[group]]
            stands[kept] = kept[:1]
        own = stands[own]
        left_out |= own != store.graph.page_of
        head = np.flatnonzero(store.graph.is_page & ~left_out).astype(np.int32)
        node = np.full(store.size, -1, np.int32)
        node[head] = np.arange(head.size, dtype=np.int32)
        return node[own], head
    groups, urls = store.graph.pages[level].to_pylist(), store.graph.pages["url"].to_pylist()
    first: dict[str, int] = {}
    for page in np.flatnonzero(store.graph.is_page & ~left_out).tolist():
        known = first.setdefault(groups[page], page)
        if (len(urls[page]), urls[page]) < (len(urls[known]), urls[known]):
            first[groups[page]] = page
    head = np.array(sorted(first.values()), np.int32)
    number = {groups[page]: at for at, page in enumerate(head.tolist())}
    node = np.array([-1 if out else number[groups[page]] for page, out in zip(own, left_out, strict=True)], np.int32)
    return node, head


def room_for(size: int, folder: Path | None) -> Ints:
    """An array to be filled, in memory or in a file of a folder."""
    return np.empty(size, np.int32) if folder is None else reserved(folder / f"{uuid4().hex}.npy", np.int32, size)


def _is_same(graph: LinkArrays, node: Ints, nodes: int) -> bool:
    """Whether each page is a node of its own, and has its number."""
    return nodes == graph.size and bool((node == np.arange(nodes)).all())


def _between(graph: LinkArrays, node: Ints, nodes: int) -> LinkArrays:
    """The links between nodes."""
    if _is_same(graph, node, nodes):
        return graph
    source, target = np.repeat(node, np.diff(graph.out_start)), node[graph.out]
    kept = (source >= 0) & (target >= 0)
    return link_arrays(source[kept], target[kept], nodes)


def _borrowed(store: Store, head: Ints, citers: tuple[Longs, Ints], below: int) -> tuple[Longs, Ints]:
    """The citers of each page, never the page itself; a page with fewer than `below` borrows those of another."""
    start, row = citers
    place = {int(page): at for at, page in enumerate(head)}
    rows = []
    for at, page in enumerate(head.tolist()):
        lender = at
        if start[at + 1] - start[at] < below:
            known = (store.number(page_id(url)) for url in ancestors(store.url(page)))
            nodes = (place.get(int(store.graph.page_of[number])) for number in known if number is not None)
            lender = next((found for found in nodes if found is not None and found != at), at)
        borrowed = row[start[lender] : start[lender + 1]]
        rows.append(borrowed[borrowed != at])
    lengths = np.array([0, *(each.size for each in rows)], np.int64)
    return np.cumsum(lengths), np.concatenate(rows) if rows else np.empty(0, np.int32)
