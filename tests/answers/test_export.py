"""Exports are read back by programs that are not ours, and say what the collection says, however hostile its titles."""

import csv
import json
import os
import shlex
from collections import Counter
from pathlib import Path
from typing import Any

import networkx as nx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pagekin.answers.collection import Collection
from pagekin.answers.export import tables as export_tables
from pagekin.answers.export.files import ROW_FILES
from pagekin.answers.export.folder import file_name
from pagekin.answers.export.graphs import xml
from pagekin.answers.filters import Filters
from pagekin.collection.describe import describe
from pagekin.collection.store import Store
from pagekin.collection.tabulate import tabulate
from pagekin.collection.writer import writing
from pagekin.errors import CollectionError, PagekinError, UsageError
from pagekin.methods import method
from pagekin.model import Capture, Link, Page, Redirect, Rows
from tests.full_disk import files_of_at_most

HOSTILE = {
    "http://a.example/": "He said \"hi\", <b>&amp;</b> ]]> 'x'",
    "http://b.example/?q=\\back&x=%3Cy%3E": "line\none\r\ntwo\ttab",
    "http://c.example/": "nul\x00 bell\x07 escape\x1b[31m nonchar\ufffe",
    "http://d.example/": "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 👩‍👩‍👧",
    "http://e.example/": "שלום \u202ertl\u202c العربية",
    "http://f.example/": "=cmd|' /C calc'!A0",
    "http://g.example/": "",
    'an "id" \\ of, mine': "   ",
    "ünï\ncode": "a;b\u2028c",
    "http://b.example/": "",  # to which nobody links: the root of an address with a query string
}
NAMES = list(HOSTILE)
A, B, C, D, E, F, G, QUOTED, BROKEN, _ = NAMES
OLD = "http://old.example/"  # leads to A
FETCHED = 1_034_000_000  # 2002-10-07T14:13:20Z


