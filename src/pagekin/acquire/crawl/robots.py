"""What a robots.txt says to us (RFC 9309), read by protego."""

import re
from dataclasses import dataclass, field
from typing import Any

from protego import Protego

from pagekin.acquire.capture import ROBOT
from pagekin.url import canonical

MOST_BYTES = 500 << 10  # RFC 9309, 2.5: at least so much is to be read, and the rest of more may be ignored
MOST_HOPS = 5  # RFC 9309, 2.3.1.2
LIFETIME = 24 * 3600.0  # RFC 9309, 2.4: seconds for which it may be remembered

# What protego reads more strictly than others do: half a byte order mark, and `User-agent: pagekin/1.0 (crawler)`,
# of which the name is what RFC 9309, 2.2.1 allows in one.
_MARK = re.compile(rb"\A\xef(?:\xbb\xbf?)?")
_NAME = re.compile(r"^([ \t]*user-?agent[ \t]*:[ \t]*)([a-z_-]+)[^\r\n]*", re.IGNORECASE | re.MULTILINE)

FORBIDDEN = "robots.txt forbids it"
UNREACHABLE = "its robots.txt cannot be had"


@dataclass(frozen=True)
class Robots:
    """The rules of one host. Without any, everything is allowed."""

    rules: Any = None
    why: str | None = None  # everything is forbidden, for this reason
    delay: float | None = None  # seconds between two requests
    sitemaps: tuple[str, ...] = ()
    read: float = field(default=0.0, compare=False)  # when

    def against(self, url: str, agent: str = ROBOT) -> str | None:
        """Why an address may not be fetched, or None if it may."""
        if self.why or self.rules is None:
            return self.why
        return None if self.rules.can_fetch(url, agent) else FORBIDDEN


def understood(status: int, body: bytes, now: float = 0.0) -> Robots:
    """The rules in an answer to the question for a robots.txt.

    That there is none (4xx) allows everything; that the server cannot say (5xx) forbids everything (RFC 9309, 2.3.1).

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
