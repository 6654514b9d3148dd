"""Files are replaced whole or not at all, as they were but for their bytes."""

import os
import stat
from pathlib import Path

import pytest

from pagekin.errors import PagekinError
from pagekin.seealso import write
from pagekin.seealso.write import Seen, left_behind, objection, writing
from tests.full_disk import files_of_at_most


def put(path: Path, data: bytes) -> dict[Path, str]:
    with writing() as pages:
        pages.put(path, data, Seen.of(path.lstat()))
    return pages.refused


def test_mode_owner_and_attributes_are_kept(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_bytes(b"old")
    page.chmod(0o664)
    if os.getuid() == 0:
        os.chown(page, 1234, 5678)
    with_attributes = True
    try:
        os.setxattr(page, "user.pagekin", b"x")
    except (OSError, AttributeError):  # not on every file system, nor on macOS
        with_attributes = False
    before = page.stat()
    assert put(page, b"new") == {}
    after = page.stat()
    assert page.read_bytes() == b"new"
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert not with_attributes or os.getxattr(page, "user.pagekin") == b"x"
    assert list(tmp_path.iterdir()) == [page]


def test_what_must_not_be_replaced(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_bytes(b"old")
    assert objection(page) is None
    (tmp_path / "link.html").symlink_to(page)
    assert objection(tmp_path / "link.html") == "a symbolic link"
    os.link(page, tmp_path / "b.html")
    assert "hard link" in str(objection(page))
    (tmp_path / "b.html").unlink()
    page.chmod(0o444)
    assert objection(page) == "read-only"
    os.mkfifo(tmp_path / "pipe.html")
    assert objection(tmp_path / "pipe.html") == "not a file"


def test_a_file_that_somebody_else_writes_meanwhile_is_left_to_them(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_bytes(b"old")
    with writing() as pages:
        pages.put(page, b"ours", Seen.of(page.lstat()))
        page.write_bytes(b"theirs")
    assert page.read_bytes() == b"theirs"
    assert pages.refused == {page: write.MEANWHILE}
    assert left_behind(tmp_path) == []


def test_a_disk_that_fills_up_leaves_every_page_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write, "AT_ONCE", 2)
    pages = [tmp_path / f"{name}.html" for name in "abcde"]
    for page in pages:
        page.write_bytes(b"old")
    refused = pytest.raises(PagekinError, match=r"cannot write .*d\.html: no file may be larger.*2 files")
    with files_of_at_most(1000), refused, writing() as staged:
        for page in pages:
            staged.put(page, b"new" * (1000 if page.name == "d.html" else 1), Seen.of(page.lstat()))
    assert [page.read_bytes() for page in pages] == [b"new", b"new", b"old", b"old", b"old"]
    assert left_behind(tmp_path) == []


def test_a_new_file_has_the_mode_that_others_would_give_it(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"")
    with writing() as pages:
        pages.put(tmp_path / "new.css", b"x", None)
    assert stat.S_IMODE((tmp_path / "new.css").stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)
