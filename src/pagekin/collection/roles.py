"""Tells an author's choice from what a site repeats on every page: the roles of links, and the stretches of templates.

A link is *navigation* if the page says so: by what it calls the box around the link, by the link's `rel`, by an anchor
such as “Next” (`parse.furniture`); or if it is in a list on a page of tags or an archive, which other pages of the site
name so when they link to it. Otherwise it is *template* if its site repeats it with its neighbours, and *content*
if not. A neighbour matters more than a number: many pages link to a well-known page from their text, each in words of
its own, while a menu has the same entries in a row wherever it stands. So what is counted is pairs (Bar-Yossef and
Rajagopalan 2002 look for whole blocks that are alike):

    two links in a row in one box that is not running text: on how many pages of the site do the same two follow?
    (three are enough if the box leads to its own page, too: a menu of a section does, an author hardly ever)
    a page's first link and its last, if they are pictures: the page's beginning and end are their neighbours
    two stretches of text in a row (a page's lines; the page's beginning and its end count as stretches): on how many?

What stands on enough pages (`needed`) is the template's: both links; both stretches, with the links in them. Pages with
equal bytes count once. All of this follows from the content alone, whatever the order in which pages were added.

Links of tables have no region, and those of pages that an earlier version parsed: they count as content.

Passes over pairs with certain keys, and blocks of pages, are independent of each other: the engine runs them, one at a
time here, since one pass takes all the memory that is allowed, and as tasks on Spark.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.collection.arrow_files import Rows
from pagekin.engine.base import engine, one_by_one
from pagekin.engine.memory import memory
from pagekin.kernels import Ints, Longs
from pagekin.model import ALONE

ROLES = ("content", "navigation", "template")
CONTENT, NAVIGATION, TEMPLATE = range(3)
CALLED_SO = ("navigation", "header", "footer", "sidebar", "tags")  # regions that a page itself names
TAGS, TEXT, UNKNOWN = "tags", "text", ""
OF_LINKS = ("list", "links")

# On so many pages of a site a pair must stand; half of the pages of a small site are enough, but never fewer than
# `FEWEST`: two pages that share a list may be of one author, who chose it twice.
FEWEST, ENOUGH = 3, 10

ROW_BYTES = 100  # of memory for each pair in a pass, with what is held of all links beside it
BLOCK = 1 << 18  # stretches or links that are made into pairs at once
DIGEST = 32  # characters of a digest
MOST = 255  # pages that are counted: more than any pair needs
Flags = npt.NDArray[np.bool_]
Room = Callable[[int, npt.DTypeLike], npt.NDArray[Any]]  # gives an array of zeros: in memory, or mapped from a file
_BEGIN, _END = 1 << 32, (1 << 32) + 1  # no fingerprint is as large


@dataclass(frozen=True)
class Stretches:
    """The lines of each page's text, in order: fingerprints, and whether they are headings; `start` as in CSR."""

    start: Longs
    print: Ints
    heading: Flags

    @property
    def page(self) -> Ints:
        """The page of each stretch."""
        return np.repeat(np.arange(self.start.size - 1, dtype=np.int32), np.diff(self.start))


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
        of, sites = _codes(pages["site"])
        counts = pages["fetched"].is_valid().to_numpy().copy()
        whole = counts & pages["digest"].is_valid().to_numpy()
        key = _key(of[whole], *_words(pages["digest"], whole).T)
        order = np.argsort(key, kind="stable")
        again = np.zeros(order.size, bool)
        again[1:] = key[order][1:] == key[order][:-1]
        counts[np.flatnonzero(whole)[order[again]]] = False
        held = np.bincount(of[counts], minlength=sites)
        return cls(of, counts, needed(held).astype(np.int32))


def _codes(column: pa.ChunkedArray) -> tuple[Ints, int]:
    """A number for each different text of a column, by row, and how many numbers there are."""
    if not len(column):  # pyarrow before 21 cannot join no chunks of a dictionary
        return np.empty(0, np.int32), 0
    coded = column.dictionary_encode().unify_dictionaries()  # does nothing to what is encoded already
    codes = [chunk.indices.to_numpy(zero_copy_only=False).astype(np.int32, copy=False) for chunk in coded.chunks]
    return np.concatenate(codes), max(len(chunk.dictionary) for chunk in coded.chunks)


