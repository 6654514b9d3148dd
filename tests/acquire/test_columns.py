"""Columns: cells come out as they are written, numbers as text, and each row knows its line."""

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pagekin.acquire import columns, text
from pagekin.errors import SourceError
from pagekin.model import Skipped

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"

Cells = list[tuple[int, Any]]  # line number, and the row's cells in the order of the roles


@pytest.fixture
def take(tmp_path: Path) -> Any:
    """Writes a file and reads it: the rows, blank ones apart, and the reports."""

    def take(content: bytes | str, name: str = "links.csv") -> tuple[Cells, list[Skipped]]:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return taken(path)

    return take


def taken(path: Path) -> tuple[Cells, list[Skipped]]:
    rows: Cells = []
    skipped = []
    for part in columns.read_columns(path):
        if isinstance(part, Skipped):
            skipped.append(part)
            continue
        table, numbers = part
        assert set(table.schema.types) == {pa.string()} and len(table) == len(numbers)
        found = [tuple(row.values()) for row in table.to_pylist()]
        rows += [(number, row) for number, row in zip(numbers.tolist(), found, strict=True) if any(row)]
    return rows, skipped


def test_rows_with_their_lines(take: Any) -> None:
    assert take("source,target\n1,2\n\n3,4\n") == ([(2, ("1", "2")), (4, ("3", "4"))], [])


def test_numbers_stay_text(take: Any) -> None:
    assert take("007\t1e5\nNULL\ttrue\n8\t9\n")[0] == [(1, ("007", "1e5")), (2, ("NULL", "true")), (3, ("8", "9"))]


def test_comments_are_blank_lines(take: Any) -> None:
    assert take("# SNAP\n1\t2\n% KONECT\n3\t4\n")[0] == [(2, ("1", "2")), (4, ("3", "4"))]


def test_white_space(take: Any) -> None:
    rows, skipped = take("% asym\n 1   2\t\n1 \t 3\n4 5 6\n2 3  ", "out.graph")
    assert rows == [(2, ("1", "2")), (3, ("1", "3")), (5, ("2", "3"))]
    assert skipped == [Skipped("out.graph:4: 4 5 6", "wrong number of columns")]


def test_quotes_hold_delimiters_quotes_and_line_ends(take: Any) -> None:
    rows, _ = take(f'source,target,anchor\n{A},{B},"one, ""two""\nthree"\n{A},{C},plain\n')
    assert [cells for _, cells in rows] == [(A, B, 'one, "two"\nthree'), (A, C, "plain")]


def test_a_stray_quote_is_reported_with_its_line(take: Any) -> None:
    rows, skipped = take(f'{A},{B},one\n{A},{C},"two\n{B},{C},three\n')
    assert rows == [(1, (A, B, "one")), (3, (B, C, "three"))]
    assert skipped == [Skipped(f'links.csv:2: {A},{C},"two', "a quote that is never closed")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(take: Any, end: str) -> None:
    assert take(f"1,2{end}{end}3,4{end}5,6") == ([(1, ("1", "2")), (3, ("3", "4")), (4, ("5", "6"))], [])


def test_a_carriage_return_inside_a_line_is_dirt(take: Any) -> None:
    assert take("1,2\r\n3\r,4\n")[0] == [(1, ("1", "2")), (2, ("3 ", "4"))]


def test_a_line_that_is_no_utf8_does_not_cost_the_others(take: Any) -> None:
    rows, skipped = take(f"{A},{B},Käse\n".encode("latin-1") + f"{A},{C},Käse\n".encode() + b"\xff\n")
    assert rows == [(1, (A, B, "Käse")), (2, (A, C, "Käse"))]
    assert skipped == [Skipped("links.csv:3: ÿ", "wrong number of columns")]


def test_line_numbers_count_on_over_blocks(take: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "BLOCK", 1 << 15)
    bad = {3, 7_000, 9_999}
    rows, skipped = take("".join("bad\n" if n in bad else f"{n},{n}\n" for n in range(1, 10_001)))
    assert all(cells == (str(number), str(number)) for number, cells in rows) and len(rows) == 9_997
    assert [skip.where for skip in skipped] == [f"links.csv:{n}: bad" for n in sorted(bad)]


@pytest.mark.parametrize("content", ["source,target", "source target\n", "source,target\n\n# nothing\n"])
def test_a_header_without_rows(take: Any, content: str) -> None:
    assert take(content) == ([], [])


@pytest.mark.parametrize("content", [b"", b"\n \n# nothing\n", b"\xef\xbb\xbf"])
def test_nothing_at_all(take: Any, content: bytes) -> None:
    with pytest.raises(SourceError, match="is empty"):
        take(content)


@pytest.mark.parametrize("names", [("source", "target"), ("FROM", "To"), ("citing_id", "cited_id")])
def test_parquet(tmp_path: Path, names: tuple[str, str]) -> None:
    target = pa.array([2, 3, None], pa.int64())
    table = pa.table({"x": [1.5] * 3, names[1]: target, "anchor": ["a", None, "c"], names[0]: [1, 1, 1]})
    pq.write_table(table, tmp_path / "links.parquet")
    assert taken(tmp_path / "links.parquet") == ([(1, ("1", "2", "a")), (2, ("1", "3", "")), (3, ("1", "", "c"))], [])


def test_parquet_of_bytes_and_dictionaries(tmp_path: Path) -> None:
    path = tmp_path / "links.parquet"
    source = pa.array(["ä".encode(), "ä".encode("latin-1"), None], pa.binary())
    pq.write_table(pa.table({"source": source, "target": pa.array([B, B, C]).dictionary_encode()}), path)
    assert [cells for _, cells in taken(path)[0]] == [("ä", B), ("ä", B), ("", C)]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pa.table({"source": [["a"]], "target": ["b"]}), "holds list"),
        (pa.table({"u": ["a"], "v": ["b"]}), r"found\W+u \| v\s+a \| b"),
        (pa.table({"source": ["a"]}), "names only a source"),
    ],
)
def test_parquet_of_something_else(tmp_path: Path, table: pa.Table, message: str) -> None:
    pq.write_table(table, tmp_path / "links.parquet")
    with pytest.raises(SourceError, match=message):
        taken(tmp_path / "links.parquet")


