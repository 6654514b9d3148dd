"""Reads the pages and sitemaps that a sitemap lists: XML (sitemaps.org), or plain text with an address per line."""

import re
from dataclasses import dataclass
from html import unescape

from pagekin.acquire import http
from pagekin.acquire.http import Refused
from pagekin.url import canonical

MOST = 50_000  # addresses in one sitemap, by the protocol
MOST_SITEMAPS = 500  # read in one crawl
DEEPEST = 3  # an index of indexes violates the protocol, but some sites have one

_LOCATION = re.compile(rb"<(?:\w+:)?loc\b[^>]*>\s*(?:<!\[CDATA\[)?\s*([^<\]]{1,4000})", re.IGNORECASE)
_INDEX = re.compile(rb"<(?:\w+:)?sitemapindex\b", re.IGNORECASE)


@dataclass(frozen=True)
class Sitemap:
    """The canonical addresses that a sitemap lists, in order."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()


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
        return Sitemap(_addresses(body.splitlines()))
    found = _addresses(_LOCATION.findall(body))
    return Sitemap(sitemaps=found) if _INDEX.search(body[:10_000]) else Sitemap(found)


def _addresses(written: list[bytes]) -> tuple[str, ...]:
    found = (canonical(unescape(text.decode("utf-8", "replace"))) for text in written[:MOST])
    return tuple(dict.fromkeys(url for url in found if url and url.startswith(("http://", "https://"))))
