"""Reads a folder of HTML files, or one file. Page addresses come from the file names, or from a base URL.

* A file name that is an address with `^` for `/` (`http:^^a.example^b.html`, as in the WebKB collection) is used as
  that address. Such a file may begin with HTTP headers, and the first folder below the one given is its label.
* Any other file is a page of the site at the base URL. Without one, the pages may say where they stand (`site`); else
  they get `file://` addresses. `page.html.gz` is `page.html`, as servers send it.

Many sites link to `NAME` where the file is `NAME.html`; the links show whether this one does.
"""

import json
import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from pagekin.acquire import site
from pagekin.acquire.capture import address, place, respond, spelled, take
from pagekin.acquire.elsewhere import elsewhere
from pagekin.acquire.http import MAX_BYTES, TOO_LARGE, Refused, decode, is_cut_off, looks_like_html
from pagekin.acquire.site import EXTENSIONS, Looked, is_packed
from pagekin.model import Capture, Item, Redirect, Skipped
from pagekin.url import host
from pagekin.wording import option

_PART = re.compile(r"\d{6,}-[0-9a-f]{8}")  # the name of a part of a collection
_ADDRESS = re.compile(r"(?:https?|ftp|file):\^\^")

# One way of writing links must clearly prevail: a stray link without .html is its author's mistake.
_CLEARLY = 10
DAMAGED = "damaged gzip"
PACKED_COPY = "a packed copy of a page beside it"
FEW = 0.5  # below this share of links that meet a page, the user is told


def recognises(path: Path, head: bytes) -> bool:
    """Whether a file in a folder is a page: by its name, or by its first bytes where the name has no extension."""
    return _is_address(path) or _extension(path) in EXTENSIONS or (not path.suffix and looks_like_html(head))


def read(path: Path) -> Iterator[Item]:
    """The pages of a folder without a base URL."""
    return iter(open_folder(path, None))


class Walked(NamedTuple):
    """What is in a folder and below, sorted."""

    files: list[Path]
    collections: list[Path]  # whose files are left out; one may well lie in the folder that it was made from
    outside: list[Path]  # symbolic links that lead out of the folder, which are left out


def files_below(root: Path) -> list[Path]:
    """All files in a folder and below, sorted, without those of collections (see `walked`)."""
    return walked(root).files


def walked(root: Path, follow: bool = False) -> Walked:
    """Walk a folder. Hidden files are ignored.

    A symbolic link to a file is read if the file is in the folder too: whoever made the folder must not choose which
    of the reader's other files become pages. Linked folders are not entered. With `follow`, all links are followed, and
    a folder that can be reached in several ways, perhaps from within itself, is entered once.
    """
    found: list[Path] = []
    collections: list[Path] = []
    outside: list[Path] = []
    closed: list[OSError] = []  # folders that cannot be read: reported with the files
    top, seen = root.resolve(), {_identity(root)}
    for folder, folders, names in os.walk(root, onerror=closed.append, followlinks=follow):
        files = [Path(folder, name) for name in sorted(names) if not name.startswith(".")]
        inside = [Path(folder, name) for name in sorted(folders) if not name.startswith(".")]
        if not follow:
            out = {path for path in (*files, *inside) if path.is_symlink() and not _leads_into(top, path)}
            outside += out
            files, inside = [path for path in files if path not in out], [path for path in inside if path not in out]
        else:
            new = {known: path for path in reversed(inside) if (known := _identity(path)) not in seen}
            seen |= new.keys()
            inside = list(new.values())
        collections += [path for path in inside if is_collection(path)]
        folders[:] = [path.name for path in inside if path not in collections]
        found += files
    return Walked(sorted([*found, *(Path(error.filename) for error in closed)]), sorted(collections), sorted(outside))


def _identity(folder: Path) -> tuple[int, int] | Path:
    """What tells a folder from others, by whatever name it goes."""
    try:
        info = folder.stat()
    except OSError:
        return folder
    return info.st_dev, info.st_ino


def _leads_into(top: Path, link: Path) -> bool:
    """Whether a symbolic link leads to something in the folder `top`, or to nothing."""
    try:
        end = link.resolve(strict=True)
    except (OSError, RuntimeError):  # nothing there, or a circle: unreadable
        return True
    return end.is_relative_to(top)


