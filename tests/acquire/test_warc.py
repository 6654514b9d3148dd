"""WARC archives: made here, and real ones of public test suites, many of them broken on purpose."""

import gzip
import io
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from pagekin.acquire import wacz, warc
from pagekin.model import Capture, Item, Redirect, Skipped

PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Bees"


def record(block: bytes = PAGE, kind: str = "response", url: str = "http://a.example/", **headers: str) -> bytes:
    fields = {
        "WARC-Type": kind,
        "WARC-Target-URI": url,
        "WARC-Date": "2020-01-02T03:04:05Z",
        "Content-Type": "application/http; msgtype=response",
        "Content-Length": str(len(block)),
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value)
    return f"WARC/1.1\r\n{lines}\r\n".encode() + block + b"\r\n\r\n"


@pytest.fixture
def read(tmp_path: Path) -> Callable[[bytes], list[Item]]:
    def reader(archive: bytes) -> list[Item]:
        path = tmp_path / "a.warc"
        path.write_bytes(archive)
        return list(warc.read(path))

    return reader


def reasons(items: list[Item]) -> list[str]:
    assert all(isinstance(item, Skipped) for item in items)
    return [item.why for item in items if isinstance(item, Skipped)]


def test_pages_say_where_and_when(read: Callable[[bytes], list[Item]], tmp_path: Path) -> None:
    first, second = record(url="<http://a.example/b c>"), gzip.compress(record())
    assert read(first) == [
        Capture(
            "http://a.example/b%20c",
            b"<p>Bees",
            content_type="text/html",
            fetched=1577934245,
            origin=f"{tmp_path}/a.warc#0",
        )
    ]
    items = read(second + second)
    assert [item.origin for item in items if isinstance(item, Capture)] == [
        f"{tmp_path}/a.warc#0",
        f"{tmp_path}/a.warc#{len(second)}",
    ]


def test_records_that_are_not_about_pages_are_passed_over(read: Callable[[bytes], list[Item]]) -> None:
    assert len(read(record(kind="warcinfo") + record(kind="request") + record(kind="metadata") + record())) == 1
    assert reasons(read(record(kind="metadata"))) == ["no pages in the archive"]
    assert reasons(read(b"")) == ["no pages in the archive"]


@pytest.mark.parametrize(
    ("archive", "reason"),
    [
        (record(kind="revisit"), "revisit"),
        (record(kind="conversion"), "conversion record"),
        (record(kind="continuation"), "continuation record"),
        (record(kind="surprise"), "unknown record type"),
        (record(url="dns:a.example", Content_Type="text/dns"), "not a web address"),
        (record(url="urn:pageinfo:http://a.example/", kind="resource"), "not a web address"),
        (record(url="http://"), "broken URL"),
        (record(url=""), "not a web address"),
        (record(PAGE.replace(b"200 OK", b"503 No")), "status 503"),
        (record(PAGE.replace(b"text/html", b"video/mp4")), "not HTML (video/*)"),
        (record(b"{}", kind="resource", Content_Type="application/json"), "not HTML (application/*)"),
        (record(b"", kind="resource", Content_Type="text/html"), "empty"),
        (record(Content_Length="many"), "broken record header"),
        (record(Content_Length=""), "broken record header"),
        (record(Content_Length="1000"), "truncated record"),
        (record(PAGE)[:-10], "truncated record"),
    ],
)
def test_what_is_no_page_is_counted(read: Callable[[bytes], list[Item]], archive: bytes, reason: str) -> None:
    assert reasons(read(archive)) == [reason]


def test_redirects(read: Callable[[bytes], list[Item]]) -> None:
    block = b"HTTP/1.1 301 Moved\r\nLocation: /b\r\n\r\n"
    assert read(record(block)) == [Redirect("http://a.example/", "http://a.example/b")]


