"""Reads a page's bytes again from where `Capture.origin` says they were: a file, or a place in an archive.

/web/a.html                     a file of HTML
/web/a.warc.gz#1234             the record at this offset
/web/a.wacz!b.warc.gz#1234      the same in an archive of archives
/web/a.zip!b/c.html#0           a file in a zip file
/notes/b/c.md#2=https://…/      Markdown: the folder that was read is two up, and its address (also in a zip file)
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from pagekin.acquire import markdown, wacz, warc, zipped
from pagekin.acquire.folder import read as read_folder
from pagekin.errors import SourceError
from pagekin.model import Capture, Item

_MARKDOWN = re.compile(r"(.*)#(\d{1,4})=([^#]+)", re.DOTALL)


def fetch(origin: str) -> Capture | None:
    """The capture that an origin names; None if it is no longer there. An archive is read up to that place.

    >>> fetch("/no/such/file.html")
    """
    try:
        for item in _items(origin):
            if isinstance(item, Capture) and item.origin == origin:
                return item
    except SourceError:  # no longer a zip file
        pass
    return None


def fetch_all(origins: Iterable[str]) -> Iterator[Capture]:
    """The captures that origins name, one at a time, without those that are gone; each archive is read once."""
    together: dict[str, set[str]] = {}
    for origin in origins:
        together.setdefault(_archive(origin) or origin, set()).add(origin)
    for wanted in together.values():
        try:
            for item in _items(min(wanted)):
                if isinstance(item, Capture) and item.origin in wanted:
                    wanted.remove(item.origin)
                    yield item
                    if not wanted:
                        break
        except (SourceError, OSError):  # no longer an archive: what was not read is gone
            continue


def files_of(origin: str) -> list[str]:
    """The files that an origin may be in, as its text alone tells: a name may well have a `#` or a `!` in it.

    >>> files_of("/a/b.html"), files_of("/a/c.wacz!d.warc#12")
    (['/a/b.html'], ['/a/c.wacz!d.warc#12', '/a/c.wacz!d.warc', '/a/c.wacz'])
    """
    archive = origin.rpartition("#")[0]
    return list(dict.fromkeys(filter(None, (origin, archive, archive.partition("!")[0]))))


def markdown_of(origin: str) -> tuple[Path, str] | None:
    """The folder of Markdown that a page came from, and the address it had; None if it came from something else.

    >>> markdown_of("/notes/b/c.md#2=https://a.example/")
    (PosixPath('/notes'), 'https://a.example/')
    """
    found = _MARKDOWN.fullmatch(origin)
    return (_folder(found), found[3]) if found and int(found[2]) and "!" not in found[1] else None


def _archive(origin: str) -> str | None:
    """The archive that an origin is a place in, or the folder of Markdown; None if it is a file of its own."""
    archive, _, rest = origin.rpartition("#")
    if not archive or Path(origin).is_file():
        return None
    if (found := _MARKDOWN.fullmatch(origin)) and Path(archive).is_file():
        return f"{_folder(found)}#{found[3]}"
    if Path(archive).is_file():
        return archive
    return archive.partition("!")[0] + (f"#{rest.partition('=')[2]}" if "=" in rest else "")


def _items(origin: str) -> Iterator[Item]:
    file, (archive, _, _) = Path(origin), origin.rpartition("#")
    if file.is_file():
        return iter(read_folder(file))
    found = _MARKDOWN.fullmatch(origin)
    if archive and Path(archive).is_file():
        return markdown.read(_folder(found), found[3]) if found else warc.read(Path(archive))
    name, _, member = archive.partition("!")
    if not archive or not Path(name).is_file():
        return chain()
    if member.lower().endswith(warc.SUFFIXES):
        return wacz.read(Path(name))
    return zipped.read(Path(name), found and found[3])


def _folder(found: re.Match[str]) -> Path:
    """The folder of Markdown that a file was read from, or the file, if it was read alone."""
    file, up = Path(found[1]), int(found[2])
    return file if up == 0 else file.parents[min(up, len(file.parents)) - 1]
