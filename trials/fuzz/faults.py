"""One input tried on one target: what is wrong with the answer, if anything, and which lines it reached."""

import resource
import traceback
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from trials.fuzz.growth import growth_of_seconds, growth_of_steps
from trials.fuzz.known import KNOWN
from trials.fuzz.recipe import Recipe
from trials.fuzz.steps import Line, TooManySteps, counting, forget
from trials.fuzz.targets import TARGETS

RAISES, WRONG, BUDGET, VARIES, STEPS, SECONDS, DIED = "raises", "wrong", "budget", "varies", "steps", "seconds", "died"

# What an input may cost: reading takes tens of steps for each byte; a short text may load a table.
STEPS_EVER, STEPS_PER_BYTE = 1_000_000, 2_000
SMALL = 10_000  # bytes of inputs that are counted and tried twice; the growth of larger ones is measured
MEMORY = 8 << 30  # address space: an input that takes more is a fault, and must not take the machine with it


@dataclass(frozen=True)
class Fault:
    """Something that must not happen, and the input with which it does."""

    target: str
    kind: str
    where: str  # the function, or the reason why a process died
    what: str = field(compare=False)
    recipe: Recipe = field(compare=False)

    @property
    def signature(self) -> str:
        """The same for the same fault, found with another input."""
        return f"{self.target} {self.kind} {self.where}"

    @property
    def known(self) -> str | None:
        """Why this fault is still there, if it is known."""
        return next((why for pattern, why in KNOWN.items() if fnmatchcase(self.signature, pattern)), None)

    def __str__(self) -> str:
        again = f"python -m trials.fuzz --only {self.target} --input '{_brief(str(self.recipe))}'"
        return f"{self.kind.upper()}  {self.target}  {self.where}: {_brief(self.what)}\n    {again}"


@dataclass(frozen=True)
class Trial:
    """What came of one input."""

    fault: Fault | None
    lines: frozenset[Line] = frozenset()


def tried(target: str, recipe: Recipe) -> Trial:
    """Try an input: it raises nothing, what must hold holds, within a budget of steps, and twice the same."""
    _limit_memory()
    raw, check = recipe.made, TARGETS[target].check
    forget()
    kind, where, what = "", "", ""
    with counting(STEPS_EVER + STEPS_PER_BYTE * len(raw)) as counter:
        try:
            first = repr(check(raw))
        except AssertionError as error:
            kind, where, what = WRONG, _place(error), str(error) or "an assertion"
        except TooManySteps as error:
            kind, where, what = BUDGET, _place(error), f"more than {counter.budget:,} steps for {len(raw):,} bytes"
        except Exception as error:
            kind, where, what = RAISES, f"{type(error).__name__} in {_place(error)}", f"{type(error).__name__}: {error}"
    if not kind:
        forget()
        try:
            if repr(check(raw)) != first:
                kind, where, what = VARIES, "two runs", "another answer the second time"
        except Exception as error:
            kind, where, what = VARIES, "two runs", f"{type(error).__name__} the second time: {error}"
    return Trial(Fault(target, kind, where, what, recipe) if kind else None, frozenset(counter.lines))


def grown(target: str, recipe: Recipe, by_clock: bool = True) -> Fault | None:
    """Try how the cost of an input grows, in steps and, which takes longer, by the clock."""
    _limit_memory()
    check = TARGETS[target].check
    found = growth_of_steps(check, recipe)
    if found is None and by_clock:
        found = growth_of_seconds(check, recipe)
    if found is None:
        return None
    return Fault(target, STEPS if found.unit == "steps" else SECONDS, found.where, str(found), recipe)


def replayed(target: str, recipe: Recipe) -> Fault | None:
    """Try an input of the corpus: as it is if it is small, its beginning and its growth otherwise."""
    times = recipe.times
    while recipe.repeated(times).size > SMALL and times > 1:
        times //= 2
    return tried(target, recipe.repeated(times)).fault or grown(target, recipe)


def whole(target: str, recipe: Recipe) -> Fault | None:
    """Try an input in its full size, without counting: it comes to an end, and what must hold holds."""
    _limit_memory()
    try:
        TARGETS[target].check(recipe.made)
    except Exception as error:
        kind = WRONG if isinstance(error, AssertionError) else RAISES
        return Fault(target, kind, f"{type(error).__name__} in {_place(error)}", str(error), recipe)
    return None


def _limit_memory() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY or soft > MEMORY:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))


def _place(error: BaseException) -> str:
    """The last function of pagekin, or else of the check, in which it happened."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/pagekin/" in frame.filename] or [f for f in frames if "/fuzz/checks" in f.filename]
    frame = (own or frames)[-1]
    return f"{frame.filename.rpartition('/')[2]}:{frame.name}"


def _brief(text: str, most: int = 400) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
