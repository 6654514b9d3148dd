"""The child process: Scrapy's reactor cannot be started twice, so each round of a crawl has a process of its own.

It reads one `Job` from its parent and sends back what happens. If the parent dies, it ends at once; if the parent says
stop, it finishes the pages in hand. Ctrl-C is handled by the parent alone.
"""

import os
import signal
import sys
import threading
import traceback
from multiprocessing.connection import Connection
from typing import Any

from pagekin.acquire.crawl.gate import bound_headers
from pagekin.acquire.crawl.settings import STOP, Job
from pagekin.acquire.crawl.spider import Spider


def scrapy_settings(job: Job) -> dict[str, Any]:
    """Settings that make Scrapy a mere downloader, which does not parse, follow, retry or listen on its own."""
    return {
        "PAGEKIN": job.settings,
        "LOG_ENABLED": False,
        "EXTENSIONS_BASE": {},  # among them two servers that run code: a telnet console and a remote control
        "DOWNLOADER_MIDDLEWARES_BASE": {},
        "SPIDER_MIDDLEWARES_BASE": {},
        "CONCURRENT_REQUESTS": 0,
        "CONCURRENT_REQUESTS_PER_DOMAIN": job.settings.hosts_at_once,
        "DOWNLOAD_DELAY": 0,
        "DOWNLOAD_TIMEOUT": job.settings.timeout,
        "DOWNLOAD_MAXSIZE": job.settings.max_bytes,
        "DOWNLOAD_WARNSIZE": 0,
        "DOWNLOAD_VERIFY_CERTIFICATES": True,
        "TWISTED_DNS_RESOLVER": "pagekin.acquire.crawl.resolver.Resolver",
    }


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent, out = Connection(int(sys.argv[1]), writable=False), Connection(int(sys.argv[2]), readable=False)
    job = parent.recv()
    from scrapy.crawler import AsyncCrawlerProcess

    bound_headers()
    process = AsyncCrawlerProcess(scrapy_settings(job))

    class Crawling(Spider):
        def __init__(self, **kwargs: Any) -> None:
            super().__init__(job, out.send, **kwargs)

        async def start(self) -> Any:
            threading.Thread(target=_listen, args=(parent, self), daemon=True).start()
            try:
                async for nothing in super().start():
                    yield nothing
            except BaseException:
                out.send(("failed", traceback.format_exc()))

    process.crawl(Crawling)
    process.start(install_signal_handlers=False)
    os._exit(0)  # do not wait for threads that are still resolving a name


def _listen(parent: Connection, spider: Spider) -> None:
    try:
        while parent.recv() != STOP:
            pass
        spider.loop.call_soon_threadsafe(spider.stop)
        parent.recv()
    except (EOFError, OSError):
        os._exit(1)


if __name__ == "__main__":
    main()
