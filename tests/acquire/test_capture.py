"""What counts as a page, wherever it comes from."""

import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.acquire.capture import address, place, respond, spelled, take
from pagekin.acquire.http import MAX_BYTES, Refused
from pagekin.model import Capture, Item, Redirect, Skipped

BLANK = Capture("http://a.example/x/y", b"", origin="archive#7")
PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=latin1\r\n\r\n<p>Bees"


def responded(block: bytes, blank: Capture = BLANK) -> Item:
    return respond(io.BytesIO(block).read, len(block), blank)


def why(item: Item) -> str:
    assert isinstance(item, Skipped)
    assert item.where == "archive#7"
    return item.why


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"<http://A.example/b>", "http://a.example/b"),
        (b" http://a.example/b c ", "http://a.example/b%20c"),
        ("http://a.example/bücher".encode(), "http://a.example/b%C3%BCcher"),
        ("http://bücher.example/".encode(), "http://xn--bcher-kva.example/"),
        (b"http://a.example/\xff", "http://a.example/%FF"),
        (b"ftp://a.example/b", "ftp://a.example/b"),
        (b"file:///b c.html", "file:///b%20c.html"),
    ],
)
def test_address(raw: bytes, expected: str) -> None:
    assert address(raw) == expected


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "not a web address"),
        (b"dns:a.example", "not a web address"),
        (b"urn:X-wpull:log", "not a web address"),
        (b"metadata://gnu.org/software/wget/warc/wget.log", "not a web address"),
        (b"http://", "broken URL"),
        (b"HTTP://a b.example/", "broken URL"),
    ],
)
def test_what_is_no_address(raw: bytes, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        address(raw)


def test_place_can_always_be_stored(tmp_path: Path) -> None:
    assert spelled("a\udcff/bü") == "a\\xff/bü"
    assert place(tmp_path / "b") == str(tmp_path / "b")


def test_a_page_with_all_its_headers() -> None:
    head = (
        b"HTTP/1.1 200 OK\r\nDate: Sun, 01 Dec 1996 19:26:46 GMT\r\nContent-Type: text/html; charset=latin1\r\n"
        b'Content-Language: de\r\nETag: "7"\r\nLast-Modified: yesterday\r\nContent-Encoding: gzip\r\n\r\n'
    )
    assert responded(head + gzip.compress(b"<p>Bees")) == Capture(
        url=BLANK.url,
        body=b"<p>Bees",
        content_type="text/html; charset=latin1",
        language="de",
        status=200,
        fetched=849468406,
        etag='"7"',
        last_modified="yesterday",
        origin="archive#7",
    )


def test_the_archive_knows_the_time_better_than_the_server() -> None:
    item = responded(
        PAGE.replace(b"\r\n\r\n", b"\r\nDate: Sun, 01 Dec 1996 19:26:46 GMT\r\n\r\n"), Capture("u", b"", fetched=5)
    )
    assert isinstance(item, Capture)
    assert item.fetched == 5


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects(status: int) -> None:
    block = b"HTTP/1.1 %d Moved\r\nLocation: ../b\xc3\xbc?q#f\r\nContent-Type: text/html\r\n\r\n<p>Moved" % status
    assert responded(block) == Redirect("http://a.example/x/y", "http://a.example/b%C3%BC?q")


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>No", "status 404"),
        (b"HTTP/1.1 304 Not Modified\r\nLocation: /b\r\n\r\n", "status 304"),
        (b"HTTP/1.1 302 Found\r\n\r\n", "status 302"),
        (b"HTTP/1.1 302 Found\r\nLocation: mailto:a@b.example\r\n\r\n", "redirect to a broken URL"),
        (b"HTTP/1.1 301 Moved\r\nLocation: /x/y#top\r\n\r\n", "redirect to itself"),
        (PAGE.replace(b"text/html", b"image/png"), "not HTML (image/*)"),
        (PAGE.replace(b"text/html", b"application/pdf"), "not HTML (application/*)"),
        (PAGE.replace(b"text/html", b"Nonsense/7"), "not HTML"),
        (b"HTTP/1.1 200 OK\r\nServer: x\r\n\r\nBees", "not HTML"),
        (PAGE.replace(b"Bees", b"\0\0\0"), "not HTML"),
        (PAGE.replace(b"<p>Bees", b" \n"), "empty"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html", "empty"),
        (b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 20_000, "broken HTTP response"),
        (b"", "empty"),
    ],
)
def test_what_is_no_page(block: bytes, reason: str) -> None:
    assert why(responded(block)) == reason


@pytest.mark.parametrize(
    "block",
    [
        PAGE,
        PAGE.replace(b"text/html", b"Application/XHTML+xml"),
        PAGE.replace(b"text/html;", b"text/html,text/html"),
        b"HTTP/1.1 200 OK\r\nServer: x\r\n\r\n<p>Bees",
        b"<p>Bees",
    ],
)
def test_what_is_a_page(block: bytes) -> None:
    item = responded(block)
    assert isinstance(item, Capture)
    assert item.body == b"<p>Bees"


def test_a_record_shorter_than_it_says() -> None:
    assert why(respond(io.BytesIO(PAGE).read, len(PAGE) + 1, BLANK)) == "truncated record"
    assert why(take(io.BytesIO(b"<p>").read, 4, BLANK)) == "truncated record"


def test_a_large_page_is_not_read() -> None:
    class Counted(io.BytesIO):
        given = 0

        def read(self, size: int | None = -1, /) -> bytes:
            piece = super().read(size)
            self.given += len(piece)
            return piece

    stream = Counted(PAGE + bytes(1 << 20))
    assert why(respond(stream.read, MAX_BYTES + 1, BLANK)) == "larger than 64 MiB"
    assert stream.given <= 64 << 10


def test_a_page_without_http() -> None:
    blank = Capture("http://a.example/", b"", content_type="text/html")
    assert take(io.BytesIO(b"Bees").read, 4, blank) == Capture("http://a.example/", b"Bees", content_type="text/html")


@settings(deadline=None)
@given(st.one_of(st.binary(), st.binary().map(PAGE.__add__), st.binary().map(lambda tail: PAGE[:40] + tail)))
def test_any_bytes_are_something(block: bytes) -> None:
    assert isinstance(responded(block), Capture | Redirect | Skipped)


def test_boxes_in_boxes_in_boxes_are_refused() -> None:
    deep, wide = b"<div>" * 30_000, b"<div></div>" * 30_000
    assert responded(b"Content-Type: text/html\r\n\r\n" + deep) == Skipped("archive#7", "nested too deeply")
    assert isinstance(responded(b"Content-Type: text/html\r\n\r\n" + wide), Capture)
