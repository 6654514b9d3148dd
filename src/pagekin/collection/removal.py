"""Removes pages from a collection: when it ends, nothing of theirs is in any of its files.

The parts that hold something of theirs are written again without it (`without`). One manifest lists the new parts, and
no index that was made from the old ones; then the old folders are removed at once, although a reader may have them
open: it reads the manifest again. A kill before the manifest is replaced leaves the old state, a kill after it the new
one with folders that nothing lists. Every writer removes those, so the same command again does, too.

What `scrub` set aside, and what an interrupted crawl has fetched and not committed, cannot be told page by page: it
goes as a whole, just before the manifest is replaced.
"""

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import translate
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.acquire.origin import files_of
from pagekin.collection import barred
from pagekin.collection.lookup import find, nearest
from pagekin.collection.manifest import BARRED, GRAPH, KEPT, Part
from pagekin.collection.schema import OWNER, SCHEMAS
from pagekin.collection.snapshot import UNITED
from pagekin.collection.store import Store
from pagekin.collection.without import NOBODY, is_bare, without
from pagekin.collection.writer import Writer
from pagekin.engine.watch import rows_done, step
from pagekin.errors import CollectionError, UnknownPageError
from pagekin.kernels import Ints, Longs
from pagekin.kernels.numbers import numbers_in
from pagekin.url import page_id

SEE_ALSO = "see-also"  # what the last run of that command knew of pages
ASIDE = ("damaged", "spool", SEE_ALSO)  # and what `scrub` set aside, and what a crawl fetched and did not commit


@dataclass(frozen=True)
class Choice:
    """The pages to remove, by number, and what to say of those asked for that are not removed."""

    pages: Ints
    linked: tuple[str, ...] = ()  # only linked to: nothing of theirs is in the collection
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Removal:
    """What a removal did."""

    linked: int = 0  # further addresses that went: only these pages linked to them
    mentioned: int = 0  # removed pages to which others still link
    indexes: tuple[str, ...] = ()  # dropped: they were made from these pages
    aside: tuple[str, ...] = ()  # folders of the collection that went as a whole


def named(store: Store, urls: Sequence[str], and_linked: bool) -> Choice:
    """The pages that addresses mean; `and_linked`: also those that are only linked to."""
    found = [(url, find(store, url)) for url in urls]
    if unknown := [url for url, page in found if page is None]:
        raise UnknownPageError(unknown, nearest(store, unknown[0]))
    known = {each.page: each.note for _, each in found if each is not None}
    own = _own(store)
    linked = tuple(store.url(page) for page in known if not own[page] and not and_linked)
    pages = np.array(sorted(page for page in known if own[page] or and_linked), np.int32)
    return Choice(pages, linked, tuple(note for note in known.values() if note))


def matching(store: Store, glob: str, and_linked: bool) -> Choice:
    """The pages whose whole address matches a glob: `*` is any text, `?` any character, `[ab]` one of some."""
    wanted = re.compile(translate(glob))
    urls = store.graph.pages["url"]
    fits = np.fromiter((wanted.match(url.as_py()) is not None for url in urls), bool, len(urls))
    pages = np.flatnonzero(fits & store.graph.is_page & (_own(store) | and_linked))
    if not fits.any():
        raise CollectionError(
            f"no page of {store.path} has an address that matches '{glob}'; it is compared with the whole address: "
            "'*/drafts/*' are all addresses with /drafts/ in them"
        )
    linked = fits & store.graph.is_page & ~_own(store)
    few = () if and_linked else tuple(urls.filter(pa.array(linked)).to_pylist())
    return Choice(pages.astype(np.int32), few)


def _own(store: Store) -> npt.NDArray[np.bool_]:
    """Which numbers are pages of which the collection holds more than what others say; an alias counts for its page.

    That an address was asked for in vain, or leads elsewhere, is said by others as long as a page links to it.
    """
    return store.memo.get("own", None, lambda: _count_own(store))


def _count_own(store: Store) -> npt.NDArray[np.bool_]:
    own = ~is_bare(store.graph.pages)
    own |= np.bincount(store.graph.links["target"].to_numpy(), minlength=store.size) == 0
    for name, owner in OWNER.items():
        if name != "pages":
            for part in store.manifest.parts:
                at = numbers_in(store.graph.ids, np.unique(store.table(part, name, [owner])[owner].to_numpy()))
                own[at[at >= 0]] = True
    own[store.graph.page_of[own]] = True
    return np.asarray(own)


def addresses(store: Store, pages: Ints) -> Ints:
    """The numbers of pages, and of the other addresses that lead to them."""
    return np.flatnonzero(np.isin(store.graph.page_of, pages)).astype(np.int32)


