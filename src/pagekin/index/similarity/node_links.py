"""The links between nodes, in files of a folder: made so many nodes at a time that memory can hold their links.

`neighbourhoods` makes the same in memory, for graphs that are small.
"""

from pathlib import Path

import numpy as np

from pagekin.collection.link_files import write_either
from pagekin.collection.row_files import CSR, write_rows, write_turned
from pagekin.engine.local import within
from pagekin.engine.memory import memory
from pagekin.graph.links import LinkArrays
from pagekin.kernels import Ints

LINK_BYTES = 60  # of memory for a link while its row is made: its ends, their key, and the key in order
SHARE = 4  # of the memory, what rows in hand may take


def write_between(graph: LinkArrays, node: Ints, nodes: int, folder: Path) -> LinkArrays:
    """The links between nodes, each once and none from a node to itself; `node`: of each page, −1 for none."""
    pages = np.argsort(node, kind="stable").astype(np.int32)
    start = np.searchsorted(node[pages], np.arange(nodes + 1))
    links = np.concatenate(([0], np.cumsum(np.diff(graph.out_start)[pages])))

    def linked(first: int, last: int) -> CSR:
        own = pages[start[first] : start[last]]
        target, lengths = graph.gathered("out", own)
        source, target = np.repeat(node[own] - first, lengths), node[target]
        kept = (target >= 0) & (target != source + first)
        key = np.unique((source[kept].astype(np.int64) << 32) | target[kept])
        return np.bincount(key >> 32, minlength=last - first), (key & 0xFFFFFFFF).astype(np.int32)

    out = write_rows(folder, "out", nodes, _blocks(np.diff(links[start])), linked)
    into = write_turned(folder, "in", *out, nodes)
    return LinkArrays(*out, *into, *write_either(folder, "", out, into))


def write_limited(links: LinkArrays, max_in: int | None, max_out: int | None, folder: Path) -> LinkArrays:
    """As `LinkArrays.limited`."""
    from pagekin.kernels.csr import kept_citers

    if max_in is None and max_out is None:
        return links

    def limited(first: int, last: int) -> CSR:
        kept = kept_citers(first, last, links.in_start, links.in_, links.out_start, max_in or -1, max_out or -1)
        begin, end = links.in_start[first], links.in_start[last]
        counts = np.concatenate(([0], np.cumsum(kept)))
        return np.diff(counts[links.in_start[first : last + 1] - begin]), links.in_[begin:end][kept]

    into = write_rows(folder, "limited_in", links.size, _blocks(np.diff(links.in_start)), limited)
    if into[1].size == links.links:
        return links
    out = write_turned(folder, "limited_out", *into, links.size)
    return LinkArrays(*out, *into, *write_either(folder, "limited_", out, into))


def _blocks(links: Ints) -> list[tuple[int, int]]:
    return list(within(LINK_BYTES * links.astype(np.int64), memory() // SHARE))
