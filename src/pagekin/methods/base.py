"""What a method is, and the list of them: page → ranked related pages, and why.

A method is a frozen dataclass whose fields are its parameters, and its name as text is `amsler(direct=false)`
(`settings`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from pagekin import spec
from pagekin.collection.store import Store
from pagekin.index.base import Index
from pagekin.kernels import Floats, Ints
from pagekin.model import Evidence

DEFAULT = "amsler"
ALONE = "no link leads to this page or from it; add pages that link to it, or ask by its words"


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
    """Page → related pages, and why.

    One that takes a while for a page has `tabled`, the most results of each page that `answers` may keep: for any two
    lengths up to it, the shorter list must be the beginning of the longer one, and only empty lists may have notes. And
    it has `some(store, pages, k)`, which is `everyone` for some pages.
    """

    name: ClassVar[str]

    @property
    def index(self) -> Index | None:
        """What `build` must have made first, if anything."""

    def related(self, store: Store, page: int, k: int) -> Scores:
        """The k pages most related to a page, by score (larger is better), then page; never the page itself."""

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        """What the method used to relate the two, most telling first."""


def settled(asked: Method, store: Store) -> Method:
    """The method with the settings that a collection decides on filled in: `block` as `block(scope=site)`."""
    choose = getattr(asked, "settled", None)
    return asked if choose is None else choose(store)


def everyone(asked: Method, store: Store, k: int) -> tuple[Ints, Ints, Floats]:
    """For each page how many related pages it has (at most k), which, and their scores, best first.

    A method that can do all pages at once has an `everyone` of its own; the others are asked page by page.
    """
    at_once = getattr(asked, "everyone", None)
    if at_once is not None:
        return at_once(store, k)  # type: ignore[no-any-return]
    sizes, pages, scores = no_lists(store.size, k)
    for page in range(store.size):
        found = asked.related(store, page, k)
        sizes[page] = found.pages.size
        pages[page, : sizes[page]] = found.pages
        scores[page, : sizes[page]] = found.scores
    return sizes, pages, scores


def no_lists(pages: int, k: int) -> tuple[Ints, Ints, Floats]:
    """The lists of `everyone`, still empty."""
    return np.zeros(pages, np.int32), np.full((pages, k), -1, np.int32), np.zeros((pages, k), np.float64)


REGISTRY: dict[str, type[Any]] = {}
M = TypeVar("M")


def register(name: str) -> Callable[[type[M]], type[M]]:
    """Enter a method under its name; one that names no index needs only the graph."""

    def enter(cls: type[M]) -> type[M]:
        REGISTRY[name] = cls
        cls.name = name  # type: ignore[attr-defined]
        cls.__repr__ = spec.text  # type: ignore[method-assign]
        if not hasattr(cls, "index"):
            cls.index = None  # type: ignore[attr-defined]
        return cls

    return enter


def method(written: str) -> Method:
    """The method that a text names: `co-citation`, `amsler(direct=false, max_in=50)`; else a `UsageError`."""
    return spec.read("method", written, REGISTRY)  # type: ignore[no-any-return]
