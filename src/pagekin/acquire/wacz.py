"""Reads WACZ, a zip file of WARC archives with an index and a list of pages; only the archives are read."""

import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from pagekin.acquire import warc
from pagekin.acquire.capture import place
from pagekin.model import Item, Skipped

BROKEN = "broken zip file"

# What `zipfile` raises on bad data: RuntimeError for an encrypted member or an unknown compression.
_ERRORS = (OSError, EOFError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error)


def recognises(path: Path, head: bytes) -> bool:
    """Whether this is a WACZ file: by its name, or as a zip file whose first member is one that WACZ requires."""
    begins = head.startswith(b"PK\x03\x04") and head[30:].startswith((b"archive/", b"datapackage.json", b"indexes/"))
    return begins or path.suffix.lower() == ".wacz"


def read(path: Path) -> Iterator[Item]:
    """Yield everything in its archives, in the order of their names; origins are `FILE.wacz!member#offset`."""
    name = place(path)
    try:
        with zipfile.ZipFile(path) as archive:
            members = sorted(_archives(archive), key=lambda member: member.filename)
            for member in members:
                yield from _items(archive, member, f"{name}!{member.filename}")
            if not members:
                yield Skipped(name, "no archive in the zip file")
    except _ERRORS:
        yield Skipped(name, BROKEN)


def _archives(archive: zipfile.ZipFile) -> Iterator[zipfile.ZipInfo]:
    for member in archive.infolist():
        if member.filename.lower().endswith(warc.SUFFIXES):
            yield member


def _items(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> Iterator[Item]:
    """Yield the items of one member; a bad one is reported, and the others are still read."""
    try:
        with archive.open(member) as file:
            yield from warc.items(cast(BinaryIO, file), name)
    except _ERRORS:
        yield Skipped(name, BROKEN)