def _page(url: str, *links: tuple[str, str], label: str | None = None) -> tuple[Capture, Page]:
    made = tuple(
        Link(target, anchor, position, block=position // 2, rel="nofollow" if position == 1 else "")
        for position, (target, anchor) in enumerate(links)
    )
    return Capture(url, url.encode(), fetched=FETCHED, label=label), Page(title=HOSTILE[url], links=made)


ALL = Filters(fetched=False)  # pages that nobody fetched, too


def _made(path: Path) -> Path:
    """Ten pages and an alias; the last part is in memory when it is read, the first is memory-mapped."""
    pages = [
        _page(A, (B, "to b"), (C, 'an "anchor", <i>'), (B, "to b\nagain"), (A, "self"), (D, "𝔡")),
        _page(B, (C, ""), (OLD, "an alias"), (QUOTED, "quoted"), label="kites & <co>"),
        _page(C, (OLD, "x"), (A, "y"), (E, "z\x00")),
        _page(D, (C, "c"), (E, "e"), (G, "g"), (BROKEN, "b")),
    ]
    unfetched = pa.table({"url": [E, F, G, QUOTED, BROKEN], "title": [HOSTILE[u] for u in (E, F, G, QUOTED, BROKEN)]})
    # An alias may have links of its own, from a table.
    links = pa.table({"source": [QUOTED, F, OLD], "target": [A, G, E], "anchor": ["1", "2", "3"]})
    with writing(path) as writer:
        writer.add(tabulate(pages, redirects=[Redirect(OLD, A)])[0])
        writer.fold()
        writer.add(tabulate(rows=[Rows(links=links, pages=unfetched)])[0])
    return path


def export(
    site: Path, what: str, path: Path, method: str | None = None, k: int = 15, fetched: bool | None = None
) -> str:
    """What an export says of itself."""
    return repr(Collection(site).export(what, path, method, k, filters=Filters(fetched=fetched)))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _made(tmp_path_factory.mktemp("collection") / "hostile.kin")


@pytest.fixture(scope="module", params=["delta", "folded"])
def either(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """The collection with its last part in memory, and with everything folded in (dictionaries, memory-mapped)."""
    path = _made(tmp_path_factory.mktemp("collection") / "hostile.kin")
    if request.param == "folded":
        with writing(path) as writer:
            writer.fold()
    return path


@pytest.fixture(params=[2, 1 << 18])
def batches(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(export_tables, "BATCH", request.param)
    monkeypatch.setattr("pagekin.answers.export.graphs.NODES", request.param)
    monkeypatch.setattr("pagekin.answers.export.files.JSON_ROWS", request.param)
    return int(request.param)


def _read(path: Path) -> list[dict[str, Any]]:
    """A table by a reader of its own, every value as text ("" for null), so that the formats compare."""
    if path.suffix == ".parquet":
        rows = pq.read_table(path).to_pylist()
    elif path.suffix == ".jsonl":
        rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    else:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    return [{name: _text(value) for name, value in row.items()} for row in rows]


def _text(value: Any) -> str:
    if hasattr(value, "strftime"):
        return str(value.strftime("%Y-%m-%dT%H:%M:%SZ"))
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _links(store: Store) -> list[tuple[str, str, str, int, int, str]]:
    """A slow twin: the links of the store, page by page, aliases followed."""
    fold = store.graph.folded
    return [
        (store.url(fold.get(page, page)), store.url(fold.get(row["target"], row["target"])),
         row["anchor"], row["block"], row["position"], row["rel"])
        for page in range(store.size)
        for row in store.links_of(page).to_pylist()
    ]  # fmt: skip


def _weights(store: Store) -> Counter[tuple[str, str]]:
    return Counter((source, target) for source, target, *_ in _links(store) if source != target)


@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl"])
@pytest.mark.usefixtures("batches")
class TestRows:
    def test_links(self, either: Path, tmp_path: Path, ending: str) -> None:
        path = tmp_path / f"links.{ending}"
        assert export(either, "graph", path) == f"wrote 18 links to {path}"
        expected = [tuple(map(str, row)) for row in _links(Store(either))]
        assert [tuple(row.values()) for row in _read(path)] == expected
        assert len(expected) == describe(Store(either)).links
        assert list(_read(path)[0]) == ["source", "target", "anchor", "block", "position", "rel"]

    def test_pages(self, either: Path, tmp_path: Path, ending: str) -> None:
        path = tmp_path / f"pages.{ending}"
        assert export(either, "pages", path) == f"wrote 10 pages to {path}"
        rows = {row["url"]: row for row in _read(path)}
        assert {url: row["title"] for url, row in rows.items()} == HOSTILE
        assert rows[B]["label"] == "kites & <co>" and rows[B]["host"] == "b.example" and rows[B]["status"] == "200"
        assert {rows[url]["fetched"] for url in (A, B, C, D)} == {"2002-10-07T14:13:20Z"}
        assert {rows[url]["fetched"] for url in (E, F, G)} == {""} and rows[E]["label"] == ""
        assert not {"id", "part"} & set(rows[A]) and len(rows) == describe(Store(either)).pages

    def test_related(self, either: Path, tmp_path: Path, ending: str) -> None:
        path = tmp_path / f"related.{ending}"
        said = export(either, "related", path, method="co-citation", k=3, fetched=False)
        rows, collection = _read(path), Collection(either)
        expected = [
            {"source": url} | {name: _text(value) for name, value in result.as_dict().items()}
            for url in map(collection.store.url, range(collection.store.size))
            if url != OLD
            for result in collection.related(url, method="co-citation", k=3, filters=ALL)
        ]
        assert said == f"wrote {len(expected)} related pages to {path}" and len(expected) > 10
        names = ("source", "url", "rank", "score", "linked", "title", "host")
        assert [tuple(row.values()) for row in rows] == [tuple(row[name] for name in names) for row in expected]


def _cleaned(text: str) -> str:
    return "".join(char for char in text if char in "\t\n\r" or (char >= " " and char not in "\ufffe\uffff"))


@pytest.mark.usefixtures("batches")
class TestGraphs:
    @pytest.mark.parametrize("ending", ["gexf", "graphml"])
    def test_xml(self, either: Path, tmp_path: Path, ending: str) -> None:
        path, store = tmp_path / f"g.{ending}", Store(either)
        assert export(either, "graph", path) == f"wrote 10 pages and {len(_weights(store))} links to {path}"
        graph = nx.read_gexf(path) if ending == "gexf" else nx.read_graphml(path)
        assert isinstance(graph, nx.DiGraph) and not graph.is_multigraph()
        nodes = {data["url"]: data for _, data in graph.nodes(data=True)}
        assert {url: data.get("title", "") for url, data in nodes.items()} == {
            _cleaned(url): _cleaned(title) for url, title in HOSTILE.items()
        }
        assert nodes[B]["class"] == "kites & <co>" and nodes[B]["host"] == "b.example"
        assert nodes[A]["fetched"] == "2002-10-07T14:13:20Z" and "fetched" not in nodes[E]
        assert nodes[D]["label"] == HOSTILE[D] and nodes[G]["label"] == G and nodes[QUOTED]["label"] == QUOTED
        url = {node: data["url"] for node, data in graph.nodes(data=True)}
        found = {(url[a], url[b]): data["weight"] for a, b, data in graph.edges(data=True)}
        assert found == _weights(store) and found[A, B] == 2 and found[C, A] == 2

    def test_pajek(self, either: Path, tmp_path: Path) -> None:
        path, store = tmp_path / "g.net", Store(either)
        assert export(either, "graph", path) == f"wrote 10 pages and {len(_weights(store))} links to {path}"
        graph = nx.read_pajek(path)
        named = {name: name.replace("\n", "%0A") for name in NAMES}
        assert set(graph) == set(named.values())
        assert [data["id"] for _, data in graph.nodes(data=True)] == [str(i + 1) for i in range(10)]
        found = {(a, b): data["weight"] for a, b, data in graph.edges(data=True)}
        assert found == {(named[a], named[b]): weight for (a, b), weight in _weights(store).items()}
        assert all(len(shlex.split(line)) == 2 for line in path.read_text("utf-8").split("\n")[1:10])

    @pytest.mark.parametrize("ending", ["gexf", "graphml", "net"])
    def test_related_is_a_graph_weighted_by_scores(self, site: Path, tmp_path: Path, ending: str) -> None:
        path, store = tmp_path / f"r.{ending}", Store(site)
        asked = method("amsler")
        expected = {
            (store.url(page).replace("\n", "%0A"), store.url(other).replace("\n", "%0A")): score
            for page in range(store.size)
            for other, score in zip(*_lists(asked.related(store, page, 2)), strict=True)
        }
        said = export(site, "related", path, method="amsler", k=2, fetched=False)
        assert said == f"wrote 10 pages and {len(expected)} related pages to {path}"
        graph = {"gexf": nx.read_gexf, "graphml": nx.read_graphml, "net": nx.read_pajek}[ending](path)
        url = {node: data.get("url", node).replace("\n", "%0A") for node, data in graph.nodes(data=True)}
        assert {(url[a], url[b]): data["weight"] for a, b, data in graph.edges(data=True)} == expected


def _lists(scores: Any) -> tuple[list[int], list[float]]:
    return scores.pages.tolist(), scores.scores.tolist()


class TestFolder:
    def test_one_json_a_page(self, either: Path, tmp_path: Path) -> None:
        folder, collection = tmp_path / "out", Collection(either)
        said = export(either, "related", folder, method="amsler(direct=false)", k=4, fetched=False)
        index = json.loads((folder / "index.json").read_text("utf-8"))
        answered = {url for url in NAMES if len(collection.related(url, method="amsler(direct=false)", filters=ALL))}
        assert set(index) == answered and said.startswith(f"wrote the related pages of {len(answered)} pages to ")
        assert {path.name for path in folder.iterdir()} == {"index.json", *index.values()}
        for url, name in index.items():
            answer = collection.related(url, method="amsler(direct=false)", k=4, filters=ALL)
            assert json.loads((folder / name).read_text("utf-8")) == json.loads(json.dumps(answer.as_dict()))
            assert name == file_name(url)

    def test_again_into_the_same_folder(self, site: Path, tmp_path: Path) -> None:
        folder = tmp_path / "with.dots"
        folder.mkdir()
        (folder / "mine.txt").write_text("stays")
        export(site, "related", folder)
        gone = file_name("http://gone.example/")
        index = json.loads((folder / "index.json").read_text("utf-8"))
        (folder / gone).write_text("{}")
        (folder / "index.json").write_text(json.dumps(index | {"http://gone.example/": gone}))
        export(site, "related", folder)
        assert json.loads((folder / "index.json").read_text("utf-8")) == index
        assert {path.name for path in folder.iterdir()} == {"index.json", "mine.txt", *index.values()}

    @pytest.mark.parametrize("theirs", ['{"a": "b.html"}', "[1, 2]", "<html>", '{"a": "../../x.json"}', '{"a": 1}'])
    def test_an_index_that_is_not_ours_stays(self, site: Path, tmp_path: Path, theirs: str) -> None:
        (tmp_path / "index.json").write_text(theirs)
        with pytest.raises(PagekinError, match="was not written by an export"):
            export(site, "related", tmp_path)
        assert [path.read_text() for path in tmp_path.iterdir()] == [theirs]

    def test_a_collection_is_no_place(self, site: Path) -> None:
        before = sorted(site.rglob("*"))
        with pytest.raises(PagekinError, match="is a collection; name another folder"):
            export(site, "related", site)
        assert sorted(site.rglob("*")) == before


class TestMistakes:
    def test_what(self, site: Path, tmp_path: Path) -> None:
        with pytest.raises(
            UsageError, match=r"unknown export 'grap'; did you mean 'graph'\? known: graph, pages, related"
        ):
            export(site, "grap", tmp_path / "g.csv")

    @pytest.mark.parametrize(
        ("what", "name", "listed"),
        [
            ("graph", "g.xlsx", r"\.parquet \.csv \.jsonl \.gexf \.graphml \.net, not '\.xlsx'$"),
            ("graph", "g", r"\.net, but '.*g' has no ending$"),
            ("pages", "p.gexf", r"\.parquet \.csv \.jsonl, not '\.gexf'$"),
            ("related", "r.json", r"\.net, not '\.json'; a folder, or a new name"),
        ],
    )
    def test_endings(self, site: Path, tmp_path: Path, what: str, name: str, listed: str) -> None:
        with pytest.raises(UsageError, match=listed):
            export(site, what, tmp_path / name)
        assert not list(tmp_path.iterdir())

    def test_upper_case(self, site: Path, tmp_path: Path) -> None:
        export(site, "graph", tmp_path / "G.CSV")
        assert len(_read(tmp_path / "G.CSV")) == 18

    @pytest.mark.parametrize("name", ["r.csv", "r.gexf", "r"])
    def test_method_and_k(self, site: Path, tmp_path: Path, name: str) -> None:
        with pytest.raises(UsageError, match="did you mean 'co-citation'"):
            export(site, "related", tmp_path / name, method="cocit")
        with pytest.raises(UsageError, match="k must be at least 1, not 0"):
            export(site, "related", tmp_path / name, k=0)
        assert not list(tmp_path.iterdir())

    def test_no_collection(self, tmp_path: Path) -> None:
        with pytest.raises(CollectionError, match="there is no collection"):
            export(tmp_path / "none.kin", "graph", tmp_path / "g.csv")

    @pytest.mark.parametrize("name", ["g.csv", "g.gexf", "g.parquet", "g.jsonl", "g"])
    def test_no_such_folder(self, site: Path, tmp_path: Path, name: str) -> None:
        with pytest.raises(PagekinError, match=r"there is no folder .*nowhere; create it first"):
            export(site, "related", tmp_path / "nowhere" / name)

    @pytest.mark.parametrize("name", ["g.csv", "g"])
    @pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
    def test_a_folder_that_may_not_be_written(self, site: Path, tmp_path: Path, name: str) -> None:
        tmp_path.chmod(0o500)
        with pytest.raises(PagekinError, match="permission denied"):
            export(site, "related", tmp_path / name)
        tmp_path.chmod(0o700)

    @pytest.mark.parametrize("what", ["graph", "pages"])
    def test_a_folder_where_a_file_should_be(self, site: Path, tmp_path: Path, what: str) -> None:
        (tmp_path / "x.csv").mkdir()
        with pytest.raises(PagekinError, match=r"cannot write .*x\.csv: .*directory"):
            export(site, what, tmp_path / "x.csv")
        assert [path.name for path in tmp_path.iterdir()] == ["x.csv"]

    @pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "gexf", "graphml", "net"])
    def test_a_full_disk_leaves_what_was_there(self, site: Path, tmp_path: Path, ending: str) -> None:
        path = tmp_path / f"g.{ending}"
        path.write_text("before")
        with files_of_at_most(200), pytest.raises(PagekinError, match=r"cannot write .*: no file may be larger"):
            export(site, "graph", path)
        assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [(path.name, "before")]

    def test_a_full_disk_leaves_no_folder(self, site: Path, tmp_path: Path) -> None:
        with files_of_at_most(200), pytest.raises(PagekinError, match=r"cannot write .*: no file may be larger"):
            export(site, "related", tmp_path / "out")
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("what", ["graph", "related"])
@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl", "gexf", "graphml", "net"])
def test_an_empty_collection(tmp_path: Path, what: str, ending: str) -> None:
    with writing(tmp_path / "empty.kin"):
        pass
    assert "of 0 pages" in export(tmp_path / "empty.kin", "related", tmp_path / "out")
    assert (tmp_path / "out" / "index.json").read_text() == "{}\n"
    path = tmp_path / f"x.{ending}"
    assert "wrote 0 " in export(tmp_path / "empty.kin", what, path)
    if path.suffix in ROW_FILES:
        assert _read(path) == []
    else:
        assert not len({"gexf": nx.read_gexf, "graphml": nx.read_graphml, "net": nx.read_pajek}[ending](path))


def test_values_from_many_chunks() -> None:
    column = pa.chunked_array([["a", "b"], [], ["c"], ["d", "e", "f"]]).dictionary_encode()
    rows = export_tables.np.array([5, 0, 3, 3, 2, 1, 4], export_tables.np.int32)
    assert export_tables.picked(column, rows).to_pylist() == ["f", "a", "d", "d", "c", "b", "e"]


def test_no_character_of_unicode_breaks_xml() -> None:
    from xml.dom.minidom import parseString

    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000, 7)]))
    read = parseString(f'<a b="{xml(every)}">{xml(every)}</a>'.encode()).documentElement
    assert read is not None
    assert read.getAttribute("b") == read.firstChild.data == _cleaned(every)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("what", "form"),
    [
        ("pages", "csv"),
        ("graph", "jsonl"),
        ("graph", "csv"),
        ("graph", "gexf"),
        ("graph", "graphml"),
        ("related", "net"),
    ],
)
def test_standard_output(
    site: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], what: str, form: str
) -> None:
    file = tmp_path / f"x.{form}"
    of_file = Collection(site).export(what, file, "amsler")
    capfdbinary.readouterr()
    report = Collection(site).export(what, "-", "amsler", format=form)
    out = capfdbinary.readouterr().out
    assert out == file.read_bytes()
    assert report.lines == [line.replace(str(file), "standard output") for line in of_file.lines]
    assert not Path("-").exists()
    Collection(site).export(what, tmp_path / "without", "amsler", format=form)
    assert (tmp_path / "without").read_bytes() == out


def test_standard_output_needs_a_format_that_streams(site: Path) -> None:
    with pytest.raises(UsageError, match='standard output has no ending that gives the format; use format="csv" or'):
        Collection(site).export("related", "-")
    with pytest.raises(UsageError, match="parquet cannot be read from a stream; name a file, or use"):
        Collection(site).export("graph", "-", format="parquet")
    with pytest.raises(UsageError, match="unknown format 'gefx'; did you mean 'gexf'"):
        Collection(site).export("graph", "-", format="gefx")
    with pytest.raises(UsageError, match="unknown format 'gexf'"):
        Collection(site).export("pages", "-", format="gexf")
    with pytest.raises(UsageError, match=r"is for \.csv.* not for 'standard output' as \.jsonl"):
        Collection(site).export("pages", "-", format="jsonl", safe=True)