def test_resources(read: Callable[[bytes], list[Item]]) -> None:
    item = read(record(b"Note: bees", kind="resource", Content_Type="text/html; charset=utf-8"))[0]
    assert isinstance(item, Capture)
    assert (item.body, item.content_type) == (b"Note: bees", "text/html; charset=utf-8")


def test_a_time_that_is_not_known_is_the_servers(read: Callable[[bytes], list[Item]]) -> None:
    block = PAGE.replace(b"\r\n\r\n", b"\r\nDate: Sun, 01 Dec 1996 19:26:46 GMT\r\n\r\n")
    items = read(record(block, WARC_Date="gestern") + record(WARC_Date=""))
    assert [item.fetched for item in items if isinstance(item, Capture)] == [849468406, 0]


def test_damage_in_the_middle(read: Callable[[bytes], list[Item]], tmp_path: Path) -> None:
    part = gzip.compress(record())
    items = read(part + part[:50] + bytes(30) + part[80:] + part)
    assert [type(item) for item in items] == [Capture, Skipped, Capture]
    assert items[1] == Skipped(f"{tmp_path}/a.warc#{len(part)}", "damaged record")


def test_a_page_larger_than_memory_allows_is_not_read(read: Callable[[bytes], list[Item]]) -> None:
    block = PAGE + bytes(65 << 20)
    assert reasons(read(gzip.compress(record(block), 1))) == ["larger than 64 MiB"]


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    assert reasons(list(warc.read(tmp_path / "none.warc"))) == ["unreadable"]


@pytest.mark.parametrize("name", ["a.warc", "a.WARC.gz", "a.warc.wet.gz", "a.arc", "a.arc.gz", "a.warc.zst"])
def test_recognised_by_name(name: str) -> None:
    assert warc.recognises(Path(name), b"")


def test_recognised_by_its_first_bytes() -> None:
    assert warc.recognises(Path("a.bin"), b"WARC/1.0\r\n")
    assert warc.recognises(Path("a.bin"), b"filedesc://a")
    assert not warc.recognises(Path("a.gz"), b"Bees")


IN_EXAMPLE = {
    "not a web address": 38,  # dns:
    "not HTML (text/*)": 49,
    "not HTML (image/*)": 55,
    "not HTML (application/*)": 16,
    "status 404": 40,
}
IN_IAH = {"not HTML (text/*)": 2, "not HTML (image/*)": 3, "not a web address": 3}

