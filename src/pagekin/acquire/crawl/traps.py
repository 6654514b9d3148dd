"""Guards against endless sites (calendars, session ids, paths that repeat) by a cap on the addresses of one pattern.

The pattern of an address is the address without its numbers and the values in its query. Addresses that have neither
are limited by the radius alone.

    http://a.example/calendar/2024/05/12?view=day   →   a.example/calendar/#/#/#?view
"""

import re
from collections import Counter

from pagekin.url import host

TOO_MANY = "too many addresses that differ only in numbers and values"
GOES_ROUND = "its path repeats itself"
SESSION = "one of many session ids"
PER_SESSION = 10  # addresses of one page with a session id: enough to learn its canonical address
REPEATED = 3  # times that one or two path elements may repeat: /a/b/a/b/a/b

_NUMBER = re.compile(r"\d+|(?<![0-9a-z])[0-9a-f]{8,}(?![0-9a-z])", re.IGNORECASE)
_SESSION = re.compile(r"(?:[;?&](?:jsessionid|phpsessid|aspsessionid\w*|sessionid|session_id|sid|cfid|cftoken)=)", re.I)
_VALUE = re.compile(r"=[^&;]*")
_ROUND = re.compile(rf"(/[^/?]+(?:/[^/?]+)?)\1{{{REPEATED},}}(?=[/?]|\Z)")


def pattern(url: str) -> str | None:
    """The pattern that an address shares with others like it; None if nothing in it could vary.

    >>> pattern("http://a.example/calendar/2024/05/12?view=day"), pattern("http://a.example/about")
    ('a.example/calendar/#/#/#?view', None)
    """
    name = host(url)
    path, mark, query = url[url.index(name) + len(name) :].partition("?")
    common = name + _NUMBER.sub("#", _VALUE.sub("", path)) + mark + _VALUE.sub("", _NUMBER.sub("#", query))
    return common if common != url[url.index(name) :] else None


class Traps:
    """Counts addresses by pattern, and says which are too many."""

    def __init__(self, per_pattern: int) -> None:
        self.per_pattern = per_pattern
        self.counts: Counter[str] = Counter()

    def count(self, url: str) -> None:
        """Count an address that was visited before."""
        if common := pattern(url):
            self.counts[common] += 1

    def against(self, url: str) -> str | None:
        """Why an address is not visited; None if it may be, and then it is counted."""
        if _ROUND.search(url):
            return GOES_ROUND
        common = pattern(url)
        if common is None:
            return None
        session = _SESSION.search(url)
        if self.counts[common] >= (min(PER_SESSION, self.per_pattern) if session else self.per_pattern):
            return SESSION if session else TOO_MANY
        self.counts[common] += 1
        return None
