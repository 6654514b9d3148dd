"""How many pages per second does `pagekin crawl` fetch, parse and store, and does its memory grow?

A server in a process of its own, on loopback, has 50,000 pages of 6 kB with 20 links each. The rate limit is off.
"""

import os
import re
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep

import psutil

from bench.case import Case, timed
from bench.graphs import SHRINK
from bench.site import PAGEKIN

PAGES = 50_000 // SHRINK
EARLIER = 10_000 // SHRINK
LINKS = 20
WORDS = 800
LEAST_RATE = 150.0  # pages a second
FLAT = 1.5  # times the memory at 10,000 pages
SAMPLE_S = 0.2

SERVER = """
import asyncio, random, sys
pages, links, words = map(int, sys.argv[1:])
rng = random.Random(1)
lexicon = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(3, 9))) for _ in range(5000)]
texts = [" ".join(rng.choices(lexicon, k=words)) for _ in range(50)]

def page(number):
    targets = [number * 8 + n for n in range(1, 9)] + [(number * 31 + 977 * n) % pages for n in range(links - 8)]
    items = "".join(f'<li><a href="/page-{t}">Page number {t}</a>' for t in targets if t < pages)
    return f"<title>Page {number}</title><p>{texts[number % 50]}</p><ul>{items}</ul>".encode()

class Answer(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport, self.read = transport, b""

    def data_received(self, data):
        self.read += data
        while b"\\r\\n\\r\\n" in self.read:
            head, _, self.read = self.read.partition(b"\\r\\n\\r\\n")
            path = head.split(b" ", 2)[1]
            found = path == b"/" or path.startswith(b"/page-")
            body = page(int(path[6:] or 0)) if found else b""
            status = b"200 OK" if found else b"404 Not Found"
            lines = (b"HTTP/1.1 " + status, b"Content-Type: text/html", b"Content-Length: %d" % len(body), b"", body)
            self.transport.write(b"\\r\\n".join(lines))

async def main():
    server = await asyncio.get_running_loop().create_server(Answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Memory:
    """The resident memory of the two processes of a crawl, sampled now and then."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.root = psutil.Process(process.pid)
        self.samples: list[tuple[int, int]] = []  # of the crawling child: bytes written so far, resident bytes
        self.largest = 0
        self.ended = False
        self.thread = threading.Thread(target=self._watch)
        self.thread.start()

    def _watch(self) -> None:
        while not self.ended:
            try:
                self.largest = max(self.largest, self.root.memory_info().rss)
                for child in self.root.children():
                    if "pagekin.acquire.crawl.child" in " ".join(child.cmdline()):
                        self.samples.append((child.io_counters().write_chars, child.memory_info().rss))
            except psutil.Error:
                pass
            sleep(SAMPLE_S)

    def end(self) -> None:
        self.ended = True
        self.thread.join()

    def peak(self, share: float) -> float:
        """The crawling process's peak memory, in MB, until it had written this share of all it wrote."""
        written = self.samples[-1][0]
        return max(rss for wrote, rss in self.samples if wrote <= share * written) / 1e6


def run() -> Iterator[Case]:
    with TemporaryDirectory(prefix="pagekin-bench-") as folder:
        server = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(PAGES), str(LINKS), str(WORDS)], stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            port = server.stdout.readline().strip()
            yield from _measured(Path(folder) / "site.kin", f"http://127.0.0.1:{port}/")
        finally:
            server.kill()
            server.communicate()


def _measured(site: Path, url: str) -> Iterator[Case]:
    options = ("--allow-private", "--rate", "0", "--at-once", "8", "--radius", "99", "--per-pattern", str(10 * PAGES))
    process = subprocess.Popen(
        [*PAGEKIN, "crawl", str(site), url, *options], stderr=subprocess.PIPE, text=True, env=os.environ.copy()
    )
    memory = Memory(process)
    before = _cpu_seconds()
    seconds, (_, said) = timed(process.communicate)
    memory.end()
    busy = _cpu_seconds() - before
    found = re.search(r"added ([\d,]+) pages", said)
    pages = int(found[1].replace(",", "")) if found else 0
    rate = pages / seconds
    yield Case(
        f"crawl {PAGES:,} pages, parsed and stored", rate, "pages/s", "the bar", LEAST_RATE, 1.0,
        agrees=pages in (PAGES, PAGES + 1),
        note=f"{pages:,} pages in {seconds:.0f} s, in which all its processes had {busy:.0f} s of a core",
    )  # fmt: skip
    early, late = memory.peak(EARLIER / PAGES), memory.peak(1.0)
    yield Case(
        f"memory of the crawling process, {PAGES:,} pages", late, "MB", bar=FLAT * early, bar_on="ours at most",
        note=f"{early:.0f} MB at {EARLIER:,} pages; the process that stores: {memory.largest / 1e6:.0f} MB at most",
    )  # fmt: skip
