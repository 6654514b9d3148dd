"""What the system refused (memory, room on disk, permission …), in plain words, and what to do about it.

The same lack has many faces. No memory is a `MemoryError`, an `OSError` with ENOMEM, an `ImportError` of a library that
could not be mapped, or a thread that cannot be started; the cause may be hidden behind another error. Whoever catches
such an error asks `explained` first, and calls something damaged only if the answer is None.
"""

import errno
import os
import re
import resource
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

AGAIN = "run the same command again"

# How libraries say that memory is short if they give no error number: the loader, Python's threads, Zstandard, C++.
_SHORT = re.compile(
    r"cannot allocate memory|not enough memory|out of memory|bad_alloc|failed to map segment", re.IGNORECASE
)
_SILENT = "error return without exception set"  # of an extension; within a limit of memory, that is the reason
_THREAD = re.compile(r"can't start new thread|failed to launch worker thread", re.IGNORECASE)  # Python's, Arrow's


class Explanation(NamedTuple):
    """What is wrong, and what to do about it; both go into the middle of a sentence."""

    wrong: str
    remedy: str


def explained(error: BaseException, at: Path | None = None) -> Explanation | None:
    """What the system lacks or refuses, if that is what the error is about; `at` is what was being written or read."""
    if isinstance(error, OSError) and error.errno in _KINDS:
        named = Path(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else None
        # What is full is the disk of the whole; what is forbidden is one file.
        return _KINDS[error.errno](at or named if error.errno == errno.ENOSPC else named or at)
    if any(map(_is_thread, _chain(error))):
        return _threads()
    return _memory() if any(map(_is_memory, _chain(error))) else None


def said(error: BaseException, at: Path | None = None) -> str:
    """The error as a part of a sentence: what is wrong; what to do about it."""
    found = explained(error, at)
    return f"{found.wrong}; {found.remedy}" if found else plain(error)


def plain(error: BaseException) -> str:
    """What the error itself says, in the words of the system if it has a number."""
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno) + (f": {os.fsdecode(error.filename)}" if error.filename else "")
    return str(error) or type(error).__name__


def size(count: float) -> str:
    """A number of bytes for people.

    >>> size(900), size(1_536_000_000), size(12_400_000)
    ('900 bytes', '1.5 GB', '12.4 MB')
    """
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= unit:
            return f"{count / unit:.1f} {name}"
    return f"{count:.0f} bytes"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and those that led to it: `llvmlite` hides the loader's behind one of its own."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _is_memory(error: BaseException) -> bool:
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    if isinstance(error, SystemError) and _SILENT in str(error):
        return _limit(resource.RLIMIT_AS) is not None
    return getattr(error, "errno", None) is None and bool(_SHORT.search(str(error)))


def _is_thread(error: BaseException) -> bool:
    return bool(_THREAD.search(str(error)))


def _limit(kind: int) -> int | None:
    """A limit of this process, if there is one."""
    held = resource.getrlimit(kind)[0]
    return None if held == resource.RLIM_INFINITY else held


def _memory() -> Explanation:
    limit = _limit(resource.RLIMIT_AS)
    if limit is None:
        return Explanation("there is not enough memory", f"close other programs, or take less at a time, and {AGAIN}")
    raised = f"raise the limit with `ulimit -v`, or take less at a time, and {AGAIN}"
    return Explanation(f"there is not enough memory (this process is limited to {size(limit)})", raised)


def _threads() -> Explanation:
    return Explanation(
        "no further thread can be started, for lack of memory or because processes are limited",
        f"free memory or raise the limits (`ulimit -v`, `ulimit -u`), and {AGAIN}",
    )


def _full(at: Path | None) -> Explanation:
    return Explanation(f"the disk is full{_free(at)}", f"make room and {AGAIN}")


def _free(at: Path | None) -> str:
    """How much room there is, for the nearest folder that exists; a file that was not finished may be gone again."""
    for place in (at, *at.parents) if at else ():
        with suppress(OSError):
            return f" ({size(shutil.disk_usage(place).free)} free for {place})"
    return ""


def _quota(at: Path | None) -> Explanation:
    return Explanation(f"your quota is used up{_named(' for ', at)}", f"remove files or ask for more room, and {AGAIN}")


def _read_only(at: Path | None) -> Explanation:
    moved = "make the file system writable, or copy the collection to one that is"
    return Explanation(f"the file system is read-only{_named(': ', at)}", moved)


def _too_large(at: Path | None) -> Explanation:
    limit = _limit(resource.RLIMIT_FSIZE)
    if limit is None:
        return Explanation(f"the file system takes no file so large{_named(': ', at)}", "use another file system")
    return Explanation(f"no file may be larger than {size(limit)}", f"raise the limit with `ulimit -f` and {AGAIN}")


def _forbidden(at: Path | None) -> Explanation:
    return Explanation(
        f"permission denied{_named(': ', at)}", "check its owner and permissions, or run as another user"
    )


def _too_many(at: Path | None) -> Explanation:
    limit = _limit(resource.RLIMIT_NOFILE)
    wrong = "too many files are open" + (f" (this process may have {limit:,})" if limit else "")
    return Explanation(wrong, f"raise the limit with `ulimit -n` and {AGAIN}")


def _machine_full(at: Path | None) -> Explanation:
    return Explanation("too many files are open on this machine", f"close other programs and {AGAIN}")


def _named(before: str, at: Path | None) -> str:
    return f"{before}{at}" if at else ""


_KINDS = {
    errno.ENOSPC: _full,
    errno.EDQUOT: _quota,
    errno.EROFS: _read_only,
    errno.EFBIG: _too_large,
    errno.EACCES: _forbidden,
    errno.EPERM: _forbidden,
    errno.EMFILE: _too_many,
    errno.ENFILE: _machine_full,
}