# file: pages, redirects, what is skipped and why. The numbers of sound files were counted with warcio too, record by
# record and byte by byte; the broken ones were looked at by hand, and what is wrong with them stands beside.
FILES: dict[str, tuple[int, int, dict[str, int]]] = {
    # swallows two records whose lines follow inside the third, which is "null" of age
    "aut/arc/badexample.arc.gz": (1, 0, {"not a web address": 1, "not HTML (text/*)": 1, "damaged record": 1}),
    "aut/arc/example.arc.gz": (93, 8, IN_EXAMPLE),
    "aut/warc/example.docs.warc.gz": (0, 0, {"not HTML (application/*)": 7, "not HTML (text/*)": 2}),
    "aut/warc/example.pdf.warc.gz": (
        1,
        2,
        {
            "not HTML (text/*)": 14,
            "not HTML (application/*)": 9,
            "not HTML (image/*)": 8,
            "revisit": 2,
            "status 404": 1,
        },
    ),
    "aut/warc/example.txt.warc.gz": (0, 0, {"not HTML": 1, "not HTML (text/*)": 1}),
    "aut/warc/example.warc.gz": (93, 8, IN_EXAMPLE),
    "aut/warc/issue-493.warc": (4, 1, {"not HTML (image/*)": 5, "revisit": 5}),
    "aut/warc/issue-514.warc": (1, 1, {"not a web address": 2}),  # <http://…>
    "cc-whirlwind/whirlwind.warc": (1, 0, {}),
    "cc-whirlwind/whirlwind.warc.gz": (1, 0, {}),
    "cc-whirlwind/whirlwind.warc.wat": (0, 0, {"no pages in the archive": 1}),
    "cc-whirlwind/whirlwind.warc.wat.gz": (0, 0, {"no pages in the archive": 1}),
    "cc-whirlwind/whirlwind.warc.wet": (0, 0, {"conversion record": 1}),
    "cc-whirlwind/whirlwind.warc.wet.gz": (0, 0, {"conversion record": 1}),
    # no line ends between records, and the last, an image, is cut
    "iipc/arc/IAH-20080430204825-00000-blackbook-truncated.arc": (
        2,
        0,
        {"not a web address": 1, "not HTML (text/*)": 2, "not HTML (image/*)": 3},
    ),
    "iipc/gzip/IAH-urls-wget.warc.gz": (2, 9, IN_IAH),
    "iipc/warc/IAH-urls-wget.warc": (2, 9, IN_IAH),
    "iipc/warc/mutliple-headers.warc": (1, 0, {}),
    "pywb/waczs/invalid_example_1.wacz": (0, 0, {"no archive in the zip file": 1}),
    "pywb/waczs/valid_example_1.wacz": (1, 0, {}),
    "pywb/warcs/bad.arc": (0, 0, {"damaged record": 2, "not HTML (text/*)": 1}),  # lengths -1 and abc
    "pywb/warcs/dupes.warc.gz": (1, 1, {"revisit": 9, "not HTML (application/*)": 1}),
    "pywb/warcs/example-bad.warc.gz.bad": (1, 1, {"revisit": 1}),  # all records in one gzip member
    "pywb/warcs/example-extra.warc": (1, 0, {"revisit": 2, "not HTML": 1}),  # HTTPX/1.1 200 OK
    "pywb/warcs/example-url-agnostic-orig.warc.gz": (1, 0, {}),
    "pywb/warcs/example-url-agnostic-revisit.warc.gz": (0, 0, {"revisit": 1}),
    "pywb/warcs/example-wget-1-14.warc.gz": (1, 0, {"not a web address": 3}),
    "pywb/warcs/example-wpull.warc.gz": (1, 0, {"not a web address": 1}),
    "pywb/warcs/example.arc": (1, 0, {}),
    "pywb/warcs/example.arc.gz": (1, 0, {}),
    "pywb/warcs/example.warc": (1, 1, {"revisit": 1}),  # a request's length is 3 too small
    "pywb/warcs/example.warc.gz": (1, 1, {"revisit": 1}),
    "pywb/warcs/example2.warc.gz": (1, 0, {}),
    "pywb/warcs/httpbin-resource.warc.gz": (0, 0, {"not HTML (application/*)": 1}),
    "pywb/warcs/iana.warc.gz": (
        16,
        4,
        {"not HTML (application/*)": 22, "not HTML (image/*)": 4, "not HTML (text/*)": 2, "revisit": 123},
    ),
    "pywb/warcs/missing-status-text.warc": (0, 1, {}),  # lines end in \r\r\n
    "pywb/warcs/post-test.warc.gz": (0, 0, {"not HTML (application/*)": 3}),
    "warcio/bad.arc": (0, 0, {"damaged record": 2, "not HTML (text/*)": 1}),
    "warcio/example-bad-non-chunked.warc.gz": (1, 0, {"revisit": 1}),  # all records in one gzip member
    "warcio/example-bad.warc.gz.bad": (1, 1, {"revisit": 1}),
    "warcio/example-digest.warc": (0, 0, {"no pages in the archive": 1}),  # four requests
    "warcio/example-iana.org-chunked.warc": (1, 0, {}),
    "warcio/example-resource.warc.gz": (1, 0, {}),
    "warcio/example-space-in-target-uri.warc.gz": (0, 0, {"not HTML (image/*)": 1}),
    "warcio/example-space-in-url.arc": (0, 0, {"truncated record": 1}),  # its CRs were lost: 12 bytes less than it says
    "warcio/example-trunc.warc": (1, 0, {}),  # two bytes short: the page's gzip lacks only its checksum
    "warcio/example-wget-bad-target-uri.warc.gz": (1, 0, {"not a web address": 2}),  # <http://…>
    "warcio/example-wrong-chunks.warc.gz": (1, 0, {}),  # a record in two gzip members
    "warcio/example.arc": (1, 0, {}),
    "warcio/example.arc.gz": (1, 0, {}),
    "warcio/example.warc": (1, 0, {"revisit": 1}),
    "warcio/example.warc.gz": (1, 0, {"revisit": 1}),
    "warcio/post-test.warc.gz": (0, 0, {"not HTML (application/*)": 3}),
}


