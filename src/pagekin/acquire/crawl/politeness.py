"""Decides when a host may be asked: one request at a time, an interval after the last answer, or later if it says so.

Nothing here waits or looks at a clock: the time is passed in, so that a test can choose it.
"""

from collections import deque
from dataclasses import dataclass, field

from pagekin.acquire import http
from pagekin.model import Visit

# Intervals to wait after the first refusal if there is no Retry-After; doubled after each further refusal.
BACK_OFF = 10.0
LEAST_PAUSE = 0.1  # seconds
LONGEST_PAUSE = 600.0  # seconds; a host that asks for more is left alone for this crawl
MOST_FAILURES = 10  # in a row: the host is broken, or does not want us
MOST_TRIES = 3  # for one address
LATER = "its host asked us to come back later"
TOO_SLOW = f"its Crawl-delay is more than {LONGEST_PAUSE / 60:.0f} minutes"
BROKEN = f"its host failed {MOST_FAILURES} times in a row"


@dataclass
class Host:
    """The addresses of one host that wait to be visited, nearest first, and when the next may be visited."""

    interval: float
    one_at_a_time: bool = True
    ready: float = 0.0  # when the next request may begin
    failures: int = 0  # in a row
    lost: str | None = None  # why it is not asked any more
    queues: dict[int, deque[Visit]] = field(default_factory=dict)  # by depth
    waiting: int = 0

    def push(self, visit: Visit) -> None:
        self.queues.setdefault(visit.depth, deque()).append(visit)
        self.waiting += 1

    def pop(self) -> Visit | None:
        """The next address: of those nearest to the start, the one that came first."""
        if not self.queues:
            return None
        depth = min(self.queues)
        visit = self.queues[depth].popleft()
        if not self.queues[depth]:
            del self.queues[depth]
        self.waiting -= 1
        return visit

    def slow_down(self, delay: float | None) -> None:
        """Obey a Crawl-delay, but never go faster than our own interval."""
        if delay is not None and delay > LONGEST_PAUSE:
            self.lost = self.lost or TOO_SLOW
        elif delay is not None:
            self.interval = max(self.interval, delay)

    def wait(self, now: float) -> float:
        """Seconds until the next request may begin."""
        return max(0.0, self.ready - now)

    def begins(self, now: float) -> None:
        self.ready = max(self.ready, now + self.interval)

    def ends(self, now: float) -> None:
        """Note that a request has its answer, or will get none. The interval begins here: a slow host is asked less
        often, and whatever the network does to our packets, no host sees two requests within the interval."""
        if self.one_at_a_time:
            self.ready = max(self.ready, now + self.interval)

    def answered(self) -> None:
        self.failures = 0

    def failed(self) -> None:
        self.failures += 1
        if self.failures >= MOST_FAILURES:
            self.lost = self.lost or BROKEN

    def refused(self, now: float, retry_after: float | None) -> None:
        """Note that the host answered 429 or 503."""
        self.failed()
        pause = retry_after
        if pause is None:
            pause = min(max(BACK_OFF * self.interval, LEAST_PAUSE) * 2 ** (self.failures - 1), LONGEST_PAUSE)
        if pause > LONGEST_PAUSE:
            self.lost = LATER
        self.ready = max(self.ready, now + pause)


def retry_after(header: str | None, now: float) -> float | None:
    """The seconds that a Retry-After header asks for; it may hold seconds or a date.

    >>> retry_after("120", 0), retry_after("Sun, 06 Nov 1994 08:49:37 GMT", 784111770), retry_after("soon", 0)
    (120.0, 7.0, None)
    """
    text = (header or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    date = http.timestamp(text) if text else None
    return None if date is None else max(0.0, float(date) - now)
