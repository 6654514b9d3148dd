"""Reads the `nodes` and `adj_list` files in which the classic link-analysis-ranking graphs are kept.

    nodes                                   adj_list
    742                                     0: 83 -1
                                            1: 90 14 -1
    0 (0) [R]                               2: -1
    http://www.cs.cmu.edu/…/home.html
    15-852 RANDOMIZED ALGORITHMS
    5 1

A node gives its index, its index in the unfiltered graph, R if it is in the root set (I if it links to that set, O if
it is linked from it), its URL, its title, and how many links come in and go out.
"""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pyarrow as pa

from pagekin.acquire.capture import spelled
from pagekin.acquire.tables import links_of
from pagekin.acquire.text import lines
from pagekin.errors import SourceError
from pagekin.model import Item, Rows, Skipped
from pagekin.url import canonical

NODES, LISTS = "nodes", "adj_list"
ROOT = "root"  # the label of pages in the root set

_NODE = re.compile(r"(\d{1,18}) \(\d+\) \[([A-Z])\]\s*", re.ASCII)
_DEGREES = re.compile(r"\d+ \d+\s*", re.ASCII)
_LIST = re.compile(r"(\d{1,18}):((?:\s+\d{1,18})*)\s+-1\s*", re.ASCII)


def read(path: Path) -> Iterator[Item]:
    """The pages and links of a graph, given its folder or its `nodes` file; links in the order they are listed."""
    nodes = path / NODES if path.is_dir() else path
    lists = nodes.parent / LISTS
    if not (nodes.is_file() and lists.is_file()):
        raise SourceError(
            f"{spelled(path)} is not an adjacency graph; expected a folder with the files {NODES} and {LISTS}"
        )
    urls: dict[int, str] = {}
    pages: dict[str, tuple[str, str | None]] = {}
    for node in _nodes(nodes):
        if isinstance(node, Skipped):
            yield node
            continue
        index, url, title, root = node
        urls[index] = url
        known, label = pages.get(url, ("", None))  # nodes with the same address become one page
        pages[url] = (known or title, ROOT if root else label)
    pairs: list[tuple[str, str]] = []
    for link in _links(lists, urls):
        if isinstance(link, Skipped):
            yield link
        else:
            pairs.append(link)
    yield Rows(links=links_of(pairs), pages=_table(pages))


def files_of(folder: Path) -> set[Path]:
    """The two files of a graph in a folder."""
    return {folder / NODES, folder / LISTS}


def recognises(path: Path, head: bytes) -> bool:
    """Whether this is a folder with the two files, or the `nodes` file beside an `adj_list`."""
    if path.is_dir():
        return (path / NODES).is_file() and (path / LISTS).is_file()
    return path.name == NODES and (path.parent / LISTS).is_file() and bool(re.match(rb"\s*\d+\s*\n", head))


def _table(pages: dict[str, tuple[str, str | None]]) -> pa.Table:
    return pa.table(
        {
            "url": pa.array(pages.keys(), pa.string()),
            "title": pa.array((title for title, _ in pages.values()), pa.string()),
            "label": pa.array((label for _, label in pages.values()), pa.string()),
        }
    )


def _nodes(path: Path) -> Iterator[tuple[int, str, str, bool] | Skipped]:
    """The index, URL, title and root mark of each node that can be read."""
    text: list[str] = []
    for line in lines(path):
        if isinstance(line, Skipped):
            yield line
        else:
            text.append(line)
    if not text or not text[0].strip().isdecimal():
        raise SourceError(
            f"{spelled(path)} does not begin with the number of nodes; is it the {NODES} file of a graph?"
        )
    count, seen = int(text[0].strip()[:18]), set[int]()
    marks = [(number, found) for number, line in enumerate(text) if (found := _NODE.fullmatch(line))]
    ends = [*(number for number, _ in marks[1:]), len(text)][: len(marks)]
    for (begin, mark), end in zip(marks, ends, strict=True):
        index, body = int(mark[1]), "\n".join(text[begin + 1 : end]).rstrip().split("\n")
        url = canonical(body[0])
        if why := _objection(body, url, index, count, index in seen):
            yield Skipped(f"{spelled(path.name)}:{begin + 1}", why)
        elif url is not None:
            seen.add(index)
            yield index, url, unescape(" ".join(" ".join(body[1:-1]).split())), mark[2] == "R"
    if len(marks) != count:
        yield Skipped(f"{spelled(path.name)}: {count} nodes announced, {len(marks)} found", "wrong number of nodes")


def _objection(body: list[str], url: str | None, index: int, count: int, seen: bool) -> str:
    """Why a node is left out; empty if it is kept."""
    if len(body) < 2 or not _DEGREES.fullmatch(body[-1]):
        return "a node without its link counts"
    if url is None:
        return "not an address"
    if index >= count:
        return "index out of range"
    return "index used twice" if seen else ""


def _links(path: Path, urls: dict[int, str]) -> Iterator[tuple[str, str] | Skipped]:
    """The source and target of every listed link whose two nodes are known."""
    for number, line in enumerate(lines(path), 1):
        if isinstance(line, Skipped):
            yield line
        elif not (found := _LIST.fullmatch(line)):
            if line.strip():  # a list without its -1 was cut off, perhaps inside its last number
                yield Skipped(f"{spelled(path.name)}:{number}", "not a list that ends in -1")
        elif (source := urls.get(int(found[1]))) is None:
            yield Skipped(f"{spelled(path.name)}:{number}: {found[1]}", "unknown index")
        else:
            for index in found[2].split():
                target = urls.get(int(index))
                yield (
                    Skipped(f"{spelled(path.name)}:{number}: {index}", "unknown index")
                    if target is None
                    else (source, target)
                )
