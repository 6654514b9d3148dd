"""A method's answers for every page, found beforehand by `build`: the index `answers(method=integrated, keep=15)`.

For methods that take a while for one page, which say so themselves (`Method.tabled`). A question for at most `keep`
pages is then a look-up, with the same result to the last digit. What the lists cannot say is computed as ever: a longer
list, why there is none, pages that were never fetched, of which there are many and few ask, and everything after pages
were added.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.index import lists
from pagekin.index.base import Index, derived, index, opened
from pagekin.kernels import Floats, Ints
from pagekin.methods.base import REGISTRY, Method, Scores, everyone, method, no_lists

BATCH = 1 << 16  # pages whose lists are written at once


@derived("answers")
@dataclass(frozen=True, repr=False)
class Answers:
    """The pages most related to each page by one method."""

    name: ClassVar[str]

    method: str = ""  # the method's text; it must be given
    keep: int = 15  # M: results kept of each page

    def __post_init__(self) -> None:
        if not self.method:
            raise UsageError("answers of which method? write answers(method=integrated)")
        asked = method(self.method)
        if not tabled(asked):
            known = ", ".join(sorted(name for name, cls in REGISTRY.items() if tabled(cls)))
            raise UsageError(f"answers are kept of {known}; of {asked!r} a question needs none")
        if not 1 <= self.keep <= tabled(asked):
            raise UsageError(f"keep must be from 1 to {tabled(asked)}, not {self.keep}")
        object.__setattr__(self, "method", repr(asked))  # however it was written

    @property
    def needs(self) -> tuple[Index, ...]:
        needed = method(self.method).index
        return () if needed is None else (needed,)

    def make(self, store: Store, folder: Path) -> str:
        asked = kept(store)
        ids, mine = store.graph.ids, store.graph.ids[asked]
        sizes, found, scores = _some(method(self.method), store, asked, self.keep)

        def blocks() -> Iterator[lists.Block]:
            for first in range(0, sizes.size, BATCH):
                some = slice(first, first + BATCH)
                there, any_ = np.arange(self.keep) < sizes[some, None], sizes[some] > 0
                yield mine[some][any_], sizes[some][any_], ids[found[some][there]], scores[some][there]

        pages, rows = lists.write(folder, blocks())
        return f"{pages:,} pages with {rows:,} related ones"

    def open(self, folder: Path) -> lists.Lists:
        return lists.Lists(*lists.Lists.arrays(folder))


def kept(store: Store) -> Ints:
    """The pages of which answers are kept: those that were fetched, or, where none was, all."""
    fetched = np.flatnonzero(store.graph.pages["fetched"].is_valid().to_numpy())
    return (fetched if fetched.size else np.arange(store.size)).astype(np.int32)


def _some(asked: Any, store: Store, pages: Ints, k: int) -> tuple[Ints, Ints, Floats]:
    found: tuple[Ints, Ints, Floats] = asked.some(store, pages, k)
    return found


def tabled(asked: Method | type[Method]) -> int:
    """How many results of each page may be kept for a method; 0: it is quick enough without."""
    return getattr(asked, "tabled", 0)


def ask(asked: Method, store: Store, page: int, k: int) -> Scores:
    """The k pages most related to a page, as the method itself would say."""
    held = _kept(asked, store, k)
    if held is not None:
        ids, scores = held.of(int(store.graph.ids[page]))
        if ids.size:
            return Scores(np.searchsorted(store.graph.ids, ids[:k]).astype(np.int32), np.array(scores[:k]))
    return asked.related(store, page, k)


def ask_everyone(asked: Method, store: Store, k: int) -> tuple[Ints, Ints, Floats]:
    """The same for all pages, as `everyone` would say."""
    held = _kept(asked, store, k)
    if held is None:
        return everyone(asked, store, k)
    sizes, pages, scores = no_lists(store.size, k)
    lengths = np.minimum(np.diff(held.start), k)
    sizes[np.searchsorted(store.graph.ids, held.ids)] = lengths
    place = np.arange(lengths.sum()) + np.repeat(held.start[:-1] - np.cumsum(lengths) + lengths, lengths)
    there = np.arange(k) < sizes[:, None]
    pages[there] = np.searchsorted(store.graph.ids, held.related[place])
    scores[there] = held.scores[place]
    rest = np.setdiff1d(np.arange(store.size, dtype=np.int32), kept(store), assume_unique=True)
    if rest.size:
        sizes[rest], pages[rest], scores[rest] = _some(asked, store, rest, k)
    return sizes, pages, scores


def _kept(asked: Method, store: Store, k: int) -> lists.Lists | None:
    """The lists of a method, if they are long enough and no page was added since."""
    if k > tabled(asked):
        return None
    fresh = store.manifest.indexes.keys() - set(store.stale())
    for text in sorted(text for text in fresh if text.startswith(f"{Answers.name}(method={asked!r}")):
        wanted = index(text)
        if isinstance(wanted, Answers) and wanted.method == repr(asked) and wanted.keep >= k:
            return opened(store, wanted)  # type: ignore[no-any-return]
    return None
