"""Indexes: what `build` derives so that methods can look things up. `index/NAME.…/` is one index with its settings.

An index is a frozen dataclass whose fields are its settings; its text, `similarity(measure=amsler)`, is its name in the
manifest. It is replaced as a whole, stores ids (page numbers change when pages are added), and remembers the version of
the collection it was made from: an index of an older version still answers, with a note that it is stale.

    @register("similarity")
    @dataclass(frozen=True, repr=False)
    class Similarity(Index):
        measure: Measure = "co-citation"

        def make(self, store, folder): ...        # write files into the folder, return a sentence
        def open(self, folder): ...               # what methods read, memory-mapped
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from pagekin import spec
from pagekin.collection.seen import seen_by
from pagekin.collection.store import Store
from pagekin.collection.writer import Writer
from pagekin.errors import NotBuiltError
from pagekin.wording import command

MOST_OPEN = 64  # indexes of one collection: they are memory-mapped, and reopening one takes milliseconds


class Index(ABC):
    """Data that can be derived from a collection, for methods and searches to read."""

    name: ClassVar[str]

    @property
    def needs(self) -> tuple["Index", ...]:
        """The indexes that are used together with this one; `build` makes them first."""
        return ()

    @abstractmethod
    def make(self, store: Store, folder: Path) -> str:
        """Write the index into a new, empty folder; returns a sentence that says what it holds."""

    @abstractmethod
    def open(self, folder: Path) -> Any:
        """The index as methods read it. Its files have been verified; what it raises means that they are damaged."""

    __repr__ = spec.text


INDEXES: dict[str, type[Index]] = {}
I = TypeVar("I", bound=Index)  # noqa: E741


def register(name: str) -> Callable[[type[I]], type[I]]:
    """A class decorator that enters an index in the registry under its name."""

    def enter(cls: type[I]) -> type[I]:
        INDEXES[name] = cls
        cls.name = name
        return cls

    return enter


def index(written: str) -> Index:
    """The index that a text names, as `similarity(measure=amsler)`; else a `UsageError`."""
    return spec.read("index", written, INDEXES)  # type: ignore[no-any-return]


def derive(writer: Writer, wanted: Index) -> str:
    """Make an index and commit it; returns the sentence from its `make`."""
    store, said = writer.store(), ""

    def fill(folder: Path) -> None:
        nonlocal said
        said = wanted.make(seen_by(wanted, store), folder)

    writer.derive(repr(wanted), fill)
    return said


def opened(store: Store, wanted: Index) -> Any:
    """An index as its `open` returns it, opened once per store; if it is not built, a `NotBuiltError` says how to."""
    return store.memo.get("index", repr(wanted), lambda: _open(store, wanted), MOST_OPEN)


def _open(store: Store, wanted: Index) -> Any:
    held = store.manifest.indexes.get(_text(store, wanted))
    if held is None:
        text = repr(wanted)
        raise NotBuiltError(f"{text} is not built; run: {command('build', store.path, index=text)}")
    return store.opened(held, wanted.open)


def _text(store: Store, wanted: Index) -> str:
    """The text of an index. Where every link and every word is content, the index of all is that of the content."""
    if repr(wanted) in store.manifest.indexes:
        return repr(wanted)
    kinds = {item.name: item.default for item in fields(wanted) if item.name in ("links", "words")}  # type: ignore[arg-type]
    usual = replace(wanted, **kinds)  # type: ignore[type-var]
    whole = store.seeing("all", "all")
    same = usual != wanted and whole.graph.content is whole.graph.arrays and not whole.graph.repeated.any()
    return repr(usual) if same else repr(wanted)


def is_built(store: Store, wanted: Index | None) -> bool:
    """Whether an index is there to answer from, stale or not; what needs none can always answer."""
    return wanted is None or _text(store, wanted) in store.manifest.indexes


def staleness(store: Store, used: Index | None) -> str | None:
    """The note on an answer from an index that is older than the pages, if it is."""
    if used is None or _text(store, used) not in store.stale():
        return None
    return f"{used!r} was built before the latest pages were added; run: {command('build', store.path)}"
