"""Twice the input may take twice the work, not four times: an input is repeated n, 2n and 4n times and measured.

Steps of Python are exact, so twice the input may take 2.2 times the steps and a constant, twice in a row: once would be
a threshold that was crossed. Seconds are not exact: four times the input may take eight times the seconds, and sixteen
is what a quadratic reader takes. n grows until the work can be measured; a quadratic reader is found before it hangs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import process_time

from trials.fuzz.recipe import Recipe
from trials.fuzz.steps import Work, hottest, seconds, steps

STEPS_RATIO, STEPS_CONSTANT = 2.2, 2_000
SECONDS_RATIO = 8.0  # for four times the input: 4 is linear, 16 quadratic
DOUBLED_RATIO = 2.4  # and this for twice the input, both times: a threshold is crossed once
ENOUGH_STEPS = 12_000  # a larger input says nothing new …
ENOUGH_SECONDS = 0.04  # … nor does one that takes longer
SUSPICIOUS = 5.0  # the ratio from which it is worth a longer look, up to …
LONGEST_SECONDS = 0.25
LEAST_SECONDS = 0.1  # what takes less, because a limit stops it from growing further, harms nobody
BUDGET = 20_000_000  # steps
FIRST = 16  # times
RUNS, MORE_RUNS = 1, 3

Check = Callable[[bytes], object]


@dataclass(frozen=True)
class Growth:
    """What n, 2n and 4n times took, of "steps" or "seconds", and where."""

    unit: str
    times: int
    taken: tuple[float, float, float]
    where: str

    def __str__(self) -> str:
        shown = " → ".join(f"{one:,.0f}" if self.unit == "steps" else f"{one:.3f}" for one in self.taken)
        return f"{shown} {self.unit} for {self.times:,} × 1, 2, 4, in {self.where}"


def growth_of_steps(check: Check, recipe: Recipe) -> Growth | None:
    """What grows too fast when it is counted in steps; None if nothing does."""
    taken: list[int] = []
    for times in _sizes(recipe):
        work, began = _work(check, recipe, times), process_time()
        taken.append(steps(work, BUDGET))
        if len(taken) >= 3 and all(map(_too_many, taken[-3:], taken[-2:])):
            return Growth("steps", times // 4, (taken[-3], taken[-2], taken[-1]), hottest(work))
        suspicious = len(taken) > 1 and _too_many(taken[-2], taken[-1])
        enough = taken[-1] > ENOUGH_STEPS or process_time() - began > ENOUGH_SECONDS
        if len(taken) >= 3 and enough and not suspicious:
            break
    return None


def _too_many(once: int, twice: int) -> bool:
    return twice > STEPS_RATIO * once + STEPS_CONSTANT


def growth_of_seconds(check: Check, recipe: Recipe, enough: float = ENOUGH_SECONDS) -> Growth | None:
    """What grows too fast by the clock; what looks so is measured again, more often.

    A run that takes `enough` seconds is the last: more finds what is quadratic with a small factor.
    """
    taken: list[float] = []
    sizes = _sizes(recipe)
    for at, times in enumerate(sizes):
        taken.append(seconds(_work(check, recipe, times), RUNS))
        if at >= 2 and _too_long(*taken[-3:]):
            again = [seconds(_work(check, recipe, each), MORE_RUNS) for each in sizes[at - 2 : at + 1]]
            if _too_long(*again):
                where = hottest(_work(check, recipe, times))
                return Growth("seconds", sizes[at - 2], (again[0], again[1], again[2]), where)
        suspicious = at >= 2 and taken[-1] > SUSPICIOUS * taken[-3]
        if taken[-1] > max(enough, LONGEST_SECONDS if suspicious else 0.0) and at >= 2:
            break
    return None


def _work(check: Check, recipe: Recipe, times: int) -> Work:
    return partial(check, recipe.repeated(times).made)


def _too_long(once: float, twice: float, four_times: float) -> bool:
    doubled = twice > DOUBLED_RATIO * once and four_times > DOUBLED_RATIO * twice
    return doubled and four_times > max(LEAST_SECONDS, SECONDS_RATIO * once)


def _sizes(recipe: Recipe) -> list[int]:
    """How often to repeat: from the recipe's own number downwards in halves, the smallest first."""
    times, found = recipe.times, []
    while times >= FIRST:
        found.append(times)
        times //= 2
    return found[::-1]
