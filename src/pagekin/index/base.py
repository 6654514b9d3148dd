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
        def renew(self, store, folder, former): ...   # the same as `make`, with what is unchanged of the former index
"""

import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, TypeVar

from pagekin import spec
from pagekin.collection.manifest import BuiltIndex
from pagekin.collection.seen import seen_by
from pagekin.collection.store import Store
from pagekin.collection.writer import Writer
from pagekin.engine.base import Local, using
from pagekin.errors import NotBuiltError, PagekinError
from pagekin.wording import command, speaking_aloud

MOST_OPEN = 64  # indexes of one collection: they are memory-mapped, and reopening one takes milliseconds
AT_HAND_S = 2.0  # seconds by the estimate: an index that takes no longer is made for a question if nobody built it


class Index(ABC):
    """Data that can be derived from a collection, for methods and searches to read."""

    name: ClassVar[str]
    # Whether plain `build` makes it, with its default settings: what the default method and `search` answer from.
    usual: ClassVar[bool] = False

    @property
    def needs(self) -> tuple["Index", ...]:
        """The indexes that are used together with this one; `build` makes them first."""
        return ()

    def is_for(self, store: Store) -> bool:
        """Whether a collection has what the index is made from; if not, `build` makes it only if it is named."""
        return True

    @abstractmethod
    def make(self, store: Store, folder: Path) -> str:
        """Write the index into a new, empty folder; returns a sentence that says what it holds."""

    def renew(self, store: Store, folder: Path, former: Path) -> str | None:
        """Make the index as `make` would, to the same answers, reusing what is unchanged of the one in `former`.

        Its files have been verified, but another version may have written them. None, and nothing written, if it is no
        use: the index is then made from nothing.
        """
        return None

    @abstractmethod
    def open(self, folder: Path) -> Any:
        """The index as methods read it. Its files have been verified; what it raises means that they are damaged."""

    def seconds(self, store: Store) -> float:
        """About how long `make` takes, from counts alone; infinite for one that is never made for a question."""
        return math.inf

    __repr__ = spec.text


INDEXES: dict[str, type[Index]] = {}
I = TypeVar("I", bound=Index)  # noqa: E741
T = TypeVar("T")


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
    """Make an index, from the former one if that can be, and commit it; returns what it says that it holds."""
    store, said = writer.store(), ""

    def fill(folder: Path) -> None:
        nonlocal said
        seen, former = seen_by(wanted, store), _former(store, wanted)
        said = (former and wanted.renew(seen, folder, former)) or wanted.make(seen, folder)

    writer.derive(repr(wanted), fill)
    return said


def _former(store: Store, wanted: Index) -> Path | None:
    """The folder of the index that is replaced, if its files are what was written."""
    held = store.manifest.indexes.get(repr(wanted))
    if held is None or not held.files:  # made before files had checksums: nothing may follow from it
        return None
    try:
        return store.opened(held, lambda folder: folder)
    except PagekinError:  # damaged
        return None


def kept_of(former: Path, read: Callable[[Path], T]) -> T | None:
    """What an index kept for the next build, if it can be read: another version may have written it, or nothing."""
    try:
        return read(former)
    except (KeyError, TypeError, ValueError, FileNotFoundError):
        return None


def reused(share: float, what: str = "rows") -> str:
    """How much of an index was reused, for the sentence about it.

    >>> reused(0.9896), reused(1e-6, "pairs")
    ('; reused 98.9 % of the rows', '; reused 0.0 % of the pairs')
    """
    return f"; reused {math.floor(1_000 * share) / 10} % of the {what}"


def opened(store: Store, wanted: Index) -> Any:
    """An index as its `open` returns it, opened once per store; if it is not built, a `NotBuiltError` says how to."""
    return store.memo.get("index", repr(wanted), lambda: _open(store, wanted), MOST_OPEN)


def _open(store: Store, wanted: Index) -> Any:
    held, text = built(store, wanted), repr(wanted)
    remedy = f"run: {command('build', store.path, index=text)}"
    if held is None:
        raise NotBuiltError(f"{text} is not built; {remedy}")
    try:
        return store.opened(held, wanted.open)
    except (KeyError, TypeError, ValueError, FileNotFoundError) as error:  # its files are whole: this is verified
        raise NotBuiltError(f"{text} was made by another version of pagekin ({error!r}); {remedy}") from error


def to_build(store: Store, wanted: Index) -> str:
    """The command that makes an index or renews it. Plain `build` makes the usual ones, and renews those that exist."""
    plain = (wanted.usual and repr(wanted) == wanted.name) or repr(wanted) in store.manifest.indexes
    return command("build", store.path) if plain else command("build", store.path, index=repr(wanted))


def at_hand(store: Store, wanted: Index) -> Any | None:
    """An index that is built, or one that is quick to make, made for this process alone; None if it is neither."""
    if is_built(store, wanted):
        with suppress(NotBuiltError):  # made by another version
            return opened(store, wanted)
    if not _is_quick(store, wanted):
        return None
    return store.memo.get("index at hand", repr(wanted), lambda: _made(store, wanted), MOST_OPEN)


def make_ready(store: Store, wanted: Index | None) -> None:
    """Have an index for this process, whoever asks for it: work that takes minutes need not wait for a `build`."""
    if wanted is not None and not is_built(store, wanted):
        store.memo.get("index", repr(wanted), lambda: _made(store, wanted), MOST_OPEN)


def left_out(store: Store, wanted: Index, what: str) -> str | None:
    """The note on an answer without what an index is for, if it is not at hand."""
    if at_hand(seen_by(wanted, store), wanted) is not None:
        return None
    return f"{wanted!r} is not built, so the answer is without {what}; run: {to_build(store, wanted)}"


def _is_quick(store: Store, wanted: Index) -> bool:
    return not store.quick and wanted.seconds(store) <= AT_HAND_S


def _made(store: Store, wanted: Index) -> Any:
    with speaking_aloud():
        keep = f"to keep it, run: {to_build(store, wanted)}"
    logging.getLogger("pagekin").warning("%r is not built, and worked out for this answer; %s", wanted, keep)
    with TemporaryDirectory(prefix="pagekin-") as folder, using(Local()):  # other machines do not see this folder
        wanted.make(seen_by(wanted, store), Path(folder))
        return wanted.open(Path(folder))  # its files stay mapped when they are removed


def _text(store: Store, wanted: Index) -> str:
    """The text of an index. Where every link and every word is content, the index of all is that of the content."""
    if repr(wanted) in store.manifest.indexes:
        return repr(wanted)
    kinds = {item.name: item.default for item in fields(wanted) if item.name in ("links", "words")}  # type: ignore[arg-type]
    usual = replace(wanted, **kinds)  # type: ignore[type-var]
    whole = store.seeing("all", "all")
    same = usual != wanted and whole.graph.content is whole.graph.arrays and not whole.graph.repeated.any()
    return repr(usual) if same else repr(wanted)


def built(store: Store, wanted: Index) -> BuiltIndex | None:
    """What the manifest says of the index that answers for `wanted`, stale or not; None if it is not built."""
    return store.manifest.indexes.get(_text(store, wanted))


def is_built(store: Store, wanted: Index | None) -> bool:
    """Whether an index is there to answer from, stale or not; what needs none can always answer."""
    return wanted is None or built(store, wanted) is not None


def staleness(store: Store, used: Index | None) -> str | None:
    """The note on an answer from an index that is older than the pages, if it is."""
    if used is None or _text(store, used) not in store.stale():
        return None
    return f"{used!r} was built before the latest pages were added; run: {command('build', store.path)}"
