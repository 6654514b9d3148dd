"""Edge lists: every way of writing one gives the same links, and broken input gives reports, never a crash."""

import codecs
import csv
import io
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.acquire import columns, edges, text
from pagekin.acquire.sources import head_of
from pagekin.errors import SourceError
from pagekin.model import Rows, Skipped
from pagekin.url import canonical
from tests.steps import lines_run

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"
ROWS = [(A, B, "to b"), (A, C, "to c"), (B, C, ""), (A, B, "again")]
PLAIN = "".join(f"{source},{target},{anchor}\n" for source, target, anchor in ROWS)
POSITIONS = [0, 1, 0, 2]


@pytest.fixture
def take(tmp_path: Path) -> Any:
    """Writes a file and reads it: the links as (source, target, anchor, position), the titles, the reports."""

    def take(
        content: bytes | str, name: str = "links.csv"
    ) -> tuple[list[tuple[Any, ...]], dict[str, str], list[Skipped]]:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return taken(path)

    return take


def taken(path: Path) -> tuple[list[tuple[Any, ...]], dict[str, str], list[Skipped]]:
    links: list[tuple[Any, ...]] = []
    titles: dict[str, str] = {}
    skipped = []
    for item in edges.read(path):
        if isinstance(item, Skipped):
            skipped.append(item)
            continue
        assert isinstance(item, Rows) and item.links is not None
        assert item.links.schema.names == ["source", "target", "anchor", "position"]
        names = pa.dictionary(pa.int32(), pa.string())
        assert item.links.schema.types == [names, names, pa.string(), pa.int32()]
        links += [tuple(row.values()) for row in item.links.to_pylist()]
        if item.pages is not None:
            titles |= {row["url"]: row["title"] for row in item.pages.to_pylist()}
    return links, titles, skipped


EXPECTED = [(*row, position) for row, position in zip(ROWS, POSITIONS, strict=True)]


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        "source,target,anchor\n" + PLAIN,
        PLAIN.replace(",", "\t"),
        PLAIN.replace(",", ";"),
        "Source URL;Target URL;Anchor Text\r\n" + PLAIN.replace(",", ";").replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),
        PLAIN.removesuffix("\n"),
        "\n\n" + PLAIN.replace("\n", "\n  \n\n"),
        "# a comment\n" + PLAIN.replace("\n", "\n# another, one\n"),
        codecs.BOM_UTF8 + PLAIN.encode(),
        ("from,to,text\n" + PLAIN).encode("utf-16"),
        "\n".join(",".join(f'"{cell}"' for cell in row) for row in ROWS),
        "\n".join("\t".join(f'"{cell}"' for cell in row) for row in ROWS),
        "page,link,words\n" + PLAIN,  # names that may be either end, above addresses: a header all the same
        PLAIN.replace("http://a.example/", "HTTP://A.example:80/index.html#top"),
    ],
)
def test_the_same_links_however_written(take: Any, content: bytes | str) -> None:
    assert take(content) == (EXPECTED, {}, [])


def test_the_first_title_of_a_page_counts(take: Any) -> None:
    header = "id,Destination,weight,SRC,Label,source_title,target-title"
    links, titles, skipped = take(f"{header}\n1,{B},9,{A},to b,Page A,Page B\n2,{C},9,{A},,Other A,\n")
    assert links == [(A, B, "to b", 0), (A, C, "", 1)] and not skipped
    assert titles == {A: "Page A", B: "Page B"}


def test_bad_rows_are_reported_with_their_line_and_the_others_kept(take: Any) -> None:
    rows = f"source,target\n{A},{B}\nonly one\n\nhttp://a b/,{C}\n,{C}\n{A},x\0y\n{B},{C},1\n{A},{C}\n"
    links, _, skipped = take(rows)
    assert links == [(A, B, "", 0), (A, C, "", 1)]
    assert Counter(skip.why for skip in skipped) == {"wrong number of columns": 2, "not an address": 3}
    assert sorted(skip.where.split(": ")[0] for skip in skipped) == [f"links.csv:{line}" for line in (3, 5, 6, 7, 8)]


def test_blank_rows_are_passed_over_together(tmp_path: Path) -> None:
    def work(rows: int) -> int:
        (tmp_path / "links.csv").write_text("source,target\n" + ",\n" * rows)
        return lines_run(edges, lambda: list(edges.read(tmp_path / "links.csv")))

    assert work(1_000) == work(2_000)


def test_bytes_that_nothing_can_decode_are_no_name(take: Any) -> None:
    links, _, skipped = take(f"{A},{B},Käse\n".encode("latin-1") + b"\x81,\x9d,\n")
    assert links == [(A, B, "Käse", 0)] and [skip.why for skip in skipped] == ["not an address"]


def test_identifiers_stay_as_they_are(take: Any) -> None:
    snap = "# Directed graph\n# FromNodeId\tToNodeId\n0\t011\n0\t10.1145/324133\n7\t0\n"
    assert take(snap, "web.txt")[0] == [("0", "011", "", 0), ("0", "10.1145/324133", "", 1), ("7", "0", "", 0)]


def test_quotes_around_a_name_are_no_part_of_it(take: Any) -> None:
    assert take(f'{A}\t{B}\n"{A}"\t"{C}"\n')[0] == [(A, B, "", 0), (A, C, "", 1)]


