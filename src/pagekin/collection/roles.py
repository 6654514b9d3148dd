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
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

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

ROW_BYTES = 48  # of memory for each pair that is counted
Flags = npt.NDArray[np.bool_]
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
        (of, _), (digest, _) = _coded(pages["site"]), _coded(pages["digest"])
        counts = pages["fetched"].is_valid().to_numpy().copy()
        own = np.flatnonzero(counts & (digest >= 0))
        order = own[np.lexsort((own, digest[own], of[own]))]
        again = np.zeros(order.size, bool)
        again[1:] = (digest[order][1:] == digest[order][:-1]) & (of[order][1:] == of[order][:-1])
        counts[order[again]] = False
        held = np.bincount(of[counts], minlength=int(of.max(initial=-1)) + 1)
        return cls(of, counts, needed(held).astype(np.int32))


def _coded(column: pa.ChunkedArray) -> tuple[Ints, list[str]]:
    """A number for each distinct value of a column, by row (-1 for null), and the values."""
    text = column.cast(pa.large_string()) if pa.types.is_dictionary(column.type) else column
    coded = text.combine_chunks().dictionary_encode()
    coded = coded.combine_chunks() if isinstance(coded, pa.ChunkedArray) else coded
    codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)
    return codes, coded.dictionary.to_pylist()


def repeated(stretches: Stretches, sites: Sites) -> Flags:
    """Which stretches the template of their site repeats, together with the one before or the one behind."""
    start, size = stretches.start, stretches.print.size
    lengths = np.diff(start)
    with_text = np.flatnonzero(lengths)
    # A page of n stretches has n + 1 pairs: its beginning with the first, …, the last with its end.
    first = start[:-1][with_text] + np.arange(with_text.size)  # the place of each page's first pair
    ends = first + lengths[with_text]
    one, other = np.empty(size + with_text.size, np.int64), np.empty(size + with_text.size, np.int64)
    place = np.arange(size) + np.searchsorted(start[:-1][with_text], np.arange(size), "right") - 1
    other[place], one[place + 1] = stretches.print, stretches.print
    one[first], other[ends] = _BEGIN, _END
    page = np.repeat(with_text, lengths[with_text] + 1).astype(np.int32)
    often = _often(page, one, other, sites)
    return np.asarray(often[place] | often[place + 1])


def without_words(stretches: Stretches, in_template: Flags) -> Flags:
    """The stretches whose words do not count: the template's, but none of a page that is nothing but repeated.

    Such a page is a copy or a version of others, or says only what they all say; without it, it would say nothing.
    """
    own = np.bincount(stretches.page[~in_template], minlength=stretches.start.size - 1) > 0
    return np.asarray(in_template & own[stretches.page])


def roles(links: pa.Table, sites: Sites, stretches: Stretches, in_template: Flags) -> npt.NDArray[np.uint8]:
    """The role of each link, by its row: content, navigation or template."""
    region, names = _coded(links["region"])
    number = {name: code for code, name in enumerate(names)}
    made = np.full(links.num_rows, CONTENT, np.uint8)
    known = region != number.get(UNKNOWN, -1)
    if not known.any():
        return made
    source, stretch = links["source"].to_numpy(), links["stretch"].to_numpy()
    block, target = links["block"].to_numpy(), links["target"].to_numpy()
    of_links = known & (block != ALONE) & (region != number.get(TEXT, -1))
    follows = of_links[1:] & of_links[:-1] & (source[1:] == source[:-1]) & (block[1:] == block[:-1])
    follows &= stretch[1:] == stretch[:-1]  # a block may join a menu with a sentence beside it
    at = np.flatnonzero(follows & (target[1:] != target[:-1]))  # twice the same page is one choice
    one, other = target[at].astype(np.int64), target[at + 1].astype(np.int64)
    often, thrice = _often(source[at], one, other, sites), _often(source[at], one, other, sites, FEWEST)
    pairs = at[often | (thrice & _leads_home(source, block, target)[at])]
    made[pairs] = made[pairs + 1] = TEMPLATE
    pictures = known & (stretch < 0)  # they stand in no text
    turns = np.flatnonzero(np.diff(source, prepend=-1, append=-1))
    for at, edge in ((turns[:-1], _BEGIN), (turns[1:] - 1, _END)):  # the first and the last link of each page
        at = at[pictures[at]]
        made[at[_often(source[at], target[at].astype(np.int64), np.full(at.size, edge), sites)]] = TEMPLATE
    inside = np.flatnonzero(known & (stretch >= 0) & (stretch < np.diff(stretches.start)[source]))
    made[inside[in_template[stretches.start[source[inside]] + stretch[inside]]]] = TEMPLATE
    made[np.isin(region, [number[name] for name in CALLED_SO if name in number])] = NAVIGATION
    made[_listed(source, target, region, number, sites)] = NAVIGATION
    return made


def _listed(source: Ints, target: Ints, region: Ints, number: dict[str, int], sites: Sites) -> Flags:
    """The links in lists on pages that others of the site call a tag's, a category's or the archive."""
    named = (region == number.get(TAGS, -1)) & (sites.of[source] == sites.of[target])
    lists = np.zeros(sites.of.size, bool)
    lists[target[named]] = True
    return np.asarray(lists[source] & np.isin(region, [number[name] for name in OF_LINKS if name in number]))


def _leads_home(source: Ints, block: Ints, target: Ints) -> Flags:
    """The links in boxes with a link to the page that they stand on."""
    box = _mixed(source.astype(np.uint64), block.astype(np.int64).view(np.uint64))
    return np.asarray(np.isin(box, box[source == target]))


def _often(page: Ints, one: Longs, other: Longs, sites: Sites, least: int | None = None) -> Flags:
    """Which pairs, each on a page, stand on enough different pages of the page's site, or on at least so many."""
    key = _mixed(sites.of[page].astype(np.uint64), one.view(np.uint64), other.view(np.uint64))
    found = np.zeros(page.size, bool)
    passes = 1 + page.size * ROW_BYTES // memory()
    for each in range(passes):
        at = np.arange(page.size) if passes == 1 else np.flatnonzero(key % np.uint64(passes) == each)
        at = at[np.lexsort((page[at], key[at]))]
        here, new = page[at], np.ones(at.size, bool)
        new[1:] = key[at][1:] != key[at][:-1]
        again = ~new
        again[1:] &= here[1:] == here[:-1]
        first = np.flatnonzero(new)
        pages = np.add.reduceat((sites.counts[here] & ~again).astype(np.int64), first) if at.size else first
        enough = pages >= (sites.needed[sites.of[here[first]]] if least is None else least)
        found[at] = np.repeat(enough, np.diff(first, append=at.size))
    return found


def _mixed(*numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """One number of 64 bits for several (the finaliser of splitmix64; Steele et al. 2014)."""
    mixed = np.zeros(numbers[0].size, np.uint64)
    with np.errstate(over="ignore"):
        for each in numbers:
            mixed = (mixed ^ each) * np.uint64(0x9E3779B97F4A7C15)
            mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            mixed ^= mixed >> np.uint64(31)
    return mixed