@pytest.mark.data
@pytest.mark.parametrize("name", FILES)
def test_real_archives(data: Callable[[str], Path], name: str) -> None:
    path = data("warc") / name
    items = list((wacz if path.suffix == ".wacz" else warc).read(path))
    pages, redirects, skipped = FILES[name]
    assert sum(isinstance(item, Capture) for item in items) == pages
    assert sum(isinstance(item, Redirect) for item in items) == redirects
    assert Counter(item.why for item in items if isinstance(item, Skipped)) == skipped


@pytest.mark.data
def test_every_real_archive_is_in_the_table(data: Callable[[str], Path]) -> None:
    root = data("warc")
    archives = {str(path.relative_to(root)) for path in root.rglob("*.*") if path.is_file() and "cdx" not in str(path)}
    assert archives == set(FILES)


@pytest.mark.data
@pytest.mark.parametrize(
    "name", [name for name in FILES if re.search(r"(IAH|iana|example|issue|whirlwind)[^/]*\.warc(\.gz)?$", name)]
)
def test_no_page_is_missed(data: Callable[[str], Path], name: str) -> None:
    """Counted a second time, by regular expression over the whole unpacked file."""
    path = data("warc") / name
    archive = gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()
    pages = 0
    for part in re.split(rb"(?:^|\n)WARC/\d\.\d+\r*\n", archive):
        head, _, block = re.sub(rb"\r+\n", b"\n", part).partition(b"\n\n")
        response = re.search(rb"(?m)^WARC-Type: response$", head) and re.match(rb"HTTP/\S+ 200", block)
        typed = block.partition(b"\n\n")[0] if response else head if b"WARC-Type: resource" in head else b""
        pages += bool(re.search(rb"(?mi)^Content-Type: *(text/html|application/xhtml\+xml)", typed))
    read = list(warc.read(path))
    refreshes = sum(isinstance(item, Redirect) and item.kind == "refresh" for item in read)  # pages that only lead on
    assert sum(isinstance(item, Capture) for item in read) + refreshes == pages


@pytest.mark.data
@pytest.mark.parametrize(
    "name", ["pywb/warcs/iana.warc.gz", "aut/warc/issue-493.warc", "warcio/example-bad.warc.gz.bad"]
)
def test_an_origin_leads_back_to_its_page(data: Callable[[str], Path], name: str) -> None:
    path = data("warc") / name
    for page in warc.read(path):
        if isinstance(page, Capture):
            offset = int(str(page.origin).rpartition("#")[2])
            again = warc.items(io.BytesIO(path.read_bytes()[offset:]), "again")
            assert next(item.body for item in again if isinstance(item, Capture) and item.url == page.url) == page.body


@pytest.mark.data
def test_the_same_crawl_as_arc_and_as_warc(data: Callable[[str], Path]) -> None:
    both = [
        {(item.url, item.body) for item in warc.read(data("warc") / name) if isinstance(item, Capture)}
        for name in ("aut/arc/example.arc.gz", "aut/warc/example.warc.gz")
    ]
    assert both[0] == both[1]
