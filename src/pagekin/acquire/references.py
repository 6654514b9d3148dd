"""Finds the page that a link in Markdown means: by the file it names, by its address, or by the name of a note.

    on guide/bees.md     [x](wax.md), [x](wax), [x](wax/), [x](wax.html), [x](/guide/wax.md)     guide/wax.md
                         [[Wax]], [[guide/wax|the wax]], [[wax#Colour]]                          the note Wax

Wikilinks are found as in Obsidian: the one note of that name; if there are several, the one at the top, else the one
beside; with a path, that path from the top, or the one path that ends so.
"""

import posixpath
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from pagekin import url as urls
from pagekin.acquire.generators import ENDINGS

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_REST = re.compile(r"[?#]")
_STRIPPED = (*ENDINGS, ".html", ".htm")


class Pages:
    """The pages of a folder of Markdown, by file and by address."""

    def __init__(self, base: str, files: Mapping[str, str], by_address: bool = False, folders: bool = False) -> None:
        """files: path in the folder → address of its page. by_address: links are addresses rather than files.
        folders: addresses end with a slash."""
        self.base, self.by_address, self.folders = base, by_address, folders
        self.files: dict[str, str] = {}  # path without its ending → address
        self.folded: dict[str, str] = {}  # the same in lower case
        self.notes: dict[str, list[str]] = {}  # name in lower case → paths without ending
        self.addresses: dict[str, str] = {}  # an address without slash and ending → address
        for path, url in files.items():
            key = _key(path)
            self.files[key] = url
            self.addresses.setdefault(_bare(url), url)
            self.notes.setdefault(key.rpartition("/")[2].casefold(), []).append(key)
        for path, url in files.items():  # a folder is its index, unless a file has that name
            folder, name = posixpath.split(_key(path))
            if name.lower() in ("index", "_index", "readme"):
                self.files.setdefault(folder, url)
        for key, url in self.files.items():
            self.folded.setdefault(key.casefold(), url)

    def meant(self, file: str, url: str, reference: str) -> str | None:
        """The address that a reference in a file means; None if it is to stay as it is."""
        reference = reference.strip()
        return self.page(file, url, reference) or self._elsewhere(file, reference)

    def page(self, file: str, url: str, reference: str) -> str | None:
        """The page of the folder that a reference in a file means."""
        if _SCHEME.match(reference):
            found = urls.canonical(reference)
            return self.addresses.get(_bare(found)) if found else None
        target = _target(reference)
        if not target:
            return None
        path = self._path(file, unquote(target))
        by_file = None if path is None else self.file(path)
        joined = urls.join(url, reference)
        by_address = self.addresses.get(_bare(joined)) if joined else None
        ways = (
            (by_file, by_address) if target.lower().endswith(ENDINGS) or not self.by_address else (by_address, by_file)
        )
        return ways[0] or ways[1]

    def file(self, path: str) -> str | None:
        """The page of a file, by its path from the top, with or without ending."""
        key = _key(path)
        return self.files.get(key) or self.folded.get(key.casefold())

    def note(self, file: str, name: str) -> str | None:
        """The page of the note that a wikilink names."""
        name = name.strip()
        if name.startswith(("./", "../")):
            path = self._path(file, name)
            return None if path is None else self.file(path)
        key = _key(name).strip("/")
        paths = self.notes.get(key.rpartition("/")[2].casefold(), [])
        if "/" in key:
            if found := self.file(key):
                return found
            paths = [path for path in paths if path.casefold().endswith("/" + key.casefold())]
        if len(paths) > 1:
            beside = str(PurePosixPath(file).parent / key).casefold()
            near = [[path for path in paths if path.casefold() == each] for each in (key.casefold(), beside)]
            paths = next(filter(None, near), [])
        return self.files[paths[0]] if len(paths) == 1 else None

    def _path(self, file: str, target: str) -> str | None:
        """The path of a file that is named from another one; None if it is outside."""
        path = target.lstrip("/") if target.startswith("/") else posixpath.join(posixpath.dirname(file), target)
        path = posixpath.normpath(path) if path else ""
        return None if path.startswith("..") else "" if path == "." else path

    def _elsewhere(self, file: str, reference: str) -> str | None:
        """The address of something that is no page of the folder: a picture, a file that is missing."""
        target = _target(reference)
        if not target or _SCHEME.match(reference):
            return None
        path = self._path(file, unquote(target))
        if path is not None and target.lower().endswith(ENDINGS):
            return urls.join(self.base, _quoted(_key(path)) + "/" * self.folders)
        return None if self.by_address or target.startswith("/") else urls.join(self.base + _quoted(file), reference)


def _target(reference: str) -> str:
    return _REST.split(reference, maxsplit=1)[0]


def _quoted(path: str) -> str:
    return quote(path, errors="replace")


def _key(path: str) -> str:
    """A path without the slash at its end and without an ending that pages have."""
    path = path.rstrip("/")
    lower = path.lower()
    return next((path[: -len(ending)] for ending in _STRIPPED if lower.endswith(ending)), path)


def _bare(url: str) -> str:
    return _key(url)
