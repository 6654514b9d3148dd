"""The index `mirrors`: which pages are copies of each other, and which are translations.

`index/mirrors.…/` holds, for the pages that have either, by id:

    ids.npy          ascending
    mirror.npy       the class of mirrors (−1: none)
    group.npy, tag   the group of addresses that are equal but for a language (−1: none), and the page's language
    start, other     the pages that each names with hreflang and is named by, as ids
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pagekin.collection.array_files import check_rows, load, save
from pagekin.collection.store import Store
from pagekin.index.base import Index, register
from pagekin.index.mirrors import by_text
from pagekin.index.mirrors.translations import TAG_BYTES, ByAddress, by_address, by_hreflang, differ
from pagekin.kernels import Ints, Longs
from pagekin.kernels.numbers import number_in

Tags = npt.NDArray[np.bytes_]


@dataclass(frozen=True)
class Kin:
    """The copies and the translations of pages, all by id."""

    ids: Longs
    mirror: Ints
    group: Ints
    tag: Tags
    start: Longs
    other: Longs

    def mirrors(self, page_id: int) -> Longs:
        """The copies of a page, ascending."""
        at = number_in(self.ids, page_id)
        if at is None or self.mirror[at] < 0:
            return np.empty(0, np.int64)
        mine = _members(*self._by_mirror, int(self.mirror[at]))
        return np.asarray(self.ids[mine[mine != at]])

    def translations(self, page_id: int) -> Longs:
        """The translations of a page, ascending."""
        at = number_in(self.ids, page_id)
        if at is None:
            return np.empty(0, np.int64)
        found = self.other[self.start[at] : self.start[at + 1]]
        if self.group[at] >= 0:
            mine, tag = _members(*self._by_group, int(self.group[at])), self.tag[at].decode()
            apart = [differ(tag, other.decode()) for other in self.tag[mine]]
            found = np.union1d(found, self.ids[mine[apart]])
        return found

    def classes(self) -> list[Longs]:
        """The classes of mirrors, as ids, ascending."""
        groups = by_text.classes(np.arange(self.ids.size, dtype=np.int32), np.asarray(self.mirror, np.int64))
        return [self.ids[group] for group in groups]

    def mirror_class(self, page_id: int) -> int:
        """The number of a page's class of mirrors, −1 if it has none."""
        at = number_in(self.ids, page_id)
        return -1 if at is None else int(self.mirror[at])

    @cached_property
    def _by_mirror(self) -> tuple[Longs, Ints]:
        return _ordered(self.mirror)

    @cached_property
    def _by_group(self) -> tuple[Longs, Ints]:
        return _ordered(self.group)


def _ordered(numbers: Ints) -> tuple[Longs, Ints]:
    """Places in the order of their numbers, and the numbers in that order: done once, for all look-ups."""
    order = np.argsort(numbers, kind="stable")
    return order, numbers[order]


def _members(order: Longs, numbers: Ints, wanted: int) -> Longs:
    first, last = np.searchsorted(numbers, [wanted, wanted + 1])
    return order[first:last]


@register("mirrors")
@dataclass(frozen=True, repr=False)
class Mirrors(Index):
    """The copies and translations of a collection's pages."""

    usual = True

    def make(self, store: Store, folder: Path) -> str:
        groups = by_text.mirrors(store, folder)
        found = related_pages(store, groups, by_address(store, store.fetched), by_hreflang(store, store.fetched))
        for name in ("ids", "mirror", "group", "tag", "start", "other"):
            save(folder / f"{name}.npy", getattr(found, name))
        translated = int(((found.group >= 0) | (np.diff(found.start) > 0)).sum())
        pages = sum(group.size for group in groups)
        many = "group" if len(groups) == 1 else "groups"
        return f"{pages:,} pages in {len(groups):,} {many} of copies, {translated:,} pages with translations"

    def open(self, folder: Path) -> Kin:
        found = Kin(*(load(folder / f"{name}.npy") for name in ("ids", "mirror", "group", "tag", "start", "other")))
        check_rows(found.start, found.ids.size, found.other)
        if not found.ids.size == found.mirror.size == found.group.size == found.tag.size:
            raise ValueError("the arrays do not fit together")
        return found


def related_pages(store: Store, groups: Sequence[Ints], address: ByAddress, hreflang: tuple[Ints, Ints]) -> Kin:
    """Classes of mirrors and what is known of translations, by page number, put together by id."""
    one, other = hreflang
    pages = np.unique(np.concatenate([np.empty(0, np.int32), *groups, address.pages, one]))
    mirror, group = np.full(pages.size, -1, np.int32), np.full(pages.size, -1, np.int32)
    tag = np.zeros(pages.size, f"S{TAG_BYTES}")
    for number, members in enumerate(groups):
        mirror[np.searchsorted(pages, members)] = number
    at = np.searchsorted(pages, address.pages)
    group[at], tag[at] = address.group, address.tag
    start = np.searchsorted(one, np.append(pages, store.size)).astype(np.int64)
    ids = store.graph.ids
    return Kin(ids[pages], mirror, group, tag, start, ids[other])
