"""Fetches the sitemaps that a user named, and those of the start addresses' hosts, and the sitemaps that these list."""

from collections.abc import AsyncIterator
from typing import NamedTuple

from pagekin.acquire import http
from pagekin.acquire.capture import ascii_reference
from pagekin.acquire.crawl import sitemaps
from pagekin.acquire.crawl.gate import TOO_MANY_HOPS, Gate, Trouble, header
from pagekin.acquire.crawl.robots import MOST_HOPS
from pagekin.acquire.crawl.robots_files import RobotsFiles, origin_of
from pagekin.acquire.crawl.settings import Settings
from pagekin.acquire.crawl.sitemaps import Sitemap
from pagekin.acquire.http import Refused
from pagekin.url import join


class Listed(NamedTuple):
    """What a sitemap lists, and how far from the start its pages are."""

    url: str
    depth: int
    pages: tuple[str, ...] | None = None  # None: it was not read
    why: str | None = None  # … or why only a part of it
    named: bool = False  # the user asked for it, and is told as of a page


class SitemapFiles:
    """The sitemaps of one round of a crawl."""

    def __init__(self, options: Settings, gate: Gate, robots: RobotsFiles) -> None:
        self.options, self.gate, self.robots = options, gate, robots

    async def read(self) -> AsyncIterator[Listed]:
        """Those that were named, then the usual ones, if that was asked for."""
        async for found in self._lists(list(self.options.lists), depth=0):
            yield found
        if self.options.sitemaps:
            async for found in self._lists(await self._usual(), depth=1):
                yield found

    async def _usual(self) -> list[str]:
        """The sitemaps that robots.txt names, and the usual one."""
        found: list[str] = []
        for origin in dict.fromkeys(map(origin_of, (*self.options.starts, *self.options.lists))):
            robots = await self.robots.of(origin + "/")
            usual = f"{origin}/sitemap.xml"
            found += [*robots.sitemaps, *([] if robots.against(usual) else [usual])]
        return found

    async def _lists(self, level: list[str], depth: int) -> AsyncIterator[Listed]:
        """Read sitemaps and those that they list."""
        read: set[str] = set()
        for _ in range(sitemaps.DEEPEST):
            new = [url for url in dict.fromkeys(level) if url not in read]
            level, left = new[: sitemaps.MOST_SITEMAPS - len(read)], new[sitemaps.MOST_SITEMAPS - len(read) :]
            for url in left:
                yield Listed(url, depth, why=sitemaps.UNREAD)
            read.update(level)
            below: list[str] = []
            for url in level:
                try:
                    found = await self._sitemap(url)
                except (Trouble, Refused) as reason:
                    yield Listed(url, depth, why=str(reason), named=url in self.options.lists)
                else:
                    yield Listed(url, depth, found.pages, sitemaps.BEYOND if found.more else None)
                    below += found.sitemaps
            level = below
        for url in level:
            yield Listed(url, depth, why=sitemaps.UNREAD)

    async def _sitemap(self, url: str) -> Sitemap:
        named = url in self.options.lists
        if named and (why := (await self.robots.of(url)).against(url)):
            raise Refused(why)
        status, body = await self._follow(url)
        found = sitemaps.read(body) if status == 200 else Sitemap()
        if named and not (found.pages or found.sitemaps):
            raise Refused(sitemaps.NONE if status == 200 else f"status {status}")
        return found

    async def _follow(self, url: str) -> tuple[int, bytes]:
        """The status and the text of a sitemap, which may have moved."""
        for _ in range(MOST_HOPS + 1):
            response = await self.gate.get(url, any_type=True)
            location = header(response, "Location") if 300 <= response.status < 400 else None
            target = join(url, ascii_reference(location.encode("latin-1"))) if location else None
            if target is None or not target.startswith(("http://", "https://")):
                return response.status, http.decode_text(response.body, header(response, "Content-Encoding") or "")
            url = target
        raise Refused(TOO_MANY_HOPS)
