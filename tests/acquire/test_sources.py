"""What is taken for what."""

import gzip
import io
import os
import pickle
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from pagekin.acquire.sources import KINDS, READERS, guess, head_of, open_sources
from pagekin.errors import SourceError, UsageError
from pagekin.model import Capture, Rows, Skipped

PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Bees"
WARC = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n"
    b"Content-Length: %d\r\n\r\n%b\r\n\r\n" % (len(PAGE), PAGE)
)
ARC = b"filedesc://a 0 20080430204825 text/plain 2\n1 \nhttp://a.example/ 0 20080430204825 text/html %d\n%b\n" % (
    len(PAGE),
    PAGE,
)
EDGES = b"source,target\nhttp://a.example/,http://b.example/\n"
SMART = b".I 1\n.T\nBees\n.W\nBees and flowers\n"


def zipped() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as out:
        out.writestr("archive/a.warc", WARC)
    return stream.getvalue()


def write(root: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.html", b"Bees", "html"),
        ("http:^^a.example^", b"<p>Bees", "html"),
        ("page", b"<!doctype html>", "html"),
        ("a.warc.gz", gzip.compress(WARC, mtime=0), "warc"),
        ("a.bin", WARC, "warc"),
        ("b.bin", gzip.compress(WARC, mtime=0), "warc"),
        ("c.bin", ARC, "warc"),
        ("a.wacz", zipped(), "wacz"),
        ("d.bin", zipped(), "wacz"),
        ("e.zip", zipped(), "wacz"),
        ("a.html.gz", gzip.compress(b"<p>Bees", mtime=0), "html"),
        ("a.md", b"# Bees", "markdown"),
        ("links.csv", EDGES, "edges"),
        ("links", gzip.compress(EDGES, mtime=0), "edges"),
        ("a.content", b"p1\t0\t1\tbees\np2\t1\t0\tbees\n", "linqs"),
        ("a.cites", b"p1\tp2\n", "linqs"),
        ("docs.all", SMART, "smart"),
        ("photo.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF", None),
        ("style.css", b"p { color: red }\n", None),
        ("empty", b"", None),
        ("broken.gz", b"\x1f\x8b\x08garbage", None),
        ("broken.bz2", b"BZhgarbage", None),
    ],
)
def test_guess(tmp_path: Path, name: str, content: bytes, kind: str | None) -> None:
    write(tmp_path, {name: content})
    assert guess(tmp_path / name) == kind
    if kind:
        source = open_sources([tmp_path / name])[0]
        assert source.kind == kind
        assert source.said.startswith(name + ": a") or kind == "linqs"
        assert not any(isinstance(item, Skipped) for item in source)


def test_html_under_a_strange_name_is_read_when_it_is_what_was_asked_for(tmp_path: Path) -> None:
    write(tmp_path, {"a.bin": b"<!doctype html><p>Bees", "b.html": b"<p>Bees"})
    assert [source.kind for source in open_sources([tmp_path / "a.bin"])] == ["html"]
    assert len(list(open_sources([tmp_path])[0])) == 1


def test_a_folder_of_many_kinds(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "site/index.html": b"<p>Bees",
            "site/a/b.html": b"<p>Bees",
            "site/logo.png": b"\x89PNG\0",
            "old.warc": WARC,
            "links.csv": EDGES,
            "graph/nodes": b"1\n0 (0) [R]\nhttp://a.example/\nBees\n0 0\n",
            "graph/adj_list": b"0: -1\n",
            "graph/inv_adj_list": b"0: -1\n",
        },
    )
    found = open_sources([tmp_path], base_url="https://bees.example")
    assert [(source.kind, source.path.name) for source in found] == [
        ("html", tmp_path.name),
        ("adjacency", "graph"),
        ("edges", "links.csv"),
        ("warc", "old.warc"),
        ("other", tmp_path.name),
    ]
    assert [item.url for item in found[0] if isinstance(item, Capture)] == [
        "https://bees.example/site/a/b.html",
        "https://bees.example/site/",
    ]
    assert list(found[-1]) == [Skipped(str(tmp_path / "site/logo.png"), "not a kind of file that pagekin reads")]


