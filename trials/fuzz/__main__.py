"""`python -m trials.fuzz --seconds 60`: give every reader what nobody would write, and see that nothing goes wrong.

The corpus comes first, in full size; then new inputs for one target after the other until the time is up. Each fault is
made small, printed with the command that repeats it, and kept in the corpus. The exit code is 1 if there was a fault
that is not known.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from trials import child
from trials.child import Died
from trials.fuzz import checks, corpus, faults
from trials.fuzz.faults import DIED, Fault, Trial
from trials.fuzz.recipe import Recipe, minimised
from trials.fuzz.search import growing, inputs
from trials.fuzz.steps import Line
from trials.fuzz.targets import TARGETS

ROUND, GROWTHS = 60, 3  # inputs of one target before the next one's turn, and how many are tried for growth
LIMIT_S = 120.0  # of the processor's time, for an input of a hundred kilobytes: a busy machine does not matter
TRIES, SLOW_TRIES = 500, 12  # to make an input smaller: where each takes milliseconds, and where it takes a second


class Hunt:
    """What is known about one target so far."""

    def __init__(self, name: str, seed: int) -> None:
        dice = random.Random(f"{seed} {name}")
        self.name = name
        self.reached: set[Line] = set()
        self.kept: list[Recipe] = []
        self.inputs = inputs(TARGETS[name], dice, self.kept)
        self.growing = growing(TARGETS[name], random.Random(f"{seed} {name} growth"))

    def round(self) -> Iterator[Fault]:
        """Try some inputs, and the growth of some."""
        some = list(islice(self.inputs, ROUND))
        for recipe, trial in zip(some, child.each(self._try, some, LIMIT_S), strict=True):
            if isinstance(trial, Died):
                yield Fault(self.name, DIED, trial.why, trial.why, recipe)
                continue
            if not trial.lines <= self.reached:
                self.reached |= trial.lines
                self.kept.append(recipe)
            if trial.fault:
                yield trial.fault
        some = list(islice(self.growing, GROWTHS))
        for recipe, fault in zip(some, child.each(self._grow, some, LIMIT_S), strict=True):
            if isinstance(fault, Died):
                yield Fault(self.name, DIED, fault.why, fault.why, recipe)
            elif fault:
                yield fault

    def _try(self, recipe: Recipe) -> Trial:
        trial = faults.tried(self.name, recipe)
        return replace(trial, lines=trial.lines - self.reached)

    def _grow(self, recipe: Recipe) -> Fault | None:
        return faults.grown(self.name, recipe)


class Report:
    """Prints each fault once, made small, and keeps it."""

    def __init__(self, keeps: bool) -> None:
        self.keeps = keeps
        self.met: set[str] = set()
        self.counts: Counter[str] = Counter()

    def add(self, fault: Fault, name: str = "") -> None:
        """A fault, found with an input of the corpus if that has a name."""
        known = fault.known
        self.counts["known faults" if known else "faults"] += fault.signature not in self.met
        if fault.signature in self.met or (known and not name):
            self.met.add(fault.signature)
            return
        self.met.add(fault.signature)
        if name:
            print(f"{'known: ' if known else ''}{fault.target}/{name}: {fault}", flush=True)
            return
        small = smallest(fault)
        print(small, flush=True)
        if self.keeps:
            print(f"    kept as {corpus.store(small.target, small.kind, small.recipe)}", flush=True)


def smallest(fault: Fault) -> Fault:
    """The same fault with a smaller input."""
    if fault.kind == DIED:
        return fault  # each try would take as long as it took to die
    small = child.once(_smallest, fault, LIMIT_S)
    return fault if isinstance(small, Died) else small


def _smallest(fault: Fault) -> Fault:
    slow = fault.kind in (faults.STEPS, faults.SECONDS)
    found = {fault.recipe: fault}

    def fails(recipe: Recipe) -> bool:
        again = faults.grown(fault.target, recipe) if slow else faults.tried(fault.target, recipe).fault
        if again is None or again != fault:
            return False
        found[recipe] = again
        return True

    return found[minimised(fault.recipe, fails, SLOW_TRIES if slow else TRIES)]


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options().parse_args(arguments)
    began = time.monotonic()
    names = [options.only] if options.only else list(TARGETS)
    report = Report(keeps=not options.dry)
    with tempfile.TemporaryDirectory(prefix="pagekin-fuzz-") as folder:
        tempfile.tempdir = folder  # the files of every child
        child.prepare(_imported, names)
        checks.warm()
        if options.input:
            repeat(options.only, Recipe.read(options.input), report)
        else:
            for target, name, recipe in corpus.stored(options.only):
                for fault in _replayed(target, recipe):
                    report.add(fault, name)
                report.counts["inputs of the corpus"] += 1
            hunts = [Hunt(name, options.seed) for name in names]
            end = time.monotonic() + options.seconds
            while time.monotonic() < end:
                for hunt in hunts:
                    if time.monotonic() < end:
                        for fault in hunt.round():
                            report.add(fault)
                        report.counts["new inputs"] += ROUND
                        report.counts["new inputs that grow"] += GROWTHS
            report.counts["lines of pagekin reached"] = len(set().union(*(hunt.reached for hunt in hunts)))
    print(f"\nin {time.monotonic() - began:,.0f} s, seed {options.seed}")
    for what, number in (report.counts + Counter()).items():
        print(f"{number:>9,}  {what}")
    return int(report.counts["faults"] > 0)


def repeat(target: str | None, recipe: Recipe, report: Report) -> None:
    """Try one input again, as it was printed."""
    if target is None:
        raise SystemExit("--input needs --only TARGET")
    for fault in _replayed(target, recipe):
        report.add(fault, "input")


def _replayed(target: str, recipe: Recipe) -> Iterator[Fault]:
    """The first thing that is wrong with an input, also in its full size; nothing if it is well."""
    for work in (faults.replayed, faults.patiently):
        result = child.once(lambda one, work=work: work(target, one), recipe, LIMIT_S)  # type: ignore[misc]
        if result is not None:
            yield Fault(target, DIED, result.why, result.why, recipe) if isinstance(result, Died) else result
            return


def _imported(target: str) -> None:
    TARGETS[target].check(b"x")


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m trials.fuzz", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0, metavar="N", help="how long to make new inputs")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="other inputs")
    parser.add_argument("--only", choices=TARGETS, metavar="TARGET", help=f"one of: {', '.join(TARGETS)}")
    parser.add_argument("--input", metavar="RECIPE", help="try one input, as it was printed")
    parser.add_argument("--dry", action="store_true", help="keep nothing in tests/corpus")
    return parser


if __name__ == "__main__":
    sys.exit(main())
