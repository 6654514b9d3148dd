"""A method's answers for every page, computed in advance by `build`: the index `answers(method=integrated, keep=15)`.

It is for methods that take a while per page and declare it (`most_kept`). A question for at most `keep` pages is then
a look-up, with the same result to the last digit. What the lists do not hold is computed as before: longer lists, the
reason for an empty one, the answers for pages that were never fetched (there are many, and few people ask about them),
and everything once pages have been added.

This layer knows no methods: the registry of methods gives `Answers` a function that finds one by its text.
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
    """What the index needs from a method."""

    most_kept: ClassVar[int]

    @property
    def index(self) -> Index | None: ...

    def seen(self, store: Store) -> Store: ...

    def lists(self, store: Store, k: int, pages: Ints | None = None) -> TopK: ...


@register("answers")
@dataclass(frozen=True, repr=False)
class Answers(Index):
    """The pages most related to each page by one method."""

    method: str = ""  # the method's text, required
    keep: int = 15  # M: results kept per page

    # Set by `methods`; it raises a `UsageError` for a text that names no method, or a quick one.
    method_named: ClassVar[Callable[[str], Answering]]

    def __post_init__(self) -> None:
        if not self.method:
            raise UsageError("answers needs a method; write for example answers(method=integrated)")
        asked = self._asked
        if not 1 <= self.keep <= asked.most_kept:
            raise UsageError(f"keep must be from 1 to {asked.most_kept}, not {self.keep}")
        object.__setattr__(self, "method", repr(asked))  # one spelling, however it was written

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
        sizes, found, scores = self._asked.lists(self._asked.seen(store), self.keep, asked)

        def blocks() -> Iterator[lists.ListsOfSome]:
            for first in range(0, sizes.size, BATCH):
                some = slice(first, first + BATCH)
                there, any_ = np.arange(self.keep) < sizes[some, None], sizes[some] > 0
                yield mine[some][any_], sizes[some][any_], ids[found[some][there]], scores[some][there]

        pages, rows = lists.write(folder, blocks())
        return f"{pages:,} pages with {rows:,} related pages"

    def open(self, folder: Path) -> lists.Lists:
        return lists.Lists(*lists.Lists.arrays(folder))


def kept_pages(store: Store) -> Ints:
    """The pages whose answers are kept: those that were fetched or, if none was, all."""
    fetched = np.flatnonzero(store.graph.pages["fetched"].is_valid().to_numpy())
    return (fetched if fetched.size else np.arange(store.size)).astype(np.int32)


def kept_answers(store: Store, method: str, k: int) -> lists.Lists | None:
    """The kept lists of a method (by its text), if they are long enough and no page has been added since."""
    fresh = store.manifest.indexes.keys() - set(store.stale())
    for text in sorted(text for text in fresh if text.startswith(f"{Answers.name}(method={method}")):
        wanted = index(text)
        if isinstance(wanted, Answers) and wanted.method == method and wanted.keep >= k:
            return opened(store, wanted)  # type: ignore[no-any-return]
    return None
