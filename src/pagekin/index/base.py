"""What `build` derives for methods to look things up in: `index/NAME.…/`, one folder for each index and its settings.

An index is a frozen dataclass whose fields are its settings; its text, `similarity(measure=amsler)`, is its name in the
manifest. It is replaced whole, keeps ids (page numbers change when pages are added), and remembers the version of the
collection that it was made from: one that is older still answers, and is said to be stale.

    @derived("similarity")
    @dataclass(frozen=True, repr=False)
    class Similarity:
        measure: Measure = "co-citation"

        def make(self, store, folder): ...        # write files into the folder, return a sentence
        def open(self, folder): ...               # what methods read, memory-mapped
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pagekin import spec
from pagekin.collection.graph import DAMAGE
from pagekin.collection.store import Store, Writer
from pagekin.errors import NotBuiltError


class Index(Protocol):
    """Something that can be derived from a collection."""

    def make(self, store: Store, folder: Path) -> str:
        """Write the index into a new, empty folder; a sentence says what it holds."""

    def open(self, folder: Path) -> Any:
        """What methods read; it raises `OSError` or `ValueError` for files that are missing or damaged."""


INDEXES: dict[str, type[Any]] = {}
I = TypeVar("I")  # noqa: E741


def derived(name: str) -> Callable[[type[I]], type[I]]:
    """Enter an index under its name."""

    def enter(cls: type[I]) -> type[I]:
        INDEXES[name] = cls
        cls.name = name  # type: ignore[attr-defined]
        cls.__repr__ = spec.text  # type: ignore[method-assign]
        return cls

    return enter


def index(written: str) -> Index:
    """The index that a text names: `similarity(measure=amsler)`; else a `UsageError`."""
    return spec.read("index", written, INDEXES)  # type: ignore[no-any-return]


def derive(writer: Writer, wanted: Index) -> str:
    """Make an index and commit it; returns what it says of itself."""
    store, said = writer.store(), ""

    def fill(folder: Path) -> None:
        nonlocal said
        said = wanted.make(store, folder)

    writer.derive(repr(wanted), fill)
    return said


def opened(store: Store, wanted: Index) -> Any:
    """An index as its `open` gives it, opened once for each store; a `NotBuiltError` says how to make it."""
    text = repr(wanted)
    if text not in store.opened:
        held = store.manifest.indexes.get(text)
        remedy = f"build {store.path} --index '{text}'"
        if held is None:
            raise NotBuiltError(f"{text} is not built; run: pagekin {remedy}")
        try:
            store.opened[text] = wanted.open(store.path / held.path)
        except DAMAGE as error:
            raise store.unreadable(f"the index {text}", remedy, error) from error
    return store.opened[text]


def staleness(store: Store, used: Index | None) -> str | None:
    """What to say of an answer from an index that is older than the pages."""
    if used is None or repr(used) not in store.stale():
        return None
    return f"{used!r} was built before the latest pages were added; run: pagekin build {store.path}"
