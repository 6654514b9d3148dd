"""The pages of a folder as `see-also` needs them: the file, its address, where its list belongs, the list it has."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath

from pagekin.acquire.capture import place as spelled_path
from pagekin.acquire.folder import Folder, open_folder, recognises, walked
from pagekin.acquire.site import EXTENSIONS
from pagekin.acquire.sources import base_address, head_of
from pagekin.errors import SourceError
from pagekin.model import Capture
from pagekin.parse.encoding import encoding_of
from pagekin.parse.listed import lists_in, stray, unlisted
from pagekin.seealso.kinds import is_of_links, leads_on
from pagekin.seealso.outline import Outline, outline
from pagekin.seealso.place import Place, Selector, level, place
from pagekin.seealso.tokens import plain
from pagekin.seealso.write import Seen, objection

UTF16 = ("utf-16le", "utf-16be")
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
    refused: str | None = None  # why nothing can be written into it


@dataclass
class Leaves:
    """All pages of a folder, as they are read, by address."""

    folder: Folder
    selector: Selector | None
    by_url: dict[str, Leaf] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)  # path → why

    def add(self, capture: Capture) -> bool:
        """Take a page; False if another file has its address."""
        path = self.paths[capture.origin or ""]
        if capture.url in self.by_url:
            self.left_out[self.inside(path)] = TWICE
            return False
        self.by_url[capture.url] = self._leaf(path, capture)
        return True

    def inside(self, path: Path) -> str:
        return path.relative_to(self.folder.top).as_posix()

    def _leaf(self, path: Path, capture: Capture) -> Leaf:
        inside, body = PurePath(path.relative_to(self.folder.top)), capture.body
        held = lists_in(body)
        encoding = encoding_of(body, capture.content_type) if not body.isascii() else ""
        refused = objection(path)
        if encoding in UTF16:
            refused = refused or ENCODED
        elif not all(each.unchanged for each in held):
            refused = refused or CHANGED
        elif stray(body):
            refused = refused or BROKEN
        page = unlisted(body)
        found = read_outline(page, encoding, path, self.folder.base)
        chosen = place(found, self.selector)
        leaf = Leaf(
            path, inside, capture.url, Seen.of(path.lstat()), leads_on(inside), chosen,
            level(found, chosen.at if chosen else 0), found.language, found.base is not None, refused,
        )  # fmt: skip
        if chosen and not leaf.leads_on:
            leaf = replace(leaf, leads_on=is_of_links(found, chosen.box))
        return leaf

    @property
    def paths(self) -> dict[str, Path]:
        """Origin → file."""
        if not self._paths:
            self._paths.update({spelled_path(path): path for path in self.folder.files})
        return self._paths

    _paths: dict[str, Path] = field(default_factory=dict)


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
    return Leaves(open_folder(root, base_address(base_url), files, guessing=True), selector)


def pages_below(root: Path) -> Iterator[Path]:
    """The files in a folder that are pages; symbolic links out of it are not followed."""
    for path in walked(root).files:
        if path.suffix.lower() in EXTENSIONS or (not path.suffix and recognises(path, head_of(path))):
            yield path
