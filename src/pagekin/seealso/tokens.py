"""The tags and comments of a page with the places of their bytes, as browsers find them (WHATWG HTML, 13.2.5).

It works on bytes. In every encoding that browsers know, except UTF-16, the signs of markup are single bytes that are
part of no other character, if the escaped stretches of ISO-2022-JP are hidden first (`plain`).
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

_SPACE = rb"[\t\n\f\r ]*+"
_NAME = rb"(?:=[^\t\n\f\r />=]*+|[^\t\n\f\r />=]++)"
# A quote opens a value only behind `=`: in <a title=it's> it is part of one. If it is never closed, the tag never ends.
_VALUE = rb"""(?:"[^"]*+"|'[^']*+'|(?=>)|[^\t\n\f\r >"'][^\t\n\f\r >]*+)"""
_ATTRIBUTE = rb"(?P<a>%b)(?:%b=%b(?P<v>%b)|(?!%b=))" % (_NAME, _SPACE, _SPACE, _VALUE, _SPACE)
_ATTRIBUTES = rb"(?:[\t\n\f\r /]++|%b)*+" % _ATTRIBUTE.replace(b"?P<a>", b"?:").replace(b"?P<v>", b"?:")
_TOKEN = re.compile(
    rb"<(?:!--(?P<comment>-?>|.*?(?:--!?>|\Z))"
    rb"|(?P<end>/?)(?P<name>[a-zA-Z][^\t\n\f\r />]*+)(?P<attributes>" + _ATTRIBUTES + rb")>"
    rb"|(?P<open>/?[a-zA-Z])"  # a tag that does not end: browsers drop the rest of the page
    rb"|(?P<cdata>!\[CDATA\[)"
    rb"|[!/?][^>]*+>?)",
    re.DOTALL,
)
_NAMED = re.compile(_ATTRIBUTE)
# Elements whose content is no markup. <noscript> is none where scripts run; <plaintext> never ends.
RAW = frozenset(b"script style textarea title xmp iframe noembed noframes noscript plaintext".split())
FOREIGN = frozenset((b"svg", b"math"))  # within these, `/>` closes an element and there is no raw text but CDATA …
HTML_AGAIN = frozenset((b"foreignobject", b"desc", b"annotation-xml"))  # … unless they hold HTML in turn
# Tags that end what is foreign around them (13.2.6.5).
BREAKS_OUT = frozenset(
    b"""b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta
    nobr ol p pre ruby s small span strong strike sub sup table tt u ul var""".split()
)
_RAW_ENDS = {name: re.compile(rb"</" + name + rb"(?=[\t\n\f\r />])", re.IGNORECASE) for name in RAW}
_SCRIPT_SIGNS = re.compile(rb"<!---*+>|<!--|-->|<(/?)script(?=[\t\n\f\r />])", re.IGNORECASE)
_ESCAPED = re.compile(rb"\x1b\$[@B](.*?)(?=\x1b|\Z)", re.DOTALL)  # two bytes a character until the next escape


class Token(NamedTuple):
    """A tag, or a comment, whose name is empty."""

    start: int
    end: int
    name: bytes  # in lower case
    closing: bool = False
    closed: bool = False  # it ends with `/>`
    attributes: tuple[int, int] = (0, 0)  # where they stand


def tokens(page: bytes, xml: bool = False) -> Iterator[Token]:
    """The tags and comments of a page in order; what is between them is text, or raw text.

    xml: `/>` also closes elements of raw text.

    >>> [(token.name, token.start) for token in tokens(b"<p>a<!-- <b> --><script>'<i>'</script></p>")]
    [(b'p', 0), (b'', 4), (b'script', 16), (b'script', 29), (b'p', 38)]
    """
    at, inside, foreign, search = 0, _Foreign(), False, _TOKEN.search
    while found := search(page, at):
        start, at = found.span()
        kind = found.lastgroup
        if kind == "attributes":
            name = found["name"].lower()
            closing = bool(found["end"])
            closed = page[at - 2 : at] == b"/>" and not closing
            yield Token(start, at, name, closing, closed, found.span("attributes"))
            if inside.open or name in FOREIGN:
                foreign = inside.passed(name, closing, closed)
            if name in RAW and not (closing or foreign or (xml and closed)):
                at = _end_of_script(page, at) if name == b"script" else _end_of_raw(page, at, name)
                if at < 0:
                    return
        elif kind == "comment":
            yield Token(start, at, b"")
        elif kind == "open":
            return
        elif kind == "cdata":
            end = page.find(b"]]>" if foreign else b">", at)
            at = len(page) if end < 0 else end + 1


class _Foreign:
    """Whether a place in a page is in a picture or a formula, whose rules are others."""

    def __init__(self) -> None:
        self.open: list[bytes] = []  # pictures and formulas, and HTML in them

    def passed(self, name: bytes, closing: bool, closed: bool) -> bool:
        """Pass a tag; whether what follows is foreign."""
        if closing and name in self.open:
            while self.open.pop() != name:
                pass
        elif not closing and not closed and name in (FOREIGN | HTML_AGAIN):
            self.open.append(name)
        elif not closing and name in BREAKS_OUT:
            while self.open and self.open[-1] in FOREIGN:
                self.open.pop()
        return bool(self.open) and self.open[-1] in FOREIGN


def _end_of_raw(page: bytes, at: int, name: bytes) -> int:
    end = _RAW_ENDS[name].search(page, at) if name != b"plaintext" else None
    return end.start() if end else -1


def _end_of_script(page: bytes, at: int) -> int:
    """Where a script's end tag begins. Behind `<!--`, a script within the script hides one end tag (13.2.5.4)."""
    escaped = twice = False
    for sign in _SCRIPT_SIGNS.finditer(page, at):
        if sign[0] == b"<!--":
            escaped = True
        elif sign[0] == b"-->":
            escaped = twice = False
        elif not sign[1]:
            twice = twice or escaped
        elif twice:
            twice = False
        else:
            return sign.start()
    return -1


def attributes(page: bytes, token: Token) -> dict[str, str]:
    """The attributes of a start tag; of two with one name, the first counts.

    >>> page = b"<a ID=x title='a &amp; b' hidden id=y>"
    >>> attributes(page, next(tokens(page)))
    {'id': 'x', 'title': 'a & b', 'hidden': ''}
    """
    found: dict[str, str] = {}
    at, end = token.attributes
    while at < end:
        if page[at : at + 1] in b"\t\n\f\r /":
            at += 1
            continue
        named = _NAMED.match(page, at)
        if named is None or named.end() == at:
            at += 1
            continue
        value = (named["v"] or b"").decode("utf-8", "replace")
        value = value[1:-1] if value[:1] in ("'", '"') else value
        found.setdefault(named["a"].decode("utf-8", "replace").lower(), unescape(value))
        at = named.end()
    return found


def plain(page: bytes, encoding: str) -> bytes:
    """A page as bytes of the same length in which only its markup has the signs of markup."""
    if encoding != "iso-2022-jp":
        return page
    return _ESCAPED.sub(lambda found: b"\x1b$B" + b"?" * len(found[1]), page)
