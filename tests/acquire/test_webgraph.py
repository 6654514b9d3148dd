"""Web graphs of Common Crawl, in two files and in parts: the links that a slow reading of the same lines gives."""

import gzip
import random

import pytest

from pagekin import Collection
from pagekin.acquire import webgraph
from pagekin.acquire.sources import guess, open_sources
from pagekin.errors import SourceError
from pagekin.model import Rows, Skipped

VERTICES = "0\tcom.example\n1\torg.example.www\t12\n2\tnet.example.a\n"
EDGES = "0\t1\n0\t2\n2\t1\n"
LINKS = [
    ("http://example.com/", "http://www.example.org/", 0), ("http://example.com/", "http://a.example.net/", 1),
    ("http://a.example.net/", "http://www.example.org/", 0),
]  # fmt: skip


def graph(folder, vertices=VERTICES, edges=EDGES, name="cc-main-2026-domain-{}.txt.gz"):
    folder.mkdir(exist_ok=True)
    files = [folder / name.format(half) for half in ("vertices", "edges")]
    for file, text in zip(files, (vertices, edges), strict=True):
        file.parent.mkdir(exist_ok=True)
        data = text if isinstance(text, bytes) else text.encode()
        file.write_bytes(gzip.compress(data) if file.suffix == ".gz" else data)
    return files


def taken(path):
    items = list(webgraph.read(path))
    links = [tuple(row.values()) for rows in items if isinstance(rows, Rows) for row in rows.links.to_pylist()]
    return links, {item.why: item.where.rpartition(": ")[2] for item in items if isinstance(item, Skipped)}


@pytest.mark.parametrize("name", ["cc-{}.txt.gz", "{}.txt", "{}/part-00000.txt.gz", "{}/part-00000-x.c000.txt"])
def test_either_half_is_known_and_gives_the_links(tmp_path, name):
    for file in graph(tmp_path / "g", name=name):
        assert guess(file) == "webgraph"
        assert taken(file) == (LINKS, {})


def test_a_folder_is_read_once_and_parts_share_their_vertices(tmp_path):
    graph(tmp_path / "g", name="{}/part-0.txt.gz")
    graph(tmp_path / "g", vertices="7\tcom.example.seven\n", edges="7\t0\n7\t1\n", name="{}/part-1.txt.gz")
    sources = open_sources([tmp_path / "g"])
    assert [source.kind for source in sources] == ["webgraph", "webgraph"]
    assert "a web graph of Common Crawl" in sources[0].said
    site = Collection(tmp_path / "s.kin")
    site.add(tmp_path / "g")
    assert (site.info().pages, site.info().links) == (4, 5)
    coupled = site.related("http://seven.example.com/", method="coupling(direct=false)")
    assert {row.url for row in coupled} == {"http://a.example.net/", "http://example.com/"}


def test_any_order_and_many_blocks_give_what_a_slow_reading_gives(tmp_path, monkeypatch):
    monkeypatch.setattr(webgraph, "BLOCK", 200)
    dice = random.Random(3)
    numbers = dice.sample(range(10_000), 300)
    vertices = "".join(f"{n}\tcom.h{n}\n" for n in numbers)
    pairs = [(dice.choice(numbers), dice.choice(numbers)) for _ in range(1_000)]
    links, left_out = taken(graph(tmp_path / "g", vertices, "".join(f"{a}\t{b}\n" for a, b in pairs))[1])
    slow, count = [], {}
    for a, b in pairs:
        slow.append((f"http://h{a}.com/", f"http://h{b}.com/", count.get(a, 0)))
        count[a] = count.get(a, 0) + 1
    assert (links, left_out) == (slow, {})


def test_odd_lines_are_counted_and_the_rest_is_read(tmp_path):
    vertices = VERTICES + "x\tcom.x\n5\n6\t\n-1\tcom.y\n99999999999999999999\tcom.z\n8\tcom.\xe9\n"
    edges = EDGES + "0\n\n1\tx\n4\t0\n0\t1\t9\n" + "\x00\t1\n"
    links, left_out = taken(graph(tmp_path / "g", vertices, edges)[1])
    assert links == [*LINKS, ("http://example.com/", "http://www.example.org/", 2)]
    assert left_out["not an edge"] == "3 lines"
    assert left_out["unknown vertex"] == "1 lines"
    assert int(left_out["not a vertex"].split()[0]) in (5, 6)  # a name that is not ASCII is a name with a ?


def test_one_half_alone_is_refused_in_words(tmp_path):
    vertices, edges = graph(tmp_path / "g")
    edges.unlink()
    assert guess(vertices) != "webgraph"
    with pytest.raises(SourceError, match="one half of a web graph; expected two files"):
        list(webgraph.read(vertices))


def test_a_file_that_breaks_off_says_so(tmp_path):
    _, edges = graph(tmp_path / "g", edges="0\t1\n" * 10_000)
    edges.write_bytes(edges.read_bytes()[:-20])
    with pytest.raises(SourceError, match=r"edges.*cannot be read to its end"):
        list(webgraph.read(edges))


def test_other_tables_with_such_names_are_left_to_their_readers(tmp_path):
    (tmp_path / "edges.csv").write_text("source,target\nhttp://a.example/,http://b.example/\n")
    (tmp_path / "vertices.csv").write_text("url\nhttp://a.example/\n")
    assert guess(tmp_path / "edges.csv") == "edges"
