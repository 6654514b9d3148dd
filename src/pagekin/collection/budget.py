"""What a page may cost a worker: CPU seconds and memory. One that needs more is skipped, and the rest goes on.

It is CPU time, not time on the clock: whether a page is taken must not depend on what else the machine does. A timer of
the process's own CPU time (`ITIMER_PROF`) interrupts Python; if a C library does not let it, the kernel ends the worker
a little later (`RLIMIT_CPU`).

Memory is what the process has in use, counted from the beginning of the page: other programs do not matter. A
thread looks at it and ends the worker at once: where memory is short, Python may never get to handle a `MemoryError`
(3.11 tries forever). An allocation that is much too large on its own fails by a limit of address space (`RLIMIT_AS`),
to which macOS does not keep.
"""

import os
import re
import resource
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import NoReturn

from selectolax.lexbor import SelectolaxError

TOO_LONG, TOO_LARGE, CRASHED = "it took too long", "it needed too much memory", "it crashed the parser"
PAGE_SECONDS = 60  # of CPU time; three million different words, 23 MB, take 20
PAGE_MEMORY = 2 << 30  # bytes; a page of 10 MB takes some hundred megabytes

_GRACE_S = 5  # after the timer, until the kernel ends the worker
_LOOK_S = 0.05  # between two looks at the memory in use
_NO_MEMORY = 77  # exit code of a worker that was ended for its memory
# How loky names the ends of its workers.
_ENDS = {TOO_LONG: re.compile(r"\bSIGXCPU\b"), TOO_LARGE: re.compile(rf"\(-?{_NO_MEMORY}\)")}


class OverBudget(Exception):  # noqa: N818
    """A page costs more than it may; the message is the reason for skipping it."""


@contextmanager
def budget(seconds: int, memory: int) -> Iterator[None]:
    """Run the body with limits; raises `OverBudget` if it needs more. Only in the main thread of a process."""
    limits = {kind: resource.getrlimit(kind) for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS)}
    handler = signal.signal(signal.SIGPROF, _interrupt)
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    try:
        _lower(resource.RLIMIT_CPU, int(used) + seconds + _GRACE_S)
        if (space := _address_space()) is not None:
            _lower(resource.RLIMIT_AS, space + 2 * memory)
        _watcher().most = _in_use() + memory
        signal.setitimer(signal.ITIMER_PROF, seconds)
        yield
    except (MemoryError, SelectolaxError):  # the parser fails only for want of memory
        raise OverBudget(TOO_LARGE) from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        _watcher().most = None
        for kind, limit in limits.items():
            resource.setrlimit(kind, limit)
        signal.signal(signal.SIGPROF, handler)


def reason(death: BaseException) -> str:
    """Why a page is skipped on which a worker died, from what the pool says of its end."""
    return next((why for why, said in _ENDS.items() if said.search(str(death))), CRASHED)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise OverBudget(TOO_LONG)


def _lower(kind: int, limit: int) -> None:
    """Set a limit of this process, unless a lower one is set already; the hard one stays, so that it can be undone."""
    soft, hard = resource.getrlimit(kind)
    if soft == resource.RLIM_INFINITY or limit < soft:
        resource.setrlimit(kind, (limit, hard))


def _address_space() -> int | None:
    """The address space of this process in bytes, if it can be limited."""
    return _statm()[0] if sys.platform == "linux" else None


def _in_use() -> int:
    """The memory that this process has in use, in bytes; on macOS the most that it has had."""
    return _statm()[1] if sys.platform == "linux" else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _statm() -> list[int]:
    return [int(pages) * resource.getpagesize() for pages in Path("/proc/self/statm").read_bytes().split()]


class _Watcher(threading.Thread):
    """Ends the process if it has more memory in use than it may, while there is a limit."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most: int | None = None
        self.start()

    def run(self) -> None:
        while True:
            time.sleep(_LOOK_S)
            if (most := self.most) is not None and _in_use() > most:
                os._exit(_NO_MEMORY)


@lru_cache(1)
def _watcher() -> _Watcher:
    return _Watcher()
