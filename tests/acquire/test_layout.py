"""Layouts: delimiter, header and columns are those that a person sees in the first rows."""

import re

import pytest

from pagekin.acquire.headers import SOME
from pagekin.acquire.layout import SAMPLE, Layout, layout_of
from pagekin.errors import SourceError

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"
PAIR, TRIPLE = {"source": 0, "target": 1}, {"source": 0, "target": 1, "anchor": 2}


def layout(text: str) -> Layout:
    return layout_of("links.csv", text.encode())


@pytest.mark.parametrize("delimiter", ["\t", ",", ";", " "])
@pytest.mark.parametrize("header", [["source", "target"], ["page", "link"], None])
def test_delimiter_and_header(delimiter: str, header: list[str] | None) -> None:
    rows = [[A, B], [A, C], [B, C]]
    found = layout("\n".join(delimiter.join(row) for row in ([header] if header else []) + rows))
    assert (found.delimiter, found.width, found.columns) == (delimiter, 2, PAIR)
    assert (found.header, found.named) == (header is not None, header == ["source", "target"])
    assert found.rows == rows and found.plain


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        (f"{A}\t{B}\tthis, that, all\n{A}\t{C}\tone, two, all\n", "\t"),  # commas fit as well: a tab is never text
        (f"{A} {B}\n{A}  {C}\n", " "),
        (f'source,target,anchor\n{A},{B},"one\ntwo\nthree\nfour"\n', ","),  # few rows are whole, but the names show
        (f"{A};{B};x,y\n{A};{C};z\n{B};{C};\n", ";"),
    ],
)
def test_the_delimiter_among_others(text: str, delimiter: str) -> None:
    assert layout(text).delimiter == delimiter


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("id,Destination,weight,SRC,Label", {"source": 3, "target": 1, "anchor": 4}),
        ("Source URL,Target-ID,link_text", TRIPLE),
        ("FromNodeId,ToNodeId", PAIR),
        ("Referring Page URL,Referring Page Title,Target URL", {"source": 0, "target": 2, "source_title": 1}),
        ("target,source,target title", {"source": 1, "target": 0, "target_title": 2}),
    ],
)
def test_columns_go_by_their_names_in_any_order(header: str, columns: dict[str, int]) -> None:
    found = layout(f"{header}\n{','.join('x' * (header.count(',') + 1))}\n")
    assert found.columns == columns and found.named


@pytest.mark.parametrize(("cells", "columns"), [(["words", "3"], TRIPLE), (["7", "-0.5"], PAIR), (["1e-3", "2"], PAIR)])
def test_a_third_column_of_numbers_is_no_anchor(cells: list[str], columns: dict[str, int]) -> None:
    assert layout("".join(f"1,2,{cell}\n" for cell in cells)).columns == columns


def test_the_width_is_the_header_s_or_that_of_most_rows() -> None:
    assert layout("source,target\n1,2,3\n1,2,3\n").width == 2
    assert layout("1,2\n1,2,3\n1,2,3\n").width == 3


def test_quotes_count_in_csv_and_where_the_first_row_begins_with_one() -> None:
    assert layout('a,b\n"c",d\n').quotes and layout('"a"\t"b"\n').quotes
    assert not layout('a\tb\n"c"\td\n').quotes


def test_a_damaged_row_does_not_decide() -> None:
    rows = [f"{A},{B}"] * 20
    assert layout("\n".join(["page,link", *rows, "dam", *rows])).header


def test_only_the_first_rows_are_looked_at() -> None:
    assert len(layout("1,2\n" * 5_000).rows) == SAMPLE
    assert layout("1,2\n" + f"{'x' * 20_000},{'y' * 20_000}\n").rows == [["1", "2"]]  # the second is not whole


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "links.csv is empty"),
        ("\n \n", "is empty"),
        (f"{A}\n{B}\n", "one column"),
        ("\0\1,\2\n\3,\4\n", "not text"),
        ("source,weight\n1,2\n", "names only a source"),
        ("weight,to\n1,2\n", "names only a target"),
    ],
)
def test_what_is_no_table_says_why_and_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message) as error:
        layout(text)
    assert {"source", "target", *SOME["target"]} <= set(re.findall(r"\w+", str(error.value)))
