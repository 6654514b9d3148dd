"""Writes what came over the wire as WARC (ISO 28500): kept where `--warc` says, else spooled until it is committed.

Every answer is written before anything else is done with it, in one write. So a kill loses only the answers that had
not arrived; the next crawl begins by reading what the last one left.
"""

import base64
import gzip
import os
import uuid
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from hashlib import sha1
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from pagekin.acquire import http
from pagekin.acquire.capture import address, place, respond
from pagekin.acquire.crawl import cdxj
from pagekin.acquire.http import Refused
from pagekin.acquire.records import Records
from pagekin.model import Capture, Item, Missing, Skipped
from pagekin.version import VERSION

SPOOLED, KEPT = ".warc", ".warc.gz"
MOST_BYTES = 1 << 30  # in one file, as with other crawlers
ITSELF = "redirect to itself"

_HEAD_BYTES = 64 << 10
# Headers that say how the bytes were sent; they no longer hold for what Scrapy gives us.
_SENT = frozenset({b"transfer-encoding", b"content-length", b"connection", b"keep-alive"})
_AGAIN = frozenset({408, 425, 429})  # client errors that may be gone tomorrow


class Archive:
    """WARC files in a folder, one after the other."""

    def __init__(self, folder: Path, keep: bool) -> None:
        self.folder, self.keep = folder, keep
        self.path: Path | None = None
        self._file: BinaryIO | None = None
        self._at = 0

    def write(self, url: str, when: int, message: bytes, whole: bool = True, request: bytes = b"") -> str | None:
        """Write an answer, and the request for it if it is kept; returns its place, if it stays there."""
        if self._file is None or (self.keep and self._at >= MOST_BYTES):
            self._open()
        headers = {
            "WARC-Target-URI": url,
            "WARC-Payload-Digest": _digest(message.partition(b"\r\n\r\n")[2]),
            "Content-Type": "application/http; msgtype=response",
        }
        headers |= {} if whole else {"WARC-Truncated": "unspecified"}
        number = f"<urn:uuid:{uuid.uuid4()}>"
        records = [_record("response", when, headers, message, number)]
        if self.keep and request:
            asked = {
                "WARC-Target-URI": url,
                "WARC-Concurrent-To": number,
                "Content-Type": "application/http; msgtype=request",
            }
            records.append(_record("request", when, asked, request))
        at = self._append(*records)
        return f"{place(self.path)}#{at}" if self.keep and self.path else None

    def cut(self) -> Path | None:
        """End the spool file, so that a new one begins; returns the old one, to be removed once committed."""
        if self.keep or self._file is None:
            return None
        self.close()
        return self.path

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
            if self.keep and self.path:
                cdxj.write(self.path)

    def _open(self) -> None:
        self.close()
        self.folder.mkdir(parents=True, exist_ok=True)
        now = datetime.now(UTC)
        name = f"pagekin-{now:%Y%m%d%H%M%S%f}-{os.getpid()}{KEPT if self.keep else SPOOLED}"
        self.path = self.folder / name
        self._file = self.path.open("xb", buffering=0)
        self._at = 0
        if self.keep:
            info = f"software: pagekin/{VERSION}\r\nformat: WARC File Format 1.1\r\n".encode()
            headers = {"WARC-Filename": name, "Content-Type": "application/warc-fields"}
            self._append(_record("warcinfo", int(now.timestamp()), headers, info))

    def _append(self, *records: bytes) -> int:
        """Write records at once, each in a gzip member of its own; returns where the first begins."""
        assert self._file is not None
        packed = b"".join(gzip.compress(record, 6, mtime=0) if self.keep else record for record in records)
        at = self._at
        self._file.write(packed)
        self._at += len(packed)
        return at


def message(status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> bytes:
    """An HTTP response as an archive keeps it.

    >>> message(404, [(b"Transfer-Encoding", b"chunked")], b"No")
    b'HTTP/1.1 404 Not Found\\r\\nContent-Length: 2\\r\\n\\r\\nNo'
    """
    lines = [f"HTTP/1.1 {status} {_phrase(status)}".encode()]
    lines += [name + b": " + value for name, value in headers if name.lower() not in _SENT]
    return b"\r\n".join([*lines, b"Content-Length: %d" % len(body), b"", body])


def request(url: str, headers: Any) -> bytes:
    """An HTTP request as an archive keeps it; `headers` are Scrapy's.

    >>> request("http://a.example/b?c", {b"Accept": [b"*/*"]})
    b'GET /b?c HTTP/1.1\\r\\nHost: a.example\\r\\nAccept: */*\\r\\n\\r\\n'
    """
    host, _, path = url.partition("://")[2].partition("/")
    lines = [f"GET /{path} HTTP/1.1".encode(), b"Host: " + host.encode()]
    lines += [name + b": " + value for name, values in headers.items() for value in values]
    return b"\r\n".join([*lines, b"", b""])


def landed(url: str, when: int, message: bytes, origin: str | None) -> list[Item]:
    """The items that an answer becomes: a page, a redirect, or a `Skipped`, with a `Missing` if that is for good."""
    found = respond(BytesIO(message).read, len(message), Capture(url, b"", fetched=when, origin=origin))
    if not isinstance(found, Skipped):
        return [found]
    if found.why == ITSELF:  # it wants another spelling of the same address
        return []
    status, headers, _ = http.split(message[:_HEAD_BYTES])
    said = Skipped(url, found.why)
    if status is None or status >= 500 or status in _AGAIN:
        return [said]
    return [said, Missing(url, status, headers.get("content-type"))]


def left(folder: Path, keep: bool) -> Iterator[tuple[Path, list[Item]]]:
    """What an earlier crawl wrote and perhaps did not commit, answer by answer: all spool files, or the last of the
    kept files. A record that a kill cut off is removed."""
    files = sorted(folder.glob(f"pagekin-*{KEPT if keep else SPOOLED}"))
    for path in files[-1:] if keep else files:
        try:
            with path.open("r+b") as file:
                for at, items in _answers(file, place(path) if keep else None):
                    if items is None:
                        file.truncate(at)
                        break
                    yield path, items
            if keep and not cdxj.index_of(path).exists():  # a kill came before it was written
                cdxj.write(path)
        except OSError:
            continue


def _answers(file: BinaryIO, name: str | None) -> Iterator[tuple[int, list[Item] | None]]:
    for at, record in Records(file):
        if isinstance(record, str):
            yield at, None
            return
        if str(record.record_type) != "response":
            continue
        try:
            raw = record.reader.read(record.content_length)
            if not record.headers.get("Content-Length") or len(raw) < record.content_length:  # it is the last header
                raise OSError("cut off")
            url = address(record.headers.get_bytes(b"WARC-Target-URI") or b"")
        except (OSError, Refused):
            yield at, None
            return
        when = int(record.record_date.timestamp()) if record.record_date else 0
        yield at, landed(url, when, raw, f"{name}#{at}" if name else None)


def _record(kind: str, when: int, headers: dict[str, str], content: bytes, number: str = "") -> bytes:
    lines = ["WARC/1.1", f"WARC-Type: {kind}", f"WARC-Record-ID: {number or f'<urn:uuid:{uuid.uuid4()}>'}"]
    lines += [f"WARC-Date: {datetime.fromtimestamp(when, UTC):%Y-%m-%dT%H:%M:%SZ}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    lines += [f"Content-Length: {len(content)}", "", ""]
    return "\r\n".join(lines).encode() + content + b"\r\n\r\n"


def _digest(payload: bytes) -> str:
    return "sha1:" + base64.b32encode(sha1(payload, usedforsecurity=False).digest()).decode()


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"
