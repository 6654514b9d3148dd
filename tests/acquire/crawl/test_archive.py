"""What came over the wire, written and read back."""

import gzip

import pytest

from pagekin.acquire import warc
from pagekin.acquire.crawl.archive import Archive, landed, left, message
from pagekin.model import Capture, Missing, Redirect, Skipped

HTML = [(b"Content-Type", b"text/html; charset=utf-8"), (b"ETag", b'"1"'), (b"X-Robots-Tag", b"noindex")]
URL = "http://a.example/b"


def page(body=b"<title>B</title>"):
    return message(200, HTML, body)


@pytest.mark.parametrize("keep", [True, False], ids=["kept", "spooled"])
def test_what_is_written_is_read_back(tmp_path, keep):
    archive = Archive(tmp_path, keep)
    origins = [archive.write(f"{URL}{n}", 1_700_000_000 + n, page(b"<title>%d</title>" % n)) for n in range(5)]
    archive.write(f"{URL}5", 1_700_000_005, message(301, [(b"Location", b"/c")], b""))
    archive.write(f"{URL}6", 1_700_000_006, message(404, HTML, b"no"))
    archive.close()
    assert all(origins) == keep
    (path,) = tmp_path.glob("*.warc*")
    read = [item for item in warc.read(path)]
    captures = [item for item in read if isinstance(item, Capture)]
    assert [(item.url, item.fetched, item.etag, item.robots) for item in captures] == [
        (f"{URL}{n}", 1_700_000_000 + n, '"1"', "noindex") for n in range(5)
    ]
    if keep:
        assert [item.origin for item in captures] == origins
    assert Redirect(f"{URL}5", "http://a.example/c") in read
    found = [item for _, items in left(tmp_path, keep) for item in items]
    assert [item for item in found if isinstance(item, Capture)] == [
        item if keep else Capture(**{name: getattr(item, name) for name in item.__slots__} | {"origin": None})
        for item in captures
    ]
    assert found[-1] == Missing(f"{URL}6", 404, "text/html; charset=utf-8")


@pytest.mark.parametrize("keep", [True, False], ids=["kept", "spooled"])
def test_a_record_that_a_kill_cut_off_is_removed(tmp_path, keep):
    archive = Archive(tmp_path, keep)
    for n in range(3):
        archive.write(f"{URL}{n}", 1, page(b"<title>%d</title>" % n * 50))
    archive.close()
    (path,) = tmp_path.glob("*.warc*")
    whole = path.read_bytes()
    ends = 0
    for cut in range(len(whole) - 1, len(whole) - 250, -7):
        path.write_bytes(whole[:cut])
        found = [item.url for _, items in left(tmp_path, keep) for item in items]
        assert found[:2] == [f"{URL}0", f"{URL}1"]
        ends += len(found) == 2
        assert [item.url for item in warc.read(path) if isinstance(item, Capture)] == found
        assert not [item for item in warc.read(path) if isinstance(item, Skipped) and "record" in item.why]
    assert ends


def test_other_readers_read_the_file(tmp_path):
    archive = Archive(tmp_path, keep=True)
    archive.write(URL, 1_700_000_000, page())
    archive.close()
    (path,) = tmp_path.glob("*.warc*")
    text = gzip.decompress(path.read_bytes()).decode()
    assert text.startswith("WARC/1.1\r\nWARC-Type: warcinfo")
    assert "WARC-Date: 2023-11-14T22:13:20Z" in text


def test_what_answers_are():
    assert landed(URL, 5, page(), None)[0].fetched == 5
    assert landed(URL, 5, message(302, [(b"Location", b"//b.example")], b""), None) == [
        Redirect(URL, "http://b.example/")
    ]
    assert landed(URL, 5, message(200, [(b"Content-Type", b"image/png")], b""), None)[1] == Missing(
        URL, 200, "image/png"
    )
    assert landed(URL, 5, message(503, HTML, b""), None) == [Skipped(URL, "status 503")]
    assert landed("http://a.example/", 5, message(301, [(b"Location", b"/index.html")], b""), None) == []
    bomb = message(200, [*HTML, (b"Content-Encoding", b"gzip")], gzip.compress(b"a" * (65 << 20)))
    assert landed(URL, 5, bomb, None)[0].why.startswith("larger than")
