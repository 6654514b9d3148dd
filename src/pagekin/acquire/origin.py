"""Reads a page's bytes again from where `Capture.origin` says they were: a file, or a place in an archive."""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from pagekin.acquire import wacz, warc
from pagekin.acquire.folder import read as read_folder
from pagekin.errors import SourceError
from pagekin.model import Capture, Item


def fetch(origin: str) -> Capture | None:
    """The capture that an origin names; None if it is no longer there. An archive is read up to that place.

    >>> fetch("/no/such/file.html")
    """
    for item in _items(origin):
        if isinstance(item, Capture) and item.origin == origin:
            return item
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


def _archive(origin: str) -> str | None:
    """The archive that an origin is a place in, if it is no file of its own."""
    archive = origin.rpartition("#")[0]
    if not archive or Path(origin).is_file():
        return None
    return archive if Path(archive).is_file() else archive.partition("!")[0]


def _items(origin: str) -> Iterator[Item]:
    file, (archive, _, _) = Path(origin), origin.rpartition("#")
    if file.is_file():
        return iter(read_folder(file))
    if archive and Path(archive).is_file():
        return warc.read(Path(archive))
    packed = archive.partition("!")[0]
    return wacz.read(Path(packed)) if packed and Path(packed).is_file() else chain()
