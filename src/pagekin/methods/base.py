"""What a method is, and the list of them: page → ranked related pages, and why.

A method is a frozen dataclass whose fields are its parameters; from them come the flags, the docs and its name as text,
`amsler(direct=false)`, which reads the same in the shell, in JSON and in Python, and parses to the method it names.
"""

import dataclasses
import re
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from pagekin.collection.store import Store
from pagekin.errors import UsageError, unknown
from pagekin.kernels import Floats, Ints
from pagekin.model import Evidence

DEFAULT = "amsler"
ALONE = "no link leads to this page or from it; add pages that link to it, or ask by its words"
LARGEST = 2**31 - 1  # of a whole number: kernels count pages in 32 bits


@dataclass(frozen=True)
class Scores:
    """Pages by number, best first, with their scores; a note says why there are none, or what to know of them."""

    pages: Ints
    scores: Floats
    note: str | None = None

    @classmethod
    def none(cls, note: str) -> "Scores":
        return cls(np.empty(0, np.int32), np.empty(0, np.float64), note)


class Method(Protocol):
    """Page → related pages, and why."""

    name: ClassVar[str]
    index: ClassVar[str | None]  # what `build` must have made first, if anything

    def related(self, store: Store, page: int, k: int) -> Scores:
        """The k pages most related to a page, by score (larger is better), then page; never the page itself."""

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        """What the method used to relate the two, most telling first."""


def everyone(asked: Method, store: Store, k: int) -> tuple[Ints, Ints, Floats]:
    """For each page how many related pages it has (at most k), which, and their scores, best first.

    A method that can do all pages at once has an `everyone` of its own; the others are asked page by page.
    """
    at_once = getattr(asked, "everyone", None)
    if at_once is not None:
        return at_once(store, k)  # type: ignore[no-any-return]
    sizes, pages = np.zeros(store.size, np.int32), np.full((store.size, k), -1, np.int32)
    scores = np.zeros((store.size, k), np.float64)
    for page in range(store.size):
        found = asked.related(store, page, k)
        sizes[page] = found.pages.size
        pages[page, : sizes[page]] = found.pages
        scores[page, : sizes[page]] = found.scores
    return sizes, pages, scores


REGISTRY: dict[str, type[Any]] = {}
M = TypeVar("M")


def register(name: str, index: str | None = None) -> Callable[[type[M]], type[M]]:
    """Enter a method under its name."""

    def enter(cls: type[M]) -> type[M]:
        REGISTRY[name] = cls
        cls.name, cls.index = name, index  # type: ignore[attr-defined]
        cls.__repr__ = text  # type: ignore[method-assign]
        return cls

    return enter


def text(method: Any) -> str:
    """A method as text: its name, and the parameters that are not the defaults."""
    shown = [
        f"{item.name}={_shown(getattr(method, item.name))}"
        for item in dataclasses.fields(method)
        if getattr(method, item.name) != item.default
    ]
    return f"{method.name}({', '.join(shown)})" if shown else str(method.name)


def _shown(value: Any) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


_CALL = re.compile(r"\s*([A-Za-z0-9_-]+)\s*(?:\((.*)\))?\s*", re.DOTALL)


def method(written: str) -> Method:
    """The method that a text names: `co-citation`, `amsler(direct=false, max_in=50)`.

    A name, parameter or value that does not exist is a `UsageError` that lists those that do.
    """
    call = _CALL.fullmatch(written)
    if call is None:
        raise UsageError(f"cannot read the method '{written}'; write name or name(parameter=value, …)")
    name, inside = call[1], call[2]
    if name not in REGISTRY:
        raise unknown("method", name, REGISTRY)
    cls = REGISTRY[name]
    hints = get_type_hints(cls)
    known = [item.name for item in dataclasses.fields(cls)]
    given: dict[str, Any] = {}
    for setting in filter(None, (part.strip() for part in (inside or "").split(","))):
        parameter, equals, value = (part.strip() for part in setting.partition("="))
        if not equals:
            raise UsageError(f"cannot read '{setting}' in '{written}'; write parameter=value")
        if parameter not in known:
            raise unknown(f"parameter of {name}", parameter, known)
        if parameter in given:
            raise UsageError(f"{parameter} is given twice in '{written}'")
        given[parameter] = _read(f"{name}({parameter})", value, hints[parameter])
    return cls(**given)  # type: ignore[no-any-return]


def _read(what: str, value: str, kind: Any) -> Any:
    """A parameter's value from text, by the type of its field."""
    origin, options = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        if value == "none":
            return None
        return _read(what, value, next(option for option in options if option is not type(None)))
    if origin is Literal:
        if value not in options:
            raise unknown(f"value of {what}", value, options)
        return value
    if kind is bool:
        if value not in ("true", "false"):
            raise UsageError(f"{what} is true or false, not '{value}'")
        return value == "true"
    try:
        number = kind(value)
        if kind is int and abs(number) > LARGEST:
            raise ValueError
        return number
    except ValueError:
        expected = {int: "a whole number", float: "a number"}.get(kind, kind.__name__)
        raise UsageError(f"{what} must be {expected}, not '{value}'") from None
