"""Standard input as a source."""

import gzip
import io
import sys

import pytest

from pagekin.acquire.standard import open_received, received
from pagekin.errors import SourceError, UsageError
from pagekin.model import Capture, Rows, Skipped
from tests.acquire.test_sources import EDGES, WARC, zipped


def items(content, kind="auto", columns=None):
    with received(io.BytesIO(content)) as file:
        (source,) = open_received(file, kind, columns)
        return source, list(source)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (EDGES, "edges"),
        (gzip.compress(EDGES, mtime=0), "edges"),
        (b'{"source": "http://a.example/", "target": "http://b.example/"}\n', "jsonl"),
        (WARC, "warc"),
        (gzip.compress(WARC, mtime=0), "warc"),
        (zipped(), "wacz"),
        (b'*Vertices 2\n1 "a"\n2 "b"\n*Arcs\n1 2\n', "graph"),
    ],
)
def test_the_first_bytes_tell(content, kind):
    source, found = items(content)
    assert source.kind == kind
    assert source.said.startswith("stdin: ") and "pagekin-stdin" not in source.said
    assert any(isinstance(item, Capture | Rows) for item in found)
    assert all(item.origin is None for item in found if isinstance(item, Capture))


def test_kinds_and_columns_can_be_named():
    assert items(b"a b\nb c\n", "edges")[0].kind == "edges"
    _, found = items(b"x,y,z\nn,http://a.example/,http://b.example/\n", columns={"source": "y", "target": "z"})
    assert [item.links.num_rows for item in found if isinstance(item, Rows)] == [1]


def test_no_temporary_name_is_shown():
    _, found = items(WARC + b"WARC/1.0\r\ngarbage")
    _, rows = items(EDGES + b"http://,x\n")
    for item in (*found, *rows):
        if isinstance(item, Skipped):
            assert item.where.startswith("stdin") and "/" not in item.where.partition(":")[0]
    with pytest.raises(SourceError) as error:
        items(b"nothing that we know")
    assert str(error.value).startswith("standard input is not a kind of file that pagekin reads")


@pytest.mark.parametrize(("content", "kind"), [(b"<!doctype html><p>Bees", "html"), (b"# Bees", "markdown")])
def test_pages_have_no_address_there(content, kind):
    with pytest.raises(SourceError, match=f"standard input is {kind}, whose pages have no address there; .*base_url"):
        items(content, "auto" if kind == "html" else kind)


def test_nothing_there(monkeypatch):
    with pytest.raises(SourceError, match="standard input is empty"):
        items(b"")
    monkeypatch.setattr(sys, "stdin", type("Terminal", (), {"isatty": lambda self: True})())
    with pytest.raises(UsageError, match="standard input is a terminal; send something there"), received():
        pass
