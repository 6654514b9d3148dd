"""A method's answers for every page, found beforehand by `build`: the index `answers(method=integrated, keep=15)`.

For methods that take a while for one page, and say so (`most_kept`). A question for at most `keep` pages is then a
look-up, with the same result to the last digit. What the lists cannot say is computed as ever: a longer list, why
there is none, pages that were never fetched, of which there are many and few ask, and everything after pages were
added.

This layer knows no methods: whoever enters them gives `Answers` the way to find one by its text.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

import numpy as np

from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.graph.topk import TopK
from pagekin.index import lists
from pagekin.index.base import Index, index, opened, register
from pagekin.kernels import Ints

BATCH = 1 << 16  # pages whose lists are written at once


class Answering(Protocol):
    """What the index asks of a method."""

    most_kept: ClassVar[int]

    @property
    def index(self) -> Index | None: ...

    def lists(self, store: Store, k: int, pages: Ints | None = None) -> TopK: ...


@register("answers")
@dataclass(frozen=True, repr=False)
class Answers(Index):
    """The pages most related to each page by one method."""

    method: str = ""  # the method's text; it must be given
    keep: int = 15  # M: results kept of each page

    method_named: ClassVar[
        Callable[[str], Answering]
    ]  # given by `methods`, an error for one that names none, or a quick one

    def __post_init__(self) -> None:
        if not self.method:
            raise UsageError("answers of which method? write answers(method=integrated)")
        asked = self._asked
        if not 1 <= self.keep <= asked.most_kept:
            raise UsageError(f"keep must be from 1 to {asked.most_kept}, not {self.keep}")
        object.__setattr__(self, "method", repr(asked))  # however it was written

    @property
    def _asked(self) -> Answering:
        return type(self).method_named(self.method)

    @property
    def needs(self) -> tuple[Index, ...]:
        needed = self._asked.index
        return () if needed is None else (needed,)

    def make(self, store: Store, folder: Path) -> str:
        asked = kept_pages(store)
        ids, mine = store.graph.ids, store.graph.ids[asked]
        sizes, found, scores = self._asked.lists(store, self.keep, asked)

        def blocks() -> Iterator[lists.ListsOfSome]:
            for first in range(0, sizes.size, BATCH):
                some = slice(first, first + BATCH)
                there, any_ = np.arange(self.keep) < sizes[some, None], sizes[some] > 0
                yield mine[some][any_], sizes[some][any_], ids[found[some][there]], scores[some][there]

        pages, rows = lists.write(folder, blocks())
        return f"{pages:,} pages with {rows:,} related ones"

    def open(self, folder: Path) -> lists.Lists:
        return lists.Lists(*lists.Lists.arrays(folder))


def kept_pages(store: Store) -> Ints:
    """The pages of which answers are kept: those that were fetched, or, where none was, all."""
    fetched = np.flatnonzero(store.graph.pages["fetched"].is_valid().to_numpy())
    return (fetched if fetched.size else np.arange(store.size)).astype(np.int32)


def kept_answers(store: Store, method: str, k: int) -> lists.Lists | None:
    """The lists of a method, by its text, if they are long enough and no page was added since."""
    fresh = store.manifest.indexes.keys() - set(store.stale())
    for text in sorted(text for text in fresh if text.startswith(f"{Answers.name}(method={method}")):
        wanted = index(text)
        if isinstance(wanted, Answers) and wanted.method == method and wanted.keep >= k:
            return opened(store, wanted)  # type: ignore[no-any-return]
    return None
