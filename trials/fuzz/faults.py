"""One input tried on one target: what is wrong with the answer, if anything, and which lines it reached."""

import resource
import traceback
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from trials.fuzz.growth import ENOUGH_SECONDS, FIRST, growth_of_seconds, growth_of_steps
from trials.fuzz.known import KNOWN
from trials.fuzz.recipe import Recipe
from trials.fuzz.steps import Line, TooManySteps, counting, forget
from trials.fuzz.targets import TARGETS

RAISES, WRONG, BUDGET, VARIES, STEPS, SECONDS, DIED = "raises", "wrong", "budget", "varies", "steps", "seconds", "died"

# What an input may cost: reading takes tens of steps for each byte; a short text may load a table.
STEPS_EVER, STEPS_PER_BYTE = 1_000_000, 2_000
SMALL = 2_000  # bytes of inputs that are counted and tried twice; the growth of larger ones is measured
PATIENCE = 1.0  # seconds
MIDDLING = 50_000  # bytes of inputs that are tried once more, uncounted: some limits are reached late
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
    raw = recipe.made
    forget()
    with counting(STEPS_EVER + STEPS_PER_BYTE * len(raw)) as counter:
        first, fault = _run(target, recipe, raw)
    if fault is None:
        forget()
        second, fault = _run(target, recipe, raw)
        if fault or second != first:
            fault = Fault(target, VARIES, "two runs", fault.what if fault else "another answer the second time", recipe)
    return Trial(fault, frozenset(counter.lines))


def _run(target: str, recipe: Recipe, raw: bytes) -> tuple[str, Fault | None]:
    """What the check returned, as text, or what is wrong."""
    try:
        return repr(TARGETS[target].check(raw)), None
    except AssertionError as error:
        return "", Fault(target, WRONG, _place(error), str(error) or "an assertion", recipe)
    except TooManySteps as error:
        return "", Fault(target, BUDGET, _place(error), f"too many steps for {len(raw):,} bytes: {error}", recipe)
    except Exception as error:
        name = type(error).__name__
        return "", Fault(target, RAISES, f"{name} in {_place(error)}", f"{name}: {error}", recipe)


def grown(target: str, recipe: Recipe, enough: float = ENOUGH_SECONDS) -> Fault | None:
    """Try how the cost of an input grows, in steps and, unless `enough` is 0, in seconds: runs of up to that many."""
    _limit_memory()
    check = TARGETS[target].check
    found = growth_of_steps(check, recipe)
    if found is None and enough:
        found = growth_of_seconds(check, recipe, enough)
    if found is None:
        return None
    return Fault(target, STEPS if found.unit == "steps" else SECONDS, found.where, str(found), recipe)


def replayed(target: str, recipe: Recipe) -> Fault | None:
    """Try an input of the corpus: a small one as it is; of a large one its growth in steps, and two beginnings.

    No clock is looked at, so that the outcome is the same on any machine; `patiently` looks at one.
    """
    fault = tried(target, _beginning(recipe, SMALL)).fault
    if fault or recipe.times < FIRST:
        return fault
    return grown(target, recipe, enough=0) or whole(target, _beginning(recipe, MIDDLING))


def _beginning(recipe: Recipe, most: int) -> Recipe:
    """The recipe with fewer repetitions, so that it has at most that many bytes if possible."""
    times = recipe.times
    while recipe.repeated(times).size > most and times > 1:
        times //= 2
    return recipe.repeated(times)


def patiently(target: str, recipe: Recipe) -> Fault | None:
    """Try an input of the corpus in its full size, and its growth in runs of seconds."""
    return (recipe.times >= FIRST and grown(target, recipe, PATIENCE)) or whole(target, recipe)


def whole(target: str, recipe: Recipe) -> Fault | None:
    """Try an input as it is, without counting: it comes to an end, and what must hold holds."""
    _limit_memory()
    return _run(target, recipe, recipe.made)[1]


def _limit_memory() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY or soft > MEMORY:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))


def _place(error: BaseException) -> str:
    """The last function of pagekin, or else of the check, in which it happened."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/pagekin/" in frame.filename] or [
        f for f in frames if "/fuzz/checks" in f.filename
    ]
    frame = (own or frames)[-1]
    return f"{frame.filename.rpartition('/')[2]}:{frame.name}"


def _brief(text: str, most: int = 400) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
