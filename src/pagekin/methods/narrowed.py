"""Who may be an answer: fetched pages only or all, and copies and translations of an answer under it, not beside it.

A page that nobody fetched is an address, of which nothing is known but who links to it. So a question about fetched
pages is answered with fetched pages, and one about a page that nobody fetched with all pages, unless it says otherwise.

Methods know nothing of this. They are asked for longer lists until enough pages pass, or there are no more, so the
lists are exact: the k best of the pages that may be answers.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from pagekin.collection.store import Store
from pagekin.engine.watch import block_of
from pagekin.graph.topk import TopK
from pagekin.index.answers import kept_answers
from pagekin.index.mirrors.kin import Relatives, relatives
from pagekin.kernels import Ints
from pagekin.methods.base import Method, ask_all

# Most methods score everything and cut the list last, so one long list costs little more than a short one, and less
# than two. `integrated` scores 200 pages for any list up to that length.
LONGER = 200
DEEPER = 16  # if that was not enough, ask for this many times more
Passes = Callable[[int], Callable[[int, float], bool]]  # page asked about → whether a result, with its score, passes
Flags = npt.NDArray[np.bool_]
MOST_CELLS = 1 << 22  # of a table of lists that is held at a time


def only_fetched(store: Store, seeds: Iterable[int], fetched: bool | None) -> bool:
    """Whether only fetched pages may be answers to a question about some pages; `fetched` None: if one of them was."""
    return bool(store.fetched[list(seeds)].any()) if fetched is None else fetched


def depths(store: Store, asked: Method, k: int, narrow: bool) -> Iterator[int]:
    """How many pages to ask a method for, until k of them may be answers. `narrow`: it is likely that many may not."""
    depth = k
    if narrow and k < LONGER and (asked.index is None or asked.most_kept) and not kept_answers(store, repr(asked), k):
        depth = LONGER
    while depth < store.size:
        yield depth
        depth = LONGER if depth < LONGER else depth * DEEPER
    yield max(store.size, k)


class Folding:
    """Lets a page pass unless it is a copy or a translation of a page asked about, or of one that passed before."""

    def __init__(self, store: Store, asked: Method, seeds: Iterable[int], fold: bool = True) -> None:
        self.relatives: Relatives | None = _any_relatives(store) if fold and asked.folds else None
        self.hidden: set[int] = set()
        for seed in seeds:
            self.keep(seed)

    def keep(self, page: int) -> None:
        """From now on, nothing that says the same as this page passes."""
        self.hidden.update(self.mirrors(page), self.translations(page))

    def among(self, pages: Sequence[int]) -> set[int]:
        """Those of some pages that have copies or translations: mostly none, and then nothing need be looked up."""
        return self.relatives.among(pages) if self.relatives else set()

    def mirrors(self, page: int) -> list[int]:
        return self.relatives.mirrors(page) if self.relatives else []

    def translations(self, page: int) -> list[int]:
        return self.relatives.translations(page) if self.relatives else []


def lists(
    asked: Method,
    store: Store,
    k: int,
    pages: Ints | None = None,
    fetched: bool | None = None,
    fold: bool = True,
    passes: Passes | None = None,
) -> TopK:
    """The k pages most related to each of some pages, or to every page, of those that may be answers.

    `passes` are further filters, asked in the order of each list.
    """
    rows = np.arange(store.size, dtype=np.int32) if pages is None else pages
    narrow = np.full(rows.size, bool(fetched)) if fetched is not None else store.fetched[rows]
    narrow &= not store.fetched.all()
    folds = fold and asked.folds and _any_relatives(store) is not None
    if not folds and not narrow.any() and passes is None:
        return ask_all(asked, store, k, pages)
    found, waiting = TopK.empty(rows.size, k), np.arange(rows.size)
    for depth in depths(store, asked, k, narrow=bool(narrow.any()) or passes is not None):
        step, short = max(1, MOST_CELLS // depth), []
        for first in range(0, waiting.size, step):
            some = waiting[first : first + step]
            with block_of(waiting.size, first):
                longer = ask_all(asked, store, depth, rows[some])
            passed = _passing(store, asked, longer, rows[some], narrow[some], folds, passes)
            enough = (passed.sum(1) >= k) | (longer.sizes < depth)
            for at in np.flatnonzero(enough).tolist():
                kept = np.flatnonzero(passed[at])[:k]
                found.put(int(some[at]), longer.pages[at, kept], longer.scores[at, kept])
            short.append(some[~enough])
        waiting = np.concatenate([np.empty(0, np.int64), *short])
        if not waiting.size:
            break
    return found


def _passing(
    store: Store, asked: Method, found: TopK, rows: Ints, narrow: Flags, folds: bool, passes: Passes | None
) -> Flags:
    """Which places of some lists hold pages that may be answers."""
    passed = np.arange(found.pages.shape[1]) < found.sizes[:, None]
    passed &= store.fetched[np.where(passed, found.pages, 0)] | ~narrow[:, None]
    if folds or passes:
        for at in range(rows.size):
            fold = Folding(store, asked, [int(rows[at])], folds)
            lets_pass = passes(int(rows[at])) if passes else None
            for place in np.flatnonzero(passed[at]).tolist():
                page = int(found.pages[at, place])
                if page in fold.hidden or (lets_pass and not lets_pass(page, float(found.scores[at, place]))):
                    passed[at, place] = False
                else:
                    fold.keep(page)
    return passed


def _any_relatives(store: Store) -> Relatives | None:
    """The copies and translations that are known; None if there are none, so that nobody need look for them."""
    known = relatives(store)
    return known if known is not None and known.kin.ids.size else None
