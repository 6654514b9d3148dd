"""Stray quotes: each costs its own row, and no quoted text is taken for one."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.acquire.layout import layout_of
from pagekin.acquire.quotes import without_stray_quotes

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"


def stray(text: str) -> list[int]:
    """The numbers of the lines that are taken out; the others stay as they are."""
    block = text.encode()
    cleaned, found = without_stray_quotes(block, layout_of("links.csv", block))
    lines = text.split("\n")
    assert found == [(number, lines[number]) for number, _ in found]
    for number, _ in found:
        lines[number] = ""
    assert cleaned.decode().split("\n") == lines
    return [number for number, _ in found]


@pytest.mark.parametrize("row", ["{},{},row\n", '{},{},"row"\n', '\n{},{},5" disk\n'])
@pytest.mark.parametrize("text", ["never closed", 'never closed "" at all'])
@pytest.mark.parametrize("ends", [(A, B), ("x", "y")])
def test_rows_after_it_show_that_a_quote_is_stray(row: str, text: str, ends: tuple[str, str]) -> None:
    start = '{},{},first\n{},{},"'.format(*ends, *ends)
    assert stray(f"{start}{text}\n{row.format(*ends) * 50}") == [1]


def test_two_in_a_row() -> None:
    assert stray(f'{A},{B},"one\n{A},{C},"two\n{B},{C},fine\n') == [0, 1]


def test_a_text_of_several_lines_is_none() -> None:
    assert stray(f'source,target,anchor\n{A},{B},"one, ""two""\n\nthree"\n{A},{C},plain\n') == []
    assert stray(f'{A},{B},"one, two\nthree, four"\n{A},{C},"five\nsix"\n') == []


def test_a_quote_at_the_very_end_swallows_nothing() -> None:
    assert stray(f'{A},{B},one\n{A},{C},"two') == []


def test_a_giant_line_is_no_row() -> None:
    assert stray(f'{A},{B},one\n{A},{C},"two\n{"x" * 200_000}\n{B},{C},fine\n') == [1]


def test_in_a_tab_separated_table_quotes_are_text() -> None:
    assert stray(f'{A}\t{B}\t"quote\n{A}\t{C}\t5" disk\n') == []


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.just(A), st.just(B), st.text(st.sampled_from('ab,; "\n'), max_size=8)), min_size=1))
def test_what_python_writes_has_none(rows: list[tuple[str, str, str]]) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([("source", "target", "anchor"), *rows])
    assert stray(text.getvalue()) == []
