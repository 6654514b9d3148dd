"""The copies and translations of a page: from the index `mirrors`, or found at once if the collection is small.

Without the index, copies are pages with the same bytes; that texts resemble each other takes a `build` to find.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pagekin.collection.store import Store
from pagekin.index.base import is_built, opened
from pagekin.index.mirrors import by_text
from pagekin.index.mirrors.index import Kin, Mirrors, related_pages
from pagekin.index.mirrors.translations import by_address, by_hreflang
from pagekin.kernels import Ints, Longs
from pagekin.kernels.numbers import numbers_in
from pagekin.wording import command

SMALL = 5_000  # fetched pages: comparing takes 4 µs each, and 20 if most are translations (sqlite3-doc, apache2-doc)


@dataclass(frozen=True)
class Relatives:
    """The copies and translations of the pages of one state, as page numbers."""

    store: Store
    kin: Kin
    built: bool  # else that texts are long enough is looked up when it matters
    long: dict[int, bool] = field(default_factory=dict)  # by class

    def among(self, pages: Sequence[int]) -> set[int]:
        """Those of some pages that may have copies or translations."""
        some = self._has_kin[np.array(pages, np.int32)]
        return {page for page, has in zip(pages, some.tolist(), strict=True) if has} if some.any() else set()

    def mirrors(self, page: int) -> list[int]:
        """The copies of a page, ascending."""
        if not self._has_kin[page]:
            return []
        found = self._numbers(self.kin.mirrors(int(self.store.graph.ids[page])))
        return found if self.built or not found or self._long(page) else []

    def translations(self, page: int) -> list[int]:
        """The translations of a page, ascending, without those that turn out to be copies: not yet translated."""
        if not self._has_kin[page]:
            return []
        found = self._numbers(self.kin.translations(int(self.store.graph.ids[page])))
        copies = set(self.mirrors(page)) if found else set()
        return [each for each in found if each not in copies]

    @cached_property
    def _has_kin(self) -> npt.NDArray[np.bool_]:
        """Which pages may have copies or translations: most have none, and need not be looked up."""
        kin, found = self.kin, np.zeros(self.store.size, bool)
        at = numbers_in(self.store.graph.ids, kin.ids)
        some = (kin.mirror >= 0) | (kin.group >= 0) | (np.diff(kin.start) > 0)
        found[at[some & (at >= 0)]] = True
        return found

    def _numbers(self, ids: Longs) -> list[int]:
        """Page numbers; pages may have been removed since the index was made."""
        known = numbers_in(self.store.graph.ids, ids) if ids.size else np.empty(0, np.int32)
        return [page for page in known.tolist() if page >= 0]

    def _long(self, page: int) -> bool:
        """Whether the text of a page, which is that of its copies, is long enough; read once for each class."""
        number = self.kin.mirror_class(int(self.store.graph.ids[page]))
        if number not in self.long:
            self.long[number] = len(self.store.text(page).encode()) >= by_text.LEAST_BYTES
        return self.long[number]


def relatives(store: Store) -> Relatives | None:
    """The copies and translations of a collection's pages; none if there are too many to compare without the index."""
    return store.memo.get("relatives", None, lambda: _relatives(store))


def _relatives(store: Store) -> Relatives | None:
    wanted = Mirrors()
    built, small = is_built(store, wanted), int(store.fetched.sum()) <= SMALL
    if built and (not small or repr(wanted) not in store.stale()):
        return Relatives(store, opened(store, wanted), built=True)
    return Relatives(store, _at_once(store), built=False) if small else None


def _at_once(store: Store) -> Kin:
    pages = np.flatnonzero(store.fetched).astype(np.int32)
    groups = by_text.classes(pages, by_text.same_digest(store, pages)) if pages.size > 1 else []
    return related_pages(store, groups, by_address(store, store.fetched), by_hreflang(store, store.fetched))


def mirror_classes(store: Store) -> list[Ints]:
    """The classes of mirrors, each in page order: as built, or found now if they are not or pages have been added."""
    wanted = Mirrors()
    if is_built(store, wanted) and repr(wanted) not in store.stale():
        return [np.searchsorted(store.graph.ids, ids).astype(np.int32) for ids in opened(store, wanted).classes()]
    return store.memo.get("mirror classes", None, lambda: by_text.mirrors(store))


def is_complete(store: Store) -> bool:
    """Whether all copies and translations of this state are known."""
    wanted = repr(Mirrors())
    return not store.fetched.any() or (wanted in store.manifest.indexes and wanted not in store.stale())


def known(store: Store) -> str:
    """What is known of copies and translations, and what to do to know all."""
    run = command("build", store.path)
    if is_complete(store):
        return "copies and translations"
    if int(store.fetched.sum()) <= SMALL:
        return f"copies with the same bytes, and translations; for copies that differ a little, run: {run}"
    if is_built(store, Mirrors()):
        return f"copies and translations among the pages of the last build; for all, run: {run}"
    return f"neither copies nor translations, in a collection of this size; to find them, run: {run}"
