"""Edge lists: every way of writing one gives the same links, and broken input gives reports, never a crash."""

import codecs
import csv
import gzip
import io
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.acquire import edges
from pagekin.errors import SourceError
from pagekin.model import Rows, Skipped
from pagekin.url import canonical

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
        assert item.links.schema.types == [pa.string(), pa.string(), pa.string(), pa.int32()]
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
        "page,other,words\n" + PLAIN,  # names we do not know above addresses: a header all the same
        PLAIN.replace("http://a.example/", "HTTP://A.example:80/index.html#top"),
    ],
)
def test_the_same_links_however_written(take: Any, content: bytes | str) -> None:
    assert take(content) == (EXPECTED, {}, [])


def test_columns_go_by_their_names_in_any_order(take: Any) -> None:
    header = "id,Destination,weight,SRC,Label,source_title,target-title"
    links, titles, skipped = take(f"{header}\n1,{B},9,{A},to b,Page A,Page B\n2,{C},9,{A},,Other A,\n")
    assert links == [(A, B, "to b", 0), (A, C, "", 1)] and not skipped
    assert titles == {A: "Page A", B: "Page B"}


def test_numbers_stay_text_and_snap_comments_go(take: Any) -> None:
    snap = "# Directed graph\n# FromNodeId\tToNodeId\n0\t011\n0\t2\n7\t0\n"
    assert take(snap, "web.txt")[0] == [("0", "011", "", 0), ("0", "2", "", 1), ("7", "0", "", 0)]


def test_columns_of_white_space(take: Any) -> None:
    links, _, skipped = take("% asym\n 1   2\t\n1 \t 3\n4 5 6\n2 3  ", "out.graph")
    assert [link[:2] for link in links] == [("1", "2"), ("1", "3"), ("2", "3")]
    assert skipped == [Skipped("out.graph:4: 4 5 6", "wrong number of columns")]


def test_a_third_column_of_numbers_is_no_anchor(take: Any) -> None:
    assert take("1,2,1234567\n1,3,-0.5\n")[0] == [("1", "2", "", 0), ("1", "3", "", 1)]


def test_bad_rows_are_reported_with_their_line_and_the_others_kept(take: Any) -> None:
    text = f"source,target\n{A},{B}\nonly one\n\nhttp://a b/,{C}\n,{C}\n{A},x\0y\n{B},{C},1\n{A},{C}\n"
    links, _, skipped = take(text)
    assert links == [(A, B, "", 0), (A, C, "", 1)]
    assert Counter(skip.why for skip in skipped) == {"wrong number of columns": 2, "not an address": 3}
    assert sorted(skip.where.split(": ")[0] for skip in skipped) == [f"links.csv:{line}" for line in (3, 5, 6, 7, 8)]


def test_bytes_that_are_no_utf8_are_read_as_windows_1252(take: Any) -> None:
    text = f"{A},{B},Käse\n".encode("latin-1") + f"{A},{C},Käse\n\n".encode() + b"\xff\n\x81,\x9d,\n"
    links, _, skipped = take(text)
    assert [link[2] for link in links[:2]] == ["Käse", "Käse"]
    assert {skip.why for skip in skipped} == {"wrong number of columns", "not an address"} and len(links) == 2


def test_quotes_hold_delimiters_quotes_and_line_ends(take: Any) -> None:
    text = f'source,target,anchor\n{A},{B},"one, ""two""\nthree"\n{A},{C},plain\n'
    assert take(text)[0] == [(A, B, 'one, "two"\nthree', 0), (A, C, "plain", 1)]


@pytest.mark.parametrize("row", ["{},{},row\n", '{},{},"row"\n', '\n{},{},5" disk\n'])
@pytest.mark.parametrize("stray", ["never closed", 'never closed "" at all'])
@pytest.mark.parametrize("ends", [(A, B), ("x", "y")])
def test_a_stray_quote_costs_its_own_row_only(take: Any, row: str, stray: str, ends: tuple[str, str]) -> None:
    start = '{},{},first\n{},{},"'.format(*ends, *ends)
    links, _, (report,) = take(f"{start}{stray}\n{row.format(*ends) * 50}")
    assert len(links) == 51
    assert report.where.startswith("links.csv:2: ") and report.why == "a quote that is never closed"


def test_two_stray_quotes_in_a_row(take: Any) -> None:
    links, _, skipped = take(f'{A},{B},"one\n{A},{C},"two\n{B},{C},fine\n')
    assert links == [(B, C, "fine", 0)] and len(skipped) == 2


def test_a_stray_quote_before_a_giant_line(take: Any) -> None:
    links, _, skipped = take(f'{A},{B},one\n{A},{C},"two\n{"x" * 200_000}\n{B},{C},fine\n')
    assert links == [(A, B, "one", 0), (B, C, "fine", 0)] and len(skipped) == 2


def test_quotes_are_text_in_a_tab_separated_file(take: Any) -> None:
    assert take(f'{A}\t{B}\t"quote\n{A}\t{C}\t5" disk\n')[0] == [(A, B, '"quote', 0), (A, C, '5" disk', 1)]


@pytest.mark.parametrize("codec", ["gzip", "zstd", "bz2"])
def test_archives(tmp_path: Path, codec: str) -> None:
    path = tmp_path / "links.csv.packed"
    with pa.CompressedOutputStream(str(path), codec) as stream:
        stream.write(PLAIN.encode())
    assert taken(path)[0] == EXPECTED


