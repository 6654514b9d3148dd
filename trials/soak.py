"""`python -m trials.soak SECONDS`: some processes ask while another one adds and builds; no answer mixes two states.

What is asked, and how a mixed answer is noticed, is in `rounds`.
"""

import multiprocessing
import os
import random
import re
import sys
import time
import traceback
from dataclasses import dataclass, field
from multiprocessing.pool import AsyncResult
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from trials import sites
from trials.rounds import LEAVES, PAGES, QUESTIONS, captures, rounds_in, wrong

if TYPE_CHECKING:
    from pagekin import Collection

KEEPING, OPENING = 2, 1  # readers that keep a collection open all the time, and that open it for each question
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


def read(path: Path, seconds: float, keeps: bool, seed: int) -> Seen:
    """Ask random questions for a while."""
    from pagekin import Collection
    from pagekin.errors import NotBuiltError

    seen, dice, latest = Seen("keeps one open" if keeps else "opens each time"), random.Random(seed), 0
    kept, began = Collection(path), time.monotonic()
    while (passed := time.monotonic() - began) < seconds:
        name, number = dice.choice(list(QUESTIONS)), dice.randrange(PAGES)
        try:
            answer = QUESTIONS[name](kept if keeps else Collection(path), sites.address(number))
            if problem := wrong(name, answer, number, latest):
                seen.errors.append(problem)
            latest = max([latest, *(rounds_in(answer) if name != "info" else ())])
        except NotBuiltError:  # a removal drops all indexes, and the build that follows makes them again
            pass
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


def _anonymous_memory() -> int:
    """The memory of this process that is not a mapped file: files of a collection come and go with the cache."""
    status = Path("/proc/self/status").read_text()
    return int(re.findall(r"RssAnon:\s+(\d+)", status)[0]) << 10


def soak(seconds: float) -> list[Seen]:
    """Readers and a writer at once; what each of them saw."""
    with TemporaryDirectory(prefix="pagekin-soak-") as folder:
        path = Path(folder) / "soak.kin"
        with multiprocessing.get_context("spawn").Pool(KEEPING + OPENING + 1) as pool:
            pool.apply(_begin, (path,))
            readers = [
                pool.apply_async(read, (path, seconds, number < KEEPING, number)) for number in range(KEEPING + OPENING)
            ]
            writer = pool.apply_async(write, (path, seconds, 2))
            return [_result(each, seconds) for each in (*readers, writer)]


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
