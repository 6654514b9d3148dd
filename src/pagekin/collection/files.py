"""Whether files on disk are still what was written: their sizes and CRC-32 checksums, taken when they were made.

CRC-32 is meant for this: it finds every flipped bit and every torn block, at 3 GB/s. A file that somebody forged is
another matter, against which no checksum beside it helps.
"""

import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from pagekin.failures import explained

CHUNK = 1 << 20
BLOCK = 4096  # what a disk that fails loses at a time
Known = tuple[int, int]  # a file's size and CRC-32


def known(path: Path) -> Known:
    """The size and the checksum of a file as it is now."""
    size = crc = 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            size, crc = size + len(chunk), zlib.crc32(chunk, crc)
    return size, crc


def all_known(folder: Path) -> dict[str, Known]:
    """Name → size and checksum of every file in a folder."""
    return {file.name: known(file) for file in sorted(folder.iterdir())}


def total(files: Mapping[str, Known]) -> int:
    """The size of all files together."""
    return sum(size for size, _ in files.values())


def faults(folder: Path, files: Mapping[str, Known], in_full: bool) -> Iterator[tuple[Path, str]]:
    """The files that are not as they were, and what is wrong with each; `in_full`: read them, not only their sizes."""
    for name, (size, crc) in files.items():
        path = folder / name
        if found := fault(path, size, partial(_has, path, crc) if in_full else None):
            yield path, found


def readable(path: Path) -> bytes:
    """The bytes of a file, with zeros where the disk cannot read it any more; none if there is no file."""
    try:
        with path.open("rb", buffering=0) as file:
            found = bytearray(path.stat().st_size)
            for at in range(0, len(found), BLOCK):
                with _unreadable_passed():
                    piece = os.pread(file.fileno(), BLOCK, at)
                    found[at : at + len(piece)] = piece
            return bytes(found)
    except FileNotFoundError:
        return b""


@contextmanager
def _unreadable_passed() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if explained(error):
            raise


def _has(path: Path, crc: int) -> bool:
    return known(path)[1] == crc


def fault(path: Path, size: int | None, is_same: Callable[[], bool] | None) -> str | None:
    """What is wrong with a file: it has not this size, if one is known, or not the same content, if that is asked."""
    try:
        now = path.stat().st_size
        if size is not None and now != size:
            return f"is damaged: it has {now:,} bytes instead of {size:,}"
        return None if is_same is None or is_same() else "is damaged: its content does not match its checksum"
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        if explained(error):  # no permission, too many open files …: the file itself may be sound
            raise
        return f"cannot be read: {error.strerror}"
