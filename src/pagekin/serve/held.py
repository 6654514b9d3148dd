"""A collection that a server holds: asked in threads, reopened when it changes, with what tells its states apart."""

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pagekin.answers.collection import TRIES, Collection
from pagekin.collection import manifest
from pagekin.serve.lanes import Lanes

if TYPE_CHECKING:
    from pagekin.answers.filters import Filters
    from pagekin.answers.map import Map
    from pagekin.answers.page import PageFacts
    from pagekin.methods import Method

Stamp = tuple[int, ...]


class Question(Protocol):
    """Something to ask: see `questions`."""

    @property
    def cost(self) -> Hashable: ...

    def ask(self, collection: "Held") -> Any: ...


class Answered(NamedTuple):
    """An answer, and the state of the collection that gave it; None: it changed too often to tell which."""

    answer: Any
    stamp: Stamp | None


class Held(Collection):
    """A collection under the name by which it is served. `quick`: it never makes an index for a question."""

    def __init__(self, name: str, path: Path | str, lanes: Lanes) -> None:
        super().__init__(path, quick=True)
        self.name, self.lanes = name, lanes

    def stamp(self) -> Stamp:
        """What tells this state of the collection from the next, for the price of a `stat`."""
        return manifest.stamp(self.path)

    async def ask(self, question: Question, form: Callable[[Any], Any] | None = None) -> Answered:
        """Ask in a thread. An answer comes from one state of the collection, the newest when it was asked.

        form: what to make of the answer, in the same thread: JSON of a long one takes a while.
        """
        kind, state = (self.name, question.cost), self.stamp()
        return await self.lanes.run(kind, lambda: self._answered(question, form, state), state)

    def _answered(self, question: Question, form: Callable[[Any], Any] | None, before: Stamp) -> Answered:
        for _ in range(TRIES):
            answer = question.ask(self) if form is None else form(question.ask(self))
            after = self.stamp()
            if after == before:
                return Answered(answer, before)
            before = after
        return Answered(answer, None)

    def page(self, page: str, k: int) -> "PageFacts":
        """What is known of a page: see `answers.page`."""
        from pagekin.answers.page import page_facts

        return self._ask(lambda store: page_facts(store, page, k))

    def map(self, page: str, method: "Method", k: int, filters: "Filters") -> "Map":
        """The pages around a page, at their places: see `answers.map`."""
        from pagekin.answers.map import draw_map

        return self._ask(lambda store: draw_map(store, page, method, k, filters))