def test_damaged_parquet_gives_rows_a_report_or_a_source_error(tmp_path: Path) -> None:
    chance, path = random.Random(1), tmp_path / "links.parquet"
    pages = [f"http://a.example/{n % 50}" for n in range(3_000)]
    pq.write_table(pa.table({"source": pages, "target": pages}), path)
    whole, outcomes = path.read_bytes(), set()
    for _ in range(200):
        damaged = bytearray(whole)
        for _ in range(chance.choice([1, 3, 20])):
            damaged[chance.randrange(4, len(damaged))] = chance.randrange(256)
        path.write_bytes(damaged)
        try:
            _, skipped = taken(path)
        except SourceError:
            outcomes.add("error")
        else:
            outcomes.add("report" if skipped else "rows")
    assert outcomes == {"error", "report", "rows"}
    path.write_bytes(b"PAR1 but not really")
    with pytest.raises(SourceError, match="not a readable Parquet"):
        taken(path)


def test_a_block_of_very_short_lines_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "BATCH", 100)
    (tmp_path / "links.csv").write_text("source,target\n" + "1,2\n3\n" * 1_000)
    parts = [part for part in columns.read_columns(tmp_path / "links.csv") if not isinstance(part, Skipped)]
    assert max(len(table) for table, _ in parts) <= 150
    rows, skipped = taken(tmp_path / "links.csv")
    assert [line for line, _ in rows] == list(range(2, 2_002, 2))
    assert [report.where for report in skipped[:2]] == ["links.csv:3: 3", "links.csv:5: 3"]


def test_a_dictionary_of_long_texts_is_not_written_out_row_by_row(tmp_path: Path) -> None:
    """A file of a few kB, in which each of 100,000 rows has the same text of a megabyte."""
    long = pa.DictionaryArray.from_arrays(pa.array([0] * 100_000, pa.int32()), ["x" * (1 << 20)])
    names = pa.array(["1"] * 100_000)
    pq.write_table(pa.table({"source": names, "target": names, "anchor": long}), tmp_path / "bomb.parquet")
    before, rows, reported = pa.total_allocated_bytes(), 0, 0
    for part in columns.read_columns(tmp_path / "bomb.parquet"):
        assert pa.total_allocated_bytes() - before < 300 << 20
        if isinstance(part, Skipped):
            assert part == Skipped(f"bomb.parquet:{reported + 1}", "a cell of more than 65.5 kB was left empty")
            reported += 1
            continue
        rows += len(part[0])
        assert part[0]["anchor"][0].as_py() == ""
    assert rows == reported == 100_000


def test_texts_of_a_dictionary_are_handed_on_a_few_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "MOST_TEXT", 10_000)
    shared = pa.DictionaryArray.from_arrays(pa.array([0, None] * 500, pa.int32()), ["x" * 100])
    names = pa.array([str(number) for number in range(1_000)])
    pq.write_table(pa.table({"source": names, "target": names, "anchor": shared}), tmp_path / "a.parquet")
    parts = list(columns.read_columns(tmp_path / "a.parquet"))
    assert max(sum(map(len, table["anchor"].to_pylist())) for table, _ in parts) <= 10_100
    assert [name for table, _ in parts for name in table["source"].to_pylist()] == names.to_pylist()
    assert [line for _, lines in parts for line in lines.tolist()] == list(range(1, 1_001))


def test_a_row_group_that_is_too_large_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "MOST_UNPACKED", 5_000)
    ends = [*("a" * 100 + str(number) for number in range(100)), *map(str, range(100))]
    table = pa.table({"source": ends, "target": ends})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=100, use_dictionary=False)
    report, (kept, lines) = columns.read_columns(tmp_path / "a.parquet")
    assert isinstance(report, Skipped) and report.where == "a.parquet:1 to 100"
    assert report.why.startswith("a row group with a column of 10.")
    assert (kept["source"].to_pylist(), lines[0]) == (ends[100:], 101)