@pytest.mark.parametrize("damage", ["cut", "junk"])
def test_a_damaged_archive_gives_what_came_before_and_a_report(take: Any, damage: str) -> None:
    packed = gzip.compress("".join(f"{n},{n * 7919}\n" for n in range(50_000)).encode())
    links, _, (report,) = take(packed[: len(packed) // 2] if damage == "cut" else packed + b"junk", "links.csv.gz")
    assert 10_000 < len(links) <= 50_000 and report.why.startswith("damaged")
    assert all(int(target) == int(source) * 7919 for source, target, *_ in links)  # no row was cut in two


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\n \n# nothing\n", "is empty"),
        (codecs.BOM_UTF8, "is empty"),
        (b"http://a.example/\nhttp://b.example/\n", "one column"),
        (bytes(range(256)) * 40, "not text"),
        (b"source,weight\n1,2\n", "names a source only"),
        (b"PAR1 but not really", "no readable Parquet"),
    ],
)
def test_what_cannot_be_read_at_all_says_why(take: Any, content: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        take(content)


def test_folders_and_missing_files(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is a folder"):
        list(edges.read(tmp_path))
    with pytest.raises(SourceError, match="cannot be read: No such file"):
        list(edges.read(tmp_path / "none.csv"))


def test_positions_count_on_over_blocks_and_chunks(take: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edges, "BLOCK", 1 << 15)
    monkeypatch.setattr(edges, "CHUNK", 1000)
    pairs = [(n * 31 % 97, n) for n in range(20_000)]
    links, _, skipped = take("from,to\n" + "".join(f"{source},{target}\n" for source, target in pairs))
    seen: Counter[int] = Counter()
    for (source, target), link in zip(pairs, links, strict=True):
        assert link == (str(source), str(target), "", seen[source])
        seen[source] += 1
    assert not skipped


def test_line_numbers_count_on_over_blocks(take: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edges, "BLOCK", 1 << 15)
    bad = {3, 7_000, 9_999}
    _, _, skipped = take("".join("bad\n" if n in bad else f"{n},{n}\n" for n in range(1, 10_001)))
    assert [skip.where for skip in skipped] == [f"links.csv:{n}: bad" for n in sorted(bad)]


def test_a_row_without_end_is_not_kept_in_memory(take: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edges, "BLOCK", 1 << 15)
    links, _, (report,) = take("1,2\n3,4\n" + "x" * 100_000 + "\n5,6\n")
    assert len(links) == 2 and report.why.startswith("damaged")


@pytest.mark.parametrize("names", [("source", "target"), ("FROM", "To"), ("citing_id", "cited_id")])
def test_parquet(tmp_path: Path, names: tuple[str, str]) -> None:
    table = pa.table({"x": [1.5] * 3, names[1]: [2, 3, None], "anchor": ["a", None, "c"], names[0]: [1, 1, 1]})
    pq.write_table(table.set_column(1, names[1], table[names[1]].cast(pa.int64())), tmp_path / "links.parquet")
    links, _, skipped = taken(tmp_path / "links.parquet")
    assert links == [("1", "2", "a", 0), ("1", "3", "", 1)]
    assert skipped == [Skipped("links.parquet:3: 1 ", "not an address")]


def test_parquet_of_bytes_dictionaries_and_lists(tmp_path: Path) -> None:
    path = tmp_path / "links.parquet"
    source = pa.array(["http://a.example/ä".encode(), "http://a.example/ä".encode("latin-1")], pa.binary())
    pq.write_table(pa.table({"source": source, "target": pa.array([B, B]).dictionary_encode()}), path)
    assert taken(path)[0] == [("http://a.example/%C3%A4", B, "", 0), ("http://a.example/%C3%A4", B, "", 1)]
    pq.write_table(pa.table({"source": [["a"]], "target": ["b"]}), path)
    with pytest.raises(SourceError, match="list"):
        taken(path)
    pq.write_table(pa.table({"u": ["a"], "v": ["b"]}), path)
    with pytest.raises(SourceError, match="found u, v"):
        taken(path)


CELL = st.text(st.sampled_from('ab,;\t "\n'), min_size=0, max_size=4)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([A, B, C, "7"]), st.sampled_from([A, B, "8"]), CELL), min_size=1))
def test_csv_as_python_writes_it(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]]) -> None:
    """The readable twin: Python's own csv module, a counter, and the canonical form of each cell."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([("source", "target", "anchor"), *rows])
    path = tmp_path_factory.mktemp("csv") / "links.csv"
    path.write_text(text.getvalue(), newline="")
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
        ("scores.csv", b"http://a.example/,http://b.example/,0.5,x\n", True),
        ("links.parquet", b"PAR1\x15\x04", True),
        ("pages.csv", b"page,other\nhttp://a.example/,http://b.example/\n", True),
        ("people.csv", b"name,age\nJo,7\n", False),
        ("years.csv", b"year,visits\n1996,12\n1997,15\n", False),
        ("index.html", b"<!DOCTYPE html><a href=1>,2</a>\n", False),
        ("crawl.warc", b"WARC/1.0\r\nWARC-Type: response\r\n", False),
        ("data.json", b'{"source": 1, "target": 2}\n', False),
        ("cora.cites", b"35\t1033\n35\t103482\n", False),
        ("qrels.text", b"01 1410  0 0\n01 1572  0 0\n", False),
        ("image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", False),
        ("README", b"These papers are classified, one by one,\ninto classes\n", False),
        ("empty.csv", b"", False),
    ],
)
def test_recognises(name: str, head: bytes, answer: bool) -> None:
    assert edges.recognises(Path(name), head) is answer
