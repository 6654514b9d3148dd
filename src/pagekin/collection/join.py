"""Joins collections: every part of another collection becomes a part of this one.

Ids are the same on every machine, and which rows count does not depend on the order of parts (`snapshot`), so parts are
taken as they are. The fingerprints of what they hold come along, so what both collections hold is not taken again.

All parts are written first, one at a time, and committed in one step: damage in the other collection, or a kill in the
middle, leaves this one as it was. The other collection is only read, without a lock. If its writer removes a part that
has not been read yet, its new state is read instead.
"""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.answer import Row
from pagekin.collection.barred import barred
from pagekin.collection.ingest import check_settings
from pagekin.collection.manifest import Manifest, Part
from pagekin.collection.recut import cut_in, cut_like
from pagekin.collection.schema import PAGES, SCHEMAS, Tables
from pagekin.collection.store import Store
from pagekin.collection.vectors import standing
from pagekin.collection.without import without
from pagekin.collection.writer import Writer, writing
from pagekin.errors import CollectionError, UsageError
from pagekin.kernels import Longs
from pagekin.url import CANONICAL_VERSION, page_id, site

TRIES = 5  # states of the other collection to try: its writer removes parts only when it compacts or repairs


@dataclass(frozen=True)
class Joined(Row):
    """What one collection brought into another."""

    collection: str
    pages: int = 0  # fetched pages taken in
    unchanged: int = 0  # fetched pages that were there already, in this version or a later one
    rows: int = 0  # rows of tables taken in
    parts: int = 0  # parts taken in; none: all that they hold was there already
    uncut: int = 0  # Chinese and Japanese pages whose words do not match: cut in another way, and no text to cut again
    vectors: int = 0  # vectors of pages taken in
    barred: int = 0  # pages left out: they were removed for good
    unfit: int = 0  # pages of the whole whose vectors do not count: they have another length than the latest


@dataclass
class _Taken:
    """A part of the other collection: the ids of its fetched pages and, unless it is held already, the new part."""

    fetched: Longs
    part: Part | None = None
    rows: int = 0
    uncut: int = 0
    barred: int = 0


def join(
    path: Path,
    others: Sequence[Path],
    *,
    text: bool = True,
    icann_only: bool = False,
    progress: Callable[[Path, int, int], None] = lambda other, done, parts: None,
) -> tuple[Joined, ...]:
    """Add collections to a collection, in one step. A new one is made with the settings of the first."""
    stores = [_opened(path, other) for other in others]
    first, new = stores[0].manifest, not path.exists()
    settings = {"icann_only": icann_only or first.icann_only, "segmenters": first.segmenters}
    with writing(path, **settings) as writer:
        try:
            check_settings(path, writer.manifest, icann_only)
            return _commit(writer, stores, _Joiner(writer, text, progress))
        finally:
            writer.sweep()  # what was written before an error
            if new and not writer.manifest.parts:
                shutil.rmtree(path, ignore_errors=True)


def _opened(path: Path, other: Path) -> Store:
    """The other collection, if it can be joined at all."""
    for mine, theirs in ((path, other), (path / "parts", other / "parts")):
        if mine.exists() and theirs.exists() and mine.samefile(theirs):
            raise UsageError(f"{other} is the collection that is added to; name another one to join it")
    if other.resolve() in path.resolve().parents:
        raise UsageError(f"{path} lies inside {other}; to join them, keep it elsewhere")
    store = Store(other, in_full=True)
    form = store.manifest.canonical
    if form > CANONICAL_VERSION:
        raise CollectionError(
            f"{other} has addresses in version {form} of the canonical form, made by a newer pagekin; this one knows "
            f"up to {CANONICAL_VERSION}: upgrade pagekin"
        )
    check_settings(other, store.manifest)
    if not store.manifest.parts:
        raise CollectionError(f"{other} is empty: there is nothing in it to add")
    return store


def _commit(writer: Writer, stores: Sequence[Store], joiner: "_Joiner") -> tuple[Joined, ...]:
    taken = [joiner.take(store) for store in stores]
    parts = [each.part for parts in taken for each in parts if each.part]
    if parts:
        writer.commit(parts=(*writer.manifest.parts, *parts), version=writer.manifest.version + 1)
    writer.fold()
    winning = writer.store().state.pages["part"].to_numpy()
    won = np.bincount(winning[winning >= 0], minlength=len(writer.manifest.parts))
    at = {part.name: index for index, part in enumerate(writer.manifest.parts)}
    unfit = standing(writer.store()).unfit if any(part.rows.get("vectors") for part in parts) else 0
    return tuple(
        replace(_joined(store, parts, lambda part: int(won[at[part.name]])), unfit=unfit)
        for store, parts in zip(stores, taken, strict=True)
    )


