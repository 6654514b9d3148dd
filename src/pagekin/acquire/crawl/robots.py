"""Reads what a robots.txt allows us (RFC 9309), with protego."""

import re
from dataclasses import dataclass, field
from typing import Any

from protego import Protego

from pagekin.acquire.capture import ROBOT
from pagekin.url import canonical

MOST_BYTES = 500 << 10  # RFC 9309, 2.5: a crawler must read at least this much, and may ignore the rest
MOST_HOPS = 5  # RFC 9309, 2.3.1.2
LIFETIME = 24 * 3600.0  # RFC 9309, 2.4: seconds for which it may be cached

# Two things that protego reads more strictly than other parsers: half a byte order mark, and the line `User-agent:
# pagekin/1.0 (crawler)`, whose name is only the characters that RFC 9309, 2.2.1 allows.
_MARK = re.compile(rb"\A\xef(?:\xbb\xbf?)?")
_NAME = re.compile(r"^([ \t]*user-?agent[ \t]*:[ \t]*)([a-z_-]+)[^\r\n]*", re.IGNORECASE | re.MULTILINE)

FORBIDDEN = "robots.txt forbids it"
UNREACHABLE = "its robots.txt cannot be fetched"


@dataclass(frozen=True)
class Robots:
    """The rules of one host. Without rules, everything is allowed."""

    rules: Any = None
    why: str | None = None  # why everything is forbidden, if it is
    delay: float | None = None  # seconds between two requests
    sitemaps: tuple[str, ...] = ()
    read: float = field(default=0.0, compare=False)  # when

    def against(self, url: str, agent: str = ROBOT) -> str | None:
        """Why an address may not be fetched, or None if it may."""
        if self.why or self.rules is None:
            return self.why
        return None if self.rules.can_fetch(url, agent) else FORBIDDEN


def understood(status: int, body: bytes, now: float = 0.0) -> Robots:
    """The rules in the answer to a request for robots.txt.

    If there is none (4xx), everything is allowed; if the server fails (5xx), everything is forbidden (RFC 9309, 2.3.1).

    >>> robots = understood(200, b"User-agent: pagekin\\nDisallow: /private\\nCrawl-delay: 2")
    >>> robots.against("http://a.example/private/x"), robots.against("http://a.example/"), robots.delay
    ('robots.txt forbids it', None, 2.0)
    """
    if 400 <= status < 500 and status != 429:
        return Robots(read=now)
    if status != 200:
        return Robots(why=UNREACHABLE, read=now)
    rules = Protego.parse(_NAME.sub(r"\1\2", _MARK.sub(b"", body[:MOST_BYTES]).decode("utf-8", "replace")))
    delay = rules.crawl_delay(ROBOT)
    rate = rules.request_rate(ROBOT)
    if rate and rate.requests:
        delay = max(delay or 0.0, rate.seconds / rate.requests)
    sitemaps = filter(None, map(canonical, rules.sitemaps))
    return Robots(rules, None, None if delay is None else float(delay), tuple(sitemaps), now)
