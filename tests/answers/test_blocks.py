"""`pagekin blocks`: the rows, and the page that is written, which must be harmless."""

import gzip
from pathlib import Path

import pytest

from pagekin.acquire.origin import fetch
from pagekin.answers.blocks import blocks, outlined, write_html
from pagekin.answers.collection import Collection
from pagekin.answers.filters import Filters
from pagekin.collection.store import Store
from pagekin.errors import SourceError, UnknownPageError
from pagekin.model import Capture
from tests.shell.test_main import shell  # noqa: F401

PAGE = "http://bees.example/index.html"
MARKUP = (
    "<title>Bees</title><nav><a href=/a>A</a> <a href=/b>B</a></nav><h1>Bees</h1><p>On "
    "<a href=/c>C</a> and nothing else</p><hr><ul><li><a href=/d>D</a><li><a href=/e>E</a></ul>"
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "index.html").write_text(MARKUP)
    Collection(tmp_path / "b.kin").add(tmp_path / "web", base_url="http://bees.example/")
    return Store(tmp_path / "b.kin")


def test_rows_are_blocks_and_links_alone_come_last(store: Store) -> None:
    answer = blocks(store, PAGE).as_dict()
    assert answer["query"][0]["title"] == "Bees"
    assert answer["note"] is None
    rows = [(row["block"], row["label"], [link["anchor"] for link in row["links"]]) for row in answer["results"]]
    assert rows == [(0, "navigation", ["A", "B"]), (1, "list", ["D", "E"]), (-1, "alone", ["C"])]
    assert answer["results"][2]["links"] == [
        {"url": "http://bees.example/c", "anchor": "C", "position": 2, "role": "content"}
    ]


def test_every_link_says_its_role(store: Store) -> None:
    answer = blocks(store, PAGE)
    roles = {link.anchor: link.role for row in answer for link in row.links}
    assert roles == {"A": "navigation", "B": "navigation", "C": "content", "D": "content", "E": "content"}
    assert "      navigation  A  http://bees.example/a" in answer.as_lines()
    assert "<td>navigation</td>" in answer._repr_html_()


def test_evidence_says_if_a_link_is_no_author_s_choice(store: Store) -> None:
    site = Collection(store.path)
    ranking = site.related(PAGE, method="co-citation(links=all)", why=True, filters=Filters(fetched=False))
    said = {page.url[-1]: reason.detail.get("role") for page in ranking for reason in page.why}
    assert said == {"a": "navigation", "b": "navigation", "c": None, "d": None, "e": None}
    assert "as “A” (navigation)" in "\n".join(ranking.as_lines())


def test_a_page_that_was_never_fetched_says_so(store: Store) -> None:
    answer = blocks(store, "http://bees.example/a").as_dict()
    assert answer["results"] == []
    assert "never fetched" in answer["note"]
    with pytest.raises(UnknownPageError):
        blocks(store, "http://wasps.example/").as_dict()


def test_links_of_a_table_are_one_block(tmp_path: Path) -> None:
    (tmp_path / "links.csv").write_text(
        "source,target\nhttp://a.example/,http://b.example/\nhttp://a.example/,http://c.example/\n"
    )
    Collection(tmp_path / "t.kin").add(tmp_path / "links.csv")
    (row,) = blocks(Store(tmp_path / "t.kin"), "http://a.example/").as_dict()["results"]
    assert (row["block"], row["label"], len(row["links"])) == (0, "table", 2)


def test_the_page_is_written_with_its_blocks(store: Store, tmp_path: Path) -> None:
    write_html(store, PAGE, tmp_path / "out.html")
    written = (tmp_path / "out.html").read_text()
    assert '<base href="http://bees.example/">' in written
    assert written.count("outline:3px solid") == 4
    assert "0 navigation, 2 links" in written


def test_bytes_that_are_gone_or_changed_are_said(store: Store, tmp_path: Path) -> None:
    (tmp_path / "web" / "index.html").write_text("<p>other")
    with pytest.raises(SourceError, match="has changed"):
        write_html(store, PAGE, tmp_path / "out.html")
    (tmp_path / "web" / "index.html").unlink()
    with pytest.raises(SourceError, match="crawl with warc"):
        write_html(store, PAGE, tmp_path / "out.html")


def test_nothing_in_it_runs() -> None:
    hostile = (
        "<base href=http://evil.example/><meta http-equiv=refresh content='0;url=http://evil.example'><script>x()</script>"
        "<body onload=x()><img src=x onerror=x()><a href=' java\nscript:x()'>1</a><a href=/a onclick=x()>2</a>"
        "<iframe src=http://evil.example></iframe><svg><script>x()</script></svg><form action=javascript:x()></form>"
        "<object data=x></object></body>"
    )
    written = outlined(Capture(PAGE, hostile.encode()), PAGE).lower()
    for word in ("<script", "onload", "onerror", "onclick", "script:x", "<iframe", "<object", "refresh"):
        assert word not in written
    assert "default-src" in written


def test_bytes_are_fetched_from_an_archive(tmp_path: Path) -> None:
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + MARKUP.encode()
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://bees.example/\r\n"
        "WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    (tmp_path / "b.warc.gz").write_bytes(gzip.compress(head.encode() + body + b"\r\n\r\n"))
    Collection(tmp_path / "w.kin").add(tmp_path / "b.warc.gz")
    store = Store(tmp_path / "w.kin")
    write_html(store, "http://bees.example/", tmp_path / "out.html")
    assert "outline:3px" in (tmp_path / "out.html").read_text()
    assert fetch(f"{tmp_path}/b.warc.gz#999") is None


def test_the_shell_names_the_page_that_was_written_and_a_notebook_shows_the_note(store, tmp_path, shell):  # noqa: F811
    code, _, err = shell("blocks", store.path, "bees.example/index.html", "--html", tmp_path / "out.html")
    assert (code, err) == (0, f"wrote {tmp_path / 'out.html'}: http://bees.example/ with its blocks outlined\n")
    assert "never fetched" in blocks(store, "http://bees.example/a")._repr_html_()


def test_the_shell_shows_roles(store, shell):  # noqa: F811
    code, out, _ = shell("blocks", store.path, PAGE)
    assert code == 0
    assert [line.split() for line in out.splitlines()][1] == ["navigation", "A", "http://bees.example/a"]
    assert "content C http://bees.example/c" in " ".join(out.split())
