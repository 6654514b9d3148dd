"""Links as JSON lines."""

import json
from pathlib import Path
from typing import Any

import pytest

from pagekin.acquire import jsonlines
from pagekin.acquire.sources import open_sources
from pagekin.errors import SourceError
from pagekin.model import Rows, Skipped

A, B, C = "http://a.example/", "http://a.example/b.html", "http://c.example/"


def taken(path: Path, *lines: Any, **options: Any) -> tuple[list[tuple[str, str, str]], list[str]]:
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    links, skipped = [], []
    (source,) = open_sources([path], **options)
    for item in source:
        if isinstance(item, Skipped):
            skipped.append(f"{item.where} {item.why}")
        else:
            assert isinstance(item, Rows) and item.links is not None
            links += [(row["source"], row["target"], row["anchor"]) for row in item.links.to_pylist()]
    return links, skipped


@pytest.mark.parametrize(
    "lines",
    [
        [{"source": A, "target": B, "anchor": "b"}, {"source": A, "target": C, "anchor": "c"}],
        [{"weight": 1, "to_url": B, "from_url": A, "text": "b"}, {"to_url": C, "from_url": A, "text": "c"}],
        [{"url": A, "links": [{"href": "/b.html", "text": "b"}, {"url": C, "text": "c"}]}],
    ],
)
def test_links(tmp_path: Path, lines: list[Any]) -> None:
    assert taken(tmp_path / "links.jl", *lines) == ([(A, B, "b"), (A, C, "c")], [])


def test_scrapys_feed_of_addresses(tmp_path: Path) -> None:
    assert taken(
        tmp_path / "links.jl", {"url": A, "title": "Bees", "links": ["b.html", C]}, {"url": C, "links": []}
    ) == (
        [(A, B, ""), (A, C, "")],
        [],
    )


def test_lines_that_are_no_links_are_reported(tmp_path: Path) -> None:
    row = {"source": A, "target": B}
    links, skipped = taken(
        tmp_path / "l.jsonl", row, "{", "", "[1]", {"source": A}, {"source": A, "target": 1.5}, "[" * 9999, row
    )
    assert links == [(A, B, "")] * 2
    assert [each.split(":")[1] for each in skipped] == ["2", "4", "5", "6", "7"]
    assert skipped[0] == "l.jsonl:2: { not a link"


@pytest.mark.parametrize(
    "row", [{"url": A, "title": "Bees"}, {"url": A, "links": 7, "image": C}, {"id": 1, "label": "x"}]
)
def test_a_refusal_with_a_sample(tmp_path: Path, row: dict[str, Any]) -> None:
    with pytest.raises(SourceError, match=r"(?s)found\W+\w+ \|.*columns="):
        taken(tmp_path / "items.jsonl", row, row)


def test_keys_are_named_by_the_user(tmp_path: Path) -> None:
    asked = {"source": "page", "target": "old"}
    assert taken(tmp_path / "x.jsonl", {"page": A, "old": C}, columns=asked) == ([(A, C, "")], [])
    assert open_sources([tmp_path / "x.jsonl"], columns=asked)[0].said == (
        "x.jsonl: links as JSON lines; source=page, target=old"
    )


def test_other_json_is_not_taken() -> None:
    assert not jsonlines.recognises(Path("package.json"), b'{\n  "name": "bees",\n  "version": "1"\n}\n')
    assert not jsonlines.recognises(Path("x.jsonl"), b'{"url": "http://a.example/"}\n')
    assert jsonlines.recognises(Path("x"), b'{"source": 1, "target": 2}\n{"sour')
