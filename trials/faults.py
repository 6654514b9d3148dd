"""`python -m trials.faults`: damage every file in every way, kill commands at random, and see that nothing goes wrong.

Every bad case is printed as `KIND  SITE FILE:DAMAGE  COMMAND`; `--only 'SITE FILE:DAMAGE'` tries it again. The exit
code is 1 if there was any.
"""

import argparse
import fnmatch
import multiprocessing
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from trials import cases, content, damage, kills, undisturbed, works
from trials.cases import BAD, Case, Outcome, Trial

T = TypeVar("T")

MOST_LARGE = 60  # cases of a large collection, drawn at random: each takes minutes
BUILT = 0.2  # the share of cases in which build or add is run too, on a copy
FEW_SCRUBBED, FEW_BUILT = 0.1, 0.03  # the same of a short run
MANY_KILLS, FEW_KILLS = 200, 6
SAID_EVERY = 100  # damages or kills
KILLS = "kills"
EVERY = ":*"


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options().parse_args(arguments)
    began, total = time.monotonic(), Outcome()
    with TemporaryDirectory(prefix="pagekin-trials-") as folder:
        if options.only != KILLS:
            try_damages(Path(folder), options, total)
        if options.only in (None, KILLS) and not options.collection:
            count = options.rounds if options.rounds is not None else FEW_KILLS if options.few else MANY_KILLS
            with works.prepared(Path(folder), works.FEW_KINDS if options.few else works.KINDS) as commands:
                report(in_processes(kills.tried, kills.rounds(commands, count, options.seed)), total)
    print(summary(total, time.monotonic() - began))
    return int(any(total.counts[kind] for kind in (*BAD, *kills.BAD)))


def try_damages(folder: Path, options: argparse.Namespace, total: Outcome) -> None:
    """Make the collections and try every chosen damage on them."""
    trials = list(undisturbed.trials(folder, options.collection, options.few))
    tried = [case for trial in trials for case in chosen(trial, options.seed, options.few, options.only)]
    if options.most is not None and len(tried) > options.most:
        tried = random.Random(options.seed).sample(tried, options.most)
    for trial in trials:
        print(f"{trial.name}: {len(damage.files(trial.path))} files, {len(trial.questions)} questions", flush=True)
    print(f"{len(tried):,} damages to try", flush=True)
    before = [content.fingerprint(trial.path) for trial in trials]
    report(in_processes(cases.tried, tried), total)
    if before != [content.fingerprint(trial.path) for trial in trials]:
        raise RuntimeError("a command changed a file of a collection in place, so the results mean nothing")


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m trials.faults", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--collection", type=Path, metavar="PATH", help="try on a copy of this one")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="where the flips and the kills fall")
    parser.add_argument("--most", type=int, metavar="N", help="at most N damages, drawn at random")
    parser.add_argument("--rounds", type=int, metavar="N", help=f"how many commands to kill ({MANY_KILLS})")
    parser.add_argument(
        "--few", action="store_true", help="one flip in each file of the demo, few questions, few kills"
    )
    parser.add_argument(
        "--only", metavar="[SITE ]FILE:DAMAGE", help=f"one case, as it was printed; FILE{EVERY}; or: {KILLS}"
    )
    return parser


def chosen(trial: Trial, seed: int, few: bool, only: str | None) -> list[Case]:
    """The cases to try: all files with all damages, or a few of them, or the one that is named."""
    dice = random.Random(seed)
    scrubbed, built = (FEW_SCRUBBED, FEW_BUILT) if few else (1.0, 1.0 if only and not only.endswith(EVERY) else BUILT)
    found = []
    for file in damage.files(trial.path):
        ways = (damage.one_flip if few else damage.damages)(trial.path, file, seed)
        if only:
            ways = _named(trial, file, damage.damages(trial.path, file, seed), only)
        asked = _reading(trial, file) if few else list(trial.questions)
        found += [Case(trial, file, way, asked, dice.random() < scrubbed, dice.random() < built) for way in ways]
    return sorted(dice.sample(found, MOST_LARGE), key=str) if trial.large and len(found) > MOST_LARGE else found


def _named(trial: Trial, file: str, known: Sequence[str], only: str) -> list[str]:
    place, _, way = only.partition(":")
    site, _, pattern = place.rpartition(" ")
    if not fnmatch.fnmatch(file, pattern) or site not in ("", trial.name):
        return []
    return [one for one in known if fnmatch.fnmatch(one, way)] or [way]


def _reading(trial: Trial, file: str) -> list[str]:
    """The questions that are there to read the index that this file belongs to; all, if it belongs to a part."""
    folder = Path(file).parent.name.partition(".")[0]
    own = [question for question, index in trial.questions.items() if index == folder]
    return own or list(trial.questions)[: None if file.startswith("parts/") else undisturbed.FEW]


def in_processes(work: Callable[[T], Outcome], items: Sequence[T]) -> Iterator[Outcome]:
    """Work on the items on all cores, in processes that are forked before any thread is started."""
    from pagekin.engine.local import cores

    with multiprocessing.get_context("fork").Pool(cores()) as pool:
        yield from pool.imap_unordered(work, items)


def report(outcomes: Iterable[Outcome], total: Outcome) -> None:
    """Add up, and print each fault when it is found, and now and then how far it is."""
    for done, outcome in enumerate(outcomes, 1):
        if done % SAID_EVERY == 0:
            print(f"{done:,} tried", flush=True)
        total.counts += outcome.counts
        total.faults += outcome.faults
        for line in outcome.faults:
            print(line, flush=True)


def summary(total: Outcome, seconds: float) -> str:
    """The table at the end, bad counts last."""
    bad = (*BAD, *kills.BAD)
    rows = [
        *((kind, n) for kind, n in sorted(total.counts.items()) if kind not in bad),
        *((k, total.counts[k]) for k in bad),
    ]
    lines = [f"{count:>9,}  {kind.upper() if kind in bad else kind}" for kind, count in rows]
    return "\n".join(["", f"in {seconds:,.0f} s", *lines])


if __name__ == "__main__":
    sys.exit(main())
