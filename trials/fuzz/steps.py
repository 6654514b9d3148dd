"""What a run costs: steps of Python, which are the same on every machine, and seconds of the processor for the rest.

A step is a line, or a round of a loop within a line. Steps say nothing of what C does (a parser, a regular expression,
Arrow): for that there is only the clock of the process, of which the least of several runs counts, so that a busy
machine does not decide. Counters of the processor (`perf`) are missing on virtual machines, and valgrind takes longer
to import pyarrow than a run may take.
"""

import cProfile
import gc
import pstats
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from types import CodeType, FrameType
from typing import Any

Work = Callable[[], object]
Line = tuple[str, int]  # file and line

BUILT_IN = "~"  # the file of a function that is written in C
MANY_VALUES = 4  # a cache of fewer values holds a table that is slow to load (the Public Suffix List), not answers


class TooManySteps(BaseException):  # not an Exception, so that what is measured does not catch it
    """The budget is used up."""


class Counter:
    """Counts steps, and notes the lines in pagekin that were reached."""

    def __init__(self, budget: int) -> None:
        self.steps, self.budget = 0, budget
        self.lines: set[Line] = set()

    def step(self, code: CodeType, line: int) -> None:
        self.steps += 1
        if self.steps > self.budget:
            raise TooManySteps(f"{code.co_filename}:{line}")
        if "pagekin" in code.co_filename:
            self.lines.add((code.co_filename, line))

    def traced(self, frame: FrameType, event: str, _: Any) -> Any:
        """For `sys.settrace`."""
        if event == "line":
            self.step(frame.f_code, frame.f_lineno)
        return self.traced


@contextmanager
def counting(budget: int) -> Iterator[Counter]:
    """Count the steps of what is done inside, in this thread; `TooManySteps` ends it."""
    counter = Counter(budget)
    before = sys.gettrace()  # a debugger's, or that of a tool that measures coverage
    sys.settrace(counter.traced)
    try:
        yield counter
    finally:
        sys.settrace(before)


def steps(work: Work, budget: int) -> int:
    """How many steps the work takes, from empty caches; budget + 1 if it takes more than the budget."""
    forget()
    with counting(budget) as counter, suppress(Exception, TooManySteps):  # whether it may fail is not asked here
        work()
    return counter.steps


def seconds(work: Work, runs: int) -> float:
    """The processor's seconds that the work takes, the least of several runs from empty caches."""
    least = float("inf")
    collecting = gc.isenabled()
    gc.disable()  # when garbage is collected depends on what was done before
    try:
        for _ in range(runs):
            forget()
            began = time.process_time()
            with suppress(Exception):
                work()
            least = min(least, time.process_time() - began)
    finally:
        if collecting:
            gc.enable()
    return least


def forget() -> None:
    """Empty the caches of pagekin: an answer from a cache takes no steps."""
    for cache in _caches(len(sys.modules)):
        cache.cache_clear()


@lru_cache(1)
def _caches(_: int) -> list[Any]:
    """The caches of the modules that are imported; the argument tells when there are more."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("pagekin.")]
    found = (held for module in modules for held in vars(module).values() if hasattr(held, "cache_parameters"))
    return [held for held in found if (held.cache_parameters()["maxsize"] or 0) >= MANY_VALUES]


def hottest(work: Work) -> str:
    """Where most of the time goes: the function, and who called it if it is written in C."""
    forget()
    profile = cProfile.Profile()
    with suppress(Exception):
        profile.runcall(work)
    table: Any = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    table = {place: row for place, row in table.items() if "_lsprof" not in place[2]}  # the profiler itself
    if not table:
        return "a function in C"
    place = max(table, key=lambda each: table[each][2])
    callers = table[place][4]
    if place[0] != BUILT_IN or not callers:
        return _named(place)
    return f"{_named(place)} from {_named(max(callers, key=lambda each: callers[each][2]))}"


def _named(place: tuple[str, int, str]) -> str:
    file, _, function = place
    return function if file == BUILT_IN else f"{file.rpartition('/')[2]}:{function}"
