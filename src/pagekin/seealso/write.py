"""Writes files of a site so that each is the old one or the new one, whole, whatever happens.

New bytes go into a file beside the old one, to the disk, and then into its place. Mode, owner and extended attributes
are kept. Files that are not ours to replace are named instead: those with a second name (a hard link would keep the old
bytes), symbolic links, and those that nobody may write to.
"""

import os
import stat
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from pagekin.errors import PagekinError
from pagekin.failures import said

BESIDE = ".pagekin-see-also-"  # how names of files that are not finished begin
AT_ONCE = 256  # files that are written before the first is put in place: their way to the disk is shared

SYMBOLIC, HARD = "a symbolic link", "a hard link: its other name would keep the old bytes"
NO_FILE, READ_ONLY, OWNED = "not a file", "read-only", "its owner cannot be kept"
MEANWHILE = "changed while pagekin was at work"


class Seen(NamedTuple):
    """What tells a file from a later one at the same path."""

    device: int
    inode: int
    size: int
    changed: int  # nanoseconds

    @classmethod
    def of(cls, info: os.stat_result) -> "Seen":
        return cls(info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns)


def objection(path: Path) -> str | None:
    """Why a file must not be replaced; None if it may."""
    info = path.lstat()
    if stat.S_ISLNK(info.st_mode):
        return SYMBOLIC
    if not stat.S_ISREG(info.st_mode):
        return NO_FILE
    if info.st_nlink > 1:
        return HARD
    # Whoever may write to the folder, and root, could replace it all the same: somebody did not want that.
    if not info.st_mode & 0o222 or not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        return READ_ONLY
    return None


class Pages:
    """Takes new bytes for files; they are in place when the context ends, or for some files not at all."""

    def __init__(self) -> None:
        self.staged: list[tuple[Path, Path, Seen | None]] = []  # beside, in place, as it was read
        self.written = 0
        self.refused: dict[Path, str] = {}

    def put(self, path: Path, data: bytes, before: Seen | None) -> None:
        """Have these bytes written to a file that was read as `before`, or to a new one (None)."""
        beside = path.with_name(f"{BESIDE}{uuid.uuid4().hex[:12]}")
        self.staged.append((beside, path, before))
        try:
            _write(beside, data, path if before else None)
        except PermissionError:
            if not before or not os.access(path.parent, os.W_OK):
                raise
            self._refuse(beside, path, OWNED)
        if len(self.staged) >= AT_ONCE:
            self.place()

    def place(self) -> None:
        """Put what is staged in place."""
        for beside, _, _ in self.staged:
            with beside.open("rb") as file:
                os.fsync(file.fileno())
        for beside, path, before in list(self.staged):
            if before is not None and Seen.of(path.lstat()) != before:
                self._refuse(beside, path, MEANWHILE)
                continue
            beside.replace(path)
            self.staged.remove((beside, path, before))
            self.written += 1

    def _refuse(self, beside: Path, path: Path, why: str) -> None:
        self.refused[path] = why
        self.staged = [each for each in self.staged if each[0] != beside]
        beside.unlink(missing_ok=True)


@contextmanager
def writing() -> Iterator[Pages]:
    """Write files; an error says how many are in place, and leaves the others as they were."""
    pages, at = Pages(), Path()
    try:
        yield pages
        pages.place()
    except OSError as error:
        at = pages.staged[-1][1] if pages.staged else at
        done = f"{pages.written:,} files were written before and are whole, no other was touched"
        raise PagekinError(f"cannot write {at}: {said(error, at)}; {done}") from error
    finally:
        for beside, _, _ in pages.staged:
            with suppress(OSError):
                beside.unlink()


def _write(beside: Path, data: bytes, like: Path | None) -> None:
    file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666 if like is None else 0o600)
    with os.fdopen(file, "wb") as opened:
        opened.write(data)
        opened.flush()
        if like is None:
            return
        info, own = like.lstat(), os.fstat(file)
        if (info.st_uid, info.st_gid) != (own.st_uid, own.st_gid):
            os.fchown(file, info.st_uid, info.st_gid)
        os.fchmod(file, stat.S_IMODE(info.st_mode))
        if hasattr(os, "listxattr"):
            with suppress(OSError):  # a file system without them, or one of the system's own
                for name in os.listxattr(like):
                    os.setxattr(file, name, os.getxattr(like, name))


def left_behind(folder: Path) -> list[Path]:
    """Files that a killed run did not finish."""
    return [Path(top, name) for top, _, names in os.walk(folder) for name in names if name.startswith(BESIDE)]
