"""The one gate of a crawl: every request to a host goes through here, at that host's pace, by Scrapy's downloader."""

import asyncio
import time
from typing import Any

import scrapy
from scrapy import signals
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadTimeoutError,
    ResponseDataLossError,
    StopDownload,
)
from twisted.web._newclient import HTTPClientParser

from pagekin.acquire.capture import named_html
from pagekin.acquire.crawl.addresses import is_private
from pagekin.acquire.crawl.politeness import Host
from pagekin.acquire.crawl.rules import PRIVATE
from pagekin.acquire.crawl.settings import Settings
from pagekin.acquire.http import CUT_OFF, TOO_LARGE, Refused
from pagekin.url import host

HEADERS = {
    "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
    "Accept-Language": "*",
    "Accept-Encoding": "gzip, deflate, br, zstd",
}


MOST_HEADER_BYTES = 64 << 10  # of one answer; more cannot be read back from an archive either
LONG_HEADERS = f"its headers are longer than {MOST_HEADER_BYTES >> 10} KiB"


TOO_MANY_HOPS = "too many redirects"
NO_CONNECTION = {"Refused": "connection refused", "Timeout": "no answer in time", "Lost": "connection lost"}


class Trouble(Exception):  # noqa: N818 - the web's, not ours
    """An address did not answer."""

    def __init__(self, why: str, again: bool = False, hopeless: bool = False, status: int | None = None) -> None:
        super().__init__(why)
        self.why, self.again, self.hopeless, self.status = why, again, hopeless, status


class Stopped(Exception):  # noqa: N818
    """The crawl is ending: no further requests."""


class LongHeadersError(Exception):
    """The headers of an answer do not end."""


def bound_headers() -> None:
    """Have Twisted say that headers are too long. By itself it hangs up without a word if a line exceeds 16 KiB, which
    looks as if the server had done so, and keeps any number of shorter lines in memory."""
    parsers: Any = HTTPClientParser
    received = parsers.dataReceived

    def counted(parser: Any, data: bytes) -> None:
        received(parser, data)
        if parser.line_mode:  # the headers go on
            parser.header_bytes = getattr(parser, "header_bytes", 0) + len(data)
            if parser.header_bytes > MOST_HEADER_BYTES:
                raise LongHeadersError

    def exceeded(parser: Any, line: bytes) -> None:
        raise LongHeadersError

    parsers.MAX_LENGTH = MOST_HEADER_BYTES
    parsers.dataReceived, parsers.lineLengthExceeded = counted, exceeded


class Gate:
    """Sends requests, each host in its turn, until it is closed."""

    def __init__(self, options: Settings, crawler: Any) -> None:
        self.options, self.crawler = options, crawler
        self.hosts: dict[str, Host] = {}
        self.turns: dict[str, asyncio.Semaphore] = {}
        self.all = asyncio.Semaphore(options.hosts_at_once)
        self.closed = asyncio.Event()
        crawler.signals.connect(self._look_at_type, signals.headers_received)

    def close(self) -> None:
        """Let no further request pass: those that are waiting get `Stopped`."""
        self.closed.set()

    def host(self, name: str) -> Host:
        """A host's pace, and the addresses that wait for it."""
        if name not in self.hosts:
            self.hosts[name] = Host(self.options.interval, one_at_a_time=self.options.at_once == 1)
            self.turns[name] = asyncio.Semaphore(self.options.at_once)
        return self.hosts[name]

    async def get(self, url: str, headers: dict[str, str] | None = None, any_type: bool = False) -> Any:
        """Request an address in its host's turn and return the answer; raises `Trouble` if there is none."""
        name = asked_host(url)
        queue = self.host(name)
        async with self.turns[name]:
            await self._pause(queue)
            if queue.lost:  # since it was asked last, it has said that it wants to be left alone, or broken down
                raise Trouble(queue.lost)
            async with self.all:
                queue.begins(time.monotonic())
                try:
                    response = await self._download(url, headers or {}, any_type)
                except Trouble as trouble:
                    if trouble.again:
                        queue.failed()
                    raise
                finally:
                    queue.ends(time.monotonic())
        if response.ip_address and is_private(str(response.ip_address), self.options.private):
            raise Trouble(PRIVATE, hopeless=True)  # the resolver should have stopped it; this is the second lock
        if len(response.headers.to_string()) > MOST_HEADER_BYTES:
            raise Trouble(LONG_HEADERS, status=response.status)
        return response

    async def _pause(self, queue: Host) -> None:
        while not self.closed.is_set() and (seconds := queue.wait(time.monotonic())) > 0:
            try:
                await asyncio.wait_for(self.closed.wait(), seconds)
            except TimeoutError:
                continue
        if self.closed.is_set():
            raise Stopped

    async def _download(self, url: str, headers: dict[str, str], any_type: bool) -> Any:
        request = scrapy.Request(
            url, headers=HEADERS | {"User-Agent": self.options.agent} | headers,
            meta={"any_type": any_type, "verbatim_url": True, "download_timeout": self.options.timeout},
        )  # fmt: skip
        try:
            return await self.crawler.engine.download_async(request)
        except CannotResolveHostError:
            from twisted.internet import reactor

            private = asked_host(url) in reactor.nameResolver.refused
            raise Trouble(PRIVATE if private else "its host name has no address", hopeless=True) from None
        except DownloadTimeoutError:
            raise Trouble("no answer in time", again=True) from None
        except DownloadCancelledError:
            raise Trouble(TOO_LARGE, status=200) from None
        except ResponseDataLossError:
            raise Trouble(CUT_OFF, again=True) from None
        except Exception as error:
            if _has_long_headers(error):
                raise Trouble(LONG_HEADERS, status=200) from None
            if "certificate" in str(error):
                raise Trouble("its certificate cannot be trusted", hopeless=True) from None
            raise Trouble(f"no connection ({_cause(error)})", again=True) from None

    def _look_at_type(self, headers: Any, request: Any, **_: Any) -> None:
        """Stop an answer that is not HTML after its headers."""
        try:
            if not request.meta["any_type"]:
                named_html((headers.get("Content-Type") or b"").decode("latin-1"))
        except Refused:
            raise StopDownload(fail=False) from None


def _has_long_headers(error: Exception) -> bool:
    """Whether Twisted gave up for this reason: it is among the reasons of what Scrapy's error was made from."""
    reasons = getattr(error.__cause__, "reasons", ())
    return any(reason.check(LongHeadersError) for reason in reasons)


def _cause(error: Exception) -> str:
    """Why there is no connection, in words if we have them: "connection refused"."""
    names = [type(each).__name__ for each in (error, error.__cause__) if each is not None]
    said = next((words for name, words in NO_CONNECTION.items() if any(name in each for each in names)), None)
    return said or names[0]


def asked_host(url: str) -> str:
    """The host that politeness is counted for: without its port."""
    name = host(url)
    return name[1 : name.index("]")] if name.startswith("[") else name.partition(":")[0]


def header(response: Any, name: str) -> str | None:
    """A header of an answer, or None if there is no such header."""
    value = response.headers.get(name)
    return None if value is None else value.decode("latin-1")


def headers(response: Any) -> list[tuple[bytes, bytes]]:
    """All headers of an answer."""
    return [(name, value) for name, values in response.headers.items() for value in values]
