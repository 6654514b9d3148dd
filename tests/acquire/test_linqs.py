"""LINQS files: classes, words and citations come out as the files state them, and damaged lines are left out."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest

from pagekin.acquire import linqs
from pagekin.errors import SourceError
from pagekin.model import Rows, Skipped

CONTENT = "p1\t0\t1\t1\tAI\np2\t2\t0\t0\tDB\n"
CITES = "p1\tp2\np1\tp1\nunknown\tp2\n"


def rows(path: Path) -> tuple[dict[str, Any], list[Skipped]]:
    """The tables of all items as lists of rows, and the reports."""
    items = list(linqs.read(path))
    tables: dict[str, list[dict[str, Any]]] = {"links": [], "pages": [], "terms": []}
    for item in items:
        for name in tables if isinstance(item, Rows) else ():
            table = getattr(item, name)
            tables[name] += [] if table is None else table.to_pylist()
    return tables, [item for item in items if isinstance(item, Skipped)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tiny.content").write_text(CONTENT)
    (tmp_path / "tiny.cites").write_text(CITES)
    (tmp_path / "README").write_text("Papers.")
    return tmp_path


def test_papers_have_their_class_and_words(folder: Path) -> None:
    tables, skipped = rows(folder / "tiny.content")
    assert tables["pages"] == [{"url": "p1", "label": "AI"}, {"url": "p2", "label": "DB"}]
    assert [tuple(term.values()) for term in tables["terms"]] == [
        ("p1", "w1", "w1", 1, 0),
        ("p1", "w2", "w2", 1, 0),
        ("p2", "w0", "w0", 2, 0),
    ]
    assert not tables["links"] and not skipped


def test_the_second_column_cites_the_first(folder: Path) -> None:
    tables, skipped = rows(folder / "tiny.cites")
    links = [(link["source"], link["target"], link["position"]) for link in tables["links"]]
    assert links == [("p2", "p1", 0), ("p1", "p1", 0), ("p2", "unknown", 1)] and not skipped


def test_a_folder_gives_both(folder: Path) -> None:
    tables, _ = rows(folder)
    assert len(tables["pages"]) == 2 and len(tables["links"]) == 3


def test_line_ends_marks_archives_and_spaces_do_not_matter(folder: Path, tmp_path: Path) -> None:
    text = "\ufeff" + CONTENT.replace("\n", "\r\n").replace("\t", "  ") + "\r\n"
    (tmp_path / "other.content.gz").write_bytes(gzip.compress(text.encode()))
    assert rows(tmp_path / "other.content.gz") == rows(folder / "tiny.content")


def test_damaged_lines_are_reported_with_their_number(tmp_path: Path) -> None:
    content, cites = tmp_path / "bad.content", tmp_path / "bad.cites"
    content.write_bytes(
        b"p0\t1\n" + CONTENT.encode() + b"p3\t0\tx\t1\tAI\n\np4\t0\t9999999999\t1\tAI\np\xe9\t0\t0\t1\tAI\n"
    )
    tables, skipped = rows(content)
    assert [page["url"] for page in tables["pages"]] == ["p1", "p2", "pé"]
    assert [skip.where for skip in skipped] == ["bad.content:1", "bad.content:4", "bad.content:6"]
    assert skipped[0].why == "wrong number of columns" and skipped[1].why == "unreadable paper or flag"
    cites.write_text("p1\np1\tp2\tp3\nhttp://[\tp2\np1\tp2\n")
    tables, skipped = rows(cites)
    assert len(tables["links"]) == 1
    assert [skip.why for skip in skipped] == ["wrong number of columns"] * 2 + ["not an address"]


def test_a_binary_file_gives_reports_only(tmp_path: Path) -> None:
    (tmp_path / "x.cites").write_bytes(bytes(range(256)) * 20)
    tables, skipped = rows(tmp_path / "x.cites")
    assert not tables["links"] and skipped


def test_what_is_not_linqs_says_so(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is not LINQS data"):
        rows(tmp_path)
    with pytest.raises(SourceError, match="is not LINQS data"):
        rows(tmp_path / "links.csv")
    (tmp_path / "x.content").write_bytes(b"\n")
    with pytest.raises(SourceError, match="is empty"):
        rows(tmp_path / "x.content")
    (tmp_path / "x.content").write_bytes(b"p1\np2\n")
    with pytest.raises(SourceError, match="has one column"):
        rows(tmp_path / "x.content")


def test_recognises(folder: Path) -> None:
    assert linqs.recognises(folder, b"")
    assert linqs.recognises(folder / "tiny.content", CONTENT.encode())
    assert linqs.recognises(folder / "tiny.cites", CITES.encode())
    assert linqs.recognises(Path("cora.content.gz"), b"31336\t0\t0\t1\t0" + b"\t0" * 40_000)  # the head ends in a line
    assert not linqs.recognises(Path("links.tsv"), CITES.encode())
    assert not linqs.recognises(Path("page.content"), b"<!doctype html> <p> 1 2 3\n")
    assert not linqs.recognises(Path("page.content"), b"")
    assert not linqs.recognises(folder.parent, b"")


@pytest.mark.data
def test_citeseer_is_what_its_readme_says(data: Callable[[str], Path]) -> None:
    pages, links = linqs.read(data("citeseer"))
    assert isinstance(pages, Rows) and isinstance(links, Rows)
    assert pages.pages is not None and pages.terms is not None and links.links is not None
    assert len(pages.pages) == 3312 and len(pc.unique(pages.pages["label"])) == 6
    assert len(links.links) == 4732
    known = set(pages.pages["url"].to_pylist())
    pairs = list(zip(links.links["source"].to_pylist(), links.links["target"].to_pylist(), strict=True))
    assert sum(source == target for source, target in pairs) == 124
    assert sum(not {source, target} <= known for source, target in pairs) == 17
    words = {int(word[1:]) for word in pages.terms["term"].to_pylist()}
    assert words == set(range(3703))
