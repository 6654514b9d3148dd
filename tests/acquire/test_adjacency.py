"""Adjacency graphs: nodes and lists of real base sets come out whole, and what is damaged in them is named."""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pagekin.acquire import adjacency
from pagekin.errors import SourceError
from pagekin.model import Rows, Skipped

NODES = """3

0 (0) [R]
http://a.example
Bees &amp;
honey
1 2

1 (4) [I]
http://b.example/index.html

0 1

2 (9) [O]
http://b.example/
The second
2 0
"""
LISTS = "0: 2 1 -1\n1: 0 2 -1\n2: -1\n"
A, B = "http://a.example/", "http://b.example/"


def graph(folder: Path, nodes: str | bytes = NODES, lists: str | bytes = LISTS) -> Path:
    for name, content in (("nodes", nodes), ("adj_list", lists)):
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def read(path: Path) -> tuple[list[Any], list[Any], list[Skipped]]:
    *skipped, last = adjacency.read(path)
    assert isinstance(last, Rows) and last.pages is not None and last.links is not None
    reports = [item for item in skipped if isinstance(item, Skipped)]
    assert len(reports) == len(skipped)
    return *([tuple(row.values()) for row in table.to_pylist()] for table in (last.pages, last.links)), reports


@pytest.mark.parametrize("given", ["", "nodes"])
def test_pages_and_links_in_listed_order(tmp_path: Path, given: str) -> None:
    pages, links, skipped = read(graph(tmp_path) / given)
    assert pages == [(A, "Bees & honey", "root"), (B, "The second", None)]  # two nodes, one address: they unite
    assert links == [(A, B, 0), (A, B, 1), (B, A, 0), (B, B, 1)] and not skipped


def test_line_ends_and_encodings_do_not_matter(tmp_path: Path) -> None:
    nodes = NODES.replace("The second", "Käse").replace("\n", "\r\n").encode("latin-1")
    pages, links, skipped = read(graph(tmp_path, b"\xef\xbb\xbf" + nodes, LISTS.replace("\n", "\r\n")))
    assert pages[1] == (B, "Käse", None) and len(links) == 4 and not skipped


def test_damaged_lists_are_reported(tmp_path: Path) -> None:
    _, links, skipped = read(graph(tmp_path, lists="0: 1 7 -1\n1: 0\n8: 0 -1\n\nx\n2: 0 -1"))
    assert links == [(A, B, 0), (B, A, 0)]
    assert Counter(skip.why for skip in skipped) == {"unknown index": 2, "not a list that ends in -1": 2}
    assert [skip.where for skip in skipped] == ["adj_list:1: 7", "adj_list:2", "adj_list:3: 8", "adj_list:5"]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("http://a.example\n", "http://[\n", "not an address"),
        ("\n1 2\n", "\n", "a node without its link counts"),
        ("2 (9)", "3 (9)", "index out of range"),
        ("2 (9)", "0 (9)", "index used twice"),
        ("3\n\n0", "4\n\n0", "wrong number of nodes"),
    ],
)
def test_damaged_nodes_are_reported(tmp_path: Path, old: str, new: str, why: str) -> None:
    _, _, skipped = read(graph(tmp_path, NODES.replace(old, new, 1), "0: -1\n"))
    assert why in [skip.why for skip in skipped]


def test_cut_off_in_the_middle_of_a_node(tmp_path: Path) -> None:
    pages, _, skipped = read(graph(tmp_path, NODES[: NODES.index("The second")]))
    assert len(pages) == 2 and "a node without its link counts" in [skip.why for skip in skipped]


@pytest.mark.parametrize("nodes", ["", "\n", "http://a.example\n", bytes(range(256))])
def test_nodes_that_are_none(tmp_path: Path, nodes: str | bytes) -> None:
    with pytest.raises(SourceError, match="does not begin with the number"):
        list(adjacency.read(graph(tmp_path, nodes)))


def test_a_folder_without_the_files(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="not an adjacency graph"):
        list(adjacency.read(tmp_path))


def test_binary_lists_give_reports_only(tmp_path: Path) -> None:
    _, links, skipped = read(graph(tmp_path, lists=bytes(range(256)) * 10))
    assert not links and {skip.why for skip in skipped} == {"not a list that ends in -1"}


def test_recognises(tmp_path: Path) -> None:
    assert not adjacency.recognises(tmp_path, b"")
    graph(tmp_path)
    assert adjacency.recognises(tmp_path, b"")
    assert adjacency.recognises(tmp_path / "nodes", NODES.encode())
    assert not adjacency.recognises(tmp_path / "nodes", b"<html>")
    assert not adjacency.recognises(tmp_path / "adj_list", LISTS.encode())
    assert not adjacency.recognises(Path("nodes"), NODES.encode())


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "count"), [("Cars", 3460), ("Education", 742), ("Movies", 7967), ("Parks", 3410), ("cheese", 3266)]
)
def test_real_graphs_have_the_degrees_their_nodes_state(data: Callable[[str], Path], name: str, count: int) -> None:
    folder = data("query-graphs") / name
    pages, links, skipped = read(folder)
    assert not skipped and 0.98 * count < len(pages) <= count
    assert sum(label == "root" for _, _, label in pages) > 80
    lines = (folder / "nodes").read_bytes().decode("latin-1").split("\n")
    # The degrees are the line before the blank one that ends a node.
    degrees = [line.split() for line, after in pairwise(lines) if line and not after][1:]
    assert len(degrees) == count
    assert len(links) == sum(int(outgoing) for _, outgoing in degrees)