def test_positions_count_on_over_blocks_and_batches(take: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "BLOCK", 1 << 15)
    monkeypatch.setattr(columns, "BATCH", 1000)
    pairs = [(str(n * 31 % 97), str(n)) for n in range(20_000)]
    seen: Counter[str] = Counter()
    expected = []
    for source, target in pairs:
        expected.append((source, target, "", seen[source]))
        seen[source] += 1
    assert take("from,to\n" + "".join(f"{source},{target}\n" for source, target in pairs)) == (expected, {}, [])
    sources, targets = zip(*pairs, strict=True)
    pq.write_table(pa.table({"from": sources, "to": targets}), tmp_path / "links.parquet")
    assert taken(tmp_path / "links.parquet") == (expected, {}, [])


def test_an_empty_end_in_parquet_is_reported_with_its_row(tmp_path: Path) -> None:
    pq.write_table(pa.table({"source": ["1", "1"], "target": ["2", None]}), tmp_path / "links.parquet")
    skipped = [Skipped("links.parquet:2: 1 ", "not an address")]
    assert taken(tmp_path / "links.parquet") == ([("1", "2", "", 0)], {}, skipped)


def test_a_name_that_is_no_text(take: Any) -> None:
    links, _, (report,) = take(f"{A},{B}\n{A},http://[\n", os.fsdecode(b"\xff.csv"))
    assert len(links) == 1 and report.where == f"\\xff.csv:2: {A} http://["


CELL = st.text(st.sampled_from('ab,;\t "\n'), min_size=0, max_size=4)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([A, B, C, "7"]), st.sampled_from([A, B, "8"]), CELL), min_size=1))
def test_csv_as_python_writes_it(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]]) -> None:
    """The readable twin: Python's own csv module, a counter, and the canonical form of each cell."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([("source", "target", "anchor"), *rows])
    path = tmp_path_factory.mktemp("csv") / "links.csv"
    path.write_text(written.getvalue(), newline="")
    seen: Counter[str] = Counter()
    expected = []
    for source, target, anchor in rows:
        expected.append((canonical(source), canonical(target), anchor, seen[source]))
        seen[source] += 1
    assert taken(path) == (expected, {}, [])


@settings(max_examples=200, deadline=None)
@given(
    st.binary() | st.text(st.sampled_from('ab:/,;\t "\n\r\0#é')).map(str.encode),
    st.sampled_from([b"", b"source,target\n"]),
)
def test_any_bytes_give_links_reports_or_a_source_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, header: bytes
) -> None:
    path = tmp_path_factory.mktemp("any") / "links.csv"
    path.write_bytes(header + content)
    assert edges.recognises(path, header + content) in (True, False)
    try:
        links, _, _ = taken(path)
    except SourceError:
        return
    assert all(source and target for source, target, *_ in links)


@pytest.mark.parametrize(
    ("name", "head", "answer"),
    [
        ("links.csv", b"source,target\na,b\n", True),
        ("links", b"\xef\xbb\xbfFrom;To\r\na;b\r\n", True),
        ("links.tsv", "source\ttarget\nä\tb\n".encode("utf-16"), True),
        ("web.txt", b"# FromNodeId\tToNodeId\n" + b"0\t1\n0\t2\n" * 9 + b"3\t", True),
        ("urls", b"http://a.example/ http://b.example/\n", True),
        ("scores", b"http://a.example/,http://b.example/,0.5,x\n", True),
        ("breaks.csv", b'source,target,anchor\na,b,c\na,b,"two\nlines"\na,b,c\na,b,c\n', True),
        ("links.parquet", b"PAR1\x15\x04", True),
        ("pages.csv", b"page,link\nhttp://a.example/,http://b.example/\n", True),
        ("moved.csv", b"old,new\nhttp://a.example/,http://b.example/\n", False),
        ("people.csv", b"name,age\nJo,7\n", False),
        ("years.csv", b"year,visits\n1996,12\n1997,15\n", False),
        ("visits.csv", b"http://a.example/,12\nhttp://b.example/,15\n", False),
        ("matrix.csv", b"1,2,3,4\n5,6,7,8\n", False),
        ("header.csv", b"source,target\n", False),
        ("index.html", b"<!DOCTYPE html><a href=1>,2</a>\n", False),
        ("crawl.warc", b"WARC/1.0\r\nWARC-Type: response\r\n", False),
        ("data.json", b'{"source": 1, "target": 2}\n', False),
        ("cora.cites", b"35\t1033\n35\t103482\n", False),
        ("qrels.text", b"01 1410  0 0\n01 1572  0 0\n", False),
        ("image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", False),
        ("README", b"These papers are classified, one by one,\ninto classes\n", False),
        ("NEWS", b"Moved from one host to another.\n", False),
        ("COPYING", b"// This Source Code Form is subject to the terms\n// of a license:\n\ncom\norg\n", False),
        ("empty.csv", b"", False),
    ],
)
def test_recognises(name: str, head: bytes, answer: bool) -> None:
    assert edges.recognises(Path(name), head) is answer


@pytest.mark.data
def test_lists_and_tests_of_all_kinds_are_no_links(data: Callable[[str], Path]) -> None:
    """Among them the Public Suffix List, whose first line has the words "Source" and "to"."""
    files = [path for path in data("conformance").rglob("*") if path.is_file()]
    assert data("conformance") / "psl" / "public_suffix_list.dat" in files
    assert [path for path in files if edges.recognises(path, head_of(path))] == []
