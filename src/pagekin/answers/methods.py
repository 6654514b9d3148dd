"""`methods`: what each method is for, which indexes it uses, and which of these a collection has."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pagekin.answer import Answer, Row
from pagekin.collection.store import Store
from pagekin.index.base import Index, is_built, staleness
from pagekin.methods import REGISTRY, Method
from pagekin.model import DEFAULT_METHOD
from pagekin.wording import command

READY, MISSING, STALE, PARTLY = "ready", "not built", "stale", "answers without"


@dataclass(frozen=True)
class KnownMethod(Row):
    """A method with its default parameters, or those that suit a collection."""

    method: str
    says: str  # what it takes for related, in a sentence
    uses: tuple[str, ...]  # indexes that `build` makes for it; none: the links are enough
    state: str | None = None  # whether it can be asked here; None: no collection was named


@dataclass(frozen=True, repr=False)
class Methods(Answer[KnownMethod]):
    """All methods, the default first."""

    shown: ClassVar[tuple[str, ...]] = ("method", "state", "uses", "says")

    def visible(self) -> tuple[str, ...]:
        return self.shown if any(row.state for row in self) else tuple(name for name in self.shown if name != "state")


def methods(store: Store | None = None) -> Methods:
    """The methods; with a collection, also whether each can be asked there."""
    names = sorted(REGISTRY, key=lambda name: (name != DEFAULT_METHOD, name))
    rows = tuple(_row(REGISTRY[name](), store) for name in names)
    if store is None:
        return Methods(results=rows)
    states = {row.state for row in rows}
    options = {"all": True} if MISSING in states else {}  # what the default method needs, plain `build` makes
    run = f"to make what is missing or stale, run: {command('build', store.path, **options)}"
    return Methods(note=run if states & {MISSING, STALE, PARTLY} else None, results=rows)


def _row(method: Method, store: Store | None) -> KnownMethod:
    method = method.chosen_for(store) if store else method
    uses = [each for each in _indexes(method) if store is None or each.is_for(store)]
    state = _state(method, uses, store) if store else None
    return KnownMethod(repr(method), _sentence(method), tuple(map(repr, uses)), state)


def _indexes(method: Method) -> Iterator[Index]:
    if method.index is not None:
        yield from (*method.index.needs, method.index)
    yield from method.ahead


def _state(method: Method, uses: list[Index], store: Store) -> str:
    """`ready`, or the worst that can be said of its indexes. `fused` leaves out what is missing, and says so."""
    seen = method.seen(store)
    if not all(is_built(seen, each) for each in uses):
        return PARTLY if type(method).left_out is not Method.left_out else MISSING
    return STALE if any(staleness(seen, each) for each in uses) else READY


def _sentence(method: Method) -> str:
    """The first sentence of its description."""
    return (type(method).__doc__ or "").strip().partition("\n")[0]
