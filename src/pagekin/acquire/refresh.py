"""Finds where a page sends its readers by itself: `<meta http-equiv=refresh content="0; url=/new/">` is a redirect.

Servers that can only hand out files, and many that could do better, redirect in this way (HTML, 4.2.5.3, shared
declarative refresh). A page that waits longer than `LONGEST` is meant to be read; one that only loads itself again is
a page like any other.
"""

import re

from selectolax.lexbor import LexborHTMLParser

from pagekin.model import Capture, Redirect
from pagekin.parse.encoding import decode
from pagekin.url import SCHEMES, join

KIND = "refresh"  # of the alias
LONGEST = 5  # seconds that a redirect may wait, as in Apache Nutch; slide shows wait longer
MOST_CHARACTERS = 4000  # no server takes a longer address

_HEAD_BYTES = 256 << 10  # where the tag is looked for
_SIGN = re.compile(rb"http-equiv\s*+=\s*+[\"']?+\s*+refresh", re.IGNORECASE)
_CONTENT = re.compile(r"\s*+(?:(\d++)[\d.]*+|\.[\d.]*+)\s*+(?:[;,]|(?<=\s))\s*+(?:url\s*+=\s*+)?+(.*+)", re.I | re.S)


def redirect(page: Capture, header: str | None = None) -> Redirect | None:
    """The redirect that a page is, by its tag or by the `Refresh` header that came with it; None if it is a page."""
    if page.label is not None:  # someone has judged it as a page
        return None
    written, base = (reference(header or ""), page.url)
    if written is None and _SIGN.search(page.body, 0, _HEAD_BYTES):
        written, base = _in_head(page)
    target = join(base, written) if written else None
    return Redirect(page.url, target, KIND) if target and target != page.url and target.startswith(SCHEMES) else None


def reference(content: str) -> str | None:
    """The address in the content of a refresh, as written; None if there is none or the wait is too long.

    >>> reference("0; URL='/new/'"), reference("3,/new/"), reference("30; url=/next"), reference("300")
    ('/new/', '/new/', None, None)
    """
    found = _CONTENT.fullmatch(content) if len(content) <= MOST_CHARACTERS else None
    if found is None or float(found[1] or 0) > LONGEST:
        return None
    address = found[2]
    if address[:1] in ("'", '"'):
        address = address[1:].partition(address[0])[0]
    return address.strip() or None


def _in_head(page: Capture) -> tuple[str | None, str]:
    """The address in the first refresh of a page's head, and what it is relative to. Others do not count: someone who
    comments could put one into the body, and in `<noscript>` it is for browsers that cannot do what others can."""
    tree = LexborHTMLParser(decode(page.body, page.content_type))
    base = next((node.attributes["href"] for node in tree.css("head > base[href]")), None)
    for node in tree.css("head > meta[http-equiv]"):
        if (node.attributes["http-equiv"] or "").strip().lower() == "refresh":
            return reference(node.attributes.get("content") or ""), (join(page.url, base) if base else None) or page.url
    return None, page.url
