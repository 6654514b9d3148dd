"""The pages that share most neighbours with each page, for all pages or many, as an export of co-citation needs."""

import numpy as np

from pagekin.engine.local import over_rows
from pagekin.graph.links import Direction, LinkArrays
from pagekin.graph.topk import TopK, joined
from pagekin.kernels import Ints, Longs, frozen, frozen_rows
from pagekin.kernels.allpairs import most_shared_of_classes, row_hashes, strongest_of_classes, twins
from pagekin.kernels.csr import rows_from_pairs
from pagekin.kernels.similarity import COUNT, DIRECT, strongest

SHORT = 64  # lists up to this long are kept by insertion, longer ones in a heap


def all_strongest(
    graph: LinkArrays, near: Direction, far: Direction, formula: int, k: int, workers: int | None = None
) -> TopK:
    """Every page's k most related pages, best first.

    Memory: three arrays of k entries per page, and a counter per page for each worker; never all pairs.
    """
    if formula == DIRECT:
        return strongest_of(np.arange(graph.size, dtype=np.int32), graph, near, far, formula, k, workers)
    found = TopK.empty(graph.size, k)
    start, neighbour = graph.rows(near)
    hashes = row_hashes(start, neighbour)
    class_of, firsts = twins(start, neighbour, hashes, np.argsort(hashes, kind="stable"))
    rows = frozen_rows(_rows_of(start, neighbour, firsts))
    columns = frozen_rows(_columns_of(*rows, graph.size))
    members = frozen_rows(_members(class_of, firsts.size))
    firsts = frozen(firsts)

    def block(first: int, last: int) -> None:
        classes = (*rows, *columns, firsts, *members, *found)
        if formula == COUNT and k <= SHORT:
            most_shared_of_classes(first, last, k, *classes)
        else:
            strongest_of_classes(first, last, k, formula, *classes)

    over_rows(block, firsts.size, workers)
    return found


def strongest_of(
    asked: Ints, graph: LinkArrays, near: Direction, far: Direction, formula: int, k: int, workers: int | None = None
) -> TopK:
    """The k most related pages of each of some pages, best first, page by page on all cores."""

    def block(first: int, last: int) -> TopK:
        return TopK(*strongest(
            frozen(np.array(asked[first:last], np.int32)), k, formula, near == far,
            *graph.rows(near), *graph.rows(far), *graph.rows("out"), *graph.rows("in"),
            np.zeros(graph.size, np.int32), np.zeros(graph.size, np.int32),
        ))  # fmt: skip

    blocks = over_rows(block, asked.size, workers)
    return joined(blocks, k)


def _rows_of(start: Longs, neighbour: Ints, chosen: Ints) -> tuple[Longs, Ints]:
    """Some rows of a graph."""
    lengths = start[chosen + 1] - start[chosen]
    new = np.zeros(chosen.size + 1, np.int64)
    np.cumsum(lengths, out=new[1:])
    places = np.repeat(start[chosen] - new[:-1], lengths) + np.arange(new[-1])
    return new, neighbour[places]


def _columns_of(start: Longs, neighbour: Ints, n: int) -> tuple[Longs, Ints]:
    """For each of n pages, the rows that hold it, ascending."""
    row = np.repeat(np.arange(start.size - 1, dtype=np.int32), np.diff(start))
    return rows_from_pairs(frozen(neighbour), frozen(row), n)


def _members(class_of: Ints, classes: int) -> tuple[Longs, Ints]:
    """For each class, its pages, ascending."""
    pages = np.flatnonzero(class_of >= 0).astype(np.int32)
    return rows_from_pairs(frozen(class_of[pages]), frozen(pages), classes)
