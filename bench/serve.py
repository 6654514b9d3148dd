"""What does HTTP cost? How many questions a second does the server answer, beside the same answers without it?

* `block`, looked up in its index: requests a second of two workers, each page asked about once, against a bare FastAPI
  route that returns the same bytes, in the same run. wrk asks over 8 connections.
* `fused` from its index: against two processes that ask `Collection` directly.
* `assisted` at an α that was not asked before, and suggestions while typing: how long one question takes.
* A page with its results in Chromium: when it is first painted, and what it weighs with all that it loads.

wrk and Chromium come from the distribution (`apt-get install wrk chromium`); what needs a missing one is not measured.
"""

import json
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote
from urllib.request import urlopen

import numpy as np

from bench import blockpairs, fused, similarity_graph
from bench.case import Case, timed
from bench.graphs import SHRINK, copying_graph
from bench.site import million_pages
from pagekin import Collection, demo
from pagekin.collection.store import Store
from pagekin.index.similarity.candidates import MAX_CANDIDATES

PAGES = 1_000_000 // SHRINK
ASKED = max(10_000 // SHRINK, 500)
FUSED_ASKED = max(2_000 // SHRINK, 100)
WARMING = 200  # questions before the clock: files are mapped, kernels loaded, the quick lane is known
CONNECTIONS, WORKERS = 8, 2
SIMILAR_PAGES = 100_000 // SHRINK
ALPHAS, LOW_ALPHAS = (0.1, 0.9), (0.02, 0.06)
TRIES = 40
STARTING_S = 5.0  # when one worker answers, the other may still be starting, and would get no connection
COLD = 10  # questions before these: both workers must have loaded their kernels

HALF, P99_MS, FUSED_SHARE = 0.5, 20.0, 0.8
ASSISTED_MS, LOW_ASSISTED_MS, TYPING_MS, PAINTED_MS, WEIGHT_KB = 300.0, 700.0, 30.0, 300.0, 150.0
PAINTED = 40  # pages looked at in one window, and as many others in windows of their own

BARE = """
import json, os
from fastapi import FastAPI, Response
app = FastAPI()
ANSWERS = {url: answer.encode() for url, answer in json.load(open(os.environ["PAGEKIN_BENCH_ANSWERS"])).items()}
@app.get("/api/related")
async def related(url: str, method: str) -> Response:
    return Response(ANSWERS[url], media_type="application/json")
"""

# The bare route listens at a socket like ours. One that uvicorn makes for several workers has no TCP_NODELAY (asyncio
# sets it only if the socket names its protocol), and delayed acknowledgements hold it to 20 requests a second and
# connection: 168 a second instead of 846, when that was tried.
BARE_SERVER = """
import sys, uvicorn
from uvicorn.supervisors import Multiprocess
from pagekin.serve.run import listening
bound = listening("127.0.0.1", 0)
print(f"running on http://127.0.0.1:{bound.getsockname()[1]}", file=sys.stderr, flush=True)
config = uvicorn.Config("bare_app:app", workers=int(sys.argv[1]), access_log=False)
Multiprocess(config, sockets=[bound]).run()
"""

# Each thread of wrk asks about its own share of the pages, once, and leaves files that say when it began and ended: wrk
# itself goes on sleeping, and would count that.
WRK = """
local paths, at, got, threads = {}, 0, 0, 0
function setup(thread) thread:set("first", threads); threads = threads + 1 end
function init(args)
  local n = 0
  for line in io.lines(args[1]) do
    if n % tonumber(args[2]) == first then paths[#paths + 1] = line end
    n = n + 1
  end
end
function mark(name) io.open(name .. first, "w"):close() end
function request()
  at = at + 1
  if at == 1 then mark("began") end
  return wrk.format("GET", paths[at] or paths[#paths])
end
function response()
  got = got + 1
  if got == #paths then mark("ended"); wrk.thread:stop() end
end
function done(summary, latency, requests)
  local failed = summary.errors.status + summary.errors.read + summary.errors.timeout
  io.write(string.format("RESULT [%f, %d]\\n", latency:percentile(99), failed))
end
"""


def run() -> Iterator[Case]:
    with TemporaryDirectory(prefix="pagekin-bench-") as folder:
        yield from _block(Path(folder))
        yield from _fused(Path(folder))
        yield from _assisted(Path(folder))
        yield from _typing()
        yield from _painting(Path(folder))


def _block(folder: Path) -> Iterator[Case]:
    path = blockpairs.web(PAGES)
    Collection(path).build(method="block")
    urls = _urls(path, ASKED + WARMING)
    asked, warming = urls[WARMING:], urls[:WARMING]
    case = f"/api/related?method=block of {PAGES:,} pages, each of {len(asked):,} once"
    if shutil.which("wrk") is None:
        yield Case(case, None, "requests/s", "bare FastAPI", bar=HALF, note="wrk is not installed: apt-get install wrk")
        return
    with _serving(path) as root:
        _wrk(folder, root, [_related(url, "block") for url in warming])
        ours = _wrk(folder, root, [_related(url, "block") for url in asked])
        answers = {}  # for the bare route; asked for afterwards, so that no page was asked about before it was measured
        for url in urls:
            with urlopen(root + _related(url, "block")) as found:
                answers[url] = found.read().decode()
    (folder / "answers.json").write_text(json.dumps(answers))
    (folder / "bare_app.py").write_text(BARE)
    with _bare(folder) as root:
        _wrk(folder, root, [_related(url, "block") for url in warming])
        theirs = _wrk(folder, root, [_related(url, "block") for url in asked])
    kilobytes = sum(map(len, answers.values())) / len(answers) / 1000
    yield Case(
        case, ours["rate"], "requests/s", "bare FastAPI", theirs["rate"], bar=HALF,
        agrees=not ours["errors"] and not theirs["errors"], note=f"{kilobytes:.1f} kB an answer, {WORKERS} workers",
    )  # fmt: skip
    yield Case("p99 of these", ours["p99"], "ms", "bare FastAPI", theirs["p99"], bar=P99_MS, bar_on="ours at most")


def _fused(folder: Path) -> Iterator[Case]:
    path = fused.web()
    Collection(path).build(method="fused")
    urls = _urls(path, FUSED_ASKED + WARMING)
    asked, warming = urls[WARMING:], urls[:WARMING]
    case = f"/api/related?method=fused of {fused.PAGES:,} pages"
    if shutil.which("wrk") is None:
        yield Case(case, None, "requests/s", "two processes", bar=FUSED_SHARE, note="wrk is not installed")
        return
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
        pool.map(partial(_ask, path), [warming] * WORKERS, chunksize=1)
        seconds, _ = timed(lambda: pool.map(partial(_ask, path), [asked[n::WORKERS] for n in range(WORKERS)], 1))
    with _serving(path) as root:
        _wrk(folder, root, [_related(url, "fused") for url in warming])
        ours = _wrk(folder, root, [_related(url, "fused") for url in asked])
    yield Case(
        case, ours["rate"], "requests/s", "two processes", len(asked) / seconds, bar=FUSED_SHARE,
        agrees=not ours["errors"], note="Collection.related in two processes is the peer",
    )  # fmt: skip


_held: dict[Path, Collection] = {}  # of a process that asks directly


def _ask(path: Path, urls: Sequence[str]) -> None:
    collection = _held.setdefault(path, Collection(path, quick=True))
    for url in urls:
        collection.related(url, method="fused")


def _assisted(folder: Path) -> Iterator[Case]:
    path = similarity_graph.collection(copying_graph(SIMILAR_PAGES), folder / "similar.kin")
    Collection(path).build(method="assisted")
    store = Store(path)
    page = store.url(int(np.diff(store.arrays.in_start).argmax()))  # which has most candidates
    rng = np.random.default_rng(1)
    with _serving(path, "--slow", "1") as root:
        for (low, high), bar in ((ALPHAS, ASSISTED_MS), (LOW_ALPHAS, LOW_ASSISTED_MS)):
            alphas = rng.uniform(low, high, TRIES + COLD).round(6).tolist()
            methods = [f"assisted(alpha={alpha})" for alpha in alphas]
            took = _times(root, [_related(page, method) for method in methods])[COLD:]
            yield Case(
                f"assisted at a new α of {low} to {high}, p95 of {TRIES}", _p95(took), "ms", bar=bar,
                bar_on="ours at most", note=f"at most {MAX_CANDIDATES:,} candidates",
            )  # fmt: skip


def _typing() -> Iterator[Case]:
    site = million_pages()
    Collection(site.path).build(index=["completions"])
    typed = [url.removeprefix("http://")[:length] for url in _urls(site.path, 50) for length in (1, 3, 8, 12)]
    with _serving(site.path) as root:
        first, *took = _times(root, [f"/api/suggest?prefix={quote(each)}" for each in ["h", *typed]])
    yield Case(
        f"suggestions while typing, {PAGES:,} pages, p95 of {len(typed)}", _p95(took), "ms", bar=TYPING_MS,
        bar_on="ours at most", note=f"the first of a state takes {first:.3g} ms",
    )  # fmt: skip


def _painting(folder: Path) -> Iterator[Case]:
    case = f"a page with its results in Chromium, first painted, p95 of {PAINTED}"
    chromium = shutil.which("chromium")
    if chromium is None:
        yield Case(case, None, "ms", bar=PAINTED_MS, bar_on="ours at most", note="apt-get install chromium")
        return
    from playwright.sync_api import sync_playwright

    demo.write(folder / "web")
    path = folder / "demo.kin"
    Collection(path).add(folder / "web")
    Collection(path).build(all=True)
    urls = _urls(path, 2 * PAINTED + COLD)
    walked, opened, weights = list[float](), list[float](), list[float]()
    with _serving(path) as root, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        window = browser.new_context(bypass_csp=True)  # so that we may wait by a script
        page = window.new_page()
        for at, url in enumerate(urls):
            if at >= COLD + PAINTED:
                window.close()
                window = browser.new_context(bypass_csp=True)
                page = window.new_page()
            page.goto(f"{root}/page?url={quote(url, safe='')}", wait_until="load")
            page.wait_for_function(IS_PAINTED)
            (walked if at < COLD + PAINTED else opened).append(page.evaluate(FIRST_PAINT))
            weights.append(page.evaluate(WEIGHT) / 1000)
        browser.close()
    note = f"one after the other in a window, the demo web, loopback; median {np.median(walked[COLD:]):.0f} ms"
    yield Case(case, _p95(walked[COLD:]), "ms", bar=PAINTED_MS, bar_on="ours at most", note=note)
    note = f"the time in which Chromium starts a process for the window counts; median {np.median(opened):.0f} ms"
    yield Case("the same, each in a new window with nothing in its cache", _p95(opened), "ms", note=note)
    yield Case("the heaviest of them, with all that it loads", max(weights), "kB", bar=WEIGHT_KB, bar_on="ours at most")


IS_PAINTED = "performance.getEntriesByName('first-contentful-paint').length"
FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
WEIGHT = """[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .reduce((sum, each) => sum + each.transferSize, 0)"""


def _related(url: str, method: str) -> str:
    return f"/api/related?url={quote(url, safe='')}&method={quote(method, safe='')}"


def _urls(path: Path, count: int) -> list[str]:
    """Pages that links lead to, in no order."""
    store = Store(path)
    pages = np.flatnonzero(store.graph.is_page & (np.diff(store.arrays.in_start) > 0))
    drawn = np.random.default_rng(1).permutation(pages)[:count]
    return [store.url(int(page)) for page in drawn]


def _times(root: str, paths: Sequence[str]) -> list[float]:
    """Milliseconds of each request, one after the other."""

    def get(path: str) -> float:
        began = time.perf_counter()
        with urlopen(root + path) as found:
            found.read()
        return 1000 * (time.perf_counter() - began)

    return [get(path) for path in paths]


def _p95(times: Sequence[float]) -> float:
    return float(np.percentile(times, 95))


def _wrk(folder: Path, root: str, paths: Sequence[str]) -> dict[str, float]:
    """Ask for each path once: requests a second, p99 in ms, errors."""
    marks = {name: [folder / f"{name}{thread}" for thread in range(WORKERS)] for name in ("began", "ended")}
    for file in (*marks["began"], *marks["ended"]):
        file.unlink(missing_ok=True)
    (folder / "wrk.lua").write_text(WRK)
    (folder / "paths.txt").write_text("\n".join(paths) + "\n")
    words = [
        "wrk",
        "-t",
        str(WORKERS),
        "-c",
        str(CONNECTIONS),
        "-d",
        "3600s",
        "--timeout",
        "30s",
        "-s",
        "wrk.lua",
        root,
    ]
    with subprocess.Popen([*words, "--", "paths.txt", str(WORKERS)], cwd=folder, stdout=subprocess.PIPE) as asking:
        while not all(file.exists() for file in marks["ended"]):
            if asking.poll() is not None:
                raise RuntimeError(f"wrk ended with {asking.returncode} before it had asked everything")
            time.sleep(0.02)
        asking.send_signal(signal.SIGINT)
        said, _ = asking.communicate()
    began, ended = ([file.stat().st_mtime for file in marks[name]] for name in ("began", "ended"))
    p99, errors = json.loads(re.findall(r"RESULT (.*)", said.decode())[0])
    return {"rate": len(paths) / (max(ended) - min(began)), "p99": p99 / 1000, "errors": errors}


@contextmanager
def _serving(path: Path, *further: str) -> Iterator[str]:
    """The address of `pagekin serve`."""
    program = "from pagekin.shell.main import main; main()"
    words = ["serve", str(path), "--port", "0", "--workers", str(WORKERS), *further]
    with _process([sys.executable, "-c", program, *words], lambda line: re.findall(r"at (http://\S+)/", line)) as root:
        yield root


@contextmanager
def _bare(folder: Path) -> Iterator[str]:
    """The address of the bare route."""
    os.environ["PAGEKIN_BENCH_ANSWERS"] = str(folder / "answers.json")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    words = [sys.executable, "-c", BARE_SERVER, str(WORKERS)]
    with _process(words, lambda line: re.findall(r"running on (http://[\d.:]+)", line)) as root:
        yield root


@contextmanager
def _process(words: Sequence[str], address: Callable[[str], list[str]]) -> Iterator[str]:
    """A server, from when it answers until it is told to stop."""
    with TemporaryDirectory() as logs:
        with (Path(logs) / "log").open("w+") as log:
            process = subprocess.Popen(words, stderr=log, stdout=log)
        try:
            while not (found := address((Path(logs) / "log").read_text())) or not _answers(found[0]):
                if process.poll() is not None:
                    raise RuntimeError((Path(logs) / "log").read_text())
                time.sleep(0.05)
            time.sleep(STARTING_S)
            yield found[0]
        finally:
            process.terminate()
            process.wait(20)


def _answers(root: str) -> bool:
    try:
        with urlopen(f"{root}/openapi.json"):
            return True
    except OSError:
        return False
