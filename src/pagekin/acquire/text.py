"""Reads text files of unknown quality: unpacks them, converts them to UTF-8, and hands on whole lines.

Compression and UTF-16 show in the first bytes, so the file's name does not matter. An archive that is cut off or
damaged gives what came before the damage, and a report.
"""

import codecs
import os
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import pyarrow as pa

from pagekin.acquire.capture import spelled
from pagekin.errors import SourceError
from pagekin.failures import size
from pagekin.model import Skipped

BLOCK = 1 << 24  # bytes handed on at once: about a million rows of numbers, and room for the longest sane row
# Bytes, unpacked, of the formats that are held in memory as a whole: the largest known has 30 MB, and ten times as much
# memory is needed as the file has bytes.
MOST_HELD = 1 << 27
READ = 1 << 14  # bytes per read: a damaged archive loses the read in which the damage shows
PACKED = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x04\x22\x4d\x18": "lz4",
    b"BZh": "bz2",
}


def lines(path: Path) -> Iterator[str | Skipped]:
    """The lines of a text file, decoded one by one; if an archive breaks off or is too large, a report comes last."""
    taken = 0
    for block in blocks(path):
        if isinstance(block, Skipped):
            yield block
            continue
        if taken + len(block) > MOST_HELD:
            more = f"more than {size(MOST_HELD)} unpacked; {size(taken)} were taken; write the links as CSV to add all"
            yield Skipped(spelled(path.name), more)
            return
        taken += len(block)
        yield from map(decoded, block.splitlines())


def decoded(raw: bytes) -> str:
    """Text from bytes of unknown origin: UTF-8, or windows-1252 if that fails, as browsers do.

    >>> decoded("Lønn".encode()), decoded("Lønn".encode("latin-1"))
    ('Lønn', 'Lønn')
    """
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("windows-1252", "replace")


def blocks(path: Path) -> Iterator[bytes | Skipped]:
    """Whole lines, about BLOCK bytes at a time; if an archive breaks off, the lines before that and a report."""
    buffer = bytearray()
    damage = None
    try:
        for piece in unmarked(unpacked(path)):
            buffer += piece
            if len(buffer) >= BLOCK:
                cut = _last_line_end(buffer)
                if not cut:
                    raise OSError("a row that does not end")
                yield bytes(buffer[:cut])
                del buffer[:cut]
    except OSError as error:
        damage = error
        del buffer[_last_line_end(buffer) :]  # half a row would be a link to half an address
    if buffer:
        yield bytes(buffer)
    if damage:
        yield Skipped(spelled(path.name), f"damaged, the rest is lost: {damage}")


def unmarked(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces of a file without its byte order mark, and in UTF-8 if the mark says UTF-16.

    >>> b"".join(unmarked(["Bees".encode("utf-16")])), b"".join(unmarked([b"\\xef\\xbb\\xbfBe", b"es"]))
    (b'Bees', b'Bees')
    """
    rest = iter(pieces)
    first = next(rest, b"")
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        decoder = codecs.getincrementaldecoder("utf-16")("replace")
        yield from (decoder.decode(piece).encode() for piece in chain([first], rest))
    else:
        yield first.removeprefix(codecs.BOM_UTF8)
        yield from rest


def magic(path: Path) -> bytes:
    """The first four bytes as stored, which identify archives and Parquet; an error if there is no such file."""
    if path.is_dir():
        raise SourceError(f"{spelled(path)} is a folder; expected a file")
    try:
        with path.open("rb") as file:
            return file.read(4)
    except OSError as error:
        raise SourceError(f"{spelled(path)} cannot be read: {error.strerror}") from error


def unpacked(path: Path) -> Iterator[bytes]:
    """The bytes of a file in small pieces; a damaged archive raises OSError after its last good piece."""
    begins = magic(path)
    stream: pa.NativeFile = pa.OSFile(os.fsencode(path), "rb")
    for mark, codec in PACKED.items():
        if begins.startswith(mark):
            stream = pa.CompressedInputStream(stream, codec)
    with stream:
        while piece := stream.read(READ):
            yield piece


def _last_line_end(buffer: bytearray) -> int:
    return buffer.rfind(b"\n") + 1 or buffer.rfind(b"\r") + 1
