"""The hierarchies of whole components for one α (paper 1, 5.2–5.3): the index `hierarchy(alpha=0.25)`.

The hierarchy of a component is the same for every page in it. So it is computed once, and a question only reads it.

What it takes: at α = ½ memory for the edges, 100 bytes each. At every other α two clusters without an edge between them
change their distance too, which takes 8 n² bytes for n pages: 12,500 pages need 1.25 GB. A component that needs more
than `PAGEKIN_MEMORY` is left out, and questions about its pages are answered from the candidates around them.

`index/hierarchy.…/` holds, over the nodes of the similarity graph:

    component.npy     the number of each node's component; −1: it is alone, −2: its component was left out
    nodes.npy         the nodes of each component, ascending, one component after another
    start.npy         where each component begins in them
    merges.npy        the merges of each component: as many rows as it has nodes, less one
    about.json        the checksums of the similarity graph that it was made from, and what was left out
"""

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from pagekin.cluster.flexible import DEFAULT_ALPHA, Hierarchy, bytes_needed, checked_alpha, flexible
from pagekin.cluster.hierarchy import PageHierarchy
from pagekin.collection.array_files import Growing, check_rows, load, save
from pagekin.collection.store import Store
from pagekin.engine.memory import memory
from pagekin.engine.watch import rows_done
from pagekin.index.base import Index, built, is_built, opened, register
from pagekin.index.similarity.graph import Similarity, SimilarityGraph, SimilaritySettings
from pagekin.kernels import Floats, Ints, Longs, frozen
from pagekin.memo import Memo

ALONE, LEFT_OUT = -1, -2


@register("hierarchy")
@dataclass(frozen=True, repr=False)
class WholeHierarchies(SimilaritySettings, Index):
    """The hierarchy of every component of a similarity graph."""

    alpha: float = DEFAULT_ALPHA

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_alpha(self.alpha)

    @property
    def similarity(self) -> Similarity:
        return Similarity(**{item.name: getattr(self, item.name) for item in fields(SimilaritySettings)})

    @property
    def needs(self) -> tuple[Index, ...]:
        return (self.similarity,)

    def make(self, store: Store, folder: Path) -> str:
        about = write(opened(store, self.similarity), self.alpha, folder, _checksums(store, self.similarity))
        said = f"{about.components:,} components, the largest of {about.largest:,} {self.level}s"
        if about.left_out:
            said += (
                f"; left out {about.left_out:,}, of up to {about.largest_left_out:,} {self.level}s, because "
                f"PAGEKIN_MEMORY allows less than the {about.needed / 1e9:,.1f} GB that they need"
            )
        return said

    def open(self, folder: Path) -> "Hierarchies":
        return read(folder)


@dataclass(frozen=True)
class About:
    """What a file of hierarchies was made from, and what it holds."""

    similarity: dict[str, Any]  # the checksums of the files of the similarity graph
    components: int  # of two nodes or more
    largest: int  # nodes
    left_out: int = 0  # components
    largest_left_out: int = 0  # nodes
    needed: int = 0  # bytes, for the largest that was left out


@dataclass(frozen=True)
class Hierarchies:
    """The hierarchies of all components, memory-mapped."""

    about: About
    component: Ints
    nodes: Ints
    start: Longs
    merges: Floats
    memo: Memo = field(default_factory=Memo, compare=False)

    def __post_init__(self) -> None:
        check_rows(self.start, self.about.components, self.nodes)
        if self.merges.shape != (self.nodes.size - self.about.components, 4):
            raise ValueError(f"merges.npy has the shape {self.merges.shape}, which does not fit nodes.npy")
        if self.component.size and not (LEFT_OUT <= self.component.min() <= self.component.max() < self.start.size - 1):
            raise ValueError("component.npy names a component that is not there")

    def around(self, graph: SimilarityGraph, node: int) -> PageHierarchy | None:
        """The hierarchy of a node's component, unless that was left out or is the node alone."""
        number = int(self.component[node])
        if number < 0:
            return None
        nodes, hierarchy = self.memo.get("component", number, lambda: self._of(number))
        return PageHierarchy(graph, nodes, int(np.searchsorted(nodes, node)), hierarchy, cut=False)

    def _of(self, number: int) -> tuple[Ints, Hierarchy]:
        first, last = int(self.start[number]), int(self.start[number + 1])
        return self.nodes[first:last], Hierarchy(self.merges[first - number : last - number - 1])


