"""WACZ files, made here; real ones are in test_warc's table."""

import gzip
import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagekin.acquire import wacz
from pagekin.model import Capture, Item, Skipped

BLOCK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Bees"
RECORD = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"
    b"Content-Length: %d\r\n\r\n%b\r\n\r\n" % (len(BLOCK), BLOCK)
)
PACKED = gzip.compress(RECORD, mtime=0)


def archive(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in members.items():
            out.writestr(name.replace("__", "/").replace("_", "."), content)
    return stream.getvalue()


def read(path: Path, content: bytes) -> list[Item]:
    path.write_bytes(content)
    return list(wacz.read(path))


def reasons(items: list[Item]) -> list[str]:
    return [item.why if isinstance(item, Skipped) else type(item).__name__ for item in items]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.wacz"


def test_pages_of_all_archives_in_the_order_of_their_names(path: Path) -> None:
    items = read(path, archive(archive__b_warc_gz=PACKED * 2, archive__a_warc=RECORD, pages__pages_jsonl=b"{}"))
    assert [item.origin for item in items if isinstance(item, Capture)] == [
        f"{path}!archive/a.warc#0",
        f"{path}!archive/b.warc.gz#0",
        f"{path}!archive/b.warc.gz#{len(PACKED)}",
    ]


def test_damage_inside_a_member_is_passed(path: Path) -> None:
    damaged = PACKED + PACKED[:40] + bytes(30) + PACKED[70:] + PACKED
    assert reasons(read(path, archive(archive__a_warc_gz=damaged))) == ["Capture", "damaged record", "Capture"]


def test_nothing_to_read(path: Path) -> None:
    assert reasons(read(path, archive(datapackage_json=b"{}"))) == ["no archive in the zip file"]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"garbage", archive(archive__a_warc=RECORD)[:-30]])
def test_a_broken_zip_file(path: Path, content: bytes) -> None:
    assert reasons(read(path, content)) == ["broken zip file"]


def test_a_broken_member_does_not_cost_the_others(path: Path) -> None:
    content = bytearray(archive(archive__a_warc=RECORD, archive__b_warc=RECORD))
    content[60:70] = bytes(10)
    found = reasons(read(path, bytes(content)))
    assert found[0] == "broken zip file"
    assert found[-1] == "Capture"


def test_an_encrypted_member(path: Path) -> None:
    content = bytearray(archive(archive__a_warc=RECORD))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    assert reasons(read(path, bytes(content))) == ["broken zip file"]


def test_a_bomb_is_read_in_little_memory(path: Path) -> None:
    zeros = RECORD + bytes(100 << 20)
    assert reasons(read(path, archive(archive__a_warc=zeros))) == ["Capture", "bytes between records"]


def test_a_file_that_is_not_there(path: Path) -> None:
    assert reasons(list(wacz.read(path))) == ["broken zip file"]


def test_recognised() -> None:
    assert wacz.recognises(Path("a.wacz"), b"")
    assert wacz.recognises(Path("a.bin"), archive(archive__a_warc=RECORD))
    assert wacz.recognises(Path("a.bin"), archive(datapackage_json=b"{}"))
    assert not wacz.recognises(Path("a.zip"), archive(readme_txt=b"Bees"))


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 400), st.binary(max_size=20))
def test_any_damage_is_survived(path: Path, at: int, garbage: bytes) -> None:
    content = bytearray(archive(archive__a_warc_gz=PACKED, archive__b_warc=RECORD))
    content[at : at + len(garbage)] = garbage
    assert all(isinstance(item, Capture | Skipped) for item in read(path, bytes(content)))
