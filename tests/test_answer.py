"""What every answer is: rows as a tuple, JSON, tables, lines and HTML."""

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from pagekin.answer import Answer, PageName, Report, Row, cell, clean, html_link


@dataclass(frozen=True)
class Bee(Row):
    url: str
    legs: int | str
    parts: tuple[Any, ...] = ()


@dataclass(frozen=True, repr=False)
class Bees(Answer[Bee]):
    method: str = "counting"

    shown = ("legs", "url")
    header = ("url", "legs", "parts")


@dataclass(frozen=True, repr=False)
class Counted(Report):
    bees: int = 0
    skipped: dict[str, int] = field(default_factory=dict)

    @property
    def lines(self):
        return [f"{self.bees} bees", "  and \x1b[1mmore"]


HIVE = PageName("http://hive.example/", "The hive")
ANSWER = Bees((HIVE, "wing"), "a note", (Bee("http://a.example/", 6, ("x",)), Bee("b", 0)))


def test_the_json_has_the_query_first_and_the_rows_last():
    assert ANSWER.as_dict() == {
        "query": [{"url": "http://hive.example/", "title": "The hive"}, "wing"],
        "method": "counting",
        "note": "a note",
        "results": [{"url": "http://a.example/", "legs": 6, "parts": ["x"]}, {"url": "b", "legs": 0, "parts": []}],
    }
    assert list(ANSWER.as_dict()) == ["query", "method", "note", "results"]


def test_it_is_as_good_as_the_tuple_of_its_rows():
    assert [row.legs for row in ANSWER] == [6, 0]
    assert (len(ANSWER), ANSWER[-1].url, ANSWER[:1]) == (2, "b", ANSWER.results[:1])
    assert not Bees()


def test_lines_and_html_show_the_columns_for_people():
    assert repr(ANSWER) == "6  http://a.example/\n0  b\na note"
    assert repr(Bees()) == "Bees: nothing"
    assert ANSWER._repr_html_() == (
        "<table><tr><th>legs</th><th>url</th></tr>"
        '<tr><td>6</td><td><a href="http://a.example/">http://a.example/</a></td></tr>'
        "<tr><td>0</td><td>b</td></tr></table><p>a note</p>"
    )


def test_a_table_holds_any_row_and_none():
    table = ANSWER.to_arrow()
    assert table.column_names == ["url", "legs", "parts"]
    assert table["legs"].type == pa.int64()
    assert table["parts"].to_pylist() == [["x"], []]
    mixed = Bees(results=(Bee("a", 6, ({"k": 1},)), Bee("b", "many", ())))
    assert mixed.to_arrow()["legs"].to_pylist() == ["6", "many"]
    assert mixed.to_arrow()["parts"].to_pylist() == ['[{"k": 1}]', "[]"]
    assert Bees().to_arrow().column_names == ["url", "legs", "parts"]


def test_a_report_is_its_lines():
    found = Counted(3, {"wasp": 1})
    assert found.as_dict() == {"bees": 3, "skipped": {"wasp": 1}}
    assert repr(found) == "3 bees\n  and [1mmore"
    assert found._repr_html_() == "<div>3 bees</div><div>and [1mmore</div>"


def test_cells_and_text_of_strangers():
    assert [cell(value) for value in (True, False, None, 0.0, 0.25, 1e-9, ["a", 1], "x\x07y")] == [
        "yes", "", "", "0.0000", "0.2500", "1.00e-09", "a, 1", "xy",
    ]  # fmt: skip
    assert clean("a\u202eb\nc  d") == "ab c d"
    assert html_link("javascript:alert(1)", "<b>") == "&lt;b&gt;"
    assert html_link('http://a.example/"x') == '<a href="http://a.example/&quot;x">http://a.example/&quot;x</a>'
