"""Decodes HTTP responses as archives keep them: status line, headers, and a body, perhaps chunked and compressed.

Archives keep what came over the wire, but not always faithfully: some crawlers store the body decoded and leave
`Transfer-Encoding` and `Content-Encoding` as they were. So a body that does not fit its headers is taken as it is
if it begins like HTML, and refused otherwise.
"""

import io
import re
import zlib
from collections.abc import Callable, Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

from fastwarc.stream_io import BrotliReader, ZstdReader

# A larger page is data, not something that people read; and nothing larger is ever held in memory.
MAX_BYTES = 64 << 20
TOO_LARGE = f"larger than {MAX_BYTES >> 20} MiB"

# A body is normally compressed once, twice by mistake, and in one piece; much more is an attempt to keep us busy.
_MAX_CODINGS = 3
_MAX_MEMBERS = 100

# `WWW Alert:` is what the client that fetched WebKB wrote in place of the status line of a redirect.
_STATUS = re.compile(rb"HTTP/[\d.]*[ \t]+(\d{3})|WWW Alert:")
_HEADER = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+:")
_BLANK_LINE = re.compile(rb"\n\r*\n")
_CHUNK = re.compile(rb"(?:\r?\n)?[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\n]*)?\r*\n")

# WHATWG MIME Sniffing, 7.1: a resource without a type is HTML if it begins with one of these tags.
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--|<(?:!doctype\s+html|html|head|script|iframe|h1|div|font|table|a"
    rb"|style|title|b|body|br|p)[\s>])",
    re.IGNORECASE,
)


class Refused(Exception):  # noqa: N818 - not an error: the answer "no", with its reason
    """Something is not taken in as a page; the message is the short reason that is counted."""


def split(block: bytes) -> tuple[int | None, dict[str, str], bytes]:
    """Status, headers (lower-case names, the first of each) and body; all is body if there is no status or header.

    >>> split(b"HTTP/1.1 302 Found\\r\\nLocation: /b\\r\\n\\r\\nMoved")
    (302, {'location': '/b'}, b'Moved')
    >>> split(b"<p>Hello")
    (None, {}, b'<p>Hello')
    """
    first = _STATUS.match(block)
    if not first and not _HEADER.match(block):
        return None, {}, block
    blank = _BLANK_LINE.search(block)
    head, body = (block[: blank.start()], block[blank.end() :]) if blank else (block, b"")
    headers: dict[str, str] = {}
    for line in head.split(b"\n")[1 if first else 0 :]:
        name, _, value = line.partition(b":")
        headers.setdefault(name.decode("latin-1").strip().lower(), value.decode("latin-1").strip())
    return int(first[1]) if first and first[1] else None, headers, body


def timestamp(date: str) -> int | None:
    """An HTTP date (RFC 1123, RFC 850, asctime) as Unix seconds; None if it cannot be read.

    >>> timestamp("Sun, 06 Nov 1994 08:49:37 GMT") == timestamp("Sunday, 06-Nov-94 08:49:37 GMT") == 784111777
    True
    >>> timestamp("Sun Nov  6 08:49:37 1994"), timestamp("Mcp: No match.")
    (784111777, None)
    """
    try:
        when = parsedate_to_datetime(date)
        return max(0, int((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()))
    except (ValueError, OverflowError, IndexError):  # IndexError: the standard library's parser on some odd texts
        return None


def looks_like_html(head: bytes) -> bool:
    """Whether bytes without a type begin like an HTML page."""
    return bool(_HTML.match(head[:1024]))


def looks_binary(head: bytes) -> bool:
    """Whether bytes that claim to be HTML cannot be: text has no NUL, unless it is UTF-16."""
    head = head[:1024]
    return b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<"))


def decode(body: bytes, headers: Mapping[str, str]) -> bytes:
    """The body without its transfer and content encodings; `Refused` if it cannot be read or exceeds `MAX_BYTES`."""
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = dechunk(body)
    codings = headers.get("content-encoding", "").lower().split(",")
    for coding in reversed(codings[-_MAX_CODINGS:]):
        body = _uncompress(body, coding.strip())
    return body


def dechunk(body: bytes) -> bytes:
    """Join the chunks of a chunked body; a body that was stored unchunked is returned as it is.

    A body that ends early gives the chunks so far, as in a browser; one that goes wrong in the middle is refused.

    >>> dechunk(b"5\\r\\nHello\\r\\n3;x=y\\r\\n ho\\r\\n0\\r\\n\\r\\n"), dechunk(b"<p>Hello")
    (b'Hello ho', b'<p>Hello')
    """
    chunks: list[bytes] = []
    at = 0
    while header := _CHUNK.match(body, at):
        size = int(header[1], 16)
        if not size:
            return b"".join(chunks)
        chunks.append(body[header.end() : header.end() + size])
        at = header.end() + size
    if chunks and body[at:].strip():
        raise Refused("wrong chunking")
    return b"".join(chunks) if chunks else body


def _uncompress(body: bytes, coding: str) -> bytes:
    if coding in ("", "identity", "none") or not body:
        return body
    try:
        text = _CODINGS[coding](body)
    except (KeyError, OSError, zlib.error):
        if looks_like_html(body):  # the archive stored it decoded, or the header is nonsense ("utf-8")
            return body
        raise Refused("wrong content encoding" if coding in _CODINGS else "unknown content encoding") from None
    if len(text) > MAX_BYTES:
        raise Refused(TOO_LARGE)
    return text


def _inflate(body: bytes) -> bytes:
    """Unpack gzip (also of several members) and deflate, which servers send with or without a zlib header."""
    try:
        return _inflate_as(body, zlib.MAX_WBITS | 32)
    except zlib.error:
        if body.startswith(b"\x1f\x8b"):
            raise
        return _inflate_as(body, -zlib.MAX_WBITS)


def _inflate_as(body: bytes, window: int) -> bytes:
    text = b""
    for _ in range(_MAX_MEMBERS):
        stream = zlib.decompressobj(window)
        text += stream.decompress(body, MAX_BYTES + 1 - len(text))
        body = stream.unused_data
        if not body.startswith(b"\x1f\x8b") or len(text) > MAX_BYTES:
            break
    return text


def _brotli(body: bytes) -> bytes:
    return BrotliReader(io.BytesIO(body)).read(MAX_BYTES + 1)


def _zstd(body: bytes) -> bytes:
    return ZstdReader(io.BytesIO(body)).read(MAX_BYTES + 1)


_CODINGS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": _inflate,
    "x-gzip": _inflate,
    "deflate": _inflate,
    "br": _brotli,
    "zstd": _zstd,
}
