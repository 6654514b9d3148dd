"""WAT archives: titles and links of pages that Common Crawl describes, the same as from the pages themselves."""

import gzip
import json

import pytest

from pagekin import Collection
from pagekin.acquire import wat
from pagekin.acquire.sources import open_sources
from pagekin.acquire.warc import read
from pagekin.model import Rows, Skipped

PAGE = "http://bees.example/keep/"


def record(said, url=PAGE, kind="metadata"):
    body = said if isinstance(said, bytes) else json.dumps(said).encode()
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
    head += f"WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body + b"\r\n\r\n"


def envelope(links, url=PAGE, status="200", **head):
    html = {"Head": {"Title": "Bees", **head}, "Links": links}
    return {"Envelope": {
        "WARC-Header-Metadata": {"WARC-Type": "response", "WARC-Target-URI": url},
        "Payload-Metadata": {"HTTP-Response-Metadata": {"Response-Message": {"Status": status}, "HTML-Metadata": html}},
    }}  # fmt: skip


def link(url, text="", path="A@/href", **more):
    return {"path": path, "url": url, "text": text, **more}


def archive(tmp_path, *records):
    path = tmp_path / "cc.warc.wat.gz"
    path.write_bytes(b"".join(map(gzip.compress, records)))
    return path


def taken(path):
    """The links and titles, and what was left out."""
    items = list(read(path))
    links = [tuple(row.values()) for rows in items if isinstance(rows, Rows) for row in rows.links.to_pylist()]
    titles = {row["url"]: row["title"] for rows in items if isinstance(rows, Rows) for row in rows.pages.to_pylist()}
    return links, titles, [item.why for item in items if isinstance(item, Skipped)]


def test_links_are_resolved_and_numbered_and_pictures_left_out(tmp_path):
    links = [
        link("../hive/#queen", "The  hive"), link("bee.png", path="IMG@/src"), link("mailto:a@b.example", "write"),
        link("http://wax.example", title="Wax"), link("map", path="AREA@/href"),
    ]  # fmt: skip
    path = archive(tmp_path, record(envelope(links)), record(envelope([link("x")], "http://b.example/", Base="/sub/")))
    found, titles, left_out = taken(path)
    assert found == [
        (PAGE, "http://bees.example/hive/", "The hive", 0), (PAGE, "http://wax.example/", "Wax", 1),
        (PAGE, "http://bees.example/keep/map", "", 2), ("http://b.example/", "http://b.example/sub/x", "", 0),
    ]  # fmt: skip
    assert titles == {PAGE: "Bees", "http://b.example/": "Bees"}
    assert left_out == []


@pytest.mark.parametrize(
    "said",
    [
        envelope([link("x")], status="404"),
        {"Envelope": {"Payload-Metadata": {"HTTP-Request-Metadata": {}}}},
        {"Envelope": {"Payload-Metadata": None, "WARC-Header-Metadata": []}},
    ],
)
def test_requests_and_errors_are_no_pages(tmp_path, said):
    links, titles, _ = taken(archive(tmp_path, record(said), record(envelope([link("x")], "http://b.example/"))))
    assert titles == {"http://b.example/": "Bees"}
    assert len(links) == 1


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"{", "broken JSON"),
        (b"[" * 100_000, "broken JSON"),
        ({"other": 1}, "broken JSON"),
        (envelope([link("x")], "dns:bees.example"), "not a web address"),
    ],
)
def test_what_cannot_be_read_is_counted_and_the_rest_is_read(tmp_path, said, why):
    path = archive(tmp_path, record(said), record(envelope([link("x")], "http://b.example/")))
    links, _, left_out = taken(path)
    assert left_out == [why]
    assert len(links) == 1


@pytest.mark.parametrize("odd", [None, 5, "x", [], {}, [None, 5, {"path": "A@/href", "url": 5}, link("\ud800")]])
def test_values_of_other_types_are_passed_over(tmp_path, odd):
    text = json.dumps(envelope(odd, Title=odd, Base=odd)).encode()
    links, titles, left_out = taken(archive(tmp_path, record(text)))
    assert list(titles) == [PAGE]
    assert left_out == []
    assert len(links) <= 1


def test_many_pages_come_in_several_tables(tmp_path, monkeypatch):
    monkeypatch.setattr(wat, "PAGES_AT_ONCE", 3)
    path = archive(tmp_path, *(record(envelope([link("x")], f"http://{n}.example/")) for n in range(7)))
    assert [len(item.pages) for item in read(path)] == [3, 3, 1]


def test_added_it_is_asked_like_any_table_of_links(tmp_path):
    hubs = [
        record(envelope([link("http://a.example/"), link("http://b.example/")], f"http://{n}.example/")) for n in "xyz"
    ]
    path = archive(tmp_path, *hubs)
    assert "no text and no blocks" in open_sources([path])[0].said
    site = Collection(tmp_path / "s.kin")
    site.add(path)
    assert [row.url for row in site.related("http://a.example/", method="co-citation(direct=false)")] == [
        "http://b.example/"
    ]


@pytest.mark.data
def test_a_real_one_of_a_request_alone_has_no_pages(data):
    for name in ("whirlwind.warc.wat", "whirlwind.warc.wat.gz"):
        assert [item.why for item in read(data("warc") / "cc-whirlwind" / name)] == ["no pages in the archive"]
