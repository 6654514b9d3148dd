"""Templates, and what they need to show text of strangers: Jinja escapes it, these functions clean and cut it."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from pagekin.harmless import clean
from pagekin.serve.style import STYLE
from pagekin.version import VERSION

HERE = Path(__file__).parent
STATIC = HERE / "static"
LONGEST_SHOWN = 160  # characters of a title or an anchor: two lines; a page may have one of a megabyte
LONGEST_LINE = 70  # where there is one line for it
WEB = ("http://", "https://")

Pairs = Iterable[tuple[str, Any]]


def short(text: str, most: int = LONGEST_SHOWN) -> str:
    """Text in one line, without what a browser obeys (bidi controls), of at most so many characters.

    >>> short("a\\u202eb  c"), short("abcdef", 4)
    ('ab c', 'abc…')
    """
    shown = clean(text[: 4 * most])  # cleaning a megabyte takes long
    return shown if len(shown) <= most else shown[: most - 1].rstrip() + "…"


def name_of(url: str, title: str, most: int = LONGEST_SHOWN) -> str:
    """How a page is called: its title, else its address."""
    return short(title, most) or short(url, most) or "(no name)"


def where(url: str, most: int = LONGEST_LINE) -> str:
    """An address as people read it, without the scheme; the middle is cut out of a long one."""
    shown = clean(url[: 8 * most])
    for scheme in WEB:
        shown = shown.removeprefix(scheme)
    return shown if len(shown) <= most else f"{shown[: most * 2 // 3]}…{shown[-(most // 3) + 1 :]}"


def outward(url: str) -> str | None:
    """The address for a link that leaves this server; None if a browser would do anything but open a page."""
    return url if url.startswith(WEB) else None


def figure(score: float | None) -> str:
    """A score in three digits, or as a power of ten."""
    if score is None:
        return ""
    return f"{score:.3g}" if score == 0 or 1e-3 <= abs(score) < 1e4 else f"{score:.1e}"


def address(path: str, pairs: Pairs = ()) -> str:
    """A path with parameters."""
    asked = urlencode(list(pairs), errors="replace")
    return f"{path}?{asked}" if asked else path


class Piece(NamedTuple):
    """A part of a sentence: text, or the name of a page with its address."""

    text: str
    url: str | None = None


def marked(text: str, words: Iterable[str]) -> list[tuple[str, bool]]:
    """A text in pieces, each with whether it is one of the words.

    >>> marked("the hive", ["hive"])
    [('the ', False), ('hive', True)]
    """
    wanted = sorted(filter(None, map(clean, words)), key=len, reverse=True)
    if not wanted:
        return [(text, False)]
    cut = re.split(rf"(?<!\w)({'|'.join(map(re.escape, wanted))})(?!\w)", text)
    return [(piece, bool(at % 2)) for at, piece in enumerate(cut) if piece]


templates = Environment(
    loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
    lstrip_blocks=True,
)  # fmt: skip
templates.filters |= {"short": short, "where": where, "outward": outward, "figure": figure}
templates.globals |= {"name_of": name_of, "address": address, "marked": marked, "version": VERSION}
templates.globals |= {"style": Markup(STYLE)}
templates.globals |= {"name": "", "base": "", "here": ""}  # of a page that belongs to no collection
templates.globals |= {"place": "page"}  # where the links of evidence lead


def render(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A template as a page; `root` is the address of the server, to which a proxy may add a path."""
    root = request.scope.get("root_path", "").rstrip("/")
    return HTMLResponse(templates.get_template(template).render(root=root, **values), status)
