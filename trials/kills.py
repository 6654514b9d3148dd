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
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from trials import child
from trials.cases import Outcome
from trials.damage import clone
from trials.questions import run
from trials.works import Work, held_rows, run_again, started

KILLED, ENDED = "killed, nothing lost", "ended before the kill"
KILL_LOST, STAYED = "kill that lost something", "worker that stayed after a kill"
BAD = (KILL_LOST, STAYED)

STAY_S = 5.0  # workers look for their parent every half a second


@dataclass(frozen=True)
class Round:
    """One kill; all that is random in it comes from its seed."""

    work: Work
    seed: str

    def __str__(self) -> str:
        return f"kill {self.work.kind} (round {self.seed})"


def rounds(works: Sequence[Work], count: int, seed: int) -> list[Round]:
    """The kills to try: each command in turn."""
    return [Round(works[number % len(works)], f"{seed}.{number}") for number in range(count)]


def tried(one: Round) -> Outcome:
    """One kill, and what must hold after it."""
    outcome, dice, work = Outcome(), random.Random(one.seed), one.work
    with TemporaryDirectory(dir=work.site.parent) as folder:
        site = clone(work.site, Path(folder) / "s.kin")
        process = started(site, work.argv)
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
    held = held_rows(site)
    if isinstance(held, child.Died):
        yield f"it does not open: {held.why}"
        return
    yield from (f"rows of {table} are gone" for table, rows in one.work.before.items() if rows - held[table])
    if scrubs:
        said = child.once(run, ["scrub", str(site)])
        if isinstance(said, child.Died) or said[0] or re.search(r"\blost\b|set aside|traceback", said[2] + said[3]):
            yield f"scrub: {said.why if isinstance(said, child.Died) else said[3] or said[2].strip()}"
    problem = run_again(one.work, site)
    if problem:
        yield f"the same command again fails: {problem}"
    elif held_rows(site) != one.work.after:
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
