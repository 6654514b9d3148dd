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

What stands on enough pages (`repeats`) is the template's: both links; both stretches, with the links in them. Pages
with equal bytes count once. All of this follows from the content alone, whatever the order in which pages were added.

Links of tables have no region, and those of pages that an earlier version parsed: they count as content.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.collection.arrow_files import Rows
from pagekin.collection.repeats import FEWEST, Flags, Pairs, Room, Sites, blocks, key_of, standing
from pagekin.collection.strings import coded
from pagekin.engine.base import one_by_one
from pagekin.kernels import Ints, Longs
from pagekin.model import ALONE

ROLES = ("content", "navigation", "template")
CONTENT, NAVIGATION, TEMPLATE = range(3)
CALLED_SO = ("navigation", "header", "footer", "sidebar", "tags")  # regions that a page itself names
TAGS, TEXT, UNKNOWN = "tags", "text", ""
OF_LINKS = ("list", "links")

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


def repeated(stretches: Stretches, sites: Sites, room: Room = np.zeros) -> Flags:
    """Which stretches the template of their site repeats, together with the one before or the one behind."""
    start, found = stretches.start, room(stretches.print.size, bool)
    if not found.size:
        return found
    pages = standing(found.size + start.size - 1, lambda: _in_a_row(stretches, sites), sites, room)

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
        yield Pairs(start[first] + first + np.arange(page.size), page, key_of(sites.of[page], one, other))


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
    pages = standing(made.size, lambda: rows.pairs(_Some.in_a_row, sites), sites, room)
    edges = [
        standing(made.size, lambda at=at: rows.pairs(at, sites), sites, room)  # type: ignore[misc]
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
        codes, regions = coded(links["region"])
        return cls(first, source, target, block, stretch, codes, regions.to_pylist())

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
        return Pairs(self.first + at, page, key_of(sites.of[page], self.target[at], self.target[at + 1]))

    def leads_home(self) -> Flags:
        """The links in boxes with a link to the page that they stand on."""
        box = key_of(self.source, self.block)
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
        return Pairs(self.first + at, page, key_of(sites.of[page], self.target[at], np.full(at.size, edge)))