def _words(digests: pa.ChunkedArray, chosen: Flags) -> npt.NDArray[np.uint64]:
    """The digests of chosen rows as four numbers each: 32 hexadecimal digits are 32 bytes."""
    made = [np.empty((0, DIGEST // 8), np.uint64)]
    for first in range(0, len(digests), BLOCK):
        texts = digests.slice(first, BLOCK).filter(pa.array(chosen[first : first + BLOCK])).to_pylist()
        made.append(np.array(texts, f"S{DIGEST}").view(np.uint64).reshape(-1, DIGEST // 8))
    return np.concatenate(made)


def repeated(stretches: Stretches, sites: Sites, room: Room = np.zeros) -> Flags:
    """Which stretches the template of their site repeats, together with the one before or the one behind."""
    start, found = stretches.start, room(stretches.print.size, bool)
    if not found.size:
        return found
    pages = _standing(found.size + start.size - 1, lambda: _in_a_row(stretches, sites), sites, room)

    def told(first: int, last: int) -> Flags:
        lengths = np.diff(start[first : last + 1])
        enough = np.repeat(sites.needed[sites.of[first:last]], lengths)
        pair = np.arange(start[first], start[last]) + np.repeat(np.arange(first, last), lengths)
        return np.asarray((pages[pair] >= enough) | (pages[pair + 1] >= enough))

    _fill(found, start, told)
    return found


def _fill(into: npt.NDArray[Any], start: Longs, work: Callable[[int, int], npt.NDArray[Any]]) -> None:
    """Fill in what `work(first, last)` gives for the rows of pages from `first` up to `last`."""
    for (first, last), made in zip(blocks(start), one_by_one(work, blocks(start), workers=1), strict=True):
        into[start[first] : start[last]] = made


def _in_a_row(stretches: Stretches, sites: Sites) -> Iterator[Pairs]:
    """A page of n stretches has n + 1 pairs: its beginning with the first, …, the last with its end."""
    start = stretches.start
    for first, last in blocks(start):
        lengths = np.diff(start[first : last + 1])
        page = np.repeat(np.arange(first, last, dtype=np.int32), lengths + 1)
        second = np.arange(start[last] - start[first]) + np.repeat(np.arange(last - first), lengths)
        one, other = np.full(page.size, _BEGIN), np.full(page.size, _END)
        other[second] = one[second + 1] = stretches.print[start[first] : start[last]]
        yield Pairs(start[first] + first + np.arange(page.size), page, _key(sites.of[page], one, other))


def without_words(stretches: Stretches, in_template: Flags, into: Flags | None = None) -> Flags:
    """The stretches whose words do not count: the template's, but none of a page that is nothing but repeated.

    Such a page is a copy or a version of others, or says only what they all say; without it, it would say nothing.
    """
    start, found = stretches.start, np.zeros(in_template.size, bool) if into is None else into

    def told(first: int, last: int) -> Flags:
        some, lengths = slice(start[first], start[last]), np.diff(start[first : last + 1])
        own = np.zeros(lengths.size, bool)
        if in_template[some].size:
            begins = start[first:last][lengths > 0] - some.start
            own[lengths > 0] = np.logical_or.reduceat(~in_template[some], begins)
        return np.asarray(in_template[some] & np.repeat(own, lengths))

    _fill(found, start, told)
    return found


def roles(
    links: Rows,
    start: Longs,
    sites: Sites,
    stretches: Stretches,
    in_template: Flags,
    room: Room = np.zeros,
    into: npt.NDArray[np.uint8] | None = None,
) -> npt.NDArray[np.uint8]:
    """The role of each link, by its row: content, navigation or template; `start`: where each page's rows begin.

    `room` gives space for what is counted, and `into`, of zeros, is for the result; both may be larger than memory.
    """
    made = np.zeros(links.num_rows, np.uint8) if into is None else into  # content, all of it
    rows = _Links(links, start)
    known, lists = False, np.zeros(sites.of.size, bool)
    for found in one_by_one(lambda first, last: rows.read(first, last).lists(sites), blocks(start), workers=1):
        if found is not None:
            known, lists[found] = True, True
    if not known:
        return made
    pages = _standing(made.size, lambda: rows.pairs(_Some.in_a_row, sites), sites, room)
    edges = [
        _standing(made.size, lambda at=at: rows.pairs(at, sites), sites, room)  # type: ignore[misc]
        for at in (_Some.first_pictures, _Some.last_pictures)
    ]

    def told(first: int, last: int) -> npt.NDArray[np.uint8]:
        some = rows.read(first, last)
        own = np.zeros(some.source.size, np.uint8)
        enough = sites.needed[sites.of[some.source]]
        at = np.flatnonzero(pages[some.first :][: own.size] >= np.where(some.leads_home(), FEWEST, enough))
        own[at] = own[at + 1] = TEMPLATE
        for edge in edges:
            own[edge[some.first :][: own.size] >= enough] = TEMPLATE
        begin = stretches.start[some.source]
        at = np.flatnonzero(
            some.known & (some.stretch >= 0) & (some.stretch < stretches.start[some.source + 1] - begin)
        )
        own[at[in_template[begin[at] + some.stretch[at]]]] = TEMPLATE
        own[some.called(*CALLED_SO)] = NAVIGATION
        own[lists[some.source] & some.called(*OF_LINKS)] = NAVIGATION
        return own

    _fill(made, start, told)
    return made


@dataclass(frozen=True)
class _Links:
    """The links of all pages, looked at some pages at a time; `start` as in CSR."""

    table: Rows
    start: Longs

    def read(self, first: int, last: int) -> "_Some":
        """The links of pages from `first` up to `last`."""
        begin, end = int(self.start[first]), int(self.start[last])
        return _Some.read(begin, self.table.slice(begin, end - begin))

    def pairs(self, of: "Callable[[_Some, Sites], Pairs]", sites: Sites) -> Iterator[Pairs]:
        return (of(self.read(*block), sites) for block in blocks(self.start))


@dataclass(frozen=True)
class _Some:
    """The columns of links that roles follow from, for some pages; links of one page stand together."""

    first: int  # the row of the first among all links
    source: Ints
    target: Ints
    block: Ints
    stretch: Ints  # -1 for a picture, which stands in no text
    region: Ints
    regions: list[str]

    @classmethod
    def read(cls, first: int, links: pa.Table) -> "_Some":
        source, target, block, stretch = (links[name].to_numpy() for name in ("source", "target", "block", "stretch"))
        return cls(first, source, target, block, stretch, *_coded(links["region"]))

    def called(self, *names: str) -> Flags:
        """The links in these regions."""
        return np.isin(self.region, [code for code, name in enumerate(self.regions) if name in names])

    @property
    def known(self) -> Flags:
        return ~self.called(UNKNOWN)

    def lists(self, sites: Sites) -> Ints | None:
        """The pages that others of their site name as pages of tags; None if nothing is known of these links."""
        if not self.known.any():
            return None
        return np.asarray(self.target[self.called(TAGS) & (sites.of[self.source] == sites.of[self.target])])

    def in_a_row(self, sites: Sites) -> Pairs:
        """Two links in a row in one box that is not running text, at the place of the first."""
        in_boxes = ~self.called(UNKNOWN, TEXT) & (self.block != ALONE)
        at = np.flatnonzero(in_boxes[1:] & in_boxes[:-1])
        for same in (self.source, self.block, self.stretch):  # a block may join a menu with a sentence beside it
            at = at[same[at] == same[at + 1]]
        at = at[self.target[at] != self.target[at + 1]]  # twice the same page is one choice
        page = self.source[at]
        return Pairs(self.first + at, page, _key(sites.of[page], self.target[at], self.target[at + 1]))

    def leads_home(self) -> Flags:
        """The links in boxes with a link to the page that they stand on."""
        box = _key(self.source, self.block)
        home = box[self.source == self.target]
        return np.isin(box, home, kind="sort")  # numpy 2.0 fails on large numbers if left to choose

    def first_pictures(self, sites: Sites) -> Pairs:
        """The first link of each page, if it is a picture, with the page's beginning."""
        return self._pictures(np.flatnonzero(np.diff(self.source, prepend=-1)), _BEGIN, sites)

    def last_pictures(self, sites: Sites) -> Pairs:
        """The last link of each page, if it is a picture, with the page's end."""
        return self._pictures(np.flatnonzero(np.diff(self.source, append=-1)), _END, sites)

    def _pictures(self, at: Longs, edge: int, sites: Sites) -> Pairs:
        at = at[self.known[at] & (self.stretch[at] < 0)]
        page = self.source[at]
        return Pairs(self.first + at, page, _key(sites.of[page], self.target[at], np.full(at.size, edge)))


def _coded(column: pa.ChunkedArray) -> tuple[Ints, list[str]]:
    """A number for each text of a column, by row, and the texts."""
    if not len(column):  # pyarrow before 21 cannot join no chunks of a dictionary
        return np.empty(0, np.int32), []
    coded = column.dictionary_encode().unify_dictionaries().combine_chunks()
    return coded.indices.to_numpy(zero_copy_only=False).astype(np.int32), coded.dictionary.to_pylist()


def blocks(start: Longs) -> Iterator[tuple[int, int]]:
    """Pages in a row, first and behind the last, that have about `BLOCK` rows together; `start` as in CSR."""
    first, pages = 0, start.size - 1
    while first < pages:
        last = max(first + 1, int(np.searchsorted(start, start[first] + BLOCK, "right")) - 1)
        yield first, last
        first = last


def _standing(
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


def _key(*numbers: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """One number of 64 bits for several (the finaliser of splitmix64; Steele et al. 2014)."""
    mixed = np.zeros(numbers[0].size, np.uint64)
    with np.errstate(over="ignore"):
        for each in numbers:
            mixed = (mixed ^ each.astype(np.int64).view(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
            mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            mixed ^= mixed >> np.uint64(31)
    return mixed
