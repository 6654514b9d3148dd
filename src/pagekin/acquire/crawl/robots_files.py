"""Fetches the robots.txt of each host that a crawl asks, once a day."""

import asyncio
import time

from pagekin.acquire.capture import ascii_reference
from pagekin.acquire.crawl import robots
from pagekin.acquire.crawl.gate import Gate, Trouble, asked_host, header
from pagekin.acquire.crawl.politeness import MOST_TRIES, retry_after
from pagekin.acquire.crawl.robots import Robots
from pagekin.url import join


class RobotsFiles:
    """What robots.txt says, by origin. Those who ask at once wait for one request."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.known: dict[str, asyncio.Future[Robots]] = {}

    async def of(self, url: str) -> Robots:
        """The rules for an address."""
        origin = origin_of(url)
        known = self.known.get(origin)
        if known is None or (known.done() and time.monotonic() - known.result().read > robots.LIFETIME):
            known = self.known[origin] = asyncio.ensure_future(self._read(origin))
        return await asyncio.shield(known)

    async def _read(self, origin: str) -> Robots:
        queue = self.gate.host(asked_host(origin + "/"))
        found = robots.unreachable("no answer", time.monotonic())
        for _ in range(MOST_TRIES):
            try:
                status, body = await self._follow(origin + "/robots.txt")
            except Trouble as trouble:
                found = robots.unreachable(trouble.why, time.monotonic())
                if trouble.hopeless:
                    queue.lost = queue.lost or trouble.why
                if not trouble.again:
                    break
            else:
                found = robots.understood(status, body, time.monotonic())
                if status < 500:
                    break
            if queue.lost:
                break
        queue.slow_down(found.delay)
        return found

    async def _follow(self, url: str) -> tuple[int, bytes | None]:
        """The status and the bytes of a robots.txt, which may have moved."""
        for _ in range(robots.MOST_HOPS + 1):
            response = await self.gate.get(url, any_type=True)
            if response.status in (429, 503):
                pause = retry_after(header(response, "Retry-After"), time.time())
                self.gate.host(asked_host(url)).refused(time.monotonic(), pause)
            location = header(response, "Location") if 300 <= response.status < 400 else None
            if location is None:
                return response.status, robots.unpacked(response.body, header(response, "Content-Encoding") or "")
            target = join(url, ascii_reference(location.encode("latin-1")))
            if target is None or not target.startswith(("http://", "https://")):
                break
            url = target
        return 404, b""  # RFC 9309, 2.3.1.2: after five redirects, as if there were no robots.txt


def origin_of(url: str) -> str:
    """The scheme, host and port of a web address.

    >>> origin_of("https://a.example:81/b/c")
    'https://a.example:81'
    """
    return url[: url.index("/", len("https://"))]
