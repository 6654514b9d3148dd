"""Reads what a robots.txt allows us (RFC 9309), with protego."""

import math
import re
import sys
from dataclasses import dataclass, field
from typing import Any

from protego import Protego

from pagekin.acquire import http
from pagekin.acquire.capture import ROBOT
from pagekin.acquire.http import Refused
from pagekin.url import canonical

MOST_BYTES = 500 << 10  # RFC 9309, 2.5: a crawler must read at least this much, and may ignore the rest
MOST_HOPS = 5  # RFC 9309, 2.3.1.2
LIFETIME = 24 * 3600.0  # RFC 9309, 2.4: seconds for which it may be cached

# Two things that protego reads more strictly than other parsers: half a byte order mark, and the line `User-agent:
# pagekin/1.0 (crawler)`, whose name is only the characters that RFC 9309, 2.2.1 allows.
_MARK = re.compile(rb"\A\xef(?:\xbb\xbf?)?")
_NAME = re.compile(r"^([ \t]*user-?agent[ \t]*:[ \t]*)([a-z_-]+)[^\r\n]*", re.IGNORECASE | re.MULTILINE)
# A delay beyond all numbers, which protego would take for a slip of the pen.
_DELAY = re.compile(
    r"^([ \t]*crawl[- ]delay[ \t]*:?[ \t]*)([0-9][0-9.e+]*|inf(?:inity)?)[ \t]*(?=[\r\n#]|\Z)",
    re.IGNORECASE | re.MULTILINE,
)

# Protego writes every rule of a group into the list of every robot that the group names, so 500 KiB of names and rules
# could become half a billion entries. The largest files in use stay below a tenth of this.
MOST_ENTRIES = 2_000_000
_AGENT = re.compile(r"\s*user-?agent\s*:", re.IGNORECASE)
_RULE = re.compile(r"\s*(?:dis)?allow\s*:", re.IGNORECASE)
_PERHAPS_AGENT = re.compile(r"\s*user", re.IGNORECASE)

FORBIDDEN = "robots.txt forbids it"
UNREACHABLE = "its robots.txt cannot be fetched"
UNREADABLE = "its robots.txt cannot be read"


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


def unpacked(body: bytes, coding: str) -> bytes | None:
    """A robots.txt without its content encoding, which often is not what the header says; None if it cannot be read.

    >>> unpacked(b"Disallow: /", "utf-8"), unpacked(b"\\x1f\\x8b broken", "gzip")
    (b'Disallow: /', None)
    """
    if not coding.strip():
        return body
    try:
        text = http.decode_text(body, coding)
    except Refused:
        return None
    return text if http.looks_like_text(text) else None


def understood(status: int, body: bytes | None, now: float = 0.0) -> Robots:
    """The rules in the answer to a request for robots.txt; a body of None is one that cannot be read.

    If there is none (4xx), everything is allowed; if the server fails (5xx), everything is forbidden (RFC 9309, 2.3.1).
    One that is there and cannot be read forbids everything too: what it says may be just that.

    >>> robots = understood(200, b"User-agent: pagekin\\nDisallow: /private\\nCrawl-delay: 2")
    >>> robots.against("http://a.example/private/x"), robots.against("http://a.example/"), robots.delay
    ('robots.txt forbids it', None, 2.0)
    """
    if 400 <= status < 500 and status != 429:
        return Robots(read=now)
    if status != 200:
        return unreachable(f"status {status}", now)
    text = "" if body is None else _MARK.sub(b"", body[:MOST_BYTES]).decode("utf-8", "replace")
    text = _DELAY.sub(_finite, _NAME.sub(r"\1\2", text))
    if body is None or entries(text) > MOST_ENTRIES:
        return Robots(why=UNREADABLE, read=now)
    rules = Protego.parse(text)
    sitemaps = filter(None, map(canonical, rules.sitemaps))
    return Robots(rules, None, _delay(rules), tuple(sitemaps), now)


def unreachable(why: str, now: float = 0.0) -> Robots:
    """The rules of a host whose robots.txt cannot be had, with the reason: everything is forbidden.

    >>> unreachable("no connection (connection refused)").why
    'its robots.txt cannot be fetched: no connection (connection refused)'
    """
    return Robots(why=f"{UNREACHABLE}: {why}", read=now)


def _finite(line: re.Match[str]) -> str:
    try:
        return f"{line[1]}{min(float(line[2]), sys.float_info.max)}"
    except ValueError:
        return line[0]


def _delay(rules: Protego) -> float | None:
    """The seconds that a robots.txt wants between two requests; nonsense (negative, not a number) is nothing."""
    delay, rate = rules.crawl_delay(ROBOT), rules.request_rate(ROBOT)
    found = [] if delay is None else [float(delay)]
    if rate and rate.requests > 0:
        try:
            found.append(rate.seconds / rate.requests)
        except OverflowError:  # a number of hundreds of digits
            found.append(math.inf)
    return max((each for each in found if each >= 0), default=None)


def entries(text: str) -> int:
    """About how many entries protego makes of a robots.txt, if not fewer: for each group, its names times its lines.

    >>> entries("User-agent: a\\nUser-agent: b\\nDisallow: /x\\nDisallow: /y\\nUser-agent: *\\nAllow: /")
    9
    """
    made = names = 0
    ended = False  # whether the next name begins a group
    for line in text.splitlines():
        if _AGENT.match(line):
            names = 1 if ended else names + 1
            made += names
            ended = False
        elif line and not line.isspace():
            names += bool(_PERHAPS_AGENT.match(line))
            made += names
            ended = ended or bool(_RULE.match(line))
    return made
