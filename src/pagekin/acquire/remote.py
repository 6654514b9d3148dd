"""Archives at addresses that only an engine can read, `s3a://…` or `hdfs://…`: which they are, and reading one's bytes.

A reader wants a file that it can seek in, so the bytes are kept in a temporary one while they are read; what is
reported, and each page's origin, has the address instead.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from pagekin.acquire.capture import place
from pagekin.acquire.sources import KINDS, guess, open_sources
from pagekin.errors import SourceError, UsageError
from pagekin.model import Capture, Item, Skipped
from pagekin.wording import option

ARCHIVES = ("warc", "wacz")
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_WEB = ("http", "https")


def is_address(path: Path | str) -> bool:
    """Whether this is an address of a file system, not a path.

    >>> is_address("s3a://crawl/a.warc.gz"), is_address("https://a.example/"), is_address("a/b.warc.gz")
    (True, False, False)
    """
    found = _ADDRESS.match(path) if isinstance(path, str) else None
    return found is not None and found[1].lower() not in _WEB and not Path(path).exists()


def is_archive(address: str) -> bool:
    """Whether a file is an archive, by its name."""
    from pagekin.acquire import wacz, warc

    name = Path(address.rpartition("/")[2])
    return warc.recognises(name, b"") or wacz.recognises(name, b"")


def refuse(address: str) -> None:
    """Say what to do about an address where only paths can be read."""
    if address.lower().startswith("file://"):
        raise UsageError(f"{address} is an address; name the path alone, or add {option('engine', 'spark')}")
    raise UsageError(
        f"{address} is an address of a file system that only Spark reads; add {option('engine', 'spark')}, or copy its "
        "archives to a folder, and name that"
    )


@dataclass(frozen=True)
class Received:
    """An archive whose bytes are here; iterating reads it."""

    address: str
    body: bytes
    kind: str = "auto"

    def __iter__(self) -> Iterator[Item]:
        with TemporaryDirectory(prefix="pagekin-") as folder:
            file = Path(folder).resolve() / (self.address.rpartition("/")[2] or "archive")
            file.write_bytes(self.body)
            yield from self._items(file)

    def _items(self, file: Path) -> Iterator[Item]:
        if self.kind == "auto" and guess(file, KINDS) not in ARCHIVES:
            yield Skipped(self.address, "not a web archive")
            return
        try:
            for source in open_sources([file], self.kind):
                for item in source:
                    yield self._renamed(item, place(file))
        except SourceError:
            yield Skipped(self.address, "unreadable")

    def _renamed(self, item: Item, here: str) -> Item:
        if isinstance(item, Capture) and item.origin is not None:
            return replace(item, origin=item.origin.replace(here, self.address, 1))
        if isinstance(item, Skipped):
            return replace(item, where=item.where.replace(here, self.address, 1))
        return item
