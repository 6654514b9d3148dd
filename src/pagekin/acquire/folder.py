"""Reads a folder of HTML files, or one file. Page addresses come from the file names, or from a base URL.

* A file name that is an address with `^` for `/` (`http:^^a.example^b.html`, as in the WebKB collection) is used as
  that address. Such a file may begin with HTTP headers, and the first folder below the one given is its label.
* Any other file is a page of the site at the base URL; without a base URL it gets a `file://` address.

Many sites link to `NAME` where the file is `NAME.html`; the links show whether this one does.
"""

import json
import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from pagekin import url as urls
from pagekin.acquire.capture import address, ascii_reference, place, respond, spelled, take
from pagekin.acquire.http import MAX_BYTES, TOO_LARGE, Refused, looks_like_html
from pagekin.model import Capture, Item, Skipped

EXTENSIONS = (".html", ".htm", ".xhtml", ".shtml")

_PART = re.compile(r"\d{6,}-[0-9a-f]{8}")  # the name of a part of a collection
_ADDRESS = re.compile(r"(?:https?|ftp|file):\^\^")
_REFERENCE = re.compile(rb"""\bhref\s*=\s*["']?([^"'\s<>]{1,2000})""", re.IGNORECASE)
_SAFE = "/-._~!$&'()*+,;=:@"  # characters that a path may hold unescaped, RFC 3986, 3.3

# The beginnings of a few pages show how a site links to its pages. One way must clearly prevail: a stray link without
# .html is its author's mistake.
_LOOK_AT = 200
_LOOK_AT_BYTES = 1 << 20
_CLEARLY = 10


def recognises(path: Path, head: bytes) -> bool:
    """Whether a file in a folder is a page: by its name, or by its first bytes where the name has no extension."""
    return _is_address(path) or path.suffix.lower() in EXTENSIONS or (not path.suffix and looks_like_html(head))


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


def open_folder(root: Path, base_url: str | None, files: Sequence[Path] | None = None) -> "Folder":
    """The pages of a folder, or of `files` in it; a few are opened to see how they link to each other."""
    if files is None:
        files = [root] if root.is_file() else files_below(root)
    top = root.parent if root.is_file() else root
    folder = Folder(root, top, tuple(files), (base_url or top.absolute().as_uri()).removesuffix("/") + "/")
    return replace(folder, bare=True) if folder.links_leave_out_extensions() else folder


@dataclass(frozen=True)
class Folder:
    """Files with their addresses on the web; iterating reads them one at a time, in the order of their paths."""

    root: Path
    top: Path  # the folder whose address is `base`
    files: tuple[Path, ...]
    base: str  # ends with a slash
    bare: bool = False  # addresses leave out the extension

    def __iter__(self) -> Iterator[Item]:
        return map(self._item, self.files)

    @property
    def said(self) -> str:
        """What this is, as a phrase for people."""
        what = "a folder of HTML" if self.root == self.top else "an HTML file"
        count = f"{len(self.files):,} file{'s' * (len(self.files) != 1)}"
        if all(map(_is_address, self.files)):
            return f"{what}, with URLs as file names ({count})"
        return f"{what} at {self.base} ({count})" + ", addresses without .html as in its links" * self.bare

    def url(self, path: Path) -> str:
        """The canonical address of the page in a file."""
        if _is_address(path):
            return address(os.fsencode(path.name).replace(b"^", b"/"))
        inside = path.relative_to(self.top)
        if self.bare and path.suffix.lower() in EXTENSIONS and path.name.lower() not in urls.DEFAULT_DOCUMENTS:
            inside = inside.with_suffix("")
        return address(os.fsencode(self.base + quote(os.fsencode(inside.as_posix()), safe=_SAFE)))

    def links_leave_out_extensions(self) -> bool:
        """Whether the pages' links to each other clearly prefer `NAME` to `NAME.html`."""
        pages = [path for path in self.files if path.suffix.lower() in EXTENSIONS and not _is_address(path)]
        full, bare = set(map(self.url, pages)), set(map(replace(self, bare=True).url, pages))
        bare -= full  # /docs/ is the same either way
        with_extension = without = 0
        for path in pages[:_LOOK_AT]:
            for target in _targets(path, self.url(path)):
                with_extension += target in full
                without += target in bare
        return without > _CLEARLY * with_extension

    def _item(self, path: Path) -> Item:
        try:
            info = path.stat()
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
            return respond(file.read, size, blank) if _is_address(path) else take(file.read, size, blank)

    def _type(self, path: Path) -> str | None:
        """The type that a web server would give a file; None if only its bytes can tell."""
        extension = path.suffix.lower()
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


def _targets(path: Path, url: str) -> Iterator[str | None]:
    try:
        if not path.is_file():
            return
        with path.open("rb") as file:
            head = file.read(_LOOK_AT_BYTES)
    except OSError:
        return
    for reference in _REFERENCE.findall(head):
        yield urls.join(url, ascii_reference(reference))
