"""The similarity graph (paper 1, 5.1): an index of every pair of pages with a similarity of at least δ.

With C(p) the pages that link to p (co-citation), that p links to (coupling) or both (Amsler):

    sim(a, b) = (|C(a) ∩ C(b)| + direct(a, b)) / |C(a) ∪ C(b) ∪ {a} ∪ {b}|        (Eq. 4)

Pages that are mirrors (`index.mirrors`) are one node, with the links of all of them. It takes two exact passes, a block
of rows at a time: one for the mean of all similarities that are not 0, of which δ is a tenth, and one for the edges.

`index/similarity.…/` holds, over nodes (pages, or hosts or sites):

    ids.npy, node.npy      every page the index knows, ascending, and its node (a mirror's: its first page's; −1: none)
    head.npy               the page that represents each node
    start, neighbour       the edges, each in the rows of both its ends, ascending
    bits, size             what their similarities are computed from (kernels.similarity_graph)
    about.json             δ, the mean, the pairs
    near, spare …          for the next build (`kept`)
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pagekin.collection.array_files import Growing, check_rows, load, save
from pagekin.collection.seen import SeesLinks, seen_by
from pagekin.collection.store import Store
from pagekin.engine.base import one_by_one, over_rows
from pagekin.engine.local import cores, within
from pagekin.engine.memory import memory
from pagekin.engine.watch import rows_done, step
from pagekin.errors import UsageError
from pagekin.graph.edges import Edges
from pagekin.index.base import Index, kept_of, register, reused
from pagekin.index.mirrors.index import Mirrors
from pagekin.index.mirrors.kin import mirror_classes
from pagekin.index.similarity.candidates import MAX_CANDIDATES, candidates, edges_among
from pagekin.index.similarity.kept import LOW, MOST_ANEW, Changed, Kept, blocks, save_kept, totals_with, walked
from pagekin.index.similarity.neighbourhoods import Level, Measure, Neighbourhoods, neighbourhoods
from pagekin.kernels import Ints, Longs, frozen
from pagekin.kernels.numbers import number_in
from pagekin.memo import Memo

SHARE_OF_MEAN = 0.1  # δ, if none is set
OVER = 0.95  # paper 1 takes two pages with a larger similarity for mirrors, and drops the pair
BYTES_OF_EDGE = 8
EdgeRows = tuple[Ints, Ints, Ints]  # the length of each row, neighbours, bits


@dataclass(frozen=True)
class About:
    """Figures about a similarity graph, found while it was made."""

    delta: float
    mean: float  # over the pairs whose similarity is not 0
    pairs: int  # how many such pairs
    kept: int  # with sim ≥ δ, without mirrors
    mirrors: int  # pages folded into another


@dataclass(frozen=True, repr=False)
class SimilaritySettings(SeesLinks):
    """The settings of a similarity graph, and of the methods that use one: when two pages are alike."""

    measure: Measure = "co-citation"
    delta: float | None = None  # the least similarity kept; none: a tenth of the mean
    level: Level = "page"
    max_in: int | None = None  # the most citers kept per page, those with most in-links (paper 1: 50)
    max_out: int | None = 1_000  # a citer with more out-links is a portal and is dropped
    chop_below: int | None = None  # with fewer in-links, use those of the page one path element up (paper 1: 10)
    stop: str | None = None  # a file of addresses to leave out, one per line
    mirrors: Literal["text", "paper"] = "text"  # paper: drop every pair over 0.95

    def __post_init__(self) -> None:
        if self.delta is not None and not 0 <= self.delta <= 1:
            raise UsageError(f"delta is {self.delta}; expected 0 to 1, or none for a tenth of the mean similarity")
        for name in ("max_in", "max_out", "chop_below"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"{name} must be at least 1, or none, not {value}")

    @property
    def at_most(self) -> float:
        """The greatest similarity of two pages that are not taken for mirrors."""
        return OVER if self.mirrors == "paper" else math.inf

    @property
    def folds(self) -> bool:
        """Whether copies of a page are one node with it."""
        return self.mirrors == "text" and self.level == "page"


@register("similarity")
@dataclass(frozen=True, repr=False)
class Similarity(SimilaritySettings, Index):
    """The similarity graph of a collection."""

    @property
    def needs(self) -> tuple[Index, ...]:
        return (Mirrors(),) if self.folds else ()

    def make(self, store: Store, folder: Path) -> str:
        return _sentence(write(store, self, folder))

    def renew(self, store: Store, folder: Path, former: Path) -> str | None:
        kept = kept_of(former, Kept.read)
        done = None if kept is None else rewrite(store, self, folder, kept)
        return None if done is None else _sentence(done[0]) + reused(done[1], "pairs")

    def open(self, folder: Path) -> "SimilarityGraph":
        return read(folder)


def _sentence(about: About) -> str:
    folded = f", {about.mirrors:,} mirrors folded" if about.mirrors else ""
    return f"{about.kept:,} of {about.pairs:,} pairs have a similarity of {about.delta:.4g} or more{folded}"


def write(store: Store, wanted: Similarity, folder: Path, bounded: bool = True, workers: int | None = None) -> About:
    """Write a similarity graph; `bounded=False` also looks at the pairs that the size bound rules out.

    Memory: the sets, a few numbers for each node and worker, and `engine.memory` for edges not yet written.
    """
    with TemporaryDirectory(prefix="steps-", dir=folder) as steps:
        return _written(store, wanted, folder, bounded, workers, Path(steps))


def _written(store: Store, wanted: Similarity, folder: Path, bounded: bool, workers: int | None, steps: Path) -> About:
    from pagekin.kernels import similarity_graph as kernels

    around, copies = _around(store, wanted, steps)
    n, sets = around.nodes, around.sets()

    def totals(first: int, last: int) -> tuple[Ints, Longs]:
        pairs, sums = np.zeros(n, np.int32), np.zeros(n, np.int64)
        kernels.totals(first, last, sets, pairs, sums)
        return pairs[first:last].copy(), sums[first:last].copy()

    with step("counting pairs"):
        counted = over_rows(totals, n, workers)
    pairs = np.concatenate([np.empty(0, np.int32), *(pairs for pairs, _ in counted)])
    whole = sum(_exact(sums) for _, sums in counted)
    made = _Made(store, wanted, around, copies, int(pairs.sum(dtype=np.int64)) // 2, whole // 2)
    low, most, nobody = made.low, wanted.at_most, frozen(np.zeros(n, np.bool_))
    capacity = pairs.astype(np.int64)

    def rows(first: int, last: int) -> EdgeRows:
        room = int(capacity[first:last].sum())
        return kernels.edges(first, last, low, most, bounded, sets, nobody, room)

    return made.write(folder, low, rows, within(BYTES_OF_EDGE * capacity, _share(workers)), workers)


def rewrite(
    store: Store, wanted: Similarity, folder: Path, former: Kept, workers: int | None = None
) -> tuple[About, float] | None:
    """The same from a former graph, and the share of its pairs that are former ones; None if that is no use."""
    with TemporaryDirectory(prefix="steps-", dir=folder) as steps:
        return _rewritten(store, wanted, folder, former, workers, Path(steps))


def _rewritten(
    store: Store, wanted: Similarity, folder: Path, former: Kept, workers: int | None, steps: Path
) -> tuple[About, float] | None:
    from pagekin.kernels.similarity_kept import renewed

    around, copies = _around(store, wanted, steps)
    sets, head = around.sets(), store.graph.ids[around.head]
    changed = Changed.since(former, around, head)
    if changed.share > MOST_ANEW:
        return None
    anew, gone = (np.flatnonzero(each < 0).astype(np.int32) for each in (changed.was, changed.is_now))
    with step("comparing what is new"):
        new = walked(anew, sets, former.low, wanted.at_most, workers)
        lost, lost_sum = totals_with(former, gone, steps, workers)
    if new is None:
        return None
    made = _Made(store, wanted, around, copies, former.pairs - lost + new.pairs, former.sum - lost_sum + new.sum)
    if made.delta < former.low:
        return None
    held = *former.edges, *former.spare, new.start, new.neighbour, new.bits
    given = [frozen(each) for each in (changed.was, changed.is_now, *held)]

    def rows(first: int, last: int) -> EdgeRows:
        return renewed(first, last, *given)

    about = made.write(folder, former.low, rows, blocks(former, changed, new, _share(workers)), workers)
    return about, 1 - new.pairs / max(about.pairs, 1)


def _exact(numbers: Longs) -> int:
    """The sum of numbers that together may not fit 64 bits."""
    return (int((numbers >> 32).sum()) << 32) + int((numbers & 0xFFFFFFFF).sum())


def _around(store: Store, wanted: Similarity, steps: Path) -> tuple[Neighbourhoods, Sequence[Ints]]:
    """The sets that are compared, and the copies that are one node."""
    limits = (wanted.max_in, wanted.max_out, wanted.chop_below, wanted.stop)
    copies = mirror_classes(store) if wanted.folds else ()
    return neighbourhoods(store, wanted.measure, wanted.level, *limits, copies=copies, folder=steps), copies


def _share(workers: int | None) -> int:
    """Bytes of a block of edges: each is copied when its length is known, and once more to be parted at δ."""
    return memory() // (3 * ((workers or cores()) + 1))


@dataclass(frozen=True)
class _Made:
    """What is known of a graph before its edges are written."""

    store: Store
    wanted: Similarity
    around: Neighbourhoods
    copies: Sequence[Ints]
    pairs: int  # with a similarity that is not 0
    sum: int  # of all similarities, in parts of 2⁴⁰

    @property
    def mean(self) -> float:
        from pagekin.kernels.similarity_graph import ONE

        return self.sum / ONE / self.pairs if self.pairs else 0.0

    @property
    def delta(self) -> float:
        return SHARE_OF_MEAN * self.mean if self.wanted.delta is None else self.wanted.delta

    @property
    def low(self) -> float:
        """The least similarity that is kept: below δ only if that follows from the mean."""
        return LOW * self.delta if self.wanted.delta is None else self.delta

    def write(
        self,
        folder: Path,
        low: float,
        rows: Callable[[int, int], EdgeRows],
        blocks: Iterable[tuple[int, int]],
        workers: int | None,
    ) -> About:
        """Write the rows of all nodes, block by block, with the edges from `low` on; `rows` makes those of a block."""
        from pagekin.kernels.similarity_kept import parted

        around, ids, delta = self.around, self.store.graph.ids, self.delta
        n, size = around.nodes, frozen(around.size)

        def in_two(first: int, last: int) -> tuple[int, tuple[Ints, ...]]:
            return first, parted(first, *rows(first, last), size, delta)

        starts, names = np.zeros((2, n + 1), np.int64), ("neighbour", "bits", "spare", "spare_bits")
        with step("writing pairs"), ExitStack() as opened:
            files = [opened.enter_context(Growing(folder / f"{name}.npy", np.int32)) for name in names]
            for first, (above, neighbour, bits, below, spare, spare_bits) in one_by_one(in_two, blocks, workers):
                starts[:, first + 1 : first + 1 + above.size] = above, below
                for file, column in zip(files, (neighbour, bits, spare, spare_bits), strict=True):
                    file.append(column)
                rows_done(first + above.size, n)
        about = About(delta, self.mean, self.pairs, files[0].size // 2, sum(group.size - 1 for group in self.copies))
        values: npt.NDArray[Any]
        for name, values in (
            ("ids", ids), ("node", around.node), ("head", ids[around.head]), ("start", np.cumsum(starts[0])),
            ("spare_start", np.cumsum(starts[1])), ("size", around.size),
        ):  # fmt: skip
            save(folder / f"{name}.npy", values)
        (folder / "about.json").write_text(json.dumps(asdict(about)))
        save_kept(folder, around, self.sum, low)
        return about


def read(folder: Path) -> "SimilarityGraph":
    """Open a similarity graph; its arrays are mapped, and read only as needed."""

    def mapped(name: str) -> npt.NDArray[Any]:
        return load(folder / f"{name}.npy")

    try:
        about = About(**json.loads((folder / "about.json").read_text()))
    except TypeError as error:
        raise ValueError(f"about.json does not have the expected fields: {error}") from None
    graph = SimilarityGraph(
        about, mapped("ids"), mapped("node"), mapped("head"),
        mapped("start"), mapped("neighbour"), mapped("bits"), mapped("size"),
    )  # fmt: skip
    check_rows(graph.start, graph.nodes, graph.neighbour, graph.bits)
    return graph


@dataclass(frozen=True)
class SimilarityGraph:
    """The similarities between nodes; `node` and `head` lead from pages (ids) to nodes and back."""

    about: About
    ids: Longs
    node: Ints
    head: Longs
    start: Longs
    neighbour: Ints
    bits: Ints
    size: Ints
    memo: Memo = field(default_factory=Memo, compare=False)  # what the latest questions needed

    @property
    def nodes(self) -> int:
        return int(self.head.size)

    def node_of(self, page_id: int) -> int | None:
        """The node of a page: itself, its first mirror, or its host; none if it was left out or added later."""
        at = number_in(self.ids, page_id)
        return None if at is None or self.node[at] < 0 else int(self.node[at])

    def members(self, node: int) -> Longs:
        """The ids of the pages that a node represents, ascending."""
        start, places = self._members
        return self.ids[places[start[node] : start[node + 1]]]

    @cached_property
    def _members(self) -> tuple[Longs, Longs]:
        places = np.flatnonzero(self.node >= 0)
        places = places[np.argsort(self.node[places], kind="stable")]
        return np.searchsorted(self.node[places], np.arange(self.nodes + 1)), places

    @property
    def rows(self) -> tuple[Longs, Ints, Ints, Ints]:
        """The edges in the form that kernels, `candidates` and `edges_among` take."""
        return frozen(self.start), frozen(self.neighbour), frozen(self.bits), frozen(self.size)

    def candidates(self, node: int, most: int = MAX_CANDIDATES) -> Ints:
        """The node and the nodes nearest to it by the best path, ascending."""
        return np.sort(candidates(*self.rows, node, most))

    def edges_among(self, nodes: Ints) -> Edges:
        """The edges among some nodes, which ascend: places in `nodes`, and similarities."""
        return edges_among(*self.rows, nodes)

    def edges(self) -> Iterator[Edges]:
        """Every edge once, a < b, some rows at a time."""
        from pagekin.kernels.similarity_graph import edges_of

        for first, last in within(4 * BYTES_OF_EDGE * np.diff(self.start), memory()):
            yield Edges(*edges_of(first, last, *self.rows))


def similarity_graph(store: Store, wanted: Similarity) -> SimilarityGraph:
    """A temporary similarity graph, for evaluation, where settings are tried out."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        write(seen_by(wanted, store), wanted, Path(folder))
        return read(Path(folder))  # mapped files stay readable when their names are gone
