"""`see-also`: write a list of related pages into every page of a folder of built HTML, or take the lists out again.

1. the pages are read, and the collection beside the folder is brought up to date (`collect`)
2. where each list belongs is known from the page, or found by the words that are its own (`place`)
3. the related pages of all pages are asked for at once (`related`)
4. what differs from the files is written (`write`)
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Literal

from pagekin.answers.collection import Collection
from pagekin.answers.filters import Filters
from pagekin.answers.progress import Progress, Tell, reporting, reporting_rows
from pagekin.collection.store import Store
from pagekin.errors import UsageError, unknown
from pagekin.harmless import clean
from pagekin.methods import Method
from pagekin.methods import method as named_method
from pagekin.model import DEFAULT_METHOD
from pagekin.parse.encoding import decode, encoding_of
from pagekin.parse.listed import unlisted
from pagekin.seealso import apart
from pagekin.seealso.asking import lists
from pagekin.seealso.collect import collect
from pagekin.seealso.headings import heading as heading_in
from pagekin.seealso.kinds import is_of_links
from pagekin.seealso.leaves import NO_PLACE, TEMPLATE, Leaf, Leaves, open_leaves, read_outline
from pagekin.seealso.listing import Entry, Listing, href
from pagekin.seealso.memory import Memory
from pagekin.seealso.place import Selector, among_own_words, level, stands
from pagekin.seealso.related import Names, Wanted, texts, unbuilt
from pagekin.seealso.removing import removed
from pagekin.seealso.report import SeeAlso, by_reason, count
from pagekin.seealso.write import MEANWHILE, Seen, left_behind, writing
from pagekin.wording import option

Into = Literal["html", "json", "json-per-page"]
INTO = ("html", "json", "json-per-page")
K = 5
TEXTS_AT_ONCE = 500
NONE_RELATED = "no related page"
MISPLACED = "broken HTML: browsers would not show the list where it belongs"


@dataclass(frozen=True)
class Look:
    """How lists look, and where they go."""

    heading: str | None = None
    lang: str | None = None
    stylesheet: bool = False
    into: Into = "html"


def see_also(
    folder: Path | str,
    base_url: str | None = None,
    *,
    k: int = K,
    method: str | Method = DEFAULT_METHOD,
    check: bool = False,
    remove: bool = False,
    at: str | None = None,
    into: Into = "html",
    heading: str | None = None,
    lang: str | None = None,
    stylesheet: bool = False,
    unlinked: bool = False,
    templates: bool = False,
    filters: Filters | None = None,
    progress: Tell | None = None,
) -> SeeAlso:
    """Write a list of the k most related pages into every page of a folder of built HTML.

    base_url: the address of the folder; without it, its pages may say. check: only say what would change. remove: take
    the lists out again. at: in which element, if the page has no marker: a tag, an #id, a .class. into: "json" writes
    related.json instead, "json-per-page" a file beside each page. heading: instead of “See also”; lang: its language,
    instead of each page's. stylesheet: also write pagekin.css. unlinked: leave out pages that the page's own text links
    to. templates: also lists for, and links to, indexes, lists by tag, search pages, 404.
    """
    if check and remove:
        raise UsageError(f"{option('check')} and {option('remove')} exclude each other; give one of them")
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    if into not in INTO:
        raise unknown("form", into, INTO)
    if heading is not None and not clean(heading):
        raise UsageError(f"{option('heading')} is empty; leave it out for the usual one")
    selector = None if at is None else Selector.read(at)
    asked = named_method(method) if isinstance(method, str) else method
    if remove:
        return removed(Path(folder))
    wanted = Wanted(k, asked, filters or Filters(), unlinked)
    with reporting(progress) as tell:
        leaves = open_leaves(Path(folder), base_url, selector)
        return _Run(leaves, wanted, Look(heading, lang, stylesheet, into), templates, check, tell).report()


def kin_of(folder: Path) -> Path:
    """The collection of a folder, beside it.

    >>> kin_of(Path("/srv/public")).as_posix()
    '/srv/public.kin'
    """
    top = folder.absolute() if folder.name not in ("", "..") else folder.resolve()
    return top.with_name(f"{top.name}.kin")


class _Run:
    def __init__(self, leaves: Leaves, wanted: Wanted, look: Look, templates: bool, check: bool, tell: Tell) -> None:
        self.leaves, self.wanted, self.look = leaves, wanted, look
        self.templates, self.check, self.tell = templates, check, tell
        self.root = leaves.folder.top

    def report(self) -> SeeAlso:
        self.tell(Progress(f"{self.root.absolute().name}: {self.leaves.folder.said}", lasting=True))
        self.kin = kin_of(self.root)
        self.memory = Memory.read(self.kin, repr(self.leaves.selector), repr((self.wanted, self.templates)))
        self.leaves.last = self.memory.pages
        parsed = collect(self.kin, self.leaves, self.tell)
        others = self._others() if self.leaves.by_url else {}
        changed = self._write(others)
        inside = {leaf.inside.as_posix() for leaf in self.leaves.by_url.values()}
        pages = len(inside.union(self.leaves.left_out))
        listed = [url for url in others if self._path(url) not in self.leaves.left_out]
        notes = [self.leaves.folder.warning] if self.leaves.folder.warning else []
        if self.leaves.links:
            notes.append(f"left as they are: {count(len(self.leaves.links), 'symbolic link')} to pages of the folder")
        return SeeAlso(
            str(self.root), pages, len(listed), tuple(sorted(changed)), parsed, self.check,
            left_out=by_reason(self.leaves.left_out), notes=tuple(notes),
        )  # fmt: skip

    def _path(self, url: str) -> str:
        return self.leaves.by_url[url].inside.as_posix()

    def _others(self) -> dict[str, list[str]]:
        """The related pages of each page that is to have a list, as addresses."""
        by_url = self.leaves.by_url
        if self.look.into == "html":
            self._find_places()
        self.names = Names.read(self._store(), by_url)
        objections = {url: why for url, leaf in by_url.items() if (why := self._objection(leaf))}
        may_be = [url for url, leaf in by_url.items() if self.templates or not leaf.leads_on]
        with reporting_rows(self.tell, "related pages"):
            asked = lists(self._built, self.leaves, self.memory, self.wanted, by_url.keys() - objections.keys(), may_be)
        known = {url: leaf.to_know(asked.lists.get(url)) for url, leaf in by_url.items()}
        self.memory.write(self.kin, asked.changed, known)
        objections |= {url: NONE_RELATED for url, others in asked.lists.items() if not others}
        self.leaves.left_out |= {self._path(url): why for url, why in objections.items()}
        return {url: others for url, others in asked.lists.items() if others}

    def _objection(self, leaf: Leaf) -> str | None:
        if leaf.leads_on and not self.templates:
            return TEMPLATE
        if self.look.into != "html":
            return None
        return leaf.refused or (NO_PLACE if leaf.place is None else None)

    def _store(self) -> Store:
        return Collection(self.kin).store

    def _built(self) -> Store:
        """The collection with the index that the method needs."""
        collection = Collection(self.kin)
        if unbuilt(collection.store, self.wanted.method):
            collection.build(method=self.wanted.method, progress=self._quietly)
        return collection.store

    def _quietly(self, progress: Progress) -> None:
        if not progress.lasting:
            self.tell(progress)

    def _find_places(self) -> None:
        """Find a place for lists in pages that do not say where it is, by the words that are their own."""
        waiting = [url for url, leaf in self.leaves.by_url.items() if leaf.place is None and leaf.refused is None]
        store = self._store() if waiting else None
        for first in range(0, len(waiting), TEXTS_AT_ONCE):
            for url, (own, repeated) in texts(store, waiting[first : first + TEXTS_AT_ONCE]).items() if store else ():
                leaf = self.leaves.by_url[url]
                page = unlisted(leaf.path.read_bytes())
                found = read_outline(page, encoding_of(page), leaf.path, self.leaves.folder.base)
                if chosen := among_own_words(found, own, repeated):
                    self.leaves.by_url[url] = replace(
                        leaf, place=chosen, level=level(found, chosen.at),
                        leads_on=leaf.leads_on or is_of_links(found, chosen.box),
                    )  # fmt: skip

    def _write(self, others: dict[str, list[str]]) -> list[str]:
        """Write what differs from what is there; returns the files, as paths in the folder."""
        changed: list[str] = []
        if not self.check:
            for path in left_behind(self.root):
                path.unlink(missing_ok=True)
        with writing() as pages:
            for path, data, before in self._new_files(others):
                changed.append(path.relative_to(self.root).as_posix())
                if not self.check:
                    pages.put(path, data, before)
        for path, why in pages.refused.items():
            inside = path.relative_to(self.root).as_posix()
            self.leaves.left_out[inside] = why
            changed.remove(inside)
        return changed

    def _new_files(self, others: dict[str, list[str]]) -> Iterator[tuple[Path, bytes, Seen | None]]:
        """The files to write, with their new bytes and as they were when they were read."""
        if self.look.into == "html":
            for leaf in self.leaves.by_url.values():
                if leaf.refused is None and (new := self._new_page(leaf, others.get(leaf.url, []))) is not None:
                    yield leaf.path, new, leaf.seen
            beside = {self.root / apart.STYLESHEET: apart.stylesheet()} if self.look.stylesheet else {}
        else:
            entries = {self._path(url): [self._as_json(other) for other in named] for url, named in others.items()}
            beside = apart.documents(self.root, entries, self.look.into == "json-per-page")
        for path, data in apart.differing(beside):
            yield path, data, Seen.of(path.lstat()) if path.exists() else None

    def _new_page(self, leaf: Leaf, others: list[str]) -> bytes | None:
        """The bytes of a page with its list, or without one; None if they are what they were."""
        body = leaf.path.read_bytes()
        if len(body) != leaf.seen.size:
            self.leaves.left_out[leaf.inside.as_posix()] = MEANWHILE
            return None
        page = unlisted(body)
        if not others or leaf.place is None:
            return page if page != body else None
        at, listing = leaf.place.at, self._listing(leaf, others)
        new = page[:at] + listing.written(page, leaf.level) + page[at:]
        if new == body:
            return None
        found = read_outline(page, encoding_of(page), leaf.path)
        if not stands(found, decode(new), leaf.place, len(others)):
            self.leaves.left_out[leaf.inside.as_posix()] = MISPLACED
            return page if page != body else None
        return new

    def _listing(self, leaf: Leaf, others: list[str]) -> Listing:
        own = leaf.language or self.names.language(leaf.url)
        text, language = heading_in(self.look.lang or own, leaf.has_own)
        if self.look.heading is not None:
            text, language = clean(self.look.heading), self.look.lang or ""
        foreign = bool(language) and _primary(language) != _primary(own)
        style = href(leaf.inside, PurePath(apart.STYLESHEET)) if self.look.stylesheet else ""
        return Listing([self._entry(leaf, url) for url in others], text, language if foreign else "", style)

    def _entry(self, leaf: Leaf, url: str) -> Entry:
        other = self.leaves.by_url[url]
        return Entry(url if leaf.base else href(leaf.inside, other.inside), self._title(url))

    def _title(self, url: str) -> str:
        return clean(self.names.title(url)) or self._path(url)

    def _as_json(self, url: str) -> dict[str, str]:
        return {"path": self._path(url), "url": url, "title": self._title(url)}


def _primary(language: str) -> str:
    return language.lower().replace("_", "-").partition("-")[0]
