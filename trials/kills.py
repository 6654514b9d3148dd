"""kill -9 at a random moment of a command: what was committed stays, and the same command completes the rest.

Each round copies a small collection, starts a command on it as a process of its own, and kills that process or its
whole group. Then the collection opens, holds all it held before, and scrub names no loss; no worker stays; and the same
command again gives what it gives undisturbed.
"""

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from trials import child, content, sites
from trials.cases import Outcome
from trials.damage import clone
from trials.questions import run

KILLED, ENDED = "killed, nothing lost", "ended before the kill"
KILL_LOST, STAYED = "kill that lost something", "worker that stayed after a kill"
BAD = (KILL_LOST, STAYED)

STAY_S = 5.0  # workers look for their parent every half a second
ADDED_PAGES = 600  # more than `add` parses in its own process, so that it starts workers
CRAWLED_PAGES = 60
KINDS = ("add", "crawl", "build", "compact", "scrub")


@dataclass(frozen=True)
class Work:
    """A command to kill: the collection it begins with, how long it usually takes, what is there before and after."""

    kind: str
    site: Path
    argv: tuple[str, ...]  # SITE stands for the collection
    seconds: float
    before: dict[str, set[int]]
    after: dict[str, set[int]]


@dataclass(frozen=True)
class Round:
    """One kill; all that is random in it comes from its seed."""

    work: Work
    seed: str

    def __str__(self) -> str:
        return f"kill {self.work.kind} (round {self.seed})"


@contextlib.contextmanager
def prepared(folder: Path) -> Iterator[dict[str, Work]]:
    """The commands to kill, each run once undisturbed, with a web server on loopback for as long as this lasts."""
    web, table = folder / "web", folder / "links.csv"
    for name, pages in (("add", ADDED_PAGES), ("crawl", CRAWLED_PAGES)):
        _write_web(web / name, pages)
    ends = ((f"http://t{n % 7}.example/{n}", f"http://t{n * n % 7}.example/{n * n % 50}") for n in range(200))
    table.write_text("source,target\n" + "".join(f"{source},{target}\n" for source, target in ends))
    whole, several = folder / "whole.kin", folder / "several.kin"
    child.once(sites.make_parts, several)
    child.once(run, ["build", str(clone(several, whole)), "--index", "graph"])
    with _server(web / "crawl") as address:
        commands = {
            "add": (whole, ("add", "SITE", str(web / "add"), str(table), "--base-url", "http://added.example/")),
            "crawl": (whole, ("crawl", "SITE", address, "--allow-private", "--rate", "0", "--radius", "9")),
            "build": (whole, ("build", "SITE")),
            "compact": (several, ("build", "SITE")),
            "scrub": (several, ("scrub", "SITE")),
        }
        yield {kind: _undisturbed(folder, kind, site, argv) for kind, (site, argv) in commands.items()}


def _write_web(folder: Path, pages: int) -> None:
    folder.mkdir(parents=True)
    for number in range(pages):
        links = "".join(f'<li><a href="{(number * step + 1) % pages}.html">link {step}</a>' for step in (1, 2, 3))
        name = f"{number}.html" if number else "index.html"
        (folder / name).write_text(f"<title>Page {number}</title><p>words of page {number}<ul>{links}</ul>")


@contextlib.contextmanager
def _server(folder: Path) -> Iterator[str]:
    command = (sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder))
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        said = process.stdout.readline() if process.stdout else ""
        try:
            yield f"http://127.0.0.1:{re.findall('port ([0-9]+)', said)[0]}/"
        finally:
            process.kill()


def _undisturbed(folder: Path, kind: str, site: Path, argv: tuple[str, ...]) -> Work:
    with TemporaryDirectory(dir=folder) as beside:
        copy = clone(site, Path(beside) / "s.kin")
        before = _held(copy)
        began = time.monotonic()
        process = _started(copy, argv)
        said = process.communicate()[1]
        seconds = time.monotonic() - began
        if process.returncode or isinstance(before, child.Died) or isinstance(after := _held(copy), child.Died):
            raise RuntimeError(f"{kind} fails even undisturbed: {said}")
    return Work(kind, site, argv, seconds, before, after)


def _held(site: Path) -> dict[str, set[int]] | child.Died:
    return child.once(lambda path: content.row_hashes(path, timeless=True), site)


def _started(site: Path, argv: tuple[str, ...]) -> "subprocess.Popen[str]":
    import pagekin

    environment = os.environ | {"PYTHONPATH": str(Path(pagekin.__file__ or "").parents[1])}
    words = [word.replace("SITE", str(site)) for word in argv]
    return subprocess.Popen(
        (sys.executable, "-c", "from pagekin.shell.main import main; main()", *words),
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def rounds(works: dict[str, Work], count: int, seed: int) -> list[Round]:
    """The kills to try: each command in turn."""
    return [Round(works[KINDS[number % len(KINDS)]], f"{seed}.{number}") for number in range(count)]


def tried(one: Round) -> Outcome:
    """One kill, and what must hold after it."""
    outcome, dice, work = Outcome(), random.Random(one.seed), one.work
    with TemporaryDirectory(dir=work.site.parent) as folder:
        site = clone(work.site, Path(folder) / "s.kin")
        process = _started(site, work.argv)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(dice.random() * work.seconds)
        alive = process.poll() is None
        if alive:
            (os.killpg if dice.random() < 0.5 else os.kill)(process.pid, signal.SIGKILL)
        process.wait()
        for name in _staying(process.pid):
            outcome.fault(STAYED, one, name)
        for problem in _problems(one, site, scrubs=dice.random() < 0.5):
            outcome.fault(KILL_LOST, one, problem)
        if not outcome.faults:
            outcome.counts[KILLED if alive else ENDED] += 1
    return outcome


def _problems(one: Round, site: Path, scrubs: bool) -> Iterator[str]:
    """What is wrong with a collection after a kill; half of the rounds scrub it before they go on."""
    held = _held(site)
    if isinstance(held, child.Died):
        yield f"it does not open: {held.why}"
        return
    yield from (f"rows of {table} are gone" for table, rows in one.work.before.items() if rows - held[table])
    if scrubs:
        said = child.once(run, ["scrub", str(site)])
        if isinstance(said, child.Died) or said[0] or re.search(r"\blost\b|set aside|traceback", said[2] + said[3]):
            yield f"scrub: {said.why if isinstance(said, child.Died) else said[3] or said[2].strip()}"
    again = _started(site, one.work.argv)
    err = again.communicate()[1]
    if again.returncode:
        yield f"the same command again fails: {err.strip()[-200:]}"
    elif _held(site) != one.work.after:
        yield "the same command again does not complete it"


def _staying(session: int) -> list[str]:
    """The processes of a session that are still there after a while; they are ended then."""
    ends = time.monotonic() + STAY_S
    while (found := _members(session)) and time.monotonic() < ends:
        time.sleep(0.1)
    for pid in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return [f"process {name}" for name in found.values()]


def _members(session: int) -> dict[int, str]:
    """The living processes of a session, by id, with their names."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            head, _, rest = stat.read_text().rpartition(")")
            state, _, _, own = rest.split()[:4]
            if int(own) == session and state != "Z":
                found[int(head.split()[0])] = head.partition("(")[2]
    return found
