"""Reads the records of a WARC file, each with its offset; damage is reported, and reading goes on after it.

FastWARC stops at the first thing it cannot read. Real archives are gigabytes that were copied, cut and joined, and one
bad gzip member in the middle must not cost the rest. So after damage the file is searched for the next place where a
record, or the compressed frame around it, can begin.
"""

from collections.abc import Iterator
from typing import BinaryIO

from fastwarc.stream_io import GzipReader
from fastwarc.warc import ArchiveIterator, WarcRecord

DAMAGED = "damaged record"
_GAP = "bytes between records"

GZIP = b"\x1f\x8b\x08"
_FRAMES = (GZIP, b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18")  # gzip, zstd, lz4
_PLAIN = b"\nWARC/"

# A restart reads at most one record in vain, so this limits what a maliciously broken file can cost.
_MAX_RESTARTS = 1_000
# A few bytes between two records are white space or come from a slightly wrong length; no record is this short.
_MAX_GAP = 64
_STEP = 1 << 20


class Records:
    """The records of an open, seekable WARC file: pairs of an offset and a record, or the reason why there is none.

    The offset is where the record begins, or where the gzip member that holds it begins.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._distrusted = False
        first = self._peek(0)
        self._mark = next((frame for frame in _FRAMES if first.startswith(frame)), _PLAIN)

    def distrust(self) -> None:
        """Say that the last record is not what its header claims: the next one is searched for inside it, not after."""
        self._distrusted = True

    def __iter__(self) -> Iterator[tuple[int, WarcRecord | str]]:
        start: int | None = 0
        told = False  # failures before the next sound record belong to the damage already reported
        for _ in range(_MAX_RESTARTS):
            at, sound = start or 0, False
            try:
                for at, record in self._from(start or 0):
                    self._distrusted = False
                    yield at, record
                    sound, told = True, self._distrusted
                    if told:
                        break
                else:
                    return
            except OSError:
                pass  # if `at` was sound, the damage is in the record after it, and the next round begins there
            start = self._next_start(at + 1)
            if not told and (start is None or not sound):
                yield at, DAMAGED
                told = True
            if start is None:
                return
        yield start or 0, "too damaged to go on"

    def _from(self, start: int) -> Iterator[tuple[int, WarcRecord | str]]:
        self._peek(start)
        if self._mark == GZIP:
            # FastWARC's own position is wrong where one member holds many records.
            member = GzipReader(self._file)
            for record in ArchiveIterator(member, parse_http=False, quirks_mode=True):
                yield member.frame_start_position() or 0, record
            return
        end = start
        for record in ArchiveIterator(self._file, parse_http=False, quirks_mode=True):
            if self._mark == _PLAIN and record.stream_pos - end > _MAX_GAP:
                yield end, _GAP
            yield record.stream_pos, record
            end = record.stream_pos + _length(record)
        if self._mark == _PLAIN and self._file.seek(0, 2) - end > _MAX_GAP and end > start:
            yield end, _GAP

    def _peek(self, start: int) -> bytes:
        self._file.seek(start)
        first = self._file.read(4)
        self._file.seek(start)
        return first

    def _next_start(self, at: int) -> int | None:
        self._file.seek(at)
        tail = b""
        while step := self._file.read(_STEP):
            window = tail + step
            hit = window.find(self._mark)
            if hit >= 0:
                return at - len(tail) + hit + (self._mark == _PLAIN)
            at += len(step)
            tail = window[1 - len(self._mark) :]
        return None


def _length(record: WarcRecord) -> int:
    """The length of a record in bytes, header and content, except for unknown white space in its header."""
    header = sum(len(name) + len(value) + 4 for name, value in record.headers.items_bytes())
    return len("WARC/1.0\r\n") + header + len("\r\n") + record.content_length