def is_collection(folder: Path) -> bool:
    """Whether a folder is a collection of pagekin, whole or damaged: by its manifest, or by the names of its parts."""
    try:
        if any(_PART.fullmatch(part.name) for part in (folder / "parts").iterdir()):
            return True
    except OSError:
        pass  # an empty collection has no parts
    try:
        manifest = json.loads((folder / "manifest.json").read_bytes())  # many web sites have a file of this name
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(manifest, dict) and manifest.keys() >= {"format", "version", "canonical", "parts"}


def open_folder(
    root: Path, base_url: str | None, files: Sequence[Path] | None = None, guessing: bool = False, at: str | None = None
) -> "Folder":
    """The pages of a folder, or of `files` in it; a few are opened to see how they link to each other.

    With `guessing` they may also say where the folder stands, if no base URL is given. `at` is its address if nothing
    gives one.
    """
    if files is None:
        files = [root] if root.is_file() else files_below(root)
    top = root.parent if root.is_file() else root
    looked = site.look(top, [path for path in files if _extension(path) in EXTENSIONS and not _is_address(path)])
    stand = looked.guess(top) if guessing and base_url is None else None
    if stand is None:
        stand = site.Stand({"": (base_url or at or top.absolute().as_uri()).removesuffix("/") + "/"})
    folder = Folder(root, top, tuple(files), stand.bases, stand.by, *_spelling(looked, stand))
    return replace(folder, warning=_warning(looked, folder, base_url) if guessing or base_url else "")


def _spelling(looked: Looked, stand: site.Stand) -> tuple[bool, bool, bool]:
    """How links write addresses: clearly without the extensions of files; with a query where wget wrote a name with
    `?`, unless it has also rewritten the links; to a folder without the slash at its end."""
    shorter = {path.removesuffix(ending) for path in looked.paths for ending in EXTENSIONS} - looked.paths
    folders = {path.removesuffix("/") for path in looked.paths if path.endswith("/")}
    full = bare = escaped = asked = slashless = 0
    for target in looked.targets(stand.bases):
        full, bare = full + (target in looked.paths), bare + (target in shorter)
        escaped, asked = escaped + ("%3F" in target), asked + ("?" in target[1:])
        slashless += target in folders
    return bare > _CLEARLY * full, stand.by == site.WGET and escaped <= asked, slashless > 0


def _warning(looked: Looked, folder: "Folder", given: str | None) -> str:
    """A sentence for a folder few of whose links meet its pages, or which another base URL would fit better."""
    met, within = looked.meeting(folder.bases)
    said = f"{met / max(within, 1):.0%} of the links within the site lead to a page of it ({within:,} were looked at)"
    if given and (hosts := looked.hosts()):
        named = ", ".join(list(hosts)[:3])
        return f"its folders have the names of hosts ({named}); to use these, leave out {option('base_url')}"
    if len(folder.bases) > 1:
        return ""
    other = elsewhere(looked)
    if other is not None and host(other.base) != host(folder.base):
        where, name = (f"its folder {other.folder}", "name that folder, and ") if other.folder else ("this folder", "")
        leading = f"{other.links:,} of the {looked.links:,} links looked at go to {other.base}"
        remedy = f"if that is where {where} stands, {name}use {option('base_url', other.base)}"
        return f"{leading}, and none of them meets a page; {remedy}"
    if within == 0:
        return ""
    better = looked.better(folder.base)
    if better is not None:
        more = looked.meeting({"": better})[0] / max(looked.meeting({"": better})[1], 1)
        where = better.replace(site.UNKNOWN, "https://YOUR-SITE/")
        return f"only {said}; with {option('base_url', where)} it would be {more:.0%}"
    return f"only {said}; is {folder.base} its address? If not, use {option('base_url')}" if met < FEW * within else ""


