"""Reads a page's bytes again from where `Capture.origin` says they were: a file, or a place in an archive."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from pagekin.acquire import wacz, warc
from pagekin.acquire.folder import read as read_folder
from pagekin.model import Capture, Item


def fetch(origin: str) -> Capture | None:
    """The capture that an origin names; None if it is no longer there. An archive is read up to that place.

    >>> fetch("/no/such/file.html")
    """
    for item in _items(origin):
        if isinstance(item, Capture) and item.origin == origin:
            return item
    return None


def _items(origin: str) -> Iterator[Item]:
    file, (archive, _, _) = Path(origin), origin.rpartition("#")
    if file.is_file():
        return iter(read_folder(file))
    if archive and Path(archive).is_file():
        return warc.read(Path(archive))
    packed = archive.partition("!")[0]
    return wacz.read(Path(packed)) if packed and Path(packed).is_file() else chain()
