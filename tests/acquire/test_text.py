"""Text files: the same lines however they are encoded and packed, and all that came before a damage."""

import codecs
import gzip
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.acquire import text
from pagekin.errors import SourceError
from pagekin.model import Skipped

LINES = ["Bees", "", "fly to Käse,", "and Žižkov"] * 5_000  # more than a read, so that characters are cut in two


@pytest.fixture
def take(tmp_path: Path) -> Any:
    """Writes a file and reads its lines."""

    def take(content: bytes, name: str = "some.txt") -> list[str | Skipped]:
        (tmp_path / name).write_bytes(content)
        return list(text.lines(tmp_path / name))

    return take


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_same_lines_however_encoded(take: Any, encoding: str, end: str) -> None:
    assert take(end.join(LINES).encode(encoding)) == LINES


def test_big_endian_too(take: Any) -> None:
    assert take(codecs.BOM_UTF16_BE + "Käse\n".encode("utf-16-be")) == ["Käse"]


def test_lines_that_are_no_utf8_are_windows_1252(take: Any) -> None:
    assert take("Käse\n".encode() + "Käse – Brot".encode("windows-1252")) == ["Käse", "Käse – Brot"]


@pytest.mark.parametrize("codec", text.PACKED.values())
def test_archives_whatever_they_are_called(tmp_path: Path, codec: str) -> None:
    path = tmp_path / "some.txt"
    with pa.CompressedOutputStream(str(path), codec) as stream:
        stream.write("\n".join(LINES).encode("utf-16"))
    assert list(text.lines(path)) == LINES


@pytest.mark.parametrize("damage", ["cut", "junk"])
def test_a_damaged_archive_gives_what_came_before_and_a_report(take: Any, damage: str) -> None:
    packed = gzip.compress("".join(f"{n} {n * 7919}\n" for n in range(50_000)).encode())
    *lines, report = take(packed[: len(packed) // 2] if damage == "cut" else packed + b"junk")
    assert report.where == "some.txt" and report.why.startswith("damaged, the rest is lost: ")
    assert 10_000 < len(lines) <= 50_000
    assert lines == [f"{n} {n * 7919}" for n in range(len(lines))]  # none was cut in two


def test_a_row_without_end_is_not_kept_in_memory(take: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "BLOCK", 1 << 15)
    assert take(b"1,2\n3,4\n" + b"x" * 100_000 + b"\n5,6\n") == [
        "1,2",
        "3,4",
        Skipped("some.txt", "damaged, the rest is lost: a row that does not end"),
    ]


def test_folders_and_missing_files(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is a folder"):
        list(text.lines(tmp_path))
    with pytest.raises(SourceError, match="cannot be read: No such file"):
        list(text.lines(tmp_path / "none.csv"))


def test_a_name_that_is_no_text(take: Any) -> None:
    assert take(b"Bees\n", os.fsdecode(b"\xff.txt")) == ["Bees"]
    (report,) = take(gzip.compress(b"Bees\n") + b"junk", os.fsdecode(b"\xff.gz"))  # all in the read that fails
    assert report.where == "\\xff.gz"


@settings(max_examples=100, deadline=None)
@given(st.lists(st.binary(max_size=5_000).filter(lambda line: b"\n" not in line), max_size=30))
def test_blocks_are_whole_lines_and_lose_nothing(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> None:
    content = b"a\n" + b"\n".join(lines)  # the first line keeps chance from making an archive or a mark
    path = tmp_path_factory.mktemp("any") / "some.txt"
    path.write_bytes(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "BLOCK", 8_000)
        patch.setattr(text, "READ", 3_000)
        blocks = [block for block in text.blocks(path) if isinstance(block, bytes)]
    assert b"".join(blocks) == content
    assert all(block.endswith(b"\n") for block in blocks[:-1])


def test_what_must_be_held_in_memory_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few hundred kB of gzip can be gigabytes."""
    monkeypatch.setattr(text, "BLOCK", 1_000)
    monkeypatch.setattr(text, "READ", 100)
    monkeypatch.setattr(text, "MOST_HELD", 5_000)
    (tmp_path / "nodes").write_bytes(gzip.compress(b"x\n" * 1_000_000))
    *lines, report = text.lines(tmp_path / "nodes")
    assert 2_000 <= len(lines) <= 2_500
    assert report.where == "nodes"
    assert report.why == "more than 5.0 kB unpacked; 5.0 kB were taken; write the links as CSV to add all"
