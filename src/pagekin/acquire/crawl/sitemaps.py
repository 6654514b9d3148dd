"""Reads the pages and sitemaps that a sitemap lists: XML (sitemaps.org), or plain text with an address per line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from pagekin.acquire import http
from pagekin.acquire.http import Refused
from pagekin.url import canonical

MOST = 50_000  # addresses in one sitemap, by the protocol
MOST_SITEMAPS = 500  # read in one crawl
DEEPEST = 3  # an index of indexes violates the protocol, but some sites have one
BEYOND = f"beyond the first {MOST:,} addresses of a sitemap"
UNREAD = f"a sitemap beyond the first {MOST_SITEMAPS}, or more than {DEEPEST} deep"
NONE = "not a sitemap: there is no address in it"

# Each is matched where the one before it ended, so no byte is looked at again: `<loc <loc <loc …` costs no more than
# its length.
_OPENED = re.compile(rb"<(?:\w+:)?loc\b", re.IGNORECASE)
_TEXT = re.compile(rb"\s*(?:<!\[CDATA\[)?\s*([^<\]]{0,4000})", re.IGNORECASE)
_NAMED = re.compile(r"/(?:[^/]+\.xml|[^/]*sitemap[^/]*\.txt)(?:\.gz)?$", re.IGNORECASE)
_LINE = re.compile(rb"[^\r\n]+")
_INDEX = re.compile(rb"<(?:\w+:)?sitemapindex\b", re.IGNORECASE)
# What stands for itself in every XML document. Others would turn `?a=1&copy=2`, which many write unescaped, into `©=2`.
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_REFERENCE = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,9})|#[xX]([0-9A-Fa-f]{1,8}));")


@dataclass(frozen=True)
class Sitemap:
    """The canonical addresses that a sitemap lists, in order."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    more: bool = False  # there are more than are read


def read(body: bytes) -> Sitemap:
    """The addresses in a sitemap, gzipped or not; none if it is not a sitemap.

    Needs no XML parser: only `<loc>` matters, broken XML is common, and this way entities cannot explode.

    >>> read(b"<urlset><url><loc>http://a.example/b?c=1&amp;d=2</loc></url></urlset>").pages
    ('http://a.example/b?c=1&d=2',)
    """
    if body.startswith(b"\x1f\x8b"):
        try:
            body = http.decode(body, {"content-encoding": "gzip"})
        except Refused:
            return Sitemap()
    if b"<" not in body[:1000]:
        found, more = _addresses(line[0] for line in _LINE.finditer(body))
        return Sitemap(found, more=more)
    found, more = _addresses(_locations(body))
    return Sitemap(sitemaps=found, more=more) if _INDEX.search(body[:10_000]) else Sitemap(found, more=more)


def is_named_so(url: str) -> bool:
    """Whether an address is one of a sitemap, by its name; no page of HTML is called so.

    >>> is_named_so("https://a.example/sitemap_index.xml.gz"), is_named_so("https://a.example/sitemap/")
    (True, False)
    """
    return bool(_NAMED.search(url.partition("?")[0]))


def _locations(body: bytes) -> Iterator[bytes]:
    """What stands in each `<loc>`, in order, in time linear in the length."""
    at = 0
    while opened := _OPENED.search(body, at):
        closed = body.find(b">", opened.end())
        if closed < 0:
            return
        text = _TEXT.match(body, closed + 1)
        assert text is not None  # it matches even nothing
        at = text.end()
        if text[1]:
            yield text[1]


def _addresses(written: Iterator[bytes]) -> tuple[tuple[str, ...], bool]:
    """The addresses among some texts, each once, and whether there are more texts than are read."""
    found = [canonical(unescaped(text.decode("utf-8", "replace"))) for text in islice(written, MOST)]
    more = next(written, None) is not None
    return tuple(dict.fromkeys(url for url in found if url and url.startswith(("http://", "https://")))), more


def unescaped(text: str) -> str:
    """Text with the five entities of XML and numeric references replaced, and nothing else.

    >>> unescaped("?a=1&amp;b=2&copy=3&#x26;d=4")
    '?a=1&b=2&copy=3&d=4'
    """
    return _REFERENCE.sub(_replaced, text)


def _replaced(reference: re.Match[str]) -> str:
    name, decimal, hexadecimal = reference.groups()
    if name:
        return _ENTITIES[name]
    number = int(decimal) if decimal else int(hexadecimal, 16)
    is_character = 0 < number < 0xD800 or 0xDFFF < number <= 0x10FFFF
    return chr(number) if is_character else "\ufffd"
