"""HTTP responses as archives keep them, good and bad."""

import gzip
import io
import zlib
from collections.abc import Callable

import pytest
from fastwarc.stream_io import BrotliWriter, ZstdWriter
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.acquire import http

HTML = b"<html><p>Bees</p></html>" * 50


def packed(writer: type[BrotliWriter] | type[ZstdWriter], body: bytes) -> bytes:
    stream = io.BytesIO()
    with writer(stream) as out:
        for at in range(0, len(body), 1 << 20):  # more than 8 MiB at once and ZstdWriter drops the rest
            out.write(body[at : at + (1 << 20)])
    return stream.getvalue()


def raw_deflate(body: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-15)
    return stream.compress(body) + stream.flush()


def chunked(body: bytes, size: int, end: bytes = b"\r\n") -> bytes:
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x%b%b%b" % (len(piece), end, piece, end) for piece in [*pieces, b""])


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody", (200, {"a": "b"}, b"body")),
        (b"HTTP/1.1 200 OK\nA: b\n\nbody", (200, {"a": "b"}, b"body")),
        (b"HTTP/1.0 302 \r\r\nA: b\r\r\n\r\r\nbody", (302, {"a": "b"}, b"body")),
        (b"HTTP/2 404\r\nA: b\r\nA: c\r\n\r\n", (404, {"a": "b"}, b"")),
        (b"HTTP/1.1 200 OK\r\nA: b", (200, {"a": "b"}, b"")),
        (b"Date: x\nA:b \n\n\nbody", (None, {"date": "x", "a": "b"}, b"\nbody")),
        (b"WWW Alert:  Redirection\nLocation: /b\r\n\r\n<p>", (None, {"location": "/b"}, b"<p>")),
        (b"<html>\n\nDate: x", (None, {}, b"<html>\n\nDate: x")),
        (b"", (None, {}, b"")),
        (b"HTTP/1.1 200 OK\r\nA: \xe9\xff\r\n\r\n", (200, {"a": "éÿ"}, b"")),
    ],
)
def test_split(block: bytes, expected: tuple[int | None, dict[str, str], bytes]) -> None:
    assert http.split(block) == expected


@pytest.mark.parametrize(
    "date",
    [
        "Sun, 01 Dec 1996 19:26:46 GMT",
        "Sunday, 01-Dec-96 19:26:46 GMT",
        "Sun Dec  1 19:26:46 1996",
        "Sun Dec 01 19:26:46 1996 GMT",
        "01 Dec 1996 20:26:46 +0100",
    ],
)
def test_dates_of_1996(date: str) -> None:
    assert http.timestamp(date) == 849468406


@pytest.mark.parametrize(
    "date", ["", "Mcp: No match.", "Tue, 10 Dec 1996 ? GMT", "Sun, 99 Dec 1996 19:26:46 GMT", "0 0 0 0"]
)
def test_dates_that_cannot_be_read(date: str) -> None:
    assert http.timestamp(date) is None


@given(st.text())
def test_no_date_is_an_error(date: str) -> None:
    assert http.timestamp(date) is None or http.timestamp(date) >= 0


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"<!DOCTYPE HTML PUBLIC>", True),
        (b"\xef\xbb\xbf \n<Html lang=en>", True),
        (b'<?xml version="1.0"?>\n<html>', True),
        (b"<!-- by hand --><title>", True),
        (b"<p>Bees", True),
        (b"<pre>", False),
        (b'<?xml version="1.0"?><svg>', False),
        (b"Bees <p>", False),
        (b"\x89PNG\r\n", False),
        (b"", False),
    ],
)
def test_looks_like_html(head: bytes, expected: bool) -> None:
    assert http.looks_like_html(head) is expected


def test_looks_binary() -> None:
    assert http.looks_binary(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    assert not http.looks_binary("<html>".encode("utf-16"))
    assert not http.looks_binary("<html>".encode("utf-16-le"))
    assert not http.looks_binary(HTML + b"\0")  # one late NUL is an accident: four pages of WebKB have some


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (chunked(b"Hello, bees", 4), b"Hello, bees"),
        (chunked(b"Hello, bees", 4, b"\n"), b"Hello, bees"),
        (b"005 \r\nHello\r\n0\r\nTrailer: x\r\n\r\n", b"Hello"),
        (b"5;name=value\r\nHello\r\n0\r\n\r\n", b"Hello"),
        (b"5\r\nHello\r\n", b"Hello"),  # the end is missing
        (b"ff\r\nHello", b"Hello"),  # cut off
        (b"<p>never chunked", b"<p>never chunked"),
        (b"", b""),
    ],
)
def test_dechunk(body: bytes, expected: bytes) -> None:
    assert http.dechunk(body) == expected


@pytest.mark.parametrize("body", [b"5\r\nHello\r\nzz\r\nbees", b"5\r\nHello!!\r\n4\r\nbees\r\n0\r\n\r\n"])
def test_wrong_chunks(body: bytes) -> None:
    with pytest.raises(http.Refused, match="wrong chunking"):
        http.dechunk(body)


