"""`python -m trials.soak SECONDS`: some processes ask while another one adds and builds; no answer mixes two states.

Some ask the collection, one asks a server (`pagekin serve`). What is asked, and how a mixed answer is noticed, is in
`rounds`.
"""

import json
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.pool import AsyncResult
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import urlopen

from trials import sites
from trials.rounds import LEAVES, PAGES, QUESTIONS, SERVED, Told, captures, rounds_in, wrong

if TYPE_CHECKING:
    from pagekin import Collection

# Readers: two keep a collection open all the time, one opens it for each question, one asks the server.
READERS = ("keeps one open", "keeps one open", "opens each time", "asks the server")
WORKERS = 2  # of the server
NOT_BUILT = 409
ADDS_PER_BUILD = 3
LEAF = "http://leaf.example/"
# Anonymous memory may grow by this much from the first third of the time to the end. Kernels that are compiled late,
# buffers of Arrow and the last few states (`memo`) take about 20 MB; one state kept in each round would take 100 MB in
# a few minutes. In a run shorter than a minute the first third is still warming up, so there memory is only printed.
MOST_GROWTH = 48 << 20
LEAST_SECONDS = 60
GRACE_S = 120  # after the end, for the last question and the last build; a process that died never gives a result


@dataclass
class Seen:
    """What one process did and saw."""

    name: str
    asked: int = 0
    rounds: set[int] = field(default_factory=set)
    builds: int = 0
    errors: list[str] = field(default_factory=list)
    memory: list[tuple[float, int]] = field(default_factory=list)  # seconds since the beginning, anonymous bytes

    @property
    def growth(self) -> int:
        """Bytes more at the end than in the first third: the medians of a sixth of the time at both."""
        sixth = len(self.memory) // 6
        return _median(self.memory[-sixth:]) - _median(self.memory[sixth : 2 * sixth]) if sixth else 0


