from typing import Any

import pytest

from pagekin.answer import Answer
from pagekin.answers.sentences import sentences
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
