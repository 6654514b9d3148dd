"""kill -9 at a random moment of a command: what was committed stays, and the same command completes the rest.

Each round copies a small collection, starts a command on it as a process of its own, and kills that process or its
whole group. Then the collection opens, holds all it held before, and scrub names no loss; no worker stays; and the same
command again gives what it gives undisturbed.
"""

import os
import random
import re
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from trials import child
from trials.cases import Outcome
from trials.damage import clone
from trials.processes import ended, staying
from trials.questions import run
from trials.works import Work, begun, completed, held_rows

KILLED, ENDED = "killed, nothing lost", "ended before the kill"
KILL_LOST, STAYED = "kill that lost something", "worker that stayed after a kill"
BAD = (KILL_LOST, STAYED)


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
        pid = begun(work.argv, site)
        alive = ended(pid, dice.random() * work.seconds) is None
        if alive:
            (os.killpg if dice.random() < 0.5 else os.kill)(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        for name in staying(pid):
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
    if one.work.old and held not in (one.work.old, one.work.after):
        yield "it is neither the old state nor the new one"
    if scrubs:
        said = child.once(run, ["scrub", str(site)])
        if isinstance(said, child.Died) or said[0] or re.search(r"\blost\b|set aside|traceback", said[2] + said[3]):
            yield f"scrub: {said.why if isinstance(said, child.Died) else said[3] or said[2].strip()}"
    problem = completed(one.work.argv, site)
    if problem:
        yield f"the same command again fails: {problem}"
    elif held_rows(site) != one.work.after:
        yield "the same command again does not complete it"
