"""Reads Common Crawl's web graphs: hosts or domains, and the links between them.

    …-vertices.txt.gz                 …-edges.txt.gz
    0 ⇥ com.example                   0 ⇥ 1
    1 ⇥ org.example.www ⇥ 12          0 ⇥ 7

A vertex is a number and a name from the right, in graphs of domains also its number of hosts; an edge is two numbers.
Large graphs come in parts, in folders `vertices` and `edges`. A host is taken as its front page: `http://www.example.org/`.
Names are held in memory, about 80 bytes each; edges are not.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv

from pagekin.acquire.capture import place, spelled
from pagekin.acquire.tables import Numbers, Positions
from pagekin.errors import SourceError
from pagekin.model import Item, Rows, Skipped
from pagekin.url import canonical

VERTICES, EDGES = "vertices", "edges"
BLOCK = 16 << 20  # bytes of text at a time
_VERTEX = re.compile(rb"\d+\t[a-z0-9_-]+(\.[a-z0-9_-]+)*(\t\d+)?\r?\n")
_EDGE = re.compile(rb"\d+\t\d+\r?\n")
_NUMBER = r"^[0-9]{1,18}$"


class Graph(NamedTuple):
    """The files of a graph."""

    vertices: tuple[Path, ...]
    edges: tuple[Path, ...]


class Vertices(NamedTuple):
    """The addresses of vertices by their numbers, ascending; what is no number, or no name, is counted."""

    numbers: Numbers
    urls: pa.Array
    odd: int

    def of(self, numbers: Numbers) -> pa.Array:
        """The addresses of some vertices; null for an unknown one."""
        if not len(self.numbers):
            return pa.nulls(len(numbers), pa.string())
        at = np.searchsorted(self.numbers, numbers).clip(max=len(self.numbers) - 1)
        return self.urls.take(pa.array(at, mask=self.numbers[at] != numbers))


def recognises(path: Path, head: bytes) -> bool:
    """Whether this is a file of vertices or edges, and the others are beside it."""
    if not any(name in (path.parent.name, *re.findall(f"{VERTICES}|{EDGES}", path.name)) for name in (VERTICES, EDGES)):
        return False
    if files_of(path) is None:
        return False
    return bool(_EDGE.match(head) if is_edges(path) else _VERTEX.match(head))


def is_edges(path: Path) -> bool:
    return EDGES in path.name or (VERTICES not in path.name and path.parent.name == EDGES)


def files_of(path: Path) -> Graph | None:
    """The graph that a file belongs to: with the file of the other kind beside it, or folders of both; None if that is
    missing. Of a graph in parts, the edges of the file alone, or of all if it has vertices."""
    if VERTICES in path.name or EDGES in path.name:
        vertices, edges = (path.with_name(re.sub(f"{VERTICES}|{EDGES}", name, path.name)) for name in (VERTICES, EDGES))
        return Graph((vertices,), (edges,)) if vertices.is_file() and edges.is_file() else None
    parts = [
        sorted(file for file in (path.parent.parent / name).glob("*") if file.is_file()) for name in (VERTICES, EDGES)
    ]
    if not all(parts):
        return None
    return Graph(tuple(parts[0]), (path,) if is_edges(path) else tuple(parts[1]))


def read(path: Path) -> Iterator[Item]:
    """The links between hosts, as between their front pages."""
    graph = files_of(path)
    if graph is None:
        raise SourceError(
            f"{spelled(path)} is one half of a web graph; expected two files, …-{VERTICES}.txt.gz and "
            f"…-{EDGES}.txt.gz, or two folders, {VERTICES} and {EDGES}"
        )
    known, positions = _vertices(graph.vertices), Positions()
    if known.odd:
        yield Skipped(f"{place(graph.vertices[0])}: {known.odd:,} lines", "not a vertex")
    for file in graph.edges:
        odd = unknown = 0
        for columns in _blocks(file, 2):
            numeric = _all_numbers(columns)
            odd += len(numeric) - int(pc.sum(numeric).as_py() or 0)
            source, target = (known.of(column.filter(numeric).cast(pa.int64()).to_numpy()) for column in columns[:2])
            both = pc.and_(source.is_valid(), target.is_valid())
            unknown += len(both) - int(pc.sum(both).as_py() or 0)
            source, target = source.filter(both), target.filter(both)
            position = pa.array(positions.next(source.dictionary_encode()), pa.int32())
            yield Rows(links=pa.table({"source": source, "target": target, "position": position}))
        for count, why in ((odd, "not an edge"), (unknown, "unknown vertex")):
            if count:
                yield Skipped(f"{place(file)}: {count:,} lines", why)


@lru_cache(1)  # parts of a graph share their vertices
def _vertices(files: Sequence[Path]) -> Vertices:
    numbers, urls, odd = list[Numbers](), list[pa.Array](), 0
    for file in files:
        for columns in _blocks(file, 2):
            numeric = _all_numbers(columns[:1])
            named = pa.array([_front_page(name) for name in columns[1].filter(numeric).to_pylist()], pa.string())
            odd += len(numeric) - len(named) + named.null_count
            kept = named.is_valid()
            numbers.append(columns[0].filter(numeric).filter(kept).cast(pa.int64()).to_numpy())
            urls.append(named.filter(kept))
    every = np.concatenate(numbers) if numbers else np.empty(0, np.int64)
    order = np.argsort(every, kind="stable")
    names = pa.concat_arrays(urls) if urls else pa.array([], pa.string())
    return Vertices(every[order], names.take(pa.array(order)), odd)


def _front_page(reverse: str) -> str | None:
    """The front page of a host whose name is given from the right.

    >>> _front_page("org.example.www")
    'http://www.example.org/'
    """
    return canonical(f"http://{'.'.join(reversed(reverse.split('.')))}/") if reverse else None


def _all_numbers(columns: Sequence[pa.Array]) -> pa.Array:
    found = [pc.match_substring_regex(column, _NUMBER) for column in columns]
    return found[0] if len(found) == 1 else pc.and_(found[0], found[1])


def _blocks(file: Path, columns: int) -> Iterator[list[pa.Array]]:
    """The first columns of a file without a header, as text, some lines at a time; what is shorter has empty ones."""
    parsing = csv.ParseOptions(
        delimiter="\x01", quote_char=False
    )  # a line is one cell: lines may have more tabs or fewer
    reading = csv.ReadOptions(column_names=["line"], block_size=BLOCK)
    typed = csv.ConvertOptions(column_types={"line": pa.binary()}, check_utf8=False, strings_can_be_null=False)
    try:
        with csv.open_csv(file, reading, parsing, typed) as lines:
            for batch in lines:
                text = pc.cast(pc.replace_substring_regex(batch["line"], r"[^\x20-\x7e\t]", "?"), pa.string())
                split = pc.split_pattern(pc.binary_join_element_wise(text, "", "", "\t"), "\t")
                yield [pc.list_element(split, at) for at in range(columns)]
    except (pa.ArrowInvalid, OSError) as error:
        raise SourceError(f"{spelled(file)} cannot be read to its end: {error}") from None
