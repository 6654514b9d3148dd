"""The boxes of a page (its elements that hold others), its texts and headings, with the places of their bytes.

The rules are those of browsers as far as they decide where a box ends: an end tag closes the nearest open box of its
name, but none outside of the table cell that it is in; a `<li>` closes the one before it; what `</body>` is followed by
is still in the body. Paragraphs and marks of letters (`<b>`) are no boxes: they may overlap. What a page does in spite
of these rules is found in the end by asking a parser where a list has come to stand (`place.stands`).
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from html import unescape
from typing import NamedTuple

from webencodings import lookup  # type: ignore[import-untyped]

from pagekin.parse.walk import HIDDEN as UNREAD
from pagekin.parse.walk import fold
from pagekin.seealso.tokens import Token, attributes, tokens

BOXES = frozenset(
    b"""address article aside blockquote body center dd details dialog dir div dl dt fieldset figure footer form header
    li main menu nav ol search section table tbody td template tfoot th thead tr ul object select button""".split()
)
SCOPES = frozenset((b"td", b"th", b"table", b"template", b"object"))  # what an end tag inside does not close
CELLS = frozenset((b"td", b"th", b"tr", b"tbody", b"thead", b"tfoot"))
TABLES = CELLS | {b"table"}
# An item closes an open one of these, unless one of those is between them.
ENDS_BEFORE = {
    b"li": ((b"li",), (b"ul", b"ol", b"menu", b"dir")),
    b"dd": ((b"dd", b"dt"), (b"dl",)),
    b"dt": ((b"dd", b"dt"), (b"dl",)),
    b"td": ((b"td", b"th"), (b"table",)),
    b"th": ((b"td", b"th"), (b"table",)),
    b"tr": ((b"tr",), (b"table",)),
    b"tbody": ((b"tbody", b"thead", b"tfoot"), (b"table",)),
    b"thead": ((b"tbody", b"thead", b"tfoot"), (b"table",)),
    b"tfoot": ((b"tbody", b"thead", b"tfoot"), (b"table",)),
}
# What begins a block beside boxes; a list is not put into the middle of a line.
BLOCKS = BOXES | frozenset(b"h1 h2 h3 h4 h5 h6 hgroup hr p pre".split())
HEADINGS = {b"h%d" % level: level for level in range(1, 7)}
_UNREAD = frozenset(name.encode() for name in UNREAD)
# A reference, which is another page's unless it is a place on this one or has a scheme or a host of its own.
_HREF = re.compile(rb"""href\s*+=\s*+["']?+\s*+((?!#|//|[a-z][a-z0-9+.-]*+:)[^"'\s>])?+""", re.IGNORECASE)
MARKER = b"pagekin"
ELEMENT_MARKER = "data-pagekin"


@dataclass(slots=True)
class Box:
    """An element that holds others."""

    name: bytes
    token: Token  # its start tag
    parent: int  # the number of the box around it
    depth: int = 0
    end: int = -1  # where its content ends
    last: int = 0  # the last box in it; boxes are numbered as they begin, so all between are in it too


class Text(NamedTuple):
    """A run of text: where it stands, in which box, and whether it is in a link."""

    start: int
    end: int
    box: int
    linked: bool


@dataclass(slots=True)
class Outline:
    """What `outline` finds. Box 0 is the page itself."""

    page: bytes
    boxes: list[Box]
    texts: list[Text] = field(default_factory=list)
    blocks: list[tuple[int, int]] = field(default_factory=list)  # where blocks begin, and the box around each
    headings: list[tuple[int, int]] = field(default_factory=list)  # where, and of which level
    marker: int = -1  # where a list is wanted, if the page says so
    links: list[Token] = field(default_factory=list)
    base: str | None = None
    language: str = ""
    encoding: str = "utf-8"

    def attributes(self, box: int) -> dict[str, str]:
        return attributes(self.page, self.boxes[box].token) if box else {}

    def text(self, run: Text) -> str:
        """The words of a run."""
        text: str = lookup(self.encoding).codec_info.decode(self.page[run.start : run.end], "replace")[0]
        return fold(unescape(text))

    def within(self, box: int, outer: int) -> bool:
        """Whether a box is another, or in it."""
        return outer <= box <= self.boxes[outer].last


def outline(page: bytes, xml: bool = False, base: bytes = b"", encoding: str = "utf-8") -> Outline:
    """Read the outline of a page; in XML, `/>` closes every element. `base`: how whole addresses on its site begin."""
    found = Outline(page, [Box(b"", Token(0, 0, b""), 0, 0, len(page))], encoding=encoding)
    open_boxes, unread, linked, at = _Open(found), 0, False, 0
    after_raw = b""
    for token in tokens(page, xml):
        if token.start > at and not unread and not after_raw and not page[at : token.start].isspace():
            found.texts.append(Text(at, token.start, open_boxes.top, linked))
        at, name, after_raw = token.end, token.name, b""
        if not name:
            if found.marker < 0 and page[token.start + 4 : token.end - 3].strip() == MARKER and not unread:
                found.marker = token.end
            continue
        if name in _UNREAD and name != b"template":
            after_raw = b"" if token.closing or token.closed else name
            continue
        if name == b"template":
            unread = max(unread + (-1 if token.closing else 1), 0)
            continue
        if unread:
            continue
        if token.closing:
            if name == b"a":
                linked = False
            elif name in BOXES:
                open_boxes.close(token)
            continue
        if name in BLOCKS:
            open_boxes.end_items(token)
            found.blocks.append((token.start, open_boxes.top))
        if name in BOXES and not (name == b"body" and open_boxes.count[name]):
            open_boxes.begin(token, xml and token.closed)
        elif name in HEADINGS:
            found.headings.append((token.start, HEADINGS[name]))
        elif name == b"a":
            if linked := _leads_inside(page, token, base):
                found.links.append(token)
        elif name == b"html":
            told = attributes(page, token)
            found.language = found.language or told.get("lang") or told.get("xml:lang") or ""
        elif name == b"base" and found.base is None:
            found.base = attributes(page, token).get("href")
        if found.marker < 0 and _is_marker(page, token):
            found.marker = token.end if name in BOXES else token.start
    if len(page) > at and not unread and not after_raw and not page[at:].isspace():
        found.texts.append(Text(at, len(page), open_boxes.top, linked))
    open_boxes.end(len(page))
    return found


class _Open:
    """The boxes that are open at a place in a page, the outermost first."""

    def __init__(self, found: Outline) -> None:
        self.boxes, self.open = found.boxes, [0]
        self.count: Counter[bytes] = Counter()  # by name, so that an end tag of none does not look through all

    @property
    def top(self) -> int:
        return self.open[-1]

    def begin(self, token: Token, closed: bool) -> None:
        self.boxes.append(Box(token.name, token, self.top, len(self.open)))
        self.open.append(len(self.boxes) - 1)
        self.count[token.name] += 1
        if closed:
            self._pop(len(self.open) - 1, token.end)

    def close(self, token: Token) -> None:
        """An end tag: close the box that it names and those in it, unless that is outside of a scope."""
        for depth in range(len(self.open) - 1, 0, -1) if self.count[token.name] else ():
            box = self.boxes[self.open[depth]]
            if box.name == token.name == b"body":  # what follows is still in it
                box.end = token.start if box.end < 0 else box.end
                return
            if box.name == token.name:
                self._pop(depth, token.start)
                return
            if box.name in SCOPES and (token.name not in TABLES or box.name not in CELLS):
                return

    def end_items(self, token: Token) -> None:
        """A start tag: close the items that it ends."""
        ended, stops = ENDS_BEFORE.get(token.name, ((), ()))
        for depth in range(len(self.open) - 1, 0, -1) if any(map(self.count.__getitem__, ended)) else ():
            name = self.boxes[self.open[depth]].name
            if name in ended:
                self._pop(depth, token.start)
                return
            if name in stops or (name in SCOPES and token.name not in CELLS):
                return

    def end(self, at: int) -> None:
        """The end of the page."""
        self._pop(0, at)

    def _pop(self, depth: int, at: int) -> None:
        for number in self.open[depth:]:
            box = self.boxes[number]
            box.end = at if box.end < 0 else box.end
            box.last = len(self.boxes) - 1
            self.count[box.name] -= 1
        del self.open[depth:]


def _is_marker(page: bytes, token: Token) -> bool:
    return page.find(b"data-pagekin", *token.attributes) >= 0 and ELEMENT_MARKER in attributes(page, token)


def _leads_inside(page: bytes, token: Token, base: bytes) -> bool:
    """Whether a link leads to another page of the site, as far as it can be seen without joining addresses."""
    written = _HREF.search(page, *token.attributes)
    return bool(written and (written[1] or (base and page.startswith(base, written.end()))))