def _joined(store: Store, parts: Sequence[_Taken], won: Callable[[Part], int]) -> Joined:
    """The counts for one collection: a page is new if its rows now come from one of the parts that were taken."""
    pages = sum(won(each.part) for each in parts if each.part)
    fetched = np.unique(np.concatenate([each.fetched for each in parts])).size
    rows, uncut = sum(each.rows for each in parts), sum(each.uncut for each in parts)
    new = [each.part for each in parts if each.part]
    vectors = sum(part.rows["vectors"] for part in new)
    barred = sum(each.barred for each in parts)
    return Joined(str(store.path), pages, fetched - pages, rows, len(new), uncut, vectors, barred)


class _Joiner:
    """Takes parts over, as the collection that is written wants them."""

    def __init__(self, writer: Writer, text: bool, progress: Callable[[Path, int, int], None]) -> None:
        self.writer, self.text, self.progress = writer, text, progress
        self.barred = barred(writer.store())
        self.held = {print_ for part in writer.manifest.parts for print_ in part.holds}

    def take(self, store: Store) -> list[_Taken]:
        """Take all parts of one state of a collection; of its next state, if its writer removes them meanwhile."""
        done: dict[str, _Taken] = {}  # parts never change, so those already taken serve for the next state too
        for left in range(TRIES, 0, -1):
            try:
                for at, part in enumerate(store.manifest.parts):
                    self.progress(store.path, at, len(store.manifest.parts))
                    if part.name not in done:
                        done[part.name] = self._taken(store, part)
                break
            except CollectionError:
                later = _opened(self.writer.path, store.path)
                if left == 1 or later.manifest == store.manifest:
                    raise
                store = later
        taken = [done[part.name] for part in store.manifest.parts]
        self.held |= {print_ for each in taken if each.part for print_ in each.part.holds}
        return taken

    def _taken(self, store: Store, part: Part) -> _Taken:
        if part.holds and self.held.issuperset(part.holds):
            return _Taken(_fetched(store.table(part, "pages")))
        tables = {name: store.table(part, name) for name in SCHEMAS}
        tables, uncut = self._suited(tables, store.manifest)
        allowed, barred = self._allowed(tables)
        holds = () if barred else part.holds  # not all of it is taken
        written = self.writer.new_part(allowed, self.writer.manifest.version + 1, holds)
        return _Taken(_fetched(allowed["pages"]), written, _rows_of_tables(allowed), uncut, barred)

    def _allowed(self, tables: Tables) -> tuple[Tables, int]:
        """The tables without pages that were removed for good from this collection, and how many these are."""
        urls = tables["pages"]["url"].to_pylist() if self.barred else ()
        gone = np.array([page_id(url) for url in urls if url in self.barred], np.int64)
        made = without(tables, gone)
        return (tables, 0) if made is None else (made, gone.size)

    def _suited(self, tables: Tables, settings: Manifest) -> tuple[Tables, int]:
        """The tables with the sites and words that they would have here; and how many pages have other words."""
        mine, uncut = self.writer.manifest, 0
        if mine.icann_only != settings.icann_only:
            tables = tables | {"pages": _with_sites(tables["pages"], mine.icann_only)}
        if cut_in(mine.segmenters) != cut_in(settings.segmenters):
            terms, uncut = cut_like(mine.segmenters, settings.segmenters, tables)
            tables = tables | {"terms": terms}
        return tables if self.text else tables | {"text": SCHEMAS["text"].empty_table()}, uncut


def _fetched(pages: pa.Table) -> Longs:
    return pages["id"].filter(pc.is_valid(pages["fetched"])).to_numpy()  # type: ignore[no-any-return]


def _rows_of_tables(tables: Tables) -> int:
    """How many rows of tables a part holds: links of pages that were never fetched, and titles and labels of such."""
    pages = tables["pages"]
    unfetched = pages.filter(pc.is_null(pages["fetched"]))
    said = pc.or_(pc.not_equal(unfetched["title"], ""), pc.is_valid(unfetched["label"]))
    links = pc.is_in(tables["links"]["source"], unfetched["id"].combine_chunks())
    return int(pc.sum(said).as_py() or 0) + int(pc.sum(links).as_py() or 0)


def _with_sites(pages: pa.Table, icann_only: bool) -> pa.Table:
    """The pages with their sites by this rule (see `url.site`)."""
    hosts = pages["host"].combine_chunks().dictionary_encode()
    sites = pa.array([site(host, icann_only) for host in hosts.dictionary.to_pylist()], pa.string())
    return pages.set_column(PAGES.names.index("site"), PAGES.field("site"), sites.take(hosts.indices))