def _median(samples: list[tuple[float, int]]) -> int:
    return sorted(size for _, size in samples)[len(samples) // 2] if samples else 0


def asking(how: str, path: Path, server: str) -> Callable[[str, str], Told | None]:
    """How a reader asks: a function of the question's name and a page. None: an index is not built, as a removal drops
    all of them, and the build that follows makes them again."""
    from pagekin import Collection
    from pagekin.errors import NotBuiltError

    kept = Collection(path)

    def direct(name: str, page: str) -> Told | None:
        try:
            answer: Told = QUESTIONS[name](kept if how == "keeps one open" else Collection(path), page).as_dict()
            return answer
        except NotBuiltError:
            return None

    def over_http(name: str, page: str) -> Told | None:
        try:
            with urlopen(f"{server}api/{SERVED[name].format(quote(page, safe=''))}") as answer:
                told: Told = json.load(answer)
                return told
        except HTTPError as error:
            if error.code == NOT_BUILT:
                return None
            raise RuntimeError(f"{error.code}: {error.read()[:300]!r}") from error

    return over_http if how == "asks the server" else direct


def read(path: Path, server: str, seconds: float, how: str, seed: int) -> Seen:
    """Ask random questions for a while."""
    seen, dice, latest, ask = Seen(how), random.Random(seed), 0, asking(how, path, server)
    began = time.monotonic()
    while (passed := time.monotonic() - began) < seconds:
        name, number = dice.choice(list(QUESTIONS)), dice.randrange(PAGES)
        try:
            answer = ask(name, sites.address(number))
            if answer is not None:
                if problem := wrong(name, answer, number, latest):
                    seen.errors.append(problem)
                latest = max([latest, *(rounds_in(answer) if name != "info" else ())])
        except Exception:
            seen.errors.append(f"{name}: {traceback.format_exc().strip().splitlines()[-1]}")
        seen.asked += 1
        seen.rounds.add(latest)
        seen.memory.append((passed, _anonymous_memory()))
    return seen


def write(path: Path, seconds: float, first: int) -> Seen:
    """Add a round after the other, with vectors for it, and build after every few."""
    from pagekin import Collection
    from pagekin.collection.ingest import ingest

    seen, turn, began = Seen("writes"), first, time.monotonic()
    while time.monotonic() - began < seconds:
        try:
            ingest(path, [captures(turn)])
            seen.rounds.add(turn)
            site = Collection(path)
            site.add(vectors=sites.vector_file(site, path.with_suffix(".parquet"), turn))
            if turn % ADDS_PER_BUILD == 0:
                come_and_go(site, path.with_name("leaves"))
                site.build(all=True)
                seen.builds += 1
        except Exception:
            seen.errors.append(traceback.format_exc().strip().splitlines()[-1])
        turn += 1
    return seen


def come_and_go(site: "Collection", folder: Path) -> None:
    """Add two pages from a folder and remove both: one as its file is gone, one by its address."""
    folder.mkdir(exist_ok=True)
    files = [folder / f"leaf{number}.html" for number in range(LEAVES)]
    for number, file in enumerate(files):
        file.write_text(f"<title>Leaflet {number}</title>")
    site.add(folder, base_url=LEAF)
    files[0].unlink()
    site.add(folder, base_url=LEAF, sync=True, yes=True)
    site.remove(LEAF + files[1].name)


def _anonymous_memory(process: int | str = "self") -> int:
    """The memory of a process that is not a mapped file: files of a collection come and go with the cache."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.findall(r"RssAnon:\s+(\d+)", status)[0]) << 10


@contextmanager
def served(path: Path) -> Iterator[tuple[str, Seen]]:
    """The address of a server of the collection, and what it takes: the memory of its largest worker."""
    command = [sys.executable, "-m", "pagekin", "serve", str(path), "--port", "0", "--workers", str(WORKERS)]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert server.stderr is not None
    try:
        for line in server.stderr:
            if found := re.search(r"http://\S+", line):
                break
        else:
            raise SystemExit("the server did not start")
        seen, ended = Seen("the server"), threading.Event()
        watch = threading.Thread(target=_watch, args=(server.pid, seen, ended))
        log = threading.Thread(target=server.stderr.read)  # or its pipe fills and it waits
        watch.start()
        log.start()
        try:
            yield found[0], seen
        finally:
            ended.set()
            watch.join()
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(GRACE_S)


def _watch(server: int, seen: Seen, ended: threading.Event) -> None:
    began = time.monotonic()
    while not ended.wait(0.5):
        workers = Path(f"/proc/{server}/task/{server}/children").read_text().split() or [str(server)]
        seen.memory.append((time.monotonic() - began, max(map(_anonymous_memory, workers))))


def soak(seconds: float) -> list[Seen]:
    """Readers and a writer at once; what each of them saw."""
    with TemporaryDirectory(prefix="pagekin-soak-") as folder:
        path = Path(folder) / "soak.kin"
        with multiprocessing.get_context("spawn").Pool(len(READERS) + 1) as pool:
            pool.apply(_begin, (path,))
            with served(path) as (server, serving):
                readers = [
                    pool.apply_async(read, (path, server, seconds, how, seed)) for seed, how in enumerate(READERS)
                ]
                writer = pool.apply_async(write, (path, seconds, 2))
                return [*(_result(each, seconds) for each in (*readers, writer)), serving]


def _result(task: AsyncResult[Seen], seconds: float) -> Seen:
    try:
        return task.get(timeout=seconds + GRACE_S)
    except multiprocessing.TimeoutError:
        return Seen("died", errors=["a process ended without a result"])


def _begin(path: Path) -> None:
    from pagekin import Collection
    from pagekin.collection.ingest import ingest

    ingest(path, [captures(1)])
    Collection(path).build(all=True)


def main() -> int:
    seconds = float(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SECONDS", 120))
    everyone, bad = soak(seconds), 0
    for seen in everyone:
        grown = seen.growth > MOST_GROWTH and seconds >= LEAST_SECONDS
        bad += len(seen.errors) + grown
        for problem in dict.fromkeys(seen.errors):
            print(f"ERROR  {seen.name}: {problem} ({seen.errors.count(problem)} times)")
        memory = f", memory {_median(seen.memory[-9:]) >> 20} MB, {seen.growth / 2**20:+.0f} MB since the first third"
        print(
            f"{seen.name}: {seen.asked:,} questions, {len(seen.rounds)} rounds, {seen.builds} builds, "
            f"{len(seen.errors)} errors" + (memory if seen.memory else "") + (": MEMORY GROWS" if grown else "")
        )
    print(f"{sum(seen.asked for seen in everyone):,} questions in {seconds:g} s, {bad} faults")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