@dataclass(frozen=True)
class Folder:
    """Files with their addresses on the web; iterating reads them one at a time, in the order of their paths."""

    root: Path
    top: Path
    files: tuple[Path, ...]
    bases: dict[str, str]  # the beginning of paths in `top` → their address, which ends with a slash
    by: str = ""  # what says that it stands there, if that was guessed
    bare: bool = False  # addresses leave out the extension
    query: bool = False  # a `?` in the name of a file begins a query
    slashless: bool = False  # links lead to folders without the slash; servers send their readers to the one with it
    warning: str = ""  # if few links meet pages: a sentence for people

    def __iter__(self) -> Iterator[Item]:
        for path in self.files:
            item = self._item(path)
            yield item
            if self.slashless and isinstance(item, Capture) and item.url.endswith("/") and item.url.count("/") > 3:
                yield Redirect(item.url.removesuffix("/"), item.url)

    @cached_property
    def _unpacked(self) -> frozenset[Path]:
        """The files, if some of them are packed: servers keep `page.html.gz` beside `page.html`."""
        return frozenset(self.files) if any(map(is_packed, self.files)) else frozenset()

    @property
    def base(self) -> str:
        """The address of the folder, or that of its first host."""
        return next(iter(self.bases.values()))

    @property
    def said(self) -> str:
        """What this is, as a phrase for people."""
        what = "a folder of HTML" if self.root == self.top else "an HTML file"
        count = f"{len(self.files):,} file{'s' * (len(self.files) != 1)}"
        if all(map(_is_address, self.files)):
            return f"{what}, with URLs as file names ({count})"
        more = len(self.bases) - 1
        others = f" and {more:,} other host{'s' * (more != 1)}" if more else ""
        by = {"": "", site.WGET: ", as wget -r writes them"}.get(self.by, f", according to {self.by}")
        spelt = ", addresses without .html as in its links" * self.bare
        return f"{what} at {self.base}{others} ({count}){by}{spelt}"

    def url(self, path: Path) -> str:
        """The canonical address of the page in a file."""
        if _is_address(path):
            return address(os.fsencode(path.name).replace(b"^", b"/"))
        inside = site.path_of(self.top, path, self.bare, self.query)
        top = next((top for top in self.bases if inside.startswith(top)), "")
        return address(os.fsencode(self.bases.get(top, self.base) + inside[len(top) :]))

    def _item(self, path: Path) -> Item:
        try:
            info = path.stat()
            if is_packed(path) and path.with_suffix("") in self._unpacked:
                raise Refused(PACKED_COPY)
            if not stat.S_ISREG(info.st_mode):  # opening a pipe would wait for its other end
                raise Refused("unreadable")
            if info.st_size > MAX_BYTES:
                raise Refused(TOO_LARGE)
            item = self._page(path, info.st_size)
        except Refused as reason:
            return Skipped(place(path), str(reason))
        except OSError:
            return Skipped(place(path), "unreadable")
        return replace(item, fetched=item.fetched or max(0, int(info.st_mtime))) if isinstance(item, Capture) else item

    def _page(self, path: Path, size: int) -> Item:
        blank = Capture(self.url(path), b"", content_type=self._type(path), origin=place(path), label=self._label(path))
        with path.open("rb") as file:
            if is_packed(path):
                body = _inflated(file.read())
                return take(BytesIO(body).read, len(body), blank)
            return respond(file.read, size, blank) if _is_address(path) else take(file.read, size, blank)

    def _type(self, path: Path) -> str | None:
        """The type that a web server would give a file; None if only its bytes can tell."""
        extension = _extension(path)
        if extension in EXTENSIONS and not _is_address(path):
            return "application/xhtml+xml" if extension == ".xhtml" else "text/html"
        if extension and not _is_address(path) and path != self.root:
            raise Refused("not HTML")
        return None

    def _label(self, path: Path) -> str | None:
        folders = path.relative_to(self.top).parts[:-1]
        return spelled(folders[0]) if folders and _is_address(path) else None


def _is_address(path: Path) -> bool:
    return bool(_ADDRESS.match(path.name))


def _extension(path: Path) -> str:
    """The extension of a file, in lower case; wget writes a query behind it: `page.html?id=7`."""
    name = path.name.partition("?")[0]
    return Path(name[:-3] if is_packed(path) else name).suffix.lower()


def _inflated(packed: bytes) -> bytes:
    """The page in a gzip file."""
    if not packed.startswith(b"\x1f\x8b") or is_cut_off(packed, "gzip"):
        raise Refused(DAMAGED)
    try:
        return decode(packed, {"content-encoding": "gzip"})
    except Refused as reason:
        raise reason if str(reason) == TOO_LARGE else Refused(DAMAGED) from None
