"""Graph files are read back as they were written, and nothing in them does harm."""

import csv
import gzip
from pathlib import Path

import networkx as nx
import pytest

from pagekin import Collection
from pagekin.acquire import graphs
from pagekin.acquire.sources import open_sources
from pagekin.errors import SourceError
from pagekin.model import Rows, Skipped

A, B, C = "http://a.example/", "http://b.example/x?y=1&z=2", "http://c.example/"


def taken(path: Path) -> tuple[list[tuple[str, str]], dict[str, str], list[str]]:
    links, titles, skipped = [], {}, []
    for item in graphs.read(path):
        if isinstance(item, Skipped):
            skipped.append(item.why)
        else:
            assert isinstance(item, Rows) and item.links is not None and item.pages is not None
            links += [(row["source"], row["target"]) for row in item.links.to_pylist()]
            titles |= {row["url"]: row["title"] for row in item.pages.to_pylist()}
    return links, titles, skipped


@pytest.mark.parametrize("ending", [".gexf", ".graphml", ".net", ".jsonl", ".csv", ".parquet"])
def test_what_export_writes_is_read_back(tmp_path: Path, ending: str) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "a.html").write_text(
        "<title>Bees & <wax></title><a href=b.html>“b”</a> <a href='/x?y=1&z=\"'>x</a>"
    )
    (tmp_path / "web" / "b.html").write_text('<title>Wax\n"quoted"</title><a href=a.html>a</a><a href=a.html>again</a>')
    first, second = Collection(tmp_path / "a.kin"), Collection(tmp_path / "b.kin")
    first.add(tmp_path / "web", base_url=A)
    first.export("graph", tmp_path / f"graph{ending}")
    report = second.add(tmp_path / f"graph{ending}")
    assert not report.skipped

    def content(site: Collection) -> tuple[set[tuple[str, str]], set[str]]:
        site.export("graph", tmp_path / "out.csv")
        with (tmp_path / "out.csv").open() as file:
            rows = list(csv.DictReader(file))
        return {(row["source"], row["target"]) for row in rows}, {row["anchor"] for row in rows}

    assert content(second)[0] == content(first)[0]
    if ending in (".jsonl", ".csv", ".parquet"):
        assert content(second)[1] == content(first)[1]


@pytest.mark.parametrize("ending", ["gexf", "graphml", "net"])
@pytest.mark.parametrize("directed", [True, False])
def test_what_networkx_writes(tmp_path: Path, ending: str, directed: bool) -> None:
    web = nx.DiGraph() if directed else nx.Graph()
    web.add_edges_from([(A, B), (B, C)])
    write = {"gexf": nx.write_gexf, "graphml": nx.write_graphml, "net": nx.write_pajek}[ending]
    path = tmp_path / f"web.{ending}"
    write(web, path)
    links, titles, skipped = taken(path)
    expected = {(A, B), (B, C)}
    assert set(links) == (expected if directed else expected | {(b, a) for a, b in expected})
    assert (titles, skipped) == ({A: "", B: "", C: ""}, [])
    (source,) = open_sources([path])
    assert source.kind == "graph"


def test_nodes_are_named_by_their_addresses(tmp_path: Path) -> None:
    path = tmp_path / "gephi.gexf.gz"
    text = f"""<?xml version="1.0"?><gexf xmlns="http://www.gexf.net/1.3"><graph defaultedgetype="directed">
    <attributes class="node"><attribute id="0" title="URL" type="string"/></attributes><nodes>
    <node id="n1" label="Bees"><attvalues><attvalue for="0" value="{A}"/></attvalues></node>
    <node id="n2" label="{C}"/><node id="n3" label="Wax"/></nodes>
    <edges><edge source="n1" target="n2"/><edge source="n2" target="n3" type="undirected"/>
    <edge source="n1" target="n9"/></edges></graph></gexf>"""
    path.write_bytes(gzip.compress(text.encode()))
    assert taken(path) == (
        [(A, C), (C, "n3"), ("n3", C)],
        {A: "Bees", C: "", "n3": "Wax"},
        ["an edge without its nodes"],
    )


def test_pajek_in_its_forms(tmp_path: Path) -> None:
    path = tmp_path / "web.net"
    path.write_text(
        '% bees\n*Vertices 4\n1 "http://a.example/" 0.1 0.2 ic Red\n2 "say \\"x\\""\n3 plain\n4\n'
        "*Arcs\n1 2 1.5\n*Arcslist\n1 3 4\n*Edges\n2 3\nbad\n*Matrix\n0 1\n"
    )
    links, _, skipped = taken(path)
    assert links == [(A, 'say "x"'), (A, "plain"), (A, "4"), ('say "x"', "plain"), ("plain", 'say "x"')]
    assert skipped == ["not a vertex, arc or edge", "a section that is not read"]


BOMB = '<!DOCTYPE gexf [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><gexf><graph><node id="&b;"/></graph></gexf>'


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        '<!DOCTYPE gexf SYSTEM "file:///etc/passwd"><gexf><graph/></gexf>',
        "<gexf>" + "<graph>" * 200,
        "<graphml><graph><node id='1'><data key='d'>" + "x" * (2 << 20) + "</data></node></graph></graphml>",
    ],
)
def test_what_could_do_harm_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "web.gexf"
    path.write_text(text)
    with pytest.raises(SourceError, match=r"has a DOCTYPE|nested more than 100|a text of more than"):
        taken(path)


def test_a_tag_without_an_end_is_not_held_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "web.gexf"
    path.write_bytes(b"<gexf><graph><nodes><node id='" + b"x" * (4 << 20))
    assert taken(path)[2] == ["damaged, the rest is lost: a tag of more than 1.0 MB"]


def test_damage_costs_what_comes_after(tmp_path: Path) -> None:
    path = tmp_path / "web.graphml"
    path.write_text(f"<graphml><graph><node id='{A}'/><node id='{C}'/><edge source='{A}' target='{C}'/><node")
    links, _, skipped = taken(path)
    assert links == [(A, C)]
    assert len(skipped) == 1 and skipped[0].startswith("damaged, the rest is lost")


def test_too_many_nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "MOST_NODES", 2)
    path = tmp_path / "web.net"
    path.write_text("*Vertices 3\n1 a\n2 b\n3 c\n*Arcs\n1 2\n")
    assert taken(path)[2] == ["more than 2 nodes; the rest is left out"]
