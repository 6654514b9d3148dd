"""Pages are read again from files and archives. One page at a time: tests/answers/test_blocks.py."""

import gzip

from pagekin.acquire import origin, warc
from pagekin.acquire.folder import read as read_folder
from pagekin.acquire.origin import fetch, fetch_all
from pagekin.model import Capture


def record(url: str, body: bytes) -> bytes:
    response = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
    head += f"WARC-Record-ID: <urn:uuid:{url}>\r\nContent-Type: application/http; msgtype=response\r\n"
    return f"{head}Content-Length: {len(response)}\r\n\r\n".encode() + response + b"\r\n\r\n"


def test_files_and_archives_are_read_again_each_archive_once(tmp_path, monkeypatch):
    (tmp_path / "a.html").write_text("<p>a")
    (tmp_path / "b.html").write_text("<p>b")
    archive = tmp_path / "c.warc.gz"
    archive.write_bytes(b"".join(gzip.compress(record(f"http://c.example/{n}", b"<p>%d" % n)) for n in range(4)))
    held = [item for item in (*read_folder(tmp_path / "a.html"), *warc.read(archive)) if isinstance(item, Capture)]
    assert len(held) == 5
    opened = []
    read = warc.read
    monkeypatch.setattr(origin.warc, "read", lambda path: opened.append(path) or read(path))
    wanted = [item.origin for item in held if "3" not in item.url.rpartition("/")[2]]
    assert list(fetch_all([*reversed(wanted), str(tmp_path / "b.html")])) != []
    assert {item.origin: item.body for item in fetch_all(wanted)} == {
        item.origin: item.body for item in held if item.origin in wanted
    }
    assert opened == [archive] * 2
    assert [fetch(item.origin) for item in held] == held


def test_what_is_gone_is_left_out(tmp_path):
    (tmp_path / "a.html").write_text("<p>a")
    (tmp_path / "broken.warc").write_bytes(b"WARC/1.0\r\nno")
    wanted = [str(tmp_path / "a.html"), str(tmp_path / "no.html"), f"{tmp_path}/no.warc#7", f"{tmp_path}/broken.warc#0"]
    assert [item.origin for item in fetch_all([*wanted, "test"])] == [str(tmp_path / "a.html")]
