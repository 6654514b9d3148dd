"""What counts as a page: from the bytes of a response or a file to a `Capture`, a `Redirect` or a `Skipped`.

Every reader ends here, so that a page is a page by the same rules wherever its bytes come from. A reader makes a
*blank*, a `Capture` with an empty body that holds what the archive or the file system says (address, time, place),
and hands it over with a way to read the bytes; nothing that is not HTML is read beyond its headers.
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from pagekin import url as urls
from pagekin.acquire import http
from pagekin.acquire.http import MAX_BYTES, TOO_LARGE, Refused
from pagekin.model import Capture, Redirect, Skipped

Read = Callable[[int], bytes]  # up to so many bytes of what is being read; fewer only at its end

TRUNCATED = "truncated record"
ROBOT = "pagekin"  # the name under which site owners address us
HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})

# Headers of real responses are a few kB; a response whose headers do not end here has none.
_HEAD_BYTES = 64 << 10
_REDIRECTS = frozenset({None, 301, 302, 303, 307, 308})  # None: WebKB's redirects have a Location and no status
_MAIN_TYPES = frozenset({"application", "audio", "font", "image", "model", "multipart", "text", "video"})
_TYPE_END = re.compile(r"[;,\s]")
# HTML parsers take time quadratic in the depth of boxes: 20,000 take a second, 200,000 minutes. No page has a hundred.
_DEEPEST = 20_000
_BOXES = rb"(?:article|aside|blockquote|center|div|dl|fieldset|footer|form|header|main|nav|ol|section|table|ul)\b"
_OPENED, _CLOSED = (re.compile(sign + _BOXES, re.IGNORECASE) for sign in (rb"<", rb"</"))
_ROBOT = re.compile(r"\s*([\w-]+)\s*:")
_NOT_ASCII = re.compile(rb"[\x80-\xff]")


def spelled(path: Path | str) -> str:
    """A path, or a part of one, as text that can be stored and printed: a byte that is no UTF-8 is spelled `\\xff`."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def place(path: Path) -> str:
    """Where a file is, as text."""
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
    # dns:…, urn:…, metadata://… are what crawlers write down beside the pages.
    raise Refused("broken URL" if text.lower().startswith(urls.SCHEMES) else "not a web address")


def ascii_reference(raw: bytes) -> str:
    """Percent-encoded where it is not ASCII: what a browser does to UTF-8, and it loses nothing of what is not."""
    return _NOT_ASCII.sub(lambda byte: b"%%%02X" % byte[0][0], raw).decode("ascii")


def respond(read: Read, length: int, blank: Capture) -> Capture | Redirect | Skipped:
    """What a stored HTTP response of `length` bytes is; headers may be missing, as in the oldest archives."""
    try:
        head = read(min(length, _HEAD_BYTES))
        status, headers, rest = http.split(head)
        if headers and not rest and len(head) == _HEAD_BYTES:
            raise Refused("broken HTTP response")
        if "location" in headers and status in _REDIRECTS:
            return _redirect(blank, headers["location"])
        if status not in (None, 200):
            raise Refused(f"status {status}")
        return _page(blank, headers, length, lambda: rest + _whole(read, length - len(head)))
    except Refused as reason:
        return Skipped(blank.origin or blank.url, str(reason))


def take(read: Read, length: int, blank: Capture) -> Capture | Skipped:
    """The page of `length` bytes that comes without HTTP headers; its type is `blank.content_type` as far as known."""
    try:
        return _page(blank, {}, length, lambda: _whole(read, length))
    except Refused as reason:
        return Skipped(blank.origin or blank.url, str(reason))


def _page(blank: Capture, headers: Mapping[str, str], length: int, read_body: Callable[[], bytes]) -> Capture:
    """The page, whose body is read only once it is clear from type and length that it is wanted."""
    content_type = headers.get("content-type", blank.content_type)
    named = named_html(content_type)
    if length > MAX_BYTES:
        raise Refused(TOO_LARGE)
    body = http.decode(read_body(), headers)
    _check(body, named)
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
    if target == blank.url:  # from /index.html to /, say: one page in the canonical form
        raise Refused("redirect to itself")
    return Redirect(blank.url, target)


def named_html(content_type: str | None) -> bool:
    """Whether the type says HTML; False where there is no type, `Refused` where it says something else."""
    name = _TYPE_END.split((content_type or "").strip().lower(), maxsplit=1)[0]
    main = name.partition("/")[0]
    if name and name not in HTML_TYPES:
        raise Refused(f"not HTML ({main}/*)" if main in _MAIN_TYPES else "not HTML")
    return bool(name)


def _check(body: bytes, named_html: bool) -> None:
    if not body or body.isspace():
        raise Refused("empty")
    if len(body) > _DEEPEST * len("<ul>") and len(_OPENED.findall(body)) - len(_CLOSED.findall(body)) > _DEEPEST:
        raise Refused("nested too deeply")
    if http.looks_binary(body) or not (named_html or http.looks_like_html(body)):
        raise Refused("not HTML")
