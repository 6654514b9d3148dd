"""What `build` is about to make: about how long each index takes and how much disk, said before it begins; and how long
the rest takes, by how the time of those that are done compares with what was thought."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pagekin.answers.progress import duration
from pagekin.collection.store import Store
from pagekin.failures import size
from pagekin.index.base import Index
from pagekin.index.costs import Cost, cost

WORTH_S = 10.0  # what takes less is done before one has read it
SURE_S = 3.0  # by indexes that took less in all, nothing is said of the speed of the machine


@dataclass
class Plan:
    """The costs of the indexes to be made, in their order; None where it is not known."""

    costs: Mapping[str, Cost | None]
    former: frozenset[str] = frozenset()  # those that exist: what is unchanged of them may be reused
    clock: Callable[[], float] = time.monotonic
    began: float = field(init=False)
    over: float = 0.0  # seconds, as thought, of those that are done

    def __post_init__(self) -> None:
        self.began = self.clock()

    @classmethod
    def of(cls, ordered: Mapping[str, Index], store: Store) -> "Plan":
        former = frozenset(ordered.keys() & store.manifest.indexes.keys())
        return cls({text: cost(each, store) for text, each in ordered.items()}, former)

    @property
    def total(self) -> Cost:
        return sum((each for each in self.costs.values() if each), Cost(0.0, 0.0))

    @property
    def lines(self) -> list[str]:
        """A sentence for each index, and one for all; none if it is soon done."""
        if self.total.seconds < WORTH_S:
            return []
        lines = [f"to make: {text}, {self._said(text)}" for text in self.costs]
        return lines if len(lines) < 2 else [*lines, f"in all {_about(self.total)}"]

    def _said(self, text: str) -> str:
        known = self.costs[text]
        if known is None:
            return "which takes as long as a question for each page"
        return _about(known) + (", less if little has changed" if text in self.former else "")

    def left(self, text: str) -> list[str]:
        """About how long it is from the beginning of an index to the end of all; nothing if it is soon done."""
        names = list(self.costs)
        known = [self.costs[each] for each in names[names.index(text) :]]
        seconds = sum(each.seconds for each in known if each) * self._pace()
        return [f"about {duration(seconds)} left"] if seconds >= WORTH_S and all(known) else []

    def _pace(self) -> float:
        passed = self.clock() - self.began
        return passed / self.over if self.over and passed >= SURE_S else 1.0

    def done(self, text: str) -> None:
        known = self.costs[text]
        self.over += known.seconds if known else 0.0


def _about(known: Cost) -> str:
    return f"about {duration(known.seconds)} and {size(round(known.bytes))}"
