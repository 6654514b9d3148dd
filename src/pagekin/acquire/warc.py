"""Reads WARC archives (plain, gzip, zstd, lz4) with FastWARC; old ARC archives are passed on to `arc`.

`response` and `resource` records with HTML are pages, redirects are kept, and everything else is counted by reason;
`request`, `warcinfo` and `metadata` records only describe pages and are not counted. But in a WAT archive `metadata` is
all there is: see `wat`.
"""

import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from fastwarc.warc import WarcRecord

from pagekin.acquire import arc, wat
from pagekin.acquire.capture import TRUNCATED, address, place, respond, take
from pagekin.acquire.http import Refused
from pagekin.acquire.records import DAMAGED, GZIP, Records
from pagekin.model import Capture, Item, Skipped

SUFFIXES = tuple(f".warc{made}{packed}" for made in ("", ".wat", ".wet") for packed in ("", ".gz", ".zst", ".lz4"))
_OTHERS = {
    "revisit": "revisit",
    "conversion": "conversion record",
    "continuation": "continuation record",
    "unknown": "unknown record type",
}


def recognises(path: Path, head: bytes) -> bool:
    """Whether this is a WARC or ARC archive, by its first bytes (unpacked) or else by its name."""
    return head.startswith((b"WARC/", arc.FIRST)) or path.name.lower().endswith(SUFFIXES + arc.SUFFIXES)


def read(path: Path) -> Iterator[Item]:
    """Yield everything in the archive, in its order."""
    try:
        with path.open("rb") as file:
            yield from items(file, place(path))
    except OSError:
        yield Skipped(place(path), "unreadable")


def items(file: BinaryIO, name: str) -> Iterator[Item]:
    """Yield everything in an open, seekable archive; origins are `name#offset`."""
    found = False
    for item in arc.items(file, name) if _is_arc(file) else _items(file, name):
        found = True
        yield item
    if not found:
        yield Skipped(name, "no pages in the archive")


def _is_arc(file: BinaryIO) -> bool:
    head = file.read(512)
    file.seek(0)
    try:
        head = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, 64) if head.startswith(GZIP) else head
    except zlib.error:
        return False
    return head.startswith(arc.FIRST)


def _items(file: BinaryIO, name: str) -> Iterator[Item]:
    records, described = Records(file), wat.Found()
    for at, record in records:
        origin = f"{name}#{at}"
        item = Skipped(origin, record) if isinstance(record, str) else _item(record, origin, described)
        if isinstance(item, Skipped) and item.why in (TRUNCATED, DAMAGED):
            records.distrust()
        if item is not None:
            yield item
        if described.enough:
            yield from described.rows()
    yield from described.rows()


def remark(path: Path) -> str:
    """What a reader should know of an archive, by its name."""
    return "; a WAT archive has titles, links and anchors, but no text and no blocks" if ".wat" in path.suffixes else ""


def _item(record: WarcRecord, origin: str, described: wat.Found) -> Item | None:
    """The item that a record becomes; None if it is neither a page nor worth counting."""
    kind = str(record.record_type)
    if kind == "metadata" and (record.headers.get("Content-Type") or "").startswith("application/json"):
        return _described(record, origin, described)
    if kind in _OTHERS:
        return Skipped(origin, _OTHERS[kind])
    if kind not in ("response", "resource"):
        return None
    if not (record.headers.get("Content-Length") or "").isdigit():
        return Skipped(origin, "broken record header")
    try:
        return _page(record, kind, origin)
    except Refused as reason:
        return Skipped(origin, str(reason))
    except OSError:  # the compressed frame ends or breaks inside the record
        return Skipped(origin, DAMAGED)


def _described(record: WarcRecord, origin: str, described: wat.Found) -> Skipped | None:
    try:
        text = record.reader.read(wat.LONGEST + 1)
        return None if described.add(text) else Skipped(origin, "broken JSON")
    except Refused as reason:
        return Skipped(origin, str(reason))
    except OSError:
        return Skipped(origin, DAMAGED)


def _page(record: WarcRecord, kind: str, origin: str) -> Item:
    url = address(record.headers.get_bytes(b"WARC-Target-URI") or b"")
    date, content_type = record.record_date, record.headers.get("Content-Type")
    blank = Capture(url, b"", fetched=max(0, int(date.timestamp())) if date else 0, origin=origin)
    if kind == "response" and (content_type or "application/http").lower().startswith("application/http"):
        return respond(record.reader.read, record.content_length, blank)
    return take(record.reader.read, record.content_length, replace(blank, content_type=content_type))
