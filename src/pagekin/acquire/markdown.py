"""Reads a folder of Markdown: each file becomes a page of HTML, which is read like any other page.

The front matter is taken off (`frontmatter`), the text becomes HTML (`rendered`), and every link to a page of the
folder gets the page's address (`references`). Which address that is depends on who makes a site of it (`generators`).
"""

import io
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from pagekin import url as urls
from pagekin.acquire import frontmatter, generators
from pagekin.acquire.capture import address, place, spelled, take
from pagekin.acquire.folder import walked
from pagekin.acquire.frontmatter import BROKEN, Front, Said
from pagekin.acquire.generators import ENDINGS, Generator
from pagekin.acquire.http import Refused, looks_binary
from pagekin.acquire.references import Pages
from pagekin.acquire.rendered import Text, html
from pagekin.acquire.text import decoded, unmarked
from pagekin.model import Capture, Item, Redirect, Skipped

MOST_BYTES = 1 << 20  # of a file: the longest lists of links have half of that, and a megabyte takes seconds to read
TOO_LARGE = f"Markdown larger than {MOST_BYTES >> 20} MiB"
DRAFT = "a draft"
SAME = "another file has the same address"
NOT_HERE = "not an address of this site"
NO_NOTE = "a wikilink to no page"
OUTSIDE = "Markdown outside the content of the site"


def recognises(path: Path, head: bytes) -> bool:
    """Whether a file is Markdown, by its name."""
    return path.suffix.lower() in ENDINGS


def read(path: Path, base_url: str | None = None) -> Iterator[Item]:
    """The pages of a folder of Markdown, or of one file."""
    return iter(open_markdown(path, base_url))


def open_markdown(
    root: Path, base_url: str | None = None, files: Sequence[Path] | None = None, at: str | None = None
) -> "Notes":
    """The Markdown in a folder, or one file. `at`: the address of a folder that nothing else gives one."""
    if files is None:
        files = [root] if root.is_file() else [file for file in walked(root).files if recognises(file, b"")]
    made = Generator(content=root.parent) if root.is_file() else generators.found(root)
    base = base_url or made.base or at or made.content.absolute().as_uri()
    return Notes(root, made, base.removesuffix("/") + "/", tuple(files), named=base_url is None and bool(made.base))


