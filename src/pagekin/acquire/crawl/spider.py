"""The crawl itself: breadth-first, each host's addresses one after the other, on Scrapy's downloader.

Scrapy only fetches; what to fetch, when and how politely is decided here. Scrapy's own queues, retries and redirects
live in memory and would not survive a kill, and every request must pass one `gate`.
"""

import asyncio
import time
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from typing import Any

import scrapy
from ada_url import join_url

from pagekin.acquire import http
from pagekin.acquire.capture import ascii_reference
from pagekin.acquire.crawl.archive import Archive, landed, message, request
from pagekin.acquire.crawl.gate import TOO_MANY_HOPS, Gate, Stopped, Trouble, asked_host, header, headers
from pagekin.acquire.crawl.politeness import MOST_TRIES, Host, retry_after
from pagekin.acquire.crawl.robots_files import RobotsFiles
from pagekin.acquire.crawl.rules import Rules
from pagekin.acquire.crawl.settings import Job
from pagekin.acquire.crawl.sitemap_files import Listed, SitemapFiles
from pagekin.acquire.crawl.spellings import Pair, Spellings, fingerprint
from pagekin.acquire.crawl.traps import Traps
from pagekin.acquire.http import CUT_OFF
from pagekin.model import Capture, Confirmed, Item, Missing, Redirect, Skipped, Visit
from pagekin.parse.html import leads
from pagekin.url import canonical, page_id

MOST_HOPS = 10  # redirects in a row
EXAMPLES = 5
# Bytes of a page whose links are followed at once. Reading a page takes up to 50 times its size in memory, and here
# nothing bounds that. A larger one is read by a worker, within a budget, and its links are followed in the next round.
FOLLOWED_AT_ONCE = 4 << 20

Send = Callable[[tuple[Any, ...]], None]


