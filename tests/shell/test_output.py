import csv
import io
import json
import sys
from typing import Any

import pytest

from pagekin.answer import Answer
from pagekin.answers.telling import every_line as sentences
from pagekin.errors import UsageError
from pagekin.shell import output


class Rows(Answer[dict[str, Any]]):
    shown = ("rank", "title", "url")


def test_hostile_titles_cannot_play_with_the_terminal(capsys):
    row = {"rank": 1, "title": "\x1b[31m[bold]red[/bold]\x07‮ end", "url": "http://a.example/"}
    output.show(Rows(note="a\x1b[2Jb", results=(row,)), "table")
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "[bold]red[/bold]" in out


def test_csv_and_json_lines_of_nothing(capsys):
    output.show(Rows(note="why"), "csv")
    output.show(Rows(note="why"), "jsonl")
    out, err = capsys.readouterr()
    assert out == "rank,title,url\n"
    assert err == "why\nwhy\n"


HOSTILE = {
    "rank": 1,
    "title": "a\x9b31m\u202eb\u2028c\ufeffd\x85e\x7f\x1bf\ud800 می\u200cخواهم 👩\u200d👧",
    "url": "=1+1",
    "why": [{"anchors": ["\u2066\x9d"]}],
}
LIVE = "\x9b\u202e\u2028\ufeff\x85\x7f\x1b\ud800\u2066\x9d"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stdout", [io.StringIO, Terminal])
@pytest.mark.parametrize("format", ["json", "jsonl"])
def test_json_has_escapes_for_what_a_terminal_obeys(monkeypatch, format, stdout):
    monkeypatch.setattr(sys, "stdout", stdout())
    output.show(Rows(results=(HOSTILE,)), format)
    out = sys.stdout.getvalue()
    assert not set(out) & set(LIVE)
    assert "می\u200cخواهم 👩\u200d👧" in out
    found = json.loads(out)
    assert (found["results"][0] if format == "json" else found) == HOSTILE


def test_json_for_a_stdout_that_cannot_spell_it(monkeypatch):
    ascii_only = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="backslashreplace")
    monkeypatch.setattr(sys, "stdout", ascii_only)
    output.print_json({"title": "ü “x” 👩"})
    ascii_only.flush()
    assert json.loads(ascii_only.buffer.getvalue()) == {"title": "ü “x” 👩"}


def test_csv_on_a_terminal_drops_what_it_would_obey(monkeypatch):
    monkeypatch.setattr(sys, "stdout", Terminal())
    output.show(Rows(results=(HOSTILE,)), "csv")
    out = sys.stdout.getvalue()
    assert not set(out) & set(LIVE)
    row = next(csv.DictReader(io.StringIO(out)))
    assert row["title"] == "a31mb cd ef می\u200cخواهم 👩\u200d👧"
    assert json.loads(row["why"]) == HOSTILE["why"]


def test_csv_in_a_pipe_is_the_data_as_it_is(capsys):
    broken = {"rank": 2, "title": "a\rb\nc\r\nd", "url": '"x",', "why": None}
    hostile = HOSTILE | {"title": HOSTILE["title"].replace("\ud800", "")}  # no file has half of a pair
    output.show(Rows(results=(hostile, broken)), "csv")
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out, newline="")))
    assert [row["title"] for row in rows] == [hostile["title"], broken["title"]]
    assert [row["url"] for row in rows] == ["=1+1", '"x",']


def test_csv_for_a_spreadsheet_has_no_formulas(capsys):
    output.show(
        Rows(results=({"rank": 1, "title": "", "url": "=1+1"}, {"rank": -2, "title": "\t@x", "url": "-1"})), "csv-safe"
    )
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["rank"], row["url"]) for row in rows] == [("1", "'=1+1"), ("-2", "'-1")]
    assert rows[1]["title"] == "'\t@x"


def test_an_unknown_format():
    with pytest.raises(UsageError, match="did you mean 'json'"):
        output.checked_format("jason")


def test_evidence_in_words():
    assert sentences([{"kind": "direct", "from": "a", "to": "b", "anchors": [""]}]) == ["a links to b"]
    assert sentences([{"kind": "cites", "page": "q", "anchors": ["x", "y"], "of": 1, "seed": "s"}]) == [
        "both link to q as “x” and “y” (for s)"
    ]
    assert sentences([{"kind": "walk", "path": ["a", "q", "b"], "anchors": ["", ""]}]) == ["two clicks: a → q → b"]
    walk = {"kind": "walk", "path": ["a", "q", "b"], "anchors": ["", "x"], "share": 0.25}
    assert sentences([walk]) == ["25% of the random walk arrives by way of a – q – b as “x”"]
    hub = {"kind": "hub", "page": "q", "score": 0.5, "weights": [0.25, 1.0], "both": True, "anchors": ["x", "y"]}
    assert sentences([hub]) == ["the hub q links to both as “x” and “y” (score 0.5, link weight 0.25 and 1)"]
    alone = hub | {"kind": "authority", "weights": [None, 1.0], "both": False, "anchors": ["", ""]}
    assert sentences([alone]) == ["it links to the authority q (score 0.5, link weight 1)"]
    far = {"kind": "distance", "distance": 3, "targets": 1, "citers": 2}
    assert sentences([far]) == [
        "distance 3: 1 of the pages they link to and 2 of the pages that link to them are not shared"
    ]
    weighted = {"kind": "direct", "from": "a", "to": "b", "anchors": [], "weight": 0.5}
    assert sentences([weighted, {"kind": "base-set", "distance": 1}]) == ["a links to b (weight 0.5)"]
    merge = {"kind": "merge", "height": 0.5, "sizes": [1, 2000], "strongest": ["a", "b"], "similarity": 0.25}
    assert sentences([merge | {"distance": 0.1}, merge]) == [
        "came together when clusters of 1 page and 2,000 pages merged at height 0.5; "
        "most similar across: a and b (0.25)",
        "before that, clusters of 1 page and 2,000 pages merged at height 0.5; most similar across: a and b (0.25)",
    ]
    assert sentences([{"kind": "odd", "height": 0.5}]) == ["kind odd, height 0.5"]
    assert sentences([{"kind": "keywords", "words": ["bee", "bee"], "relevance": 1.0}]) == ["both are about “bee”"]
    assert sentences([{"kind": "keywords", "words": ["bee", "hive"], "relevance": 0.123}]) == [
        "the keywords “bee” and “hive” are related (0.12)"
    ]
    linked = {"kind": "linked-pages", "links": "from", "pages": ["x", "y"], "similarity": 0.5}
    assert sentences([linked]) == [
        "one is linked from x, the other is linked from y, and those two pages are similar (0.5)"
    ]
    assert sentences([{**linked, "pages": ["x", "x"]}]) == ["both are linked from x"]
    assert sentences([{**linked, "pages": ["x", "x"], "links": "to"}]) == ["both link to x"]
    assert sentences([{"kind": "walk", "page": "q", "steps": 3}]) == ["both are 3 clicks away from q"]