def write(graph: SimilarityGraph, alpha: float, folder: Path, checksums: dict[str, Any]) -> About:
    """Write the hierarchies of all components that fit into memory, one after another."""
    from pagekin.kernels.components import edges_between

    link_start, neighbour, bits, size = graph.rows
    component, nodes, start = _components(graph)
    place = np.empty(graph.nodes, np.int32)
    place[nodes] = np.arange(nodes.size) - np.repeat(start[:-1], np.diff(start))
    allowed, done = memory(), 0
    kept: list[int] = []
    left_out: list[tuple[int, int]] = []  # nodes, bytes needed
    with Growing(folder / "merges.npy", np.float64) as merges:
        for number, (first, last) in enumerate(zip(start[:-1].tolist(), start[1:].tolist(), strict=True)):
            inside = nodes[first:last]
            ends = int((graph.start[inside + 1] - graph.start[inside]).sum())
            needed = bytes_needed(inside.size, ends // 2, alpha)
            if needed > allowed:
                left_out.append((inside.size, needed))
            else:
                edges = edges_between(link_start, neighbour, bits, size, frozen(inside), frozen(place))
                merges.append(flexible(inside.size, *edges, alpha).merges)
                kept.append(number)
            done += inside.size
            rows_done(done, nodes.size)
    sizes = np.diff(start)
    is_kept = np.zeros(sizes.size, np.bool_)
    is_kept[kept] = True
    renumbered = np.full(sizes.size + 1, LEFT_OUT, np.int32)
    renumbered[:-1][is_kept], renumbered[-1] = np.arange(len(kept)), ALONE
    save(folder / "component.npy", renumbered[component])
    save(folder / "nodes.npy", nodes[np.repeat(is_kept, sizes)])
    save(folder / "start.npy", np.concatenate(([0], np.cumsum(sizes[is_kept]))).astype(np.int64))
    largest = int(sizes[is_kept].max(initial=0))
    about = About(checksums, len(kept), largest, len(left_out), *max(left_out, default=(0, 0)))
    (folder / "about.json").write_text(json.dumps(asdict(about)))
    return about


def _components(graph: SimilarityGraph) -> tuple[Ints, Ints, Longs]:
    """The component of each node (−1: it is alone), the nodes of all components in order, and where each begins."""
    from pagekin.kernels.components import labelled_rows

    label = labelled_rows(graph.start, graph.neighbour)
    sizes = np.bincount(label)
    several = sizes > 1
    number = np.where(several, np.cumsum(several) - 1, ALONE).astype(np.int32)
    nodes = np.argsort(label, kind="stable").astype(np.int32)
    start = np.concatenate(([0], np.cumsum(sizes[several]))).astype(np.int64)
    return number[label], nodes[several[label[nodes]]], start


def read(folder: Path) -> Hierarchies:
    """Open hierarchies; their arrays are mapped, and read only as needed."""
    try:
        about = About(**json.loads((folder / "about.json").read_text()))
    except TypeError as error:
        raise ValueError(f"about.json does not have the expected fields: {error}") from None
    component, nodes, start, merges = (
        load(folder / f"{name}.npy") for name in ("component", "nodes", "start", "merges")
    )
    return Hierarchies(about, component, nodes, start, merges.reshape(-1, 4))


def whole_hierarchies(store: Store, wanted: WholeHierarchies) -> Hierarchies | None:
    """The hierarchies for some settings, if they were built, and from the similarity graph as it is now."""
    if not is_built(store, wanted):
        return None
    held: Hierarchies = opened(store, wanted)
    return held if held.about.similarity == _checksums(store, wanted.similarity) else None


def _checksums(store: Store, similarity: Similarity) -> dict[str, Any]:
    """What tells one making of a similarity graph from another: the checksums of its files."""
    held = built(store, similarity)
    return {} if held is None else {name: list(known) for name, known in held.files.items()}
