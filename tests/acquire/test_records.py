"""The records of damaged files: what is lost is told, and nothing else is lost."""

import gzip
import io
from collections.abc import Callable

import pytest
from fastwarc.stream_io import Lz4Writer, ZstdWriter
from fastwarc.warc import WarcRecord
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.acquire.records import Records


def record(name: str, body: bytes = b"Bees", length: int | None = None) -> bytes:
    length = len(body) if length is None else length
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {name}\r\nContent-Length: {length}\r\n\r\n"
    return head.encode() + body + b"\r\n\r\n"


def framed(writer: type[Lz4Writer] | type[ZstdWriter]) -> Callable[[bytes], bytes]:
    def pack(body: bytes) -> bytes:
        stream = io.BytesIO()
        with writer(stream) as out:
            out.write(body)
        return stream.getvalue()

    return pack


PACKERS = {"plain": bytes, "gzip": gzip.compress, "zstd": framed(ZstdWriter), "lz4": framed(Lz4Writer)}
COMPRESSED = [name for name in PACKERS if name != "plain"]


def told(file: bytes) -> list[tuple[int, str]]:
    """Offsets with the name of a record whose body is whole, or with what is wrong."""
    records, found = Records(io.BytesIO(file)), []
    for at, entry in records:
        if isinstance(entry, WarcRecord):
            try:
                whole = len(entry.reader.read()) == entry.content_length
            except OSError:
                whole = False
            if not whole:
                records.distrust()
            found.append((at, str(entry.headers.get("WARC-Target-URI")) if whole else "distrusted"))
        else:
            found.append((at, entry))
    return found


def names(file: bytes) -> list[str]:
    return [name for _, name in told(file)]


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_offsets(pack: Callable[[bytes], bytes]) -> None:
    parts = [pack(record(name, bytes(size))) for name, size in zip("abcd", (1, 100_000, 0, 70_000), strict=True)]
    assert told(b"".join(parts)) == [(len(b"".join(parts[:n])), name) for n, name in enumerate("abcd")]


def test_where_one_gzip_member_holds_many_records_its_offset_is_given() -> None:
    first, second = gzip.compress(record("a") + record("b")), gzip.compress(record("c") + record("d"))
    assert told(first + second) == [(0, "a"), (0, "b"), (len(first), "c"), (len(first), "d")]


@pytest.mark.parametrize("kind", COMPRESSED)
def test_a_bad_frame_costs_itself(kind: str) -> None:
    body = bytes(range(256)) * 40
    a, b, c, d = (PACKERS[kind](record(name, body)) for name in "abcd")
    found = told(a + b[:30] + b[60:] + c + d)
    assert [name for _, name in found if name in "acd"] == ["a", "c", "d"]
    assert [(at, name) for at, name in found if name not in "acd"] in (
        [(len(a), "damaged record")],
        [(len(a), "distrusted")],
    )


def test_two_bad_members_side_by_side_are_told_once() -> None:
    a, b, c, d = (gzip.compress(record(name)) for name in "abcd")
    broken = [part[:40] + bytes(20) + part[60:] for part in (b, c)]
    assert told(a + broken[0] + broken[1] + d) == [(0, "a"), (len(a), "damaged record"), (len(a + b + c), "d")]


def test_bytes_behind_the_last_member() -> None:
    a = gzip.compress(record("a"))
    assert names(a + b"garbage" * 20) == ["a", "damaged record"]


def test_a_cut_file() -> None:
    a, b = record("a"), record("b", bytes(1000))
    assert told((a + b)[:-100]) == [(0, "a"), (len(a), "distrusted")]
    packed = [gzip.compress(part) for part in (a, b)]
    assert told(b"".join(packed)[:-20])[-1] == (len(packed[0]), "distrusted")


@pytest.mark.parametrize("kind", ["plain", "gzip"])
def test_a_length_beyond_the_end_does_not_swallow_what_follows(kind: str) -> None:
    a, b, c = record("a"), record("b", length=10_000), record("c")
    assert names(b"".join(map(PACKERS[kind], (a, b, c)))) == ["a", "distrusted", "c"]


def test_a_length_that_is_wrong_leaves_a_gap_that_is_told() -> None:
    a, b, c = record("a", bytes(500), length=100), record("b"), record("c")
    assert names(a + b + c) == ["a", "bytes between records", "b", "c"]
    a, b = record("a", length=100), record("b", bytes(500))  # a ends inside b, which is lost
    assert names(a + b + c) == ["a", "bytes between records", "c"]
    assert names(c + b"garbage " * 100) == ["c", "bytes between records"]
    assert names(b"garbage\n" * 100 + c) == ["bytes between records", "c"]


def test_a_length_wrong_by_a_few_bytes_is_no_gap() -> None:
    assert names(record("a", length=2) + record("b")) == ["a", "b"]


def test_other_line_ends() -> None:
    assert names(record("a").replace(b"\r\n", b"\n") + record("b").replace(b"\r\n", b"\n")) == ["a", "b"]


@pytest.mark.parametrize("file", [b"", b"\n", b"Bees and flowers\n" * 1000, bytes(100_000), b"\x1f\x8b\x08"])
def test_what_is_no_archive_has_no_records(file: bytes) -> None:
    assert [name for name in names(file) if name != "damaged record"] == []


def test_a_file_made_to_be_broken_ends_soon() -> None:
    assert names(b"\x1f\x8b\x08\x00" * 100_000) == ["damaged record", "too damaged to go on"]


SEEDS = [b"".join(pack(record(name, bytes(300))) for name in "abc") for pack in PACKERS.values()]


@settings(deadline=None, max_examples=200)
@given(st.data(), st.sampled_from(SEEDS))
def test_any_damage_is_survived(data: st.DataObject, seed: bytes) -> None:
    file = bytearray(seed)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(file)))
        file[at : at + data.draw(st.integers(0, 20))] = data.draw(st.binary(max_size=20))
    assert len(told(bytes(file))) < 20