@given(st.binary(), st.integers(1, 50))
def test_chunks_come_together(body: bytes, size: int) -> None:
    assert http.dechunk(chunked(body, size)) == body


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("", HTML),
        ("identity", HTML),
        ("gzip", gzip.compress(HTML, mtime=0)),
        ("GZIP", gzip.compress(HTML, mtime=0)),
        ("x-gzip", gzip.compress(HTML[:100], mtime=0) + gzip.compress(HTML[100:], mtime=0)),
        ("gzip", gzip.compress(HTML, mtime=0) + b"junk"),
        ("deflate", zlib.compress(HTML)),
        ("deflate", raw_deflate(HTML)),
        ("br", packed(BrotliWriter, HTML)),
        ("zstd", packed(ZstdWriter, HTML)),
        ("br, gzip", gzip.compress(packed(BrotliWriter, HTML), mtime=0)),
        ("gzip", HTML),  # stored decoded, header kept
        ("utf-8", HTML),
    ],
)
def test_decode(coding: str, body: bytes) -> None:
    assert http.decode(body, {"content-encoding": coding}) == HTML
    both = {"content-encoding": coding, "transfer-encoding": "chunked"}
    assert http.decode(chunked(body, 7), both) == HTML


def test_a_page_cut_off_in_its_gzip_gives_what_there_is() -> None:
    body = http.decode(gzip.compress(HTML)[:-8], {"content-encoding": "gzip"})
    assert body == HTML


@pytest.mark.parametrize(
    ("coding", "body", "why"),
    [
        ("gzip", b"\x1f\x8b\x08\x00garbage garbage garbage", "wrong content encoding"),
        ("deflate", b"garbage", "wrong content encoding"),
        ("br", b"garbage", "wrong content encoding"),
        ("zstd", b"garbage", "wrong content encoding"),
        ("compress", b"garbage", "unknown content encoding"),
    ],
)
def test_bodies_that_cannot_be_read(coding: str, body: bytes, why: str) -> None:
    with pytest.raises(http.Refused, match=why):
        http.decode(body, {"content-encoding": coding})


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_bombs(coding: str) -> None:
    zeros = bytes(http.MAX_BYTES + 10)
    pack = {
        "gzip": lambda: gzip.compress(zeros, 1),
        "deflate": lambda: zlib.compress(zeros, 1),
        "br": lambda: packed(BrotliWriter, zeros),
        "zstd": lambda: packed(ZstdWriter, zeros),
    }[coding]
    with pytest.raises(http.Refused, match="larger than 64 MiB"):
        http.decode(pack(), {"content-encoding": coding})


def test_many_empty_members_end_soon() -> None:
    assert http.decode(gzip.compress(b"") * 100_000, {"content-encoding": "gzip"}) == b""


CODINGS = st.lists(st.sampled_from(["gzip", "br", "zstd", "deflate", "x"]), max_size=5).map(",".join)


@settings(deadline=None)
@given(st.binary(), CODINGS, st.sampled_from(["", "chunked"]))
def test_a_body_is_read_or_refused(body: bytes, coding: str, transfer: str) -> None:
    try:
        assert isinstance(http.decode(body, {"content-encoding": coding, "transfer-encoding": transfer}), bytes)
    except http.Refused as reason:
        assert str(reason) in ("wrong chunking", "wrong content encoding", "unknown content encoding")


LONG = HTML + b"".join(b"<p>%d" % (n * n) for n in range(2000))


@pytest.mark.parametrize(
    ("coding", "pack"), [("gzip", gzip.compress), ("br, x-gzip", gzip.compress), ("deflate", zlib.compress)]
)
def test_what_is_cut_off(coding: str, pack: Callable[[bytes], bytes]) -> None:
    packed = pack(LONG)
    assert not http.is_cut_off(packed, coding)
    for end in (1, 2, 5, 12, len(packed) // 2, len(packed) - 9):
        assert http.is_cut_off(packed[:end], coding), end
    assert not http.is_cut_off(packed, "br")
    assert not http.is_cut_off(LONG, coding)


def test_a_missing_checksum_is_no_cut() -> None:
    body = io.BytesIO()
    with gzip.GzipFile("a name", "wb", fileobj=body) as file:
        file.write(LONG)
    packed = body.getvalue()
    assert not http.is_cut_off(packed[:-8], "gzip")
    assert not http.is_cut_off(packed + packed[:-3], "gzip")
    assert http.is_cut_off(packed + packed[:-300], "gzip")
    assert not http.is_cut_off(gzip.compress(bytes(65 << 20))[:-99], "gzip")  # too large, which `decode` says


def test_the_head_of_a_chunk_is_read_once() -> None:
    """`\\r` in an extension once took time quadratic in their number: a million took an hour."""
    ends = b"\r" * 1_000_000
    assert http.dechunk(b"5;" + ends + b"\nHello") == b"Hello"
    assert http.dechunk(b"5;" + ends) == b"5;" + ends
    assert http.dechunk(b"5" + ends + b"\nHello") == b"Hello"
