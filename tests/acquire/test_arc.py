"""ARC archives, made here; real ones are in test_warc's table."""

import gzip
import io
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.acquire import arc
from pagekin.model import Capture, Item, Redirect, Skipped

PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Bees"
VERSION_1 = b"1 0 Bees\nURL IP-address Archive-date Content-type Archive-length\n"
VERSION_2 = (
    b"2 0 Bees\nURL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length\n"
)


def record(block: bytes = PAGE, url: bytes = b"http://a.example/", rest: bytes = b"text/html") -> bytes:
    return b"%b 192.0.2.1 20080430204825 %b %d\n%b\n" % (url, rest, len(block), block)


FIRST = record(VERSION_1, b"filedesc://a.arc", b"text/plain")


def read(archive: bytes) -> list[Item]:
    return list(arc.items(io.BytesIO(archive), "a.arc"))


def reasons(archive: bytes) -> list[str]:
    return [item.why if isinstance(item, Skipped) else type(item).__name__ for item in read(archive)]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_pages(pack: Callable[[bytes], bytes]) -> None:
    assert read(pack(FIRST) + pack(record(url=b"http://a.example/b c"))) == [
        Capture(
            "http://a.example/b%20c",
            b"<p>Bees",
            content_type="text/html",
            fetched=1209588505,
            origin=f"a.arc#{len(FIRST)}",
        )
    ]


def test_version_2() -> None:
    first = record(VERSION_2, b"filedesc://a.arc", b"text/plain")
    assert reasons(first + record(rest=b"text/html 200 sum - 0 a.arc")) == ["Capture"]


def test_a_page_without_http_headers_has_the_type_of_its_line() -> None:
    item = read(FIRST + record(b"Bees"))[0]
    assert isinstance(item, Capture)
    assert item.content_type == "text/html"
    assert reasons(FIRST + record(b"<p>Bees", rest=b"no-type")) == ["Capture"]
    assert reasons(FIRST + record(b"Bees", rest=b"no-type")) == ["not HTML"]


def test_redirects() -> None:
    block = b"HTTP/1.1 301 Moved\r\nLocation: /b\r\n\r\n"
    assert read(FIRST + record(block)) == [Redirect("http://a.example/", "http://a.example/b")]


def test_a_date_that_is_none() -> None:
    archive = FIRST + record(PAGE.replace(b"\r\n\r\n", b"\r\nDate: Sun, 01 Dec 1996 19:26:46 GMT\r\n\r\n"))
    item = read(archive.replace(b"20080430204825 text/html", b"null text/html"))[0]
    assert isinstance(item, Capture)
    assert item.fetched == 849468406


def test_what_is_no_page() -> None:
    assert reasons(FIRST + record(url=b"dns:a.example") + record(b"GIF89a", rest=b"image/gif")) == [
        "not a web address",
        "not HTML (image/*)",
    ]


def test_damage_is_told_once_and_passed() -> None:
    negative = record().replace(b" %d\n" % len(PAGE), b" -1\n")
    archive = FIRST + record() + b"lost\nlines\n\n" + record() + negative + record()
    assert reasons(archive) == ["Capture", "damaged record", "Capture", "damaged record", "Capture"]


def test_a_cut_file() -> None:
    assert reasons(FIRST + record() + record()[:-10]) == ["Capture", "truncated record"]
    packed = gzip.compress(FIRST) + gzip.compress(record())
    assert reasons(packed + gzip.compress(record())[:40]) == ["Capture", "damaged archive, the rest is lost"]
    assert reasons(packed + b"garbage") == ["Capture", "damaged archive, the rest is lost"]


def test_a_large_record_is_passed_over() -> None:
    large = record(PAGE + bytes(65 << 20))
    assert reasons(FIRST + large + record()) == ["larger than 64 MiB", "Capture"]


@settings(deadline=None)
@given(st.binary(max_size=300), st.integers(0, 300))
def test_any_bytes_are_survived(garbage: bytes, at: int) -> None:
    archive = FIRST + record() + record()
    for file in (garbage, archive[:at] + garbage + archive[at:], gzip.compress(archive)[:at] + garbage):
        assert all(isinstance(item, Capture | Redirect | Skipped) for item in read(file))