@dataclass(frozen=True)
class Notes:
    """Markdown files with their addresses on the web; iterating reads them one at a time, in the order of paths."""

    root: Path
    made: Generator
    base: str  # the address of the content, which ends with a slash
    files: tuple[Path, ...]
    named: bool = False  # the generator's settings name the address

    @cached_property
    def content(self) -> dict[str, Path]:
        """The files that are pages, by their path in the content."""
        inside = [file for file in self.files if file.is_relative_to(self.made.content)]
        paths = {spelled(file.relative_to(self.made.content).as_posix()): file for file in inside}
        return {path: file for path, file in paths.items() if self.made.is_page(PurePosixPath(path))}

    @property
    def said(self) -> str:
        """What this is, as a phrase for people."""
        what = "a Markdown file" if self.root.is_file() else "a folder of Markdown"
        count = f"{len(self.files):,} file{'s' * (len(self.files) != 1)}"
        by = f", according to {self.made.said_by}" if self.named else ""
        how = f"as {self.made.name} makes them" if self.made.name else "without .md"
        return f"{what} at {self.base} ({count}){by}, addresses {how}"

    def __iter__(self) -> Iterator[Item]:
        first: dict[str, str] = {}  # address → path
        beside = self._beside()
        for path, file in self.content.items():
            front = self._front(file)
            if isinstance(front, Skipped):
                yield front
            elif frontmatter.is_true(front.said, "draft") or frontmatter.is_false(front.said, "published"):
                yield Skipped(place(file), DRAFT)
            elif (url := self.url(path, front.said, beside)) in first:
                yield Skipped(f"{place(file)}: {url}", SAME)
            elif url is None:
                yield Skipped(place(file), NOT_HERE)
            else:
                first[url] = path
        known = Pages(self.base, {path: url for url, path in first.items()}, self.made.by_address, self.made.folders)
        inside = set(self.content.values())
        yield from (Skipped(place(file), OUTSIDE) for file in self.files if file not in inside)
        for url, path in first.items():
            yield from self._page(self.content[path], path, url, known)

    def _beside(self) -> dict[str, frozenset[str]]:
        names: dict[str, set[str]] = {}
        for path in self.content:
            folder, _, name = path.rpartition("/")
            names.setdefault(folder, set()).add(name.lower())
        return {folder: frozenset(found) for folder, found in names.items()}

    def url(self, path: str, said: Said, beside: dict[str, frozenset[str]]) -> str | None:
        """The canonical address of a file's page; None if what the file names is none of this site."""
        inside = self.made.path(PurePosixPath(path), said, beside.get(path.rpartition("/")[0], frozenset()))
        try:
            url = address(os.fsencode(inside if "://" in inside else self.base + inside))
        except Refused:
            return None
        return url if urls.host(url) == urls.host(self.base) else None

    def _front(self, file: Path) -> Front | Skipped:
        try:
            info = file.stat()
            if not stat.S_ISREG(info.st_mode):  # opening a pipe would wait for its other end
                raise Refused("unreadable")
            if info.st_size > MOST_BYTES:
                raise Refused(TOO_LARGE)
            raw = file.read_bytes()
            if looks_binary(raw):
                raise Refused("not Markdown")
            return frontmatter.split(decoded(b"".join(unmarked([raw]))))
        except Refused as reason:
            return Skipped(place(file), str(reason))
        except OSError:
            return Skipped(place(file), "unreadable")

    def _page(self, file: Path, path: str, url: str, known: Pages) -> Iterator[Item]:
        front = self._front(file)  # again: the texts of all files may be too much to keep
        if isinstance(front, Skipped):
            yield front
            return
        if front.broken:
            yield Skipped(place(file), BROKEN)
        text = Text(known, path, url, self.made.name)
        body = html(front, text, file.stem).encode("utf-8", "replace")
        origin = f"{place(file)}#{self._up(file)}={self.base}"
        blank = Capture(url, b"", "text/html; charset=utf-8", origin=origin, fetched=_time(file))
        yield take(io.BytesIO(body).read, len(body), blank)
        yield from (Skipped(f"{place(file)}: [[{name}]]", NO_NOTE) for name in text.unknown)
        yield from self._aliases(front.said, url)

    def _up(self, file: Path) -> int:
        """How many folders above a file the one is that was read: `origin` finds it so. 0: the file alone."""
        return 0 if self.root == file else len(file.parts) - len(self.root.parts)

    def _aliases(self, said: Said, url: str) -> Iterator[Redirect]:
        """Other addresses of a page, as Hugo and a plug-in of Jekyll name them; in Obsidian, aliases are names."""
        for written in (*frontmatter.texts(said, "aliases"), *frontmatter.texts(said, "redirect_from")):
            inside = written.startswith("/") and urls.join(self.base, written.lstrip("/"))
            alias = inside or (urls.join(url, written) if "/" in written else None)
            if alias and alias != url and self.made.name != "Obsidian" and urls.host(alias) == urls.host(url):
                yield Redirect(alias, url)


def _time(file: Path) -> int:
    try:
        return max(0, int(file.stat().st_mtime))
    except OSError:
        return 0


def prevails(root: Path, notes: Sequence[Path], pages: Sequence[Path], others: int = 0) -> bool:
    """Whether a folder is one of Markdown: by the settings of a generator, or because most of what can be read is.

    A generator's folder also has templates, and perhaps the site that it made, as HTML; a site of HTML may have a
    README. `others` are archives and tables.
    """
    made = generators.found(root).name
    if made == "Jekyll":  # its templates and its site are in folders that begin with _
        pages = [file for file in pages if not any(part[0] == "_" for part in file.relative_to(root).parts[:-1])]
    return bool(notes) and (made in ("Hugo", "MkDocs") or len(notes) > len(pages) + others)