def _only_linked_from(store: Store, numbers: Ints) -> Ints:
    """The numbers of which nothing is held, and to which only these numbers link or lead."""
    gone = np.zeros(store.size, bool)
    gone[numbers] = True
    links, aliases = store.graph.links, store.graph.aliases
    alias = numbers_in(store.graph.ids, np.array(list(map(page_id, aliases["alias"].to_pylist())), np.int64))
    leads = numbers_in(store.graph.ids, aliases["page"].to_numpy())
    both = (alias >= 0) & (leads >= 0)
    source = np.concatenate([links["source"].to_numpy(), alias[both]])
    target = np.concatenate([links["target"].to_numpy(), leads[both]])
    lost, stays = np.zeros(store.size, bool), np.zeros(store.size, bool)
    lost[target[gone[source]]] = True
    stays[target[~gone[source]]] = True
    stays[alias[both]] = True  # that it leads elsewhere is known of it
    return np.flatnonzero(lost & ~stays & ~gone & ~_own(store)).astype(np.int32)


def _linked_from_others(store: Store, numbers: Ints) -> Ints:
    """Those of some numbers to which another page links."""
    source, target = (store.graph.links[end].to_numpy() for end in ("source", "target"))
    return np.intersect1d(numbers, target[~np.isin(source, numbers)]).astype(np.int32)


def sources(store: Store, pages: Ints) -> list[str]:
    """The files and archives that any capture of the pages came from, which a removal does not touch."""
    ids, found = store.graph.ids[addresses(store, pages)], set()
    for part in store.manifest.parts:
        rows = store.table(part, "pages", ["id", "origin"])
        own = rows["origin"].filter(pa.array(np.isin(rows["id"].to_numpy(), ids)))
        found |= set(map(_file, own.drop_null().unique().to_pylist()))
    return sorted(found)


def _file(origin: str) -> str:
    """The file or archive of an origin; if there is none any more, what its text says."""
    files = files_of(origin)
    return next((file for file in files if Path(file).exists()), files[-1])


def remove(
    writer: Writer, pages: Ints, *, and_links: bool = False, for_good: bool = False, and_status: bool = True
) -> Removal:
    """Remove pages, given by number. `for_good`: neither `add` nor `crawl` takes them again.

    Without `and_status` it stays known of those to which others link that they were asked for in vain.
    """
    before = writer.store()
    every = addresses(before, pages)
    gone = before.graph.ids[every]
    asked = NOBODY if and_status else before.graph.ids[_linked_from_others(before, every)]
    going = before.graph.ids[np.union1d(every, _only_linked_from(before, every))]
    old, version = writer.manifest, writer.manifest.version + 1
    try:
        with step("writing parts without them"):
            parts = tuple(part for part in _rewritten(writer, before, going, version, and_links, asked) if part)
        kept = {name: index for name, index in old.indexes.items() if name in KEPT}
        if for_good:
            listed = barred.with_more(writer, before.values("url", every))
            kept[BARRED] = writer.new_index(BARRED, lambda folder: barred.write(folder, listed))
        dropped = sorted(old.indexes.keys() - KEPT - {GRAPH})
        aside = tuple(name for name in ASIDE if _cleared(writer.path / name))
        if parts == old.parts:  # nothing was held of them, but an earlier state, or what was set aside, may hold some
            writer.purge(indexes=old.indexes | kept)
            return Removal(aside=aside)
        writer.purge(parts=parts, indexes=kept, version=version)
    finally:
        writer.sweep()  # what was written before an error
    writer.fold()
    after = writer.store().graph.ids
    left = np.isin(gone, after)
    linked = int((~np.isin(before.graph.ids, after)).sum()) - int((~left).sum())
    return Removal(linked, int(left[np.isin(every, pages)].sum()), tuple(dropped), aside)


def _rewritten(
    writer: Writer, store: Store, gone: Longs, version: int, and_links: bool, asked: Longs
) -> Iterator[Part | None]:
    """Each part as it stays: itself, another one without the pages, or none if nothing is left of it.

    A new part does not hold what was added once, so that adding it again brings the pages back.
    """
    winning = store.graph.pages["part"].to_numpy()
    for index, part in enumerate(store.manifest.parts):
        rows_done(index, len(store.manifest.parts))
        ids = store.table(part, "pages", ["id"])["id"].to_numpy()
        made = None
        if np.isin(ids, gone).any():
            won = winning[np.searchsorted(store.graph.ids, ids)]
            later = ids[(won != index) & (won != UNITED)]
            made = without({name: store.table(part, name) for name in SCHEMAS}, gone, and_links, asked, later)
        if made is None:
            yield part
        else:
            yield writer.new_part(made, version) if made["pages"].num_rows else None


def _cleared(folder: Path) -> bool:
    """Remove a folder of the collection, if there is one; what a symbolic link leads to may be anybody's."""
    if folder.is_symlink():
        raise CollectionError(f"{folder} is a symbolic link, and may hold some of these pages: remove it by hand")
    if not folder.exists():
        return False
    shutil.rmtree(folder)
    return True