class Spider(scrapy.Spider):
    """One round of a crawl. It passes these messages to `send`, in the order of events:

    `("landed", items, addresses waiting, depth)`, `("sitemap", addresses, depth)`, `("checkpoint", spool file)`, and
    last `("end", {reason: (count, examples)}, pages unchanged, ids, spellings that differ)`: what was not visited, and
    the ids that are done.
    """

    name = "pagekin"

    def __init__(self, job: Job, send: Send, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.job, self.send = job, send
        settings = self.options = job.settings
        self.rules = Rules(
            job.sites, settings.across, settings.include, settings.exclude, settings.private, settings.any_type
        )
        self.traps = Traps(settings.per_pattern)
        for url in job.plan.near:
            self.traps.count(url)
        self.archive = Archive(settings.warc or settings.spool, keep=settings.warc is not None)
        self.seen: set[int] = set()
        self.spellings = Spellings()
        self.left: dict[str, tuple[int, list[str]]] = {}
        self.workers: Counter[str] = Counter()
        self.tasks: set[asyncio.Future[None]] = set()
        self.waiting = self.pages = self.unchanged = 0
        self.uncommitted = 0
        self.committed = time.monotonic()
        self.stopping = False
        self.mistake: BaseException | None = None

    async def start(self) -> Any:
        self.loop = asyncio.get_running_loop()
        self.gate, self.idle = Gate(self.options, self.crawler), asyncio.Event()
        self.robots = RobotsFiles(self.gate)
        self.room = asyncio.Semaphore(self.options.max_pages or 1 << 60)
        if self.stopping:
            self.stop()
        for visit in self.job.plan.visits:
            self._offer(visit._replace(written=self.options.written.get(visit.url)), asked=True)
            self._met(visit.url, self.options.others.get(visit.url))
        if self.options.sitemaps or self.options.lists:
            self._begin(self._read_sitemaps())
        while self.tasks and self.mistake is None:
            self.idle.clear()
            await self.idle.wait()
        if self.mistake is not None:
            raise self.mistake
        self._checkpoint()
        self.archive.close()
        self.send(("end", self.left, self.unchanged, array("q", self.seen), self.spellings.differing))
        return
        yield  # Scrapy wants a generator; our requests do not go through its queues

    def stop(self) -> None:
        """Finish the pages in hand and begin no others. From another thread: `loop.call_soon_threadsafe(stop)`."""
        self.stopping = True
        if hasattr(self, "gate"):
            self.gate.close()
            for _ in self.tasks:
                self.room.release()

    # What to visit

    def _offer(self, visit: Visit, asked: bool = False) -> None:
        """Queue an address, unless it is too deep, settled, already seen, or against the rules."""
        number = page_id(visit.url)
        if visit.depth > self.options.radius or number in self.seen or (not asked and self._is_settled(number)):
            return
        self.seen.add(number)
        if visit.url in self.options.barred:  # `Crawl` counts it
            return
        why = (None if asked else self.rules.against(visit.url)) or self.traps.against(visit.url)
        if why:
            self._leave(why, visit.url)
        else:
            self._queue(visit)

    def _is_settled(self, number: int) -> bool:
        settled = self.job.plan.settled
        at = bisect_left(settled, number)
        return at < len(settled) and settled[at] == number

    def _queue(self, visit: Visit) -> None:
        name = asked_host(visit.url)
        self.gate.host(name).push(visit)
        self.waiting += 1
        if self.workers[name] < self.options.at_once:
            self.workers[name] += 1
            self._begin(self._serve(name))

    def _leave(self, why: str, url: str) -> None:
        count, named = self.left.get(why, (0, []))
        self.left[why] = (count + 1, named if len(named) >= EXAMPLES else [*named, url])

    def _begin(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Future[None]") -> None:
        self.tasks.discard(task)
        self.mistake = self.mistake or task.exception()  # ours, not the web's: it ends the crawl
        if not self.tasks or self.mistake:
            self.idle.set()

    # Visiting

    async def _serve(self, name: str) -> None:
        """Visit one host's addresses, nearest first, until none are left."""
        queue = self.gate.host(name)
        try:
            while not self.stopping and (visit := queue.pop()):
                self.waiting -= 1
                if queue.lost:
                    self._leave(queue.lost, visit.url)
                else:
                    await self._visit(queue, visit)
        except Stopped:
            pass
        finally:
            self.workers[name] -= 1

    async def _visit(self, queue: Host, visit: Visit) -> None:
        if why := (await self.robots.of(visit.url)).against(visit.written or visit.url):
            self._land([Skipped(visit.url, queue.lost or why)], visit)
            return
        await self.room.acquire()  # within --max-pages
        pages = self.pages
        try:
            if self.stopping:
                raise Stopped
            await self._fetch(queue, visit)
        except Trouble as trouble:
            self._trouble(queue, visit, trouble)
        finally:
            if self.pages == pages:
                self.room.release()

    async def _fetch(self, queue: Host, visit: Visit) -> None:
        held = {"If-None-Match": visit.etag, "If-Modified-Since": visit.last_modified}
        asked = {name: value for name, value in held.items() if value}
        written = visit.written or visit.url
        response = await self.gate.get(written, asked)
        when = int(time.time())
        if response.status in (429, 503):
            pause = retry_after(header(response, "Retry-After"), time.time())
            queue.refused(time.monotonic(), pause)
            raise Trouble(f"status {response.status}", again=True)
        if response.status >= 500:
            queue.failed()
            raise Trouble(f"status {response.status}", again=True)
        if response.status == 200 and http.is_cut_off(response.body, header(response, "Content-Encoding") or ""):
            queue.failed()
            raise Trouble(CUT_OFF, again=True)
        queue.answered()
        if response.status == 304 and asked:  # without a question it answers nothing
            self.unchanged += 1
            self._land([Confirmed(visit.url, when, visit.etag, visit.last_modified)], visit)
            return
        if 400 <= response.status < 500 and visit.hops == 0 and written != visit.url:  # not there as it is written
            self.spellings.missed(visit.url, written, response.status)
            self._queue(visit._replace(written=visit.url, hops=1))
            return
        raw = message(response.status, headers(response), response.body)
        whole = "download_stopped" not in response.flags
        origin = self.archive.write(written, when, raw, whole, request(written, response.request.headers))
        items = landed(visit.url, when, raw, origin)
        self._follow(visit, items, response)
        self._land(items, visit)

    def _follow(self, visit: Visit, items: list[Item], response: Any) -> None:
        """Queue what an answer leads to; if it is one redirect too many, replace it in the items."""
        found = items[0] if items else None
        if isinstance(found, Capture):
            if len(found.body) > FOLLOWED_AT_ONCE:
                return
            spellings: dict[str, list[str]] = {}
            links, itself = leads(found, spellings)
            self._compared(
                self.spellings.fetched(visit.url, visit.written or visit.url, fingerprint(found.body, links))
            )
            if itself:
                self._offer(Visit(itself, visit.depth))
            for url in links:
                self._offer(Visit(url, visit.depth + 1, written=next(iter(spellings.get(url, ())), None)))
            for url, ways in spellings.items():
                for way in ways:
                    self._met(url, way)
        elif found is not None and not isinstance(found, Redirect):
            return
        elif visit.hops >= MOST_HOPS:
            items[:] = [Skipped(visit.url, TOO_MANY_HOPS), Missing(visit.url, response.status)]
        elif found is None:  # the server insists on a spelling that is the same address in canonical form
            written = _spelled(visit.written or visit.url, header(response, "Location") or "")
            if written is None or written in (visit.written, visit.url):
                items[:] = [Skipped(visit.url, TOO_MANY_HOPS), Missing(visit.url, response.status)]
            else:
                self._queue(visit._replace(written=written, hops=visit.hops + 1))
        else:
            if visit.depth == 0:
                self.rules.welcome(found.target)
            self._offer(Visit(found.target, visit.depth, hops=visit.hops + 1))

    def _trouble(self, queue: Host, visit: Visit, trouble: Trouble) -> None:
        if trouble.hopeless:
            queue.lost = queue.lost or trouble.why
        if trouble.again and not queue.lost and visit.tries + 1 < MOST_TRIES:
            self._queue(visit._replace(tries=visit.tries + 1))
            return
        said: list[Item] = [Skipped(visit.url, trouble.why)]
        self._land(said if trouble.status is None else [*said, Missing(visit.url, trouble.status)], visit)

    def _land(self, items: list[Item], visit: Visit) -> None:
        got = sum(isinstance(item, Capture) for item in items)
        self.pages += got
        self.uncommitted += got
        self.send(("landed", items, self.waiting, visit.depth))
        if self.options.max_pages and self.pages >= self.options.max_pages:
            self.stop()
        late = time.monotonic() - self.committed >= self.options.part_seconds
        if self.uncommitted >= self.options.part_pages or late:
            self._checkpoint()

    def _checkpoint(self) -> None:
        self.send(("checkpoint", self.archive.cut()))
        self.uncommitted, self.committed = 0, time.monotonic()

    # Spellings

    def _met(self, url: str, way: str | None) -> None:
        """Note how an address is written in a link, or by the user."""
        if way is not None:
            self._compared(self.spellings.met(url, way))

    def _compared(self, pair: Pair | None) -> None:
        """Ask for another spelling of an address that was fetched, if there is one to ask for."""
        if pair is not None and not self.stopping:
            self._begin(self._compare(pair))

    async def _compare(self, pair: Pair) -> None:
        try:
            if (await self.robots.of(pair.other)).against(pair.other):
                return
            response = await self.gate.get(pair.other)
        except (Trouble, Stopped):
            return
        if 300 <= response.status < 400 or response.status >= 500:  # it leads elsewhere, or answers another day
            return
        found = None
        if response.status == 200:
            raw = message(response.status, headers(response), response.body)
            items = landed(pair.url, int(time.time()), raw, None)
            if not items or not isinstance(items[0], Capture):
                return
            found = fingerprint(items[0].body, leads(items[0])[0])
        self.spellings.compared(pair, found, response.status)

    # Sitemaps

    async def _read_sitemaps(self) -> None:
        try:
            async for found in SitemapFiles(self.options, self.gate, self.robots).read():
                self._listed(found)
        except Stopped:
            pass

    def _listed(self, found: Listed) -> None:
        """Queue the pages of a sitemap, and report what is not read of it."""
        if found.why and found.named:
            self._land([Skipped(found.url, found.why)], Visit(found.url))
        elif found.why:
            self._leave(found.why, found.url)
        if found.pages is not None:
            self.send(("sitemap", found.pages, found.depth))
            for page in found.pages:
                self._offer(Visit(page, depth=found.depth))


def _spelled(base: str, location: str) -> str | None:
    """The address that a server redirects to, as it spells it: `/a/index.html`, where the canonical form is `/a/`."""
    try:
        written = join_url(base, ascii_reference(location.encode("latin-1"))).partition("#")[0]
    except ValueError:
        return None
    return written if canonical(written) == canonical(base) else None
