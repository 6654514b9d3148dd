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
CUT_OFF = "the answer was cut off"

# A body is normally compressed once, twice by mistake, and in one piece; much more is an attempt to keep us busy.
_MAX_CODINGS = 3
_MAX_MEMBERS = 100

# `WWW Alert:` is what the client that fetched WebKB wrote in place of the status line of a redirect.
_STATUS = re.compile(rb"HTTP/[\d.]*[ \t]+(\d{3})|WWW Alert:")
_HEADER = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+:")
# Names in Content-Encoding that say how the text is written, or nothing: the body is not packed.
_NO_CODING = re.compile(
    r"(?:identity|none|text(?:/[\w.+-]+)?|plain|binary|[78]bit"
    r"|(?:x-)?(?:utf|us-?ascii|ascii|iso|windows|cp|latin|shift|euc|gb|big5|koi8)[\w-]*)?"
)
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]")  # no text has these
_GZIP = b"\x1f\x8b"
_BLANK_LINE = re.compile(rb"\n\r*\n")
_CHUNK = re.compile(rb"(?:\r?\n)?[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\n]*+|\r*+)\n")

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


def looks_like_text(head: bytes) -> bool:
    """Whether bytes are text in some encoding that contains ASCII."""
    return not _CONTROL.search(head[:1024])


def decode(body: bytes, headers: Mapping[str, str], as_it_is: Callable[[bytes], bool] = looks_like_html) -> bytes:
    """The body without its transfer and content encodings; `Refused` if it cannot be read or exceeds `MAX_BYTES`.

    A body that was not packed in the way its headers say is returned as it is, if `as_it_is` says that it may be.
    """
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = dechunk(body)
    codings = headers.get("content-encoding", "").lower().split(",")
    for coding in reversed(codings[-_MAX_CODINGS:]):
        body = _uncompress(body, coding.strip(), as_it_is)
    return body


def decode_text(body: bytes, coding: str) -> bytes:
    """The body of a text file without its content encoding, whatever is declared over plain text.

    >>> decode_text(b"Disallow: /", "gzip"), decode_text(b"Disallow: /", "utf-8")
    (b'Disallow: /', b'Disallow: /')
    """
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        if looks_like_text(body):  # before all else: some plain texts begin with a few valid bytes of deflate
            return body
    if is_cut_off(body, coding):
        raise Refused(CUT_OFF)
    return decode(body, {"content-encoding": coding}, looks_like_text)


def is_cut_off(body: bytes, coding: str) -> bool:
    """Whether a gzip or deflate body ends before its data do. That only its checksum is missing does not matter."""
    coding = coding.rpartition(",")[2].strip().lower()
    if coding not in ("gzip", "x-gzip", "deflate") or not body:
        return False
    try:
        for _ in range(_MAX_MEMBERS):
            stream = zlib.decompressobj(-zlib.MAX_WBITS if body.startswith(_GZIP) else zlib.MAX_WBITS)
            if not _ends(stream, body[_gzip_header(body) :]):
                return True
            body = stream.unused_data[8:]  # after the checksum and the length
            if not body.startswith(_GZIP):
                return False
    except zlib.error:  # it is something else, or broken in another way: `decode` finds out
        pass
    return False


def _ends(stream: "zlib._Decompress", body: bytes) -> bool:
    """Whether a stream comes to its end, or becomes too large, without keeping what it unpacks."""
    unpacked = 0
    while not stream.eof and unpacked <= MAX_BYTES:
        piece = stream.decompress(body, 1 << 20)
        if not piece and not stream.eof:
            return False
        unpacked, body = unpacked + len(piece), stream.unconsumed_tail
    return True


def _gzip_header(body: bytes) -> int:
    """Where the data of a gzip member begin (RFC 1952, 2.3); 0 if it is not one."""
    if not body.startswith(_GZIP) or len(body) < 10:
        return 0 if not body.startswith(_GZIP) else len(body)
    flags, at = body[3], 10
    if flags & 4:
        at += 2 + int.from_bytes(body[at : at + 2], "little")
    for flag in (8, 16):  # a name, a comment
        if flags & flag:
            at = body.find(b"\0", at) + 1 or len(body)
    return at + 2 if flags & 2 else at


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


def _uncompress(body: bytes, coding: str, as_it_is: Callable[[bytes], bool]) -> bytes:
    if _NO_CODING.fullmatch(coding) or not body:
        return body
    try:
        text = _CODINGS[coding](body)
    except (KeyError, OSError, zlib.error):
        if as_it_is(body):  # the archive stored it decoded, or the header is nonsense
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
