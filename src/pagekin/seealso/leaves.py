"""The pages of a folder as `see-also` needs them: the file, its address, where its list belongs, the list it has."""

import codecs
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePath

from pagekin.acquire.capture import place as spelled_path
from pagekin.acquire.folder import Folder, open_folder, recognises, walked
from pagekin.acquire.site import EXTENSIONS
from pagekin.acquire.sources import base_address, head_of
from pagekin.errors import SourceError
from pagekin.model import Capture, Redirect
from pagekin.parse.encoding import encoding_of
from pagekin.parse.listed import lists_in, stray, unlisted
from pagekin.seealso.kinds import has_own, is_of_links, leads_on
from pagekin.seealso.memory import Known
from pagekin.seealso.outline import Outline, outline
from pagekin.seealso.place import Place, Selector, level, place
from pagekin.seealso.tokens import plain
from pagekin.seealso.write import Seen, objection

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # without a mark, browsers do not take a file for UTF-16
NO_PLACE = "no place for a list: neither a marker, <main>, <article> nor words of its own"
ENCODED = "in UTF-16"
CHANGED = "its list was changed by hand"
BROKEN = "one of the marks around its list is missing or was changed"
TWICE = "another file has the same address"
TEMPLATE = "an index, a list by tag, a search page, 404 …"


@dataclass(frozen=True)
class Leaf:
    """One page. Offsets are in its bytes without our list."""

    path: Path
    inside: PurePath  # in the folder
    url: str
    seen: Seen
    leads_on: bool  # it only leads to other pages
    place: Place | None
    level: int  # of the heading of its list
    language: str = ""  # as the page says
    base: bool = False  # it has a <base>, so relative links do not start from the file
    has_own: bool = False  # its author has written a section “See also”
    digest: str = ""
    refused: str | None = None  # why nothing can be written into it

    @classmethod
    def known(cls, path: Path, inside: PurePath, url: str, seen: Seen, known: Known) -> "Leaf":
        """A page with the bytes that it had in the last run."""
        digest, at, box, by, level, leads_on, language, base, has_own, _ = known
        chosen = Place(at, box, by) if at >= 0 else None
        return cls(path, inside, url, seen, leads_on, chosen, level, language, base, has_own, digest)

    def to_know(self, related: Sequence[str] | None) -> Known:
        """What to remember of it for the next run."""
        at, box, by = (self.place.at, self.place.box, self.place.by) if self.place else (-1, 0, "")
        return Known(
            self.digest, at, box, by, self.level, self.leads_on, self.language, self.base, self.has_own, related
        )


@dataclass
class Leaves:
    """All pages of a folder, as they are read, by address."""

    folder: Folder
    selector: Selector | None
    links: tuple[Path, ...] = ()  # symbolic links to pages of the folder: other names of theirs
    last: Mapping[str, Known] = field(default_factory=dict)  # what the last run knew
    by_url: dict[str, Leaf] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)  # path → why

    def add(self, capture: Capture, digest: str) -> bool:
        """Take a page; False if another file has its address."""
        path = self.paths[capture.origin or ""]
        if capture.url in self.by_url:
            self.left_out[self.inside(path)] = TWICE
            return False
        known, body = self.last.get(capture.url), capture.body
        where = path, PurePath(path.relative_to(self.folder.top)), capture.url, Seen.of(path.lstat())
        if known and known.digest == digest:
            leaf = Leaf.known(*where, known)
        else:
            leaf = replace(self._read(*where, unlisted(body), capture.content_type), digest=digest)
        self.by_url[capture.url] = replace(leaf, refused=objection(path) or _flaw(body))
        return True

    def inside(self, path: Path) -> str:
        return path.relative_to(self.folder.top).as_posix()

    def aliases(self) -> Iterator[Redirect]:
        """The other names of pages, as addresses that lead to them."""
        top = self.folder.top.resolve()
        for link in self.links:
            meant = self.folder.top / link.resolve().relative_to(top)
            if meant.is_file() and self.folder.url(link) != self.folder.url(meant):
                yield Redirect(self.folder.url(link), self.folder.url(meant))

    @cached_property
    def by_address(self) -> dict[str, Path]:
        """The file of each address."""
        return {self.folder.url(path): path for path in self.folder.files}

    def unchanged(self, url: str) -> Known | None:
        """What the last run knew of a page, if it has the same bytes now."""
        known, leaf = self.last.get(url), self.by_url.get(url)
        return known if known and leaf and known.digest == leaf.digest else None

    def _read(self, path: Path, inside: PurePath, url: str, seen: Seen, page: bytes, content_type: str | None) -> Leaf:
        found = read_outline(page, encoding_of(page, content_type), path, self.folder.base)
        chosen = place(found, self.selector)
        return Leaf(
            path, inside, url, seen, leads_on(inside) or bool(chosen and is_of_links(found, chosen.box)), chosen,
            level(found, chosen.at if chosen else 0), found.language, found.base is not None, has_own(found),
        )  # fmt: skip

    @cached_property
    def paths(self) -> dict[str, Path]:
        """Origin → file."""
        return {spelled_path(path): path for path in self.folder.files}


def _flaw(body: bytes) -> str | None:
    """Why a page is not written to, by its bytes."""
    if body.startswith(_UTF16):
        return ENCODED
    if not all(each.unchanged for each in lists_in(body)):
        return CHANGED
    return BROKEN if stray(body) else None


def read_outline(page: bytes, encoding: str, path: Path, base: str = "") -> Outline:
    """The outline of a page without our list."""
    return outline(plain(page, encoding), path.suffix.lower() == ".xhtml", base.encode(), encoding or "utf-8")


def open_leaves(root: Path, base_url: str | None, selector: Selector | None) -> Leaves:
    """The pages in a folder; none is read yet."""
    if not root.is_dir():
        raise SourceError(f"{root} is not a folder; name the folder of a built site, like public/")
    files = list(pages_below(root))
    if not files:
        raise SourceError(f"no HTML in {root}; name the folder of a built site, like public/")
    folder = open_folder(root, base_address(base_url), files, guessing=True)
    links = tuple(path for path in files if path.is_symlink())
    own = tuple(path for path in files if not path.is_symlink())
    return Leaves(replace(folder, files=own), selector, links)


def pages_below(root: Path) -> Iterator[Path]:
    """The files in a folder that are pages; symbolic links out of it are not followed."""
    for path in walked(root).files:
        if path.suffix.lower() in EXTENSIONS or (not path.suffix and recognises(path, head_of(path))):
            yield path
