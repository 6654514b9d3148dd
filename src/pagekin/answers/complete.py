"""What a person may be typing: words of the collection, and pages whose title or address begins so.

The first question of a state sorts all titles and addresses (about 2 s for a million pages); after that a question is a
binary search. Of many that begin so, the words on most pages and the pages with most in-links come first.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.answer import Answer, PageName
from pagekin.answers.words import Word
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.index.base import is_built
from pagekin.index.inverted import Inverted
from pagekin.kernels import Ints, Longs
from pagekin.search.answer import numbered
from pagekin.wording import command

_SCHEME = r"^(https?://)?(www\.)?"  # what people leave out when they type an address
_LAST = "\U0010ffff"  # sorts after every other character


@dataclass(frozen=True, repr=False)
class Completions(Answer[Word]):
    """Words that begin with what was typed, and pages whose title or address does."""

    pages: tuple[PageName, ...] = ()

    shown: ClassVar[tuple[str, ...]] = ("word", "score")


@dataclass(frozen=True)
class Sorted(Sequence[str]):
    """Strings in order, without a copy of them: `order` are their places in `strings`."""

    strings: pa.ChunkedArray
    order: Ints
    spelled: Callable[[Any], Any]  # how a string is compared: in lower case …

    def __len__(self) -> int:
        return self.order.size

    def __getitem__(self, at: int) -> str:  # type: ignore[override]
        return self.spelled(self.strings[int(self.order[at])]).as_py()  # type: ignore[no-any-return]

    def beginning(self, prefix: str) -> Ints:
        """The places of the strings that begin with a prefix."""
        return self.order[bisect_left(self, prefix) : bisect_left(self, prefix + _LAST)]


def _sorted(strings: pa.ChunkedArray, kept: Any, spelled: Callable[[Any], Any]) -> Sorted:
    places = np.flatnonzero(kept).astype(np.int32)
    keys = spelled(strings.filter(pa.array(kept)))
    return Sorted(strings, places[pc.sort_indices(keys).to_numpy()], spelled)


def _address(urls: Any) -> Any:
    return pc.utf8_lower(pc.replace_substring_regex(urls, _SCHEME, ""))


def complete(store: Store, typed: str, k: int) -> Completions:
    """The k words, and the k pages, that someone who typed this may mean."""
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    prefix = pc.utf8_lower(pa.scalar(typed.strip())).as_py()
    if not prefix:
        raise UsageError("nothing was typed; give the beginning of a word, a title or an address")
    words, said = _words(store, prefix, k)
    pages = _pages(store, prefix, k)
    nothing = None if words or pages else "no word, title or address begins so"
    names = tuple(PageName(store.url(page), store.title(page)) for page in pages)
    return Completions((typed,), "; ".join(filter(None, (said, nothing))) or None, tuple(words), names)


def _words(store: Store, prefix: str, k: int) -> tuple[list[Word], str | None]:
    """The words on most pages, with how many these are."""
    seen = store.seeing()
    if not is_built(seen, Inverted()):
        return [], f"without words, because inverted is not built; run: {command('build', store.path)}"
    held = numbered(seen, Inverted())

    def made() -> Sorted:
        return _sorted(pa.chunked_array([held.surfaces]), np.ones(len(held.surfaces), bool), pc.utf8_lower)

    found = store.memo.get("completions", "words", made).beginning(prefix)
    pages = held.start[found.astype(np.int64) + 1] - held.start[found]
    return [Word(held.surfaces[at].as_py(), float(n)) for at, n in _most(found, pages, k)], None


def _pages(store: Store, prefix: str, k: int) -> list[int]:
    """Pages by title, then by address; each once."""
    graph = store.graph
    titles, urls = graph.pages["title"], graph.pages["url"]

    def by_title() -> Sorted:
        return _sorted(titles, graph.is_page & (pc.binary_length(titles).to_numpy() > 0), pc.utf8_lower)

    titled = store.memo.get("completions", "titles", by_title).beginning(prefix)
    addressed = store.memo.get("completions", "urls", lambda: _sorted(urls, graph.is_page, _address)).beginning(
        _address(pa.scalar(prefix)).as_py()
    )
    known = np.diff(graph.arrays.in_start)
    best = [page for found in (titled, addressed) for page, _ in _most(found, known[found], k)]
    return list(dict.fromkeys(best))[:k]


def _most(places: Ints, counts: Longs, k: int) -> list[tuple[int, int]]:
    """The k places with the largest counts, which stay in their order if these are equal."""
    if counts.size > k:
        least = np.partition(counts, counts.size - k)[counts.size - k]
        places, counts = places[counts >= least], counts[counts >= least]
    first = np.argsort(-counts, kind="stable")[:k]
    return list(zip(places[first].tolist(), counts[first].tolist(), strict=True))
