"""One measured comparison, and what is needed to make one: clocks, and peers that may not be installed."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from time import perf_counter
from typing import Any, Literal, TypeVar

INSTALL = "pip install 'pagekin[bench]'"
DISTRIBUTIONS = {"sparse_dot_topn": "sparse-dot-topn", "bs4": "beautifulsoup4"}  # if it differs from the module's name


TURNS = 5
LONG_S = 20.0  # work that takes this long need not be repeated

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True)
class Case:
    """A measurement of pagekin and of a peer, and the bar that it must pass.

    >>> Case("sum", ours=2.0, unit="ms", peer="igraph", theirs=120.0, bar=50).ratio
    60.0
    >>> Case("start", ours=2.0, unit="s", bar=1.5, bar_on="ours at most").holds
    False
    """

    case: str
    ours: float | None  # None: could not be measured; `note` says why
    unit: str  # a rate ("rows/s") is better when it is larger, anything else when it is smaller
    peer: str | None = None
    theirs: float | None = None
    bar: float | None = None  # None: for information
    bar_on: Literal["ratio at least", "ours at most"] = "ratio at least"
    note: str = ""
    agrees: bool = True  # both sides gave the same result, compared outside the clock

    @property
    def ratio(self) -> float | None:
        """How many times better ours is."""
        if not self.ours or not self.theirs:
            return None
        return self.ours / self.theirs if self.unit.endswith("/s") else self.theirs / self.ours

    @property
    def holds(self) -> bool | None:
        """Whether the bar is passed: False if a side is missing or results differ, None if there is no bar."""
        if self.bar is None:
            return None
        measured = self.ratio if self.bar_on == "ratio at least" else self.ours
        if measured is None or not self.agrees:
            return False
        return measured >= self.bar if self.bar_on == "ratio at least" else measured <= self.bar

    def as_dict(self) -> dict[str, Any]:
        names = ("case", "ours", "peer", "theirs", "unit", "ratio", "bar", "bar_on", "holds", "note")
        return {name: getattr(self, name) for name in names}


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Seconds on the clock, and what the work returned."""
    start = perf_counter()
    made = work()
    return perf_counter() - start, made


def best_in_turn(ours: Callable[[], A], theirs: Callable[[], B]) -> tuple[float, A, float, B]:
    """The shortest times of both sides and what they returned, run in turn so that noise affects both alike."""
    our_time, our_result = timed(ours)
    their_time, their_result = timed(theirs)
    turns = 1
    while turns < TURNS and turns * (our_time + their_time) < LONG_S:
        our_time = min(our_time, timed(ours)[0])
        their_time = min(their_time, timed(theirs)[0])
        turns += 1
    return our_time, our_result, their_time, their_result


def peer(module: str) -> Any | None:
    """A peer's module, or None if it is not installed: its cases then say `missing(module)`."""
    try:
        return import_module(module)
    except ImportError:
        return None


def missing(module: str) -> str:
    """The note for a peer that is not installed.

    >>> missing("igraph")
    "igraph is not installed, nothing was compared; pip install 'pagekin[bench]'"
    """
    return f"{DISTRIBUTIONS.get(module, module)} is not installed, nothing was compared; {INSTALL}"
