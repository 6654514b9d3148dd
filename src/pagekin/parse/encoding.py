"""Decodes pages: finds the encoding of a page as browsers do (WHATWG HTML, 13.2.3.2), else guesses it.

In order: the byte order mark; the `charset` of the HTTP header; a `<meta>` near the top; ISO-2022-JP by its escape
sequences; UTF-8 if the bytes are valid; a detector; windows-1252. A label means what the WHATWG table says, so
`iso-8859-1` is windows-1252 and `gb2312` is GBK. A label that is not in the table counts as none.
"""

import codecs
import re

import cchardet
from webencodings import lookup  # type: ignore[import-untyped]

# Bytes to search for a <meta>: browsers search 1,024 bytes, and start again if they meet one later.
PRESCANS = (1 << 10, 1 << 14)
FALLBACK = "windows-1252"
DETECT = 1 << 16  # bytes for the detector, from the first that is not UTF-8
# With fewer bytes to go on, the detector guesses wildly: one ö becomes Polish, one ® Vietnamese (counts in
# docs/parse/encoding.md).
LEAST_BYTES = 10
LEAST_CONFIDENCE = 0.5

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_JAPANESE_ESCAPE = re.compile(rb"\x1b(?:\$[@B]|\([IJ])")

# In the patterns below \s would be wrong: it includes the vertical tab.
_CHARSET = re.compile(
    rb"""charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"'][^\t\n\f\r ;]*))""", re.IGNORECASE
)
_COMMENT = re.compile(rb"<!-->|<!--.*?-->", re.DOTALL)
_META = re.compile(rb"<meta(?=[\t\n\f\r /])", re.IGNORECASE)
_TAG = re.compile(rb"</?[A-Za-z][^\t\n\f\r >]*")
_OTHER = re.compile(rb"<[!/?][^>]*>")
_NAME = re.compile(rb"[\t\n\f\r /]*(=?[^\t\n\f\r />=]*)[\t\n\f\r ]*")
_VALUE = re.compile(rb"""=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"'][^\t\n\f\r >]*|)(?=[\t\n\f\r >]))""")


def decode(body: bytes, content_type: str | None = None) -> str:
    """The text of a page; bytes that are invalid in its encoding become U+FFFD.

    >>> decode(b"<meta charset=iso-8859-1>caf\\xe9 \\x96")
    '<meta charset=iso-8859-1>café –'
    >>> decode(b"\\xd0\\xbc\\xd1\\x91\\xd0\\xb4"), decode(b"\\xcd\\xa3\\xc4", "text/html; charset=koi8-r")
    ('мёд', 'мёд')
    """
    if body.isascii() and b"\x1b" not in body:  # the same in every encoding except UTF-16, which would have NULs
        return body.decode("ascii")
    encoding = lookup(encoding_of(body, content_type))
    text: str = encoding.codec_info.decode(body, "replace")[0]
    return text.removeprefix("\ufeff")


def encoding_of(body: bytes, content_type: str | None = None) -> str:
    """The name of the encoding of a page, as the WHATWG table spells it.

    >>> encoding_of(b"<title>Bees</title>"), encoding_of(b"caf\\xe9"), encoding_of(b"", "text/html;charset=Latin2")
    ('utf-8', 'windows-1252', 'iso-8859-2')
    """
    for mark, name in _BOMS:
        if body.startswith(mark):
            return name
    header = _CHARSET.search((content_type or "").encode("utf-8", "replace"))
    if header and (known := _known(header)):
        return known
    return next(filter(None, (declared(body[:size]) for size in PRESCANS)), None) or _guess(body)


def _known(label: re.Match[bytes]) -> str | None:
    encoding = lookup(label[label.lastindex or 0].decode("ascii", "replace"))
    return encoding.name if encoding else None


def declared(head: bytes) -> str | None:
    """The encoding that a `<meta>` names first: WHATWG's "prescan a byte stream to determine its encoding".

    >>> declared(b"<!-- <meta charset=koi8-r> --><META content='text/html; charset=big5' http-equiv=Content-Type>")
    'big5'
    """
    if b"charset" not in head.lower():  # most old pages
        return None
    at, last_end, last_comment_end = head.find(b"<"), head.rfind(b">"), head.rfind(b"-->")
    while 0 <= at < last_end:  # what does not end is not searched for its end
        if at < last_comment_end and (comment := _COMMENT.match(head, at)):
            at = comment.end()
        elif meta := _META.match(head, at):
            attributes, at = _attributes(head, meta.end())
            if at >= 0 and (name := _from_meta(attributes)):
                return name
        elif tag := _TAG.match(head, at):
            at = _attributes(head, tag.end())[1]
        elif other := _OTHER.match(head, at):
            at = other.end()
        else:
            at += 1
        at = head.find(b"<", at) if at >= 0 else -1
    return None


def _attributes(head: bytes, at: int) -> tuple[dict[bytes, re.Match[bytes]], int]:
    """The attribute values (as matches of `_VALUE`) from `at` on, and where their tag ends; -1 if it does not."""
    found: dict[bytes, re.Match[bytes]] = {}
    while at < len(head):
        name = _NAME.match(head, at)
        assert name is not None  # it can match nothing
        at = name.end()
        if head[at : at + 1] == b">":
            return found, at
        if head[at : at + 1] == b"=":
            value = _VALUE.match(head, at)
            if value is None:
                return found, -1
            found.setdefault(name[1].lower(), value)
            at = value.end()
    return found, -1


def _from_meta(attributes: dict[bytes, re.Match[bytes]]) -> str | None:
    kind = attributes.get(b"http-equiv")
    value = attributes.get(b"charset")
    if value is None and kind is not None and kind[kind.lastindex or 0].lower() == b"content-type":
        content = attributes.get(b"content")
        value = _CHARSET.search(content[content.lastindex or 0]) if content else None
    name = _known(value) if value else None
    # A <meta> that could be read is not in UTF-16, whatever it says; x-user-defined is replaced by the standard too.
    return {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": FALLBACK}.get(name or "", name)


def _guess(body: bytes) -> str:
    if b"\x1b" in body and _JAPANESE_ESCAPE.search(body):
        return "iso-2022-jp"
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        return _detected(body[error.start : error.start + DETECT])
    return "utf-8"


def _detected(sample: bytes) -> str:
    if len(_NOT_ASCII.findall(sample)) < LEAST_BYTES:
        return FALLBACK
    found = cchardet.detect(sample)
    label = found["encoding"] or ""
    known = lookup({"UHC": "euc-kr"}.get(label, label))  # the table has it under another name
    return known.name if known and (found["confidence"] or 0) >= LEAST_CONFIDENCE else FALLBACK
