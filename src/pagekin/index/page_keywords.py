"""The keywords of each page (paper 4, section 3): its k most frequent terms; one in the title counts three times.

Ties go to terms on more pages, then to alphabetical order. If all counts in the collection are equal (word flags), all
words of a page are keywords.

Rows of words are dealt out to files by their page, each with as many pages as memory can hold the rows of. Memory also
holds the terms, and some numbers for each page; the disk 12 bytes a row, twice.
"""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.array_files import Growing, load, save
from pagekin.collection.store import Span, Store
from pagekin.engine.base import over_files
from pagekin.index.spellings import Spelled, Spellings, coded
from pagekin.index.spooled import fitting
from pagekin.kernels import Ints, Longs

NAMED = pa.schema([("term", pa.string()), ("surface", pa.string()), ("pages", pa.int32())])
TITLE = 3  # how many times a word in the title counts
ROW = np.dtype([("page", "<i4"), ("term", "<i4"), ("weight", "<i4")])
BYTES = 100  # of memory for a row while the keywords of its page are chosen
AT_ONCE = 1 << 20

Rows = npt.NDArray[np.void]


class PageFile(NamedTuple):
    """The rows of the pages [first, last), at a path that workers see, too."""

    path: Path
    first: int
    last: int

    def rows(self) -> Rows:
        """Each term of each page once, by page. Several tables may describe a page that was never fetched, and a page
        has the words of its aliases: the largest count is used."""
        rows = np.fromfile(self.path, ROW)
        key = rows["page"].astype(np.int64) << 32 | rows["term"]
        order = np.argsort(key, kind="stable")
        key = key[order]
        if (key[1:] == key[:-1]).any():
            order = np.lexsort((-rows["weight"], rows["term"], rows["page"]))
        return np.asarray(rows[order][np.concatenate((np.ones(min(key.size, 1), bool), key[1:] != key[:-1]))])


def write_keywords(store: Store, most: int, folder: Path, steps: Path) -> pa.Table:
    """Write `start` (where each page's keywords begin) and `word` (their numbers, ascending); returns each word's term
    and surface, and on how many pages it is. `steps`: a folder for what is not kept."""
    spelled, files = _dealt(store, steps)
    terms = spelled.terms
    spread, least, largest = np.zeros(terms.num_rows, np.int32), np.iinfo(np.int32).max, 0
    for term, pages, low, high in over_files(_spread, files):
        spread[term] += pages
        least, largest = min(least, low), max(largest, high)
    rank = np.empty(spread.size, np.int64)
    rank[np.argsort(-spread, kind="stable")] = np.arange(spread.size)
    start, chosen = np.zeros(store.size + 1, np.int64), np.zeros(spread.size, np.int32)
    with Growing(steps / "terms.npy", np.int32) as file:
        work = partial(_chosen, rank, most if least < largest else None)
        for of, (sizes, term) in zip(files, over_files(work, files), strict=True):
            start[of.first + 1 : of.last + 1] = sizes
            np.add.at(chosen, term, 1)
            file.append(term)
    save(folder / "start.npy", np.cumsum(start, out=start))
    used, held = np.flatnonzero(chosen), load(steps / "terms.npy")
    with Growing(folder / "word.npy", np.int32) as file:
        for first in range(0, held.size, AT_ONCE):
            file.append(np.searchsorted(used, held[first : first + AT_ONCE]))
    named = terms.take(pa.array(used)).append_column("pages", pa.array(chosen[used]))
    return named.cast(NAMED)


def _dealt(store: Store, steps: Path) -> tuple[Spellings, list[PageFile]]:
    """The terms of all pages, and rows of them in files of so many pages that memory can hold one."""
    spelled, sizes, held = Spellings(), list[int](), np.zeros(store.size, np.int64)
    with (steps / "rows.tmp").open("wb") as file:
        for (term, surface), page, weight in over_files(partial(_said_in, store), store.spans("terms")):
            rows = np.empty(page.size, ROW)
            rows["page"], rows["weight"] = page, weight
            rows["term"] = spelled.add(term, surface, weight.astype(np.int64))
            np.add.at(held, page, 1)
            sizes.append(rows.size)
            file.write(rows.data)
    limits = fitting(held, BYTES)
    files = [PageFile(steps.absolute() / f"rows{n}.tmp", *ends) for n, ends in enumerate(pairwise(limits.tolist()))]
    for each in files:
        each.path.touch()
    for rows in _in_order(steps / "rows.tmp", sizes, spelled):
        of_file = np.searchsorted(limits, rows["page"], "right") - 1
        order = np.argsort(of_file, kind="stable")
        cuts = np.searchsorted(of_file[order], np.arange(len(files) + 1))
        for each, (first, last) in zip(files, pairwise(cuts.tolist()), strict=True):
            with each.path.open("ab") as file:
                file.write(rows[order[first:last]].data)
    (steps / "rows.tmp").unlink()
    return spelled, files


def _in_order(path: Path, sizes: list[int], spelled: Spellings) -> Iterator[Rows]:
    """The rows of each span, terms by their places in order."""
    with path.open("rb") as file:
        for size in sizes:
            rows = np.fromfile(file, ROW, size)
            rows["term"] = spelled.place[rows["term"]]
            yield rows


def _said_in(store: Store, span: Span) -> tuple[Spelled, Ints, Ints]:
    """The terms in a span of a table, the pages that say them, and how often, in the body or the title."""
    rows = store.rows_in(span, ["term", "surface", "body", "title"])
    weight = pc.add(rows["body"].cast(pa.int64()), pc.multiply(rows["title"].cast(pa.int64()), TITLE))
    rows, weight = (each.filter(pc.greater(weight, 0)) for each in (rows, weight))
    page = store.graph.page_of[np.searchsorted(store.graph.ids, rows["page"].to_numpy())]
    counts = np.minimum(weight.to_numpy(), np.iinfo(np.int32).max).astype(np.int32)
    return (coded(rows["term"]), coded(rows["surface"])), np.asarray(page, np.int32), counts


def _spread(file: PageFile) -> tuple[Ints, Longs, int, int]:
    """The terms of some pages, on how many of them each is, and the least and the greatest count."""
    rows = file.rows()
    term, pages = np.unique(rows["term"], return_counts=True)
    return term, pages, int(rows["weight"].min(initial=np.iinfo(np.int32).max)), int(rows["weight"].max(initial=0))


def _chosen(rank: Longs, most: int | None, file: PageFile) -> tuple[Longs, Ints]:
    """How many keywords each of some pages has, and these, ascending; `rank`: of equally frequent ones, which first."""
    rows = file.rows()
    if most is not None:
        order = np.lexsort((rank[rows["term"]], -rows["weight"], rows["page"]))
        page = rows["page"][order]
        place = np.arange(page.size) - np.searchsorted(page, page)
        rows = rows[np.sort(order[place < most])]
    return np.bincount(rows["page"] - file.first, minlength=file.last - file.first), np.ascontiguousarray(rows["term"])
