"""Reads a zip file of a folder of HTML or Markdown, as a site's export or a vault comes.

The pages are unpacked into a temporary folder, read there as any folder is (`folder`, `markdown`), and the folder goes.
Whoever made the file may want to harm: no member is written outside that folder, symbolic links are not made, and what
unpacks to far more than it should is refused before it fills the disk.
"""

import stat
import struct
import zipfile
import zlib
from calendar import timegm
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from os import utime
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from pagekin.acquire import folder, markdown, wacz, warc
from pagekin.acquire.capture import place, spelled
from pagekin.acquire.folder import Folder, walked
from pagekin.acquire.generators import OBSIDIAN, SETTINGS
from pagekin.acquire.http import MAX_BYTES, TOO_LARGE
from pagekin.acquire.markdown import Notes
from pagekin.acquire.site import FEEDS, SITEMAPS, is_host
from pagekin.errors import SourceError
from pagekin.failures import size
from pagekin.model import Capture, Item, Skipped

MOST_MEMBERS = 200_000  # names are held in memory, 500 bytes each
MOST_BYTES = 1 << 32  # unpacked, on the disk
MOST_RATIO = 100  # bytes unpacked for one packed: HTML has 3 to 20, zeros have 1,000
FREE_BYTES = 1 << 26  # below this, the ratio does not matter
OUT = "a name that leads out of the archive"
LINK = "a symbolic link in the archive"
TWICE = "a name that is twice in the archive"
NOT_READ = "not a kind of file that pagekin reads"
_STEP = 1 << 18
# What `zipfile` raises on bad data: RuntimeError for an encrypted member or an unknown compression.
_ERRORS = (OSError, EOFError, ValueError, RuntimeError, struct.error, zipfile.BadZipFile, zlib.error)
_BESIDE = frozenset(name.rpartition("/")[2] for name in (*SITEMAPS, *FEEDS)) | SETTINGS


def recognises(path: Path, head: bytes) -> bool:
    """Whether this is a zip file: by its name, as many other kinds of files are zip files inside."""
    return path.suffix.lower() == ".zip"


def read(path: Path, base_url: str | None = None) -> Iterator[Item]:
    """The pages in a zip file; origins are `FILE.zip!member#…`."""
    with unpacked(path) as found:
        pages = found.pages(base_url)
        if pages is None:
            if not any(name.lower().endswith(warc.SUFFIXES) for name in found.names):
                raise SourceError(f"{spelled(path)} has no HTML and no Markdown in it ({len(found.names):,} members)")
            yield from wacz.read(path)
            return
        yield from found.skipped
        for item in pages:
            yield found.renamed(item)


def described(path: Path, base_url: str | None = None) -> tuple[str, str]:
    """What a zip file is taken for, and what may be wrong with it, for people."""
    with unpacked(path) as found:
        pages = found.pages(base_url)
        return (pages.said, getattr(pages, "warning", "")) if pages else ("web archives (WARC)", "")


@dataclass
class Unpacked:
    """The pages of a zip file in a temporary folder."""

    path: Path
    top: Path  # of the temporary folder
    names: list[str]
    skipped: list[Skipped]

    @property
    def root(self) -> Path:
        """The folder that was packed: the top, or the only folder in it."""
        inside = list(self.top.iterdir())
        only = len(inside) == 1 and inside[0].is_dir() and not is_host(inside[0].name) and inside[0].name != OBSIDIAN
        return inside[0] if only else self.top

    def pages(self, base_url: str | None) -> Folder | Notes | None:
        """The folder of HTML or Markdown, whichever there is more of."""
        root, at = self.root, place(self.path.absolute())
        files = walked(root).files
        pages = [file for file in files if folder.recognises(file, _head(file))]
        notes = [file for file in files if markdown.recognises(file, b"")]
        address = Path(at).as_uri() + "/"
        if markdown.prevails(root, notes, pages):
            return markdown.open_markdown(root, base_url, notes, at=address)
        return folder.open_folder(root, base_url, pages, guessing=True, at=address) if pages else None

    def renamed(self, item: Item) -> Item:
        """An item whose place is in the archive."""
        before, after = f"{place(self.top)}/", f"{place(self.path)}!"
        if isinstance(item, Skipped):
            return replace(item, where=item.where.replace(before, after))
        if isinstance(item, Capture) and item.origin and item.origin.startswith(before):
            inside = item.origin.removeprefix(before)
            return replace(item, origin=after + inside + ("" if "#" in inside and "=" in inside else "#0"))
        return item


