"""Decides what counts as a page: turns the bytes of a response or a file into a `Capture`, `Redirect` or `Skipped`.

Every reader of pages calls this module, so the rules are the same wherever the bytes come from. A reader makes a
*blank*, a `Capture` with an empty body that holds what the archive or the file system says (address, time, place),
and passes it on with a way to read the bytes; what is not HTML is not read beyond its headers.
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from pagekin import url as urls
from pagekin.acquire import http, refresh
from pagekin.acquire.http import MAX_BYTES, TOO_LARGE, Refused
from pagekin.model import Capture, Redirect, Skipped
from pagekin.parse.burden import could_be_hard, objection
from pagekin.parse.encoding import decode

Read = Callable[[int], bytes]  # reads up to that many bytes; fewer only at the end

TRUNCATED = "truncated record"
ROBOT = "pagekin"  # the name by which site owners address us
HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})

# The headers of real responses take a few kB; headers that do not end within this many bytes are broken.
_HEAD_BYTES = 64 << 10
_REDIRECTS = frozenset({None, 301, 302, 303, 307, 308})  # None: WebKB's redirects have a Location and no status
_MAIN_TYPES = frozenset({"application", "audio", "font", "image", "model", "multipart", "text", "video"})
_TYPE_END = re.compile(r"[;,\s]")
_ROBOT = re.compile(r"\s*([\w-]+)\s*:")
_NOT_ASCII = re.compile(rb"[\x80-\xff]")


def spelled(path: Path | str) -> str:
    """A path, or part of one, as text that can be stored and printed: a byte that is not UTF-8 is written `\\xff`."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def place(path: Path) -> str:
    """A file's absolute path, as text."""
    return spelled(path.absolute())


def address(raw: bytes) -> str:
    """The canonical form of an address as an archive writes it: bytes, perhaps in `<…>`, perhaps with spaces.

    >>> address(b"<http://a.example/b c>"), address(b"http://a.example/\\xff")
    ('http://a.example/b%20c', 'http://a.example/%FF')
    """
    text = ascii_reference(raw.strip().removeprefix(b"<").removesuffix(b">"))
    found = urls.canonical(text)
    if found is not None and found.startswith(urls.SCHEMES):
        return found
    # Crawlers also record dns:…, urn:… and metadata://… next to the pages.
    raise Refused("broken URL" if text.lower().startswith(urls.SCHEMES) else "not a web address")


def ascii_reference(raw: bytes) -> str:
    """A reference with its non-ASCII bytes percent-encoded, as browsers do with UTF-8; no byte is lost."""
    return _NOT_ASCII.sub(lambda byte: b"%%%02X" % byte[0][0], raw).decode("ascii")


def respond(read: Read, length: int, blank: Capture) -> Capture | Redirect | Skipped:
    """Classify a stored HTTP response of `length` bytes; headers may be missing, as in the oldest archives."""
    try:
        head = read(min(length, _HEAD_BYTES))
        status, headers, rest = http.split(head)
        if headers and not rest and len(head) == _HEAD_BYTES:
            raise Refused("broken HTTP response")
        if "location" in headers and status in _REDIRECTS:
            return _redirect(blank, headers["location"])
        if status not in (None, 200):
            raise Refused(f"status {status}")
        page = _page(blank, headers, length, lambda: rest + _whole(read, length - len(head)))
        return refresh.redirect(page, headers.get("refresh")) or page
    except Refused as reason:
        return Skipped(blank.origin or blank.url, str(reason))


def take(read: Read, length: int, blank: Capture) -> Capture | Redirect | Skipped:
    """Classify a page of `length` bytes without HTTP headers; `blank.content_type` is its type, if known."""
    try:
        page = _page(blank, {}, length, lambda: _whole(read, length))
        return refresh.redirect(page) or page
    except Refused as reason:
        return Skipped(blank.origin or blank.url, str(reason))


def _page(blank: Capture, headers: Mapping[str, str], length: int, read_body: Callable[[], bytes]) -> Capture:
    """The page; its body is read only once its type and length show that it is wanted."""
    content_type = headers.get("content-type", blank.content_type)
    named = named_html(content_type)
    if length > MAX_BYTES:
        raise Refused(TOO_LARGE)
    body = http.decode(read_body(), headers)
    _check(body, named, content_type)
    return replace(
        blank,
        body=body,
        content_type=content_type,
        language=headers.get("content-language"),
        etag=headers.get("etag"),
        last_modified=headers.get("last-modified"),
        fetched=blank.fetched or http.timestamp(headers.get("date", "")) or 0,
        robots=_for_us(headers.get("x-robots-tag")),
    )


def _for_us(tag: str | None) -> str | None:
    """An X-Robots-Tag, unless it names another robot: `otherbot: noindex`."""
    name = _ROBOT.match(tag or "")
    return None if name and name[1].lower() not in (ROBOT, "unavailable_after", "max-snippet") else tag


def _whole(read: Read, length: int) -> bytes:
    body = read(length)
    if len(body) < length:
        raise Refused(TRUNCATED)
    return body


def _redirect(blank: Capture, location: str) -> Redirect | Skipped:
    target = urls.join(blank.url, ascii_reference(location.encode("latin-1")))
    if target is None:
        raise Refused("redirect to a broken URL")
    if target == blank.url:  # from /index.html to /, say: the same page in canonical form
        raise Refused("redirect to itself")
    return Redirect(blank.url, target)


def named_html(content_type: str | None) -> bool:
    """Whether the type says HTML: False if there is no type; raises `Refused` if it says something else."""
    name = _TYPE_END.split((content_type or "").strip().lower(), maxsplit=1)[0]
    main = name.partition("/")[0]
    if name and name not in HTML_TYPES:
        raise Refused(f"not HTML ({main}/*)" if main in _MAIN_TYPES else "not HTML")
    return bool(name)


def _check(body: bytes, named_html: bool, content_type: str | None) -> None:
    if not body or body.isspace():
        raise Refused("empty")
    if http.looks_binary(body) or not (named_html or http.looks_like_html(body)):
        raise Refused("not HTML")
    if could_be_hard(body) and (why := objection(decode(body, content_type))):
        raise Refused(why)
