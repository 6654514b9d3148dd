"""Pages that send their readers elsewhere by themselves."""

import gzip
import io

import pytest

from pagekin.acquire import refresh
from pagekin.acquire.capture import respond, take
from pagekin.acquire.sources import open_sources
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.model import Capture, Redirect

URL = "http://a.example/old/page"


def redirect(body, header=None, **more):
    return refresh.redirect(Capture(URL, body.encode(), "text/html; charset=utf-8", **more), header)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("0;url=/new", "/new"), ("0; URL='/new'", "/new"), ('0;url="/new" and more', "/new"), ("5, /new", "/new"),
        ("0 ;  UrL = /new ", "/new"), ("1.5;url=/new", "/new"), (".5;url=/new", "/new"), ("0 /new", "/new"),
        ("0;url=/a;b", "/a;b"), ("0;/url=x", "/url=x"), ("6;url=/new", None), ("0", None), ("0;", None),
        ("0;url=", None),
        ("", None), ("url=/new", None), ("0x;url=/new", None), ("-1;url=/new", None), ("9" * 3000 + ";url=/new", None),
        ("0;url=" + "x" * 5000, None), ("0" + " " * 3000 + ";" + " " * 900 + "/new", "/new"),
    ],
)  # fmt: skip
def test_what_a_content_says(content, expected):
    assert refresh.reference(content) == expected


@pytest.mark.parametrize(
    "body",
    [
        '<meta http-equiv="refresh" content="0; url=/new">',
        "<html><head><title>Moved</title><META HTTP-EQUIV = Refresh CONTENT='0;URL=/new'></head><body>Moved",
        '<base href="/"><meta content="2;url=new" http-equiv=\'REFRESH\'/>',
        '<meta http-equiv=refresh content="0;url=&#47;new"><meta http-equiv=refresh content="0;url=/other">',
    ],
)
def test_a_page_that_is_a_redirect(body):
    assert redirect(body) == Redirect(URL, "http://a.example/new", "refresh")


@pytest.mark.parametrize(
    "body",
    [
        "<meta http-equiv=refresh content=300>",
        '<meta http-equiv=refresh content="0;url=page#top">',  # itself
        '<meta http-equiv=refresh content="0;url=javascript:x()">',
        '<meta http-equiv=refresh content="0;url=http://[">',
        '<noscript><meta http-equiv=refresh content="0;url=/no-script"></noscript>',
        '<p>A comment: <meta http-equiv=refresh content="0;url=http://spam.example/">',
        '<!-- <meta http-equiv=refresh content="0;url=/new"> -->',
        '<textarea><meta http-equiv=refresh content="0;url=/new"></textarea>',
        '<meta http-equiv=refreshing content="0;url=/new">',
        "<p>Nothing",
    ],
)
def test_a_page_that_is_a_page(body):
    assert redirect(body) is None


def test_the_header_counts_and_a_label_makes_a_page():
    assert redirect("<p>Moved", "0; url=new") == Redirect(URL, "http://a.example/old/new", "refresh")
    assert redirect('<meta http-equiv=refresh content="0; url=/new">', label="course") is None


def test_wherever_a_page_comes_from():
    body = b'<meta http-equiv=refresh content="0; url=/new"><p>Moved'
    moved = Redirect(URL, "http://a.example/new", "refresh")
    message = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(body)
    for read, whole in ((respond, message), (take, body)):
        assert read(io.BytesIO(whole).read, len(whole), Capture(URL, b"", "text/html")) == moved


def test_a_folder_with_one(tmp_path):
    web = tmp_path / "web"
    web.mkdir()
    (web / "new.html").write_bytes(b"<title>New</title><a href=old.html>Old</a><a href=other.html>Other</a>")
    (web / "other.html").write_bytes(b"<title>Other</title><a href=old.html>Old</a>")
    (web / "old.html").write_bytes(b'<meta http-equiv=refresh content="0; url=new.html">')
    for _ in range(2):  # the second time changes nothing
        report = ingest(tmp_path / "a.kin", open_sources([web], base_url="http://a.example/"))
        store = Store(tmp_path / "a.kin")
        assert store.graph.aliases.to_pylist() == [
            {"alias": "http://a.example/old.html", "page": store.graph.ids[_number(store, "new")], "kind": "refresh"}
        ]
        assert store.arrays.citers(_number(store, "new")).tolist() == [_number(store, "other")]
        assert len(store.manifest.parts) == 1
    assert (report.pages, report.unchanged) == (0, 2)


def _number(store, name):
    return next(page for page in range(store.size) if store.url(page) == f"http://a.example/{name}.html")