def _head(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(1024)


@contextmanager
def unpacked(path: Path) -> Iterator[Unpacked]:
    """Unpack the pages of a zip file; they are there within this context."""
    with TemporaryDirectory(prefix="pagekin-zip-") as temporary:
        try:
            with zipfile.ZipFile(path) as archive:
                found = _Unpacking(path, Path(temporary), archive).run()
        except _ERRORS as error:
            raise SourceError(f"{spelled(path)} is not a zip file that can be read: {error}") from None
        yield found


class _Unpacking:
    def __init__(self, path: Path, top: Path, archive: zipfile.ZipFile) -> None:
        self.path, self.top, self.archive = path, top, archive
        self.skipped: list[Skipped] = []
        self.taken = 0
        self.most = max(FREE_BYTES, min(MOST_BYTES, MOST_RATIO * path.stat().st_size))

    def run(self) -> Unpacked:
        members = self.archive.infolist()
        if len(members) > MOST_MEMBERS:
            raise SourceError(
                f"{spelled(self.path)} has {len(members):,} members, more than {MOST_MEMBERS:,}; unpack it, and add "
                "the folder"
            )
        for member in members:
            if not member.is_dir() and (why := self._refused(member)):
                self.skipped.append(Skipped(f"{place(self.path)}!{member.filename}", why))
        return Unpacked(self.path, self.top, [member.filename for member in members], self.skipped)

    def _refused(self, member: zipfile.ZipInfo) -> str:
        """Unpack a member, or say why not."""
        name = PurePosixPath(member.filename.replace("\\", "/"))
        if name.is_absolute() or ".." in name.parts or not name.parts or ":" in name.parts[0]:
            return OUT
        if OBSIDIAN in name.parts:
            self.top.joinpath(*name.parts[: name.parts.index(OBSIDIAN) + 1]).mkdir(parents=True, exist_ok=True)
        if any(part.startswith(".") or part == "__MACOSX" for part in name.parts):
            return ""  # as in a folder
        if stat.S_ISLNK(member.external_attr >> 16):
            return LINK
        if not _is_wanted(name):
            return NOT_READ
        target = self.top.joinpath(*name.parts)
        try:
            if target.exists():
                return TWICE
            target.parent.mkdir(parents=True, exist_ok=True)
            return self._written(member, target)
        except _ERRORS:
            with suppress(OSError):
                target.unlink()
            return "encrypted" if member.flag_bits & 1 else wacz.BROKEN

    def _written(self, member: zipfile.ZipInfo, target: Path) -> str:
        length = 0
        with self.archive.open(member) as packed, target.open("wb") as file:
            while piece := packed.read(_STEP):
                length += len(piece)
                self.taken += len(piece)
                if self.taken > self.most:
                    raise SourceError(
                        f"{spelled(self.path)} unpacks to more than {size(self.most)}, which is more than a site is; "
                        "if it is one, unpack it, and add the folder"
                    )
                if length > MAX_BYTES:
                    break
                file.write(piece)
        if length > MAX_BYTES:
            target.unlink()
            return TOO_LARGE
        when = max(0, timegm((*member.date_time, 0, 0, 0)))  # a zip file names no time zone
        utime(target, (when, when))
        return ""


def _is_wanted(name: PurePosixPath) -> bool:
    path = Path(name.name)
    return folder.recognises(path, b"") or markdown.recognises(path, b"") or not path.suffix or name.name in _BESIDE
