"""Counts on how many pages of its site each pair stands: two links, or two lines of text, that follow each other.

What stands on enough of them (`needed`) is the template's (`roles`). There may be more pairs than memory holds, so that
they are counted in passes, each over the pairs with certain keys. Passes, and blocks of pages, are independent of each
other: the engine runs them, one at a time here, since one pass takes all the memory that is allowed, and as tasks on
Spark.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.collection.strings import coded
from pagekin.engine.base import engine, one_by_one
from pagekin.engine.memory import memory
from pagekin.kernels import Ints, Longs

# On so many pages of a site a pair must stand; half of the pages of a small site are enough, but never fewer than
# `FEWEST`: two pages that share a list may be of one author, who chose it twice.
FEWEST, ENOUGH = 3, 10

ROW_BYTES = 100  # of memory for each pair in a pass, with what is held of all links beside it
BLOCK = 1 << 18  # stretches or links that are made into pairs at once
DIGEST = 32  # characters of a digest
MOST = 255  # pages that are counted: more than any pair needs
Flags = npt.NDArray[np.bool_]
Room = Callable[[int, npt.DTypeLike], npt.NDArray[Any]]  # gives an array of zeros: in memory, or mapped from a file


class Pairs(NamedTuple):
    """Pairs that stand on pages, in the order of pages; the same two on pages of one site have the same key."""

    place: Longs  # the number of each pair among all
    page: Ints
    key: npt.NDArray[np.uint64]

    def of_pass(self, each: int, passes: int) -> "Pairs":
        own = slice(None) if passes == 1 else self.key % np.uint64(passes) == each
        return Pairs(self.place[own], self.page[own], self.key[own])


def needed(pages: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """On how many pages of a site a pair must stand to be its template's, given how many pages the site has.

    >>> needed(np.array([1, 4, 12, 5_000])).tolist()
    [3, 3, 6, 10]
    """
    return np.asarray(np.clip((pages + 1) // 2, FEWEST, ENOUGH))


@dataclass(frozen=True)
class Sites:
    """The site of each page, which pages count (fetched, and the first of those with equal bytes), and how many."""

    of: Ints
    counts: Flags
    needed: Ints  # by site

    @classmethod
    def read(cls, pages: pa.Table) -> "Sites":
        of, sites = coded(pages["site"])
        counts = pages["fetched"].is_valid().to_numpy().copy()
        whole = counts & pages["digest"].is_valid().to_numpy()
        key = key_of(of[whole], *_words(pages["digest"], whole).T)
        order = np.argsort(key, kind="stable")
        again = np.zeros(order.size, bool)
        again[1:] = key[order][1:] == key[order][:-1]
        counts[np.flatnonzero(whole)[order[again]]] = False
        held = np.bincount(of[counts], minlength=len(sites))
        return cls(of, counts, needed(held).astype(np.int32))


def _words(digests: pa.ChunkedArray, chosen: Flags) -> npt.NDArray[np.uint64]:
    """The digests of chosen rows as four numbers each: 32 hexadecimal digits are 32 bytes."""
    made = [np.empty((0, DIGEST // 8), np.uint64)]
    for first in range(0, len(digests), BLOCK):
        texts = digests.slice(first, BLOCK).filter(pa.array(chosen[first : first + BLOCK])).to_pylist()
        made.append(np.array(texts, f"S{DIGEST}").view(np.uint64).reshape(-1, DIGEST // 8))
    return np.concatenate(made)


def blocks(start: Longs) -> Iterator[tuple[int, int]]:
    """Pages in a row, first and behind the last, that have about `BLOCK` rows together; `start` as in CSR."""
    first, pages = 0, start.size - 1
    while first < pages:
        last = max(first + 1, int(np.searchsorted(start, start[first] + BLOCK, "right")) - 1)
        yield first, last
        first = last


def standing(
    size: int, pairs: Callable[[], Iterator[Pairs]], sites: Sites, room: Room = np.zeros
) -> npt.NDArray[np.uint8]:
    """On how many different pages of its site each pair stands, from `FEWEST` up to `MOST`, by its place; else 0.

    A pass looks at as many pairs as memory holds: all those with certain keys. `pairs` makes them anew for each.
    """
    found = room(size, np.uint8)
    passes = max(1 + size * ROW_BYTES // memory(), min(engine().at_once, 1 + size // BLOCK))
    each = ((number, number + 1) for number in range(passes))
    for place, pages in one_by_one(lambda first, _: _counted(first, passes, pairs(), sites), each, workers=1):
        found[place] = pages
    return found


def _counted(each: int, passes: int, pairs: Iterator[Pairs], sites: Sites) -> tuple[Longs, npt.NDArray[np.uint8]]:
    """One pass: the places of its pairs that stand on enough pages to matter, and on how many."""
    held = [made.of_pass(each, passes) for made in pairs]
    if not sum(made.place.size for made in held):
        return np.empty(0, np.int64), np.empty(0, np.uint8)
    place, page, key = (np.concatenate(column) for column in zip(*held, strict=True))
    del held
    order = np.argsort(key, kind="stable")  # the pages of one key stay ascending
    place, page, key = place[order], page[order], key[order]
    first = np.flatnonzero(np.diff(key, prepend=~key[:1]))
    counts = sites.counts[page] & (np.diff(page, prepend=-1) != 0)
    counts[first] = sites.counts[page[first]]
    pages = np.minimum(np.add.reduceat(counts.astype(np.int64), first), MOST).astype(np.uint8)
    by_pair = np.repeat(pages, np.diff(first, append=key.size))
    kept = by_pair >= FEWEST
    return place[kept], by_pair[kept]


def key_of(*numbers: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """One number of 64 bits for several (the finaliser of splitmix64; Steele et al. 2014)."""
    mixed = np.zeros(numbers[0].size, np.uint64)
    with np.errstate(over="ignore"):
        for each in numbers:
            mixed = (mixed ^ each.astype(np.int64).view(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
            mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            mixed ^= mixed >> np.uint64(31)
    return mixed
