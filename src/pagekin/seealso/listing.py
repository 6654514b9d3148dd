"""A list of related pages as HTML: plain elements that take on the look of the site, one line for each link.

Links are relative, from file to file, so they also work where a site is opened from disk. In a page that declares UTF-8
letters are written as such, elsewhere as character references, which mean the same in every encoding.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import PurePath
from typing import NamedTuple
from urllib.parse import quote

from pagekin.harmless import clean_line
from pagekin.parse.encoding import PRESCANS, declared
from pagekin.parse.listed import ATTRIBUTE, marked

CLASS, ID = "pagekin", "pagekin-see-also"
_SAFE = "/-._~!$&'()*+,;=:@"  # RFC 3986, 3.3
_BOM = b"\xef\xbb\xbf"


class Entry(NamedTuple):
    """A link of a list."""

    href: str
    title: str


@dataclass(frozen=True)
class Listing:
    """What is written into a page."""

    entries: Sequence[Entry]
    heading: str
    language: str = ""  # of the heading, if it is not the page's
    stylesheet: str = ""

    def markup(self, level: int) -> str:
        """The HTML of it, also well-formed XML, with `level` for the heading."""
        language = f' lang="{escape(self.language)}"' if self.language else ""
        style = [f'<link rel="stylesheet" href="{escape(self.stylesheet)}" />'] if self.stylesheet else []
        links = (f'<li><a href="{escape(href)}">{escape(title, quote=False)}</a></li>' for href, title in self.entries)
        return "\n".join(
            [
                f'<section class="{CLASS}" {ATTRIBUTE}="" aria-labelledby="{ID}">',
                *style,
                f'<h{level} id="{ID}"{language}>{escape(self.heading, quote=False)}</h{level}>',
                "<ul>",
                *links,
                "</ul>",
                "</section>",
            ]
        )

    def written(self, page: bytes, level: int) -> bytes:
        """The bytes to put into a page, between marks, with the page's own ends of lines."""
        ends = newline(page)
        letters = "utf-8" if says_utf8(page) else "ascii"
        return marked(self.markup(level).encode(letters, "xmlcharrefreplace").replace(b"\n", ends), ends)


def newline(page: bytes) -> bytes:
    """How most lines of a page end."""
    windows = page.count(b"\r\n")
    plain, old = page.count(b"\n") - windows, page.count(b"\r") - windows
    return max((plain, b"\n"), (windows, b"\r\n"), (old, b"\r"), key=lambda each: each[0])[1]


def says_utf8(page: bytes) -> bool:
    """Whether a page says that it is in UTF-8; what it does not say, a browser may guess otherwise."""
    return page.startswith(_BOM) or any(declared(page[:size]) == "utf-8" for size in PRESCANS)


def href(source: PurePath, target: PurePath) -> str:
    """The relative reference from one file to another, both given by their paths in the folder.

    >>> here, there = PurePath("a/b.html"), PurePath("x:y")
    >>> href(here, PurePath("a/c d")), href(here, there), href(PurePath("b"), there)
    ('c%20d', '../x:y', './x:y')
    """
    above, there = source.parts[:-1], target.parts
    same = 0
    while same < min(len(above), len(there) - 1) and above[same] == there[same]:
        same += 1
    path = quote(os.fsencode("/".join([*[".."] * (len(above) - same), *there[same:]])), safe=_SAFE)
    return f"./{path}" if ":" in path.partition("/")[0] else path


def shown(titles: Iterable[str]) -> str:
    """The first of some titles that has something to show, on one line and without signs that play tricks."""
    return next((line for title in titles if (line := clean_line(title).strip())), "")
