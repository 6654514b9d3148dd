"""Reads ARC, the Internet Archive's format before WARC (versions 1 and 2, plain or gzip).

A record is a line, which ends with a length, and that many bytes:

    http://a.example/b 192.0.2.1 20080430204825 text/html 29000
    HTTP/1.1 200 OK …

The first record, `filedesc://…`, describes the file and gives its version. A page's offset is that of its line in the
unpacked file.
"""

import gzip
import io
import re
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import BinaryIO

from pagekin.acquire.capture import address, respond
from pagekin.acquire.http import MAX_BYTES, Refused
from pagekin.model import Capture, Item, Skipped

_Stream = BinaryIO | gzip.GzipFile

FIRST = b"filedesc://"
SUFFIXES = (".arc", ".arc.gz")

_FIELDS = {b"1": 5, b"2": 10}  # version 2 has five more before the length, which stays last
_SCHEME = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*:")
_MAX_LINE = 16 << 10
_MOST_DIGITS = 18  # of a length: more would be no number of bytes, and Python reads no number of thousands
_STEP = 1 << 20


def items(file: BinaryIO, name: str) -> Iterator[Item]:
    """Yield everything in an open ARC file; origins are `name#offset`."""
    packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    stream = gzip.GzipFile(fileobj=file) if packed else file
    try:
        yield from _items(stream, name)
    except (OSError, EOFError, zlib.error):
        yield Skipped(f"{name}#{stream.tell()}", "damaged archive, the rest is lost")


def _items(stream: _Stream, name: str) -> Iterator[Item]:
    fields, told = _FIELDS[b"1"], False
    while line := stream.readline(_MAX_LINE):
        origin = f"{name}#{stream.tell() - len(line)}"
        parts = line.rsplit(maxsplit=fields - 1)
        if _is_header(parts, fields):
            told = False
            block = _block(stream, int(parts[-1]))
            if line.startswith(FIRST):
                fields = _FIELDS.get(block[:1], fields)
            else:
                yield _item(parts, block, origin)
        elif parts and not told:  # blank lines separate records; any other line means a wrong length
            told = True
            yield Skipped(origin, "damaged record")


def _is_header(parts: list[bytes], fields: int) -> bool:
    length = parts[-1] if len(parts) == fields else b""
    return length.isdigit() and len(length) <= _MOST_DIGITS and bool(_SCHEME.match(parts[0]))


def _block(stream: _Stream, length: int) -> bytes:
    """The record's bytes; only the beginning of one that is too large, which is enough to tell what it is."""
    if length <= MAX_BYTES:
        return stream.read(length)
    block = stream.read(_STEP)
    left = length - len(block)
    while left > 0 and (passed := stream.read(min(left, _STEP))):
        left -= len(passed)
    return block


def _item(parts: list[bytes], block: bytes, origin: str) -> Item:
    try:
        kind = parts[3].decode("latin-1")
        blank = Capture(
            address(parts[0]),
            b"",
            content_type=kind if "/" in kind else None,  # "no-type", "unk"
            fetched=_stamp(parts[2].decode("latin-1")),
            origin=origin,
        )
        return respond(io.BytesIO(block).read, int(parts[-1]), blank)
    except Refused as reason:
        return Skipped(origin, str(reason))


def _stamp(digits: str) -> int:
    """Fourteen digits as Unix seconds; 0 (unknown) if they are not a date.

    >>> _stamp("20080430204825"), _stamp("null")
    (1209588505, 0)
    """
    try:
        return max(0, int(datetime.strptime(digits[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC).timestamp()))
    except ValueError:
        return 0
