"""What a similarity graph keeps for the next build, and how that one is made from it.

The similarity of two nodes follows from the sets and links of these two alone. So an edge between two nodes that have
the same as before is the former edge, and only the nodes that have not are compared with all others. The mean over all
pairs is a sum of whole numbers: what pairs with a changed node gave formerly is taken off, what they give now is added.
As the mean moves, so does δ; edges a little below it are kept beside the graph (`spare`).

    near_start, near, out_start, out    the sets and the links that the graph was made from
    spare_start, spare, spare_bits      the edges with low ≤ sim < δ
    kept.json                           low; the sum of all similarities, in parts of 2⁴⁰
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pagekin.collection.array_files import check_rows, load, save
from pagekin.engine.local import over_rows
from pagekin.engine.memory import memory
from pagekin.index.prints import Prints, mixed, summed
from pagekin.index.similarity.neighbourhoods import Neighbourhoods, room_for
from pagekin.kernels import Ints, Longs, frozen, frozen_rows
from pagekin.kernels.numbers import numbers_in

if TYPE_CHECKING:
    from pagekin.kernels.similarity_graph import Sets

LOW = 0.9  # of δ: by so much the mean may fall before all pairs are looked at again
MOST_ANEW = 0.3  # of the members of all sets, those of nodes that have changed: with more, nothing is gained
EDGE_BYTES = 32  # of memory for a new edge while both its rows are put in order

Rows = tuple[Longs, Ints]


@dataclass(frozen=True)
class Kept:
    """A former graph, and what it was made from."""

    head: Longs  # the id of each node's page
    near: Rows
    out: Rows
    edges: tuple[Longs, Ints, Ints]
    spare: tuple[Longs, Ints, Ints]
    pairs: int
    sum: int
    low: float

    @classmethod
    def read(cls, folder: Path) -> "Kept":
        def mapped(*names: str) -> tuple[npt.NDArray[Any], ...]:
            return tuple(load(folder / f"{name}.npy") for name in names)

        (head,) = mapped("head")
        near, out = mapped("near_start", "near"), mapped("out_start", "out")
        edges, spare = mapped("start", "neighbour", "bits"), mapped("spare_start", "spare", "spare_bits")
        for start, *rows in (near, out, edges, spare):
            check_rows(start, head.size, *rows)
        told = json.loads((folder / "kept.json").read_text())
        pairs = json.loads((folder / "about.json").read_text())["pairs"]
        return cls(head, near, out, edges, spare, pairs, int(told["sum"]), float(told["low"]))  # type: ignore[arg-type]

    def sets(self, folder: Path | None = None) -> "Sets":
        """All that the kernels compare, as `Neighbourhoods.sets` gives it."""
        from pagekin.kernels.csr import transposed
        from pagekin.kernels.similarity_graph import Sets, far_by_size

        near, out = frozen_rows(self.near), frozen_rows(self.out)
        size = np.diff(near[0]).astype(np.int32)
        far = room_for(near[1].size, folder)
        far_start = far_by_size(*near, frozen(np.argsort(size, kind="stable").astype(np.int32)), far)
        return Sets(*near, *frozen_rows((far_start, far)), *out, *frozen_rows(transposed(*out)), frozen(size))


def save_kept(folder: Path, around: Neighbourhoods, total: int, low: float) -> None:
    out_start, out = around.links.rows("out")
    for name, values in (
        ("near_start", around.near_start),
        ("near", around.near),
        ("out_start", out_start),
        ("out", out),
    ):
        save(folder / f"{name}.npy", values)
    (folder / "kept.json").write_text(json.dumps({"sum": total, "low": low}))


@dataclass(frozen=True)
class Changed:
    """What has changed since a former graph was made; nodes by their numbers then (`before`) and now."""

    was: Ints  # by node now: its number before, −1 if it is new or has changed
    is_now: Ints  # by node before: its number now, −1 if it is gone or has changed
    share: float  # of the members of all sets, those of nodes that are new or have changed

    @classmethod
    def since(cls, former: Kept, around: Neighbourhoods, head: Longs) -> "Changed":
        now, sizes = numbers_in(head, former.head), np.diff(around.near_start)
        before = _prints(former.head, former.near, former.out)
        prints = _prints(head, (around.near_start, around.near), around.links.rows("out"))
        same = (now >= 0) & (before == prints[now]) if head.size else np.zeros(now.size, bool)
        was = np.full(head.size, -1, np.int32)
        was[now[same]] = np.flatnonzero(same)
        return cls(was, np.where(same, now, -1).astype(np.int32), float(sizes[was < 0].sum() / max(sizes.sum(), 1)))


def _prints(head: Longs, *rows: Rows) -> Prints:
    """A print of all rows of each node."""
    found = mixed(head)
    for salt, (start, row) in enumerate(rows):
        node = np.repeat(np.arange(head.size), np.diff(start))
        found += summed(node, mixed(salt, head[row]), head.size) if row.size else np.uint64(0)
        found = mixed(found, np.diff(start))
    return found


@dataclass(frozen=True)
class Walked:
    """The edges of some nodes with all others, in the rows of both ends; how many pairs they have, and their sum."""

    start: Longs
    neighbour: Ints
    bits: Ints
    pairs: int
    sum: int


def walked(rows: Ints, sets: "Sets", least: float, most: float, workers: int | None) -> Walked | None:
    """The edges of some nodes, which ascend, if memory holds them."""
    from pagekin.kernels import similarity_kept as kernels

    mine = np.zeros(sets.size.size, bool)
    mine[rows] = True

    def block(first: int, last: int) -> tuple[Any, ...]:
        return kernels.walked(frozen(rows[first:last]), frozen(mine), least, most, sets)

    found = over_rows(block, rows.size, workers)
    pairs, total = (sum(int(each[3][at]) for each in found) for at in (0, 1))
    if EDGE_BYTES * sum(each[1].size for each in found) > memory():
        return None
    lengths = np.concatenate([np.empty(0, np.int64), *(each[0] for each in found)])
    other, bits = (np.concatenate([np.empty(0, np.int32), *(each[at] for each in found)]) for at in (1, 2))
    of_rows = frozen(rows), frozen(lengths), frozen(other), frozen(bits), frozen(mine)
    return Walked(*kernels.in_both_rows(*of_rows), pairs, total)


def totals_with(former: Kept, gone: Ints, folder: Path | None, workers: int | None) -> tuple[int, int]:
    """The pairs that some nodes of a former graph had with all others, and the sum of their similarities."""
    none = walked(gone, former.sets(folder), np.inf, np.inf, workers)
    return (none.pairs, none.sum) if none else (0, 0)


def blocks(former: Kept, changed: Changed, new: Walked, share: int) -> Iterator[tuple[int, int]]:
    """Rows, first and behind the last, that take at most so much memory together."""
    from pagekin.engine.local import within

    rows = np.diff(new.start)
    old = np.diff(former.edges[0]) + np.diff(former.spare[0])
    rows = rows + np.where(changed.was >= 0, old[changed.was], 0) if old.size else rows
    return within(8 * rows, share)