def test_a_kind_is_forced(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": b"<p>Bees", "b.warc": WARC, "c.css": b"p {}", "d.txt": b"a b\nb c\n"})
    assert [source.kind for source in open_sources([tmp_path], "warc")] == ["warc"]
    html = open_sources([tmp_path], "html")
    assert len(html) == 1
    assert Counter(type(item).__name__ for item in html[0]) == {"Capture": 1, "Skipped": 3}
    assert any(isinstance(item, Rows) for item in open_sources([tmp_path / "d.txt"], "edges")[0])
    assert [type(item) for item in open_sources([tmp_path / "c.css"], "warc")[0]] == [Skipped]


def test_a_missing_path_does_not_cost_the_others(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": b"<p>Bees"})
    with pytest.raises(SourceError, match=r"nowhere cannot be read; expected a file or a folder"):
        open_sources([tmp_path / "nowhere"])
    page, missing = open_sources([tmp_path / "nowhere", tmp_path / "a.html"])
    assert [type(item) for item in page] == [Capture]
    assert [item.why for item in missing if isinstance(item, Skipped)] == ["unreadable"]


MANIFEST = b'{"format": 1, "version": 3, "canonical": 1, "parts": []}'


@pytest.mark.parametrize(
    "files",
    [
        {"manifest.json": MANIFEST},
        {"manifest.json": b"{", "parts/000001-0a1b2c3d/links.csv": EDGES},
        {"parts/000001-0a1b2c3d/links.csv": EDGES},
    ],
)
def test_collections_in_a_folder_are_named_and_not_read(tmp_path: Path, files: dict[str, bytes]) -> None:
    inside = {f"deep/site.kin/{name}": data for name, data in files.items()}
    write(tmp_path, inside | {"deep/site.kin/a.html": b"<p>Wax"})
    with pytest.raises(
        SourceError, match=r"nothing to read in .*; to join the collections in it, name them: .*site.kin"
    ):
        open_sources([tmp_path])
    write(tmp_path, {"a.html": b"<p>Bees"})
    page, left_out = open_sources([tmp_path])
    assert (page.kind, len(list(page))) == ("html", 1)
    assert (left_out.kind, list(left_out), left_out.path) == ("collection", [], tmp_path / "deep" / "site.kin")
    assert "a collection, left out" in left_out.said


def test_a_web_site_with_a_manifest_and_parts_is_no_collection(tmp_path: Path) -> None:
    """The manifest of a web application, and a shop's pages of parts."""
    write(
        tmp_path, {"shop/manifest.json": b'{"name": "Shop"}', "shop/parts/a.html": b"<p>A", "shop/index.html": b"<p>B"}
    )
    assert [source.kind for source in open_sources([tmp_path / "shop"])] == ["html", "other"]
    assert len(list(open_sources([tmp_path])[0])) == 2


@pytest.mark.parametrize("kind", ["auto", "warc", "html"])
def test_a_folder_with_nothing_to_read(tmp_path: Path, kind: str) -> None:
    with pytest.raises(SourceError, match=r"nothing to read in .* among its 0 files"):
        open_sources([tmp_path], kind)


def test_a_file_of_no_kind(tmp_path: Path) -> None:
    write(tmp_path, {"a.css": b"p {}"})
    with pytest.raises(
        SourceError, match=r"a.css is not a kind of file that pagekin reads; .* kind: adjacency, edges, graph, html"
    ):
        open_sources([tmp_path / "a.css"])


def test_an_unknown_kind(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown kind 'wrac'; did you mean 'warc'"):
        open_sources([tmp_path], "wrac")


@pytest.mark.parametrize("base", ["bees.example", "ftp://bees.example/", "https://", "https://bees.example/?a=b", ""])
def test_a_base_url_that_is_none(tmp_path: Path, base: str) -> None:
    with pytest.raises(UsageError, match="is not a base URL; expected the address of the top folder"):
        open_sources([tmp_path], base_url=base)


@pytest.mark.parametrize("base", ["https://Bees.example/docs", "https://bees.example/docs/"])
def test_a_base_url_with_and_without_a_slash(tmp_path: Path, base: str) -> None:
    write(tmp_path, {"a.html": b"<p>Bees"})
    assert [item.url for item in open_sources([tmp_path], base_url=base)[0] if isinstance(item, Capture)] == [
        "https://bees.example/docs/a.html"
    ]


def test_pipes_and_broken_links_do_not_hang(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": b"<p>Bees"})
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "up").symlink_to(tmp_path, target_is_directory=True)
    assert [len(list(source)) for source in open_sources([tmp_path])] == [1, 2]
    assert head_of(tmp_path / "pipe") == b""


def test_a_table_that_cannot_be_read_does_not_cost_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a.csv": EDGES, "b.html": b"<p>Bees"})
    sources = open_sources([tmp_path])

    def fail(path: Path) -> None:
        raise SourceError("a.csv is not a table")

    monkeypatch.setattr("pagekin.acquire.edges.read", fail)
    assert [item for source in sources for item in source if isinstance(item, Skipped)] == [
        Skipped("a.csv is not a table", "unreadable")
    ]
    with pytest.raises(SourceError):
        list(open_sources([tmp_path / "a.csv"])[0])


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    write(tmp_path, {os.fsdecode(b"\xff.warc"): WARC, os.fsdecode(b"\xfe.css"): b"p {}"})
    for source in open_sources([tmp_path]):
        source.said.encode()
        assert all((item.origin if isinstance(item, Capture) else item.where).encode() for item in source)


def test_sources_can_be_sent_to_another_process(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": b"<p>Bees", "b.warc": WARC, "c.png": b"\0"})
    for source in open_sources([tmp_path]):
        assert list(pickle.loads(pickle.dumps(source))) == list(source)


def test_every_kind_has_its_reader() -> None:
    links = {"edges", "jsonl", "graph", "linqs", "adjacency", "webgraph"}
    assert set(KINDS) == set(READERS) == {"html", "markdown", "warc", "wacz", "zip", "smart"} | links


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("webkb", {"html": 1}),
        ("awesome-lists", {"html": 1}),
        ("query-graphs", {"adjacency": 5}),
        ("citeseer", {"linqs": 2, "other": 1}),
        ("cacm", {"smart": 1, "other": 1}),
        ("warc", {"warc": 51, "wacz": 2, "other": 1}),
    ],
)
def test_the_real_data_is_what_it_is(data: Callable[[str], Path], name: str, expected: dict[str, int]) -> None:
    assert Counter(source.kind for source in open_sources([data(name)])) == expected


@pytest.mark.data
def test_what_is_said(data: Callable[[str], Path]) -> None:
    assert open_sources([data("webkb")])[0].said == "webkb: a folder of HTML, with URLs as file names (8,282 files)"


def test_links_out_of_a_folder_are_reported_and_followed_on_request(tmp_path):
    inside, elsewhere = tmp_path / "in", tmp_path / "elsewhere"
    for folder in (inside, elsewhere):
        folder.mkdir()
        (folder / "a.html").write_text("<p>Bees")
        (folder / "nodes").write_text("1\n")
    (elsewhere / "links.csv").write_text("source,target\n1,2\n")
    (elsewhere / "adj_list").write_text("0: -1\n")
    for name in ("links.csv", "adj_list"):
        (inside / name).symlink_to(elsewhere / name)
    *_, links = sources = open_sources([inside])
    assert [source.kind for source in sources] == ["html", "other", "other"]  # and no graph
    assert links.said == "in: 2 symbolic links out of the folder, left out; to follow, use follow_symlinks"
    assert [(item.where, item.why) for item in links] == [
        (str(inside / name), "a symbolic link out of the folder") for name in ("adj_list", "links.csv")
    ]
    followed = open_sources([inside], follow_symlinks=True)
    assert [source.kind for source in followed] == ["adjacency"]  # which takes the whole folder
    (inside / "a.html").unlink()
    (inside / "nodes").unlink()
    with pytest.raises(SourceError, match="to follow the symbolic links out of it, use follow_symlinks"):
        open_sources([inside])
