import pytest

from pagekin.errors import UsageError
from pagekin.serve import output
from pagekin.serve.words import sentences


def test_hostile_titles_cannot_play_with_the_terminal(capsys):
    row = {"rank": 1, "title": "\x1b[31m[bold]red[/bold]\x07‮ end", "url": "http://a.example/"}
    output.show({"results": [row], "note": "a\x1b[2Jb"}, "table", ["rank", "title", "url"])
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "[bold]red[/bold]" in out


def test_csv_and_json_lines_of_nothing(capsys):
    output.show({"results": [], "note": "why"}, "csv", ["rank", "url"])
    output.show({"results": [], "note": "why"}, "jsonl", ["rank", "url"])
    out, err = capsys.readouterr()
    assert out == "rank,url\n"
    assert err == "why\nwhy\n"


def test_an_unknown_format():
    with pytest.raises(UsageError, match="did you mean 'json'"):
        output.checked("jason")


def test_evidence_in_words():
    assert sentences([{"kind": "direct", "from": "a", "to": "b", "anchors": [""]}]) == ["a links to b"]
    assert sentences([{"kind": "cites", "page": "q", "anchors": ["x", "y"], "of": 1, "seed": "s"}]) == [
        "both link to q as “x” and “y” (for s)"
    ]
    assert sentences([{"kind": "walk", "path": ["a", "q", "b"], "anchors": ["", ""]}]) == ["two clicks: a → q → b"]
    assert sentences([{"kind": "merge", "height": 0.5}]) == ["kind merge, height 0.5"]
    assert sentences([{"kind": "keywords", "words": ["bee", "bee"], "relevance": 1.0}]) == ["both are about “bee”"]
    assert sentences([{"kind": "keywords", "words": ["bee", "hive"], "relevance": 0.123}]) == [
        "“bee” goes with “hive” (0.12)"
    ]
    linked = {"kind": "linked-pages", "links": "from", "pages": ["x", "y"], "similarity": 0.5}
    assert sentences([linked]) == ["one is linked from x, the other is linked from y, and those are alike (0.5)"]
    assert sentences([{**linked, "pages": ["x", "x"]}]) == ["both are linked from x"]
    assert sentences([{**linked, "pages": ["x", "x"], "links": "to"}]) == ["both link to x"]
    assert sentences([{"kind": "walk", "page": "q", "steps": 3}]) == ["3 clicks from q to either"]
