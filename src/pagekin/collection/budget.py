"""What a page may cost a worker: CPU seconds and memory. One that needs more is skipped, and the rest goes on.

It is CPU time, not time on the clock: whether a page is taken must not depend on what else the machine does. A timer of
the process's own CPU time (`ITIMER_PROF`) interrupts Python; if a C library does not let it, the kernel ends the worker
a little later (`RLIMIT_CPU`).

Memory is limited by address space (`RLIMIT_AS`), counted from what the worker has already. Only a limit stops a library
in the middle of an allocation, before the machine swaps; and it does not depend on what other programs have. macOS does
not keep to that limit, so there a thread looks at the memory in use.
"""

import os
import re
import resource
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

from selectolax.lexbor import SelectolaxError

TOO_LONG, TOO_LARGE, CRASHED = "it took too long", "it needed too much memory", "it crashed the parser"
PAGE_SECONDS = 60  # of CPU time; the slowest real page, 64 MiB of text, takes half of it
PAGE_MEMORY = 2 << 30  # bytes; a page of 10 MB takes some hundred megabytes

_GRACE_S = 5  # after the timer, until the kernel ends the worker
_LOOK_S = 0.05  # between two looks at the memory in use, where it cannot be limited
_LIMITED = sys.platform == "linux"
_NO_MEMORY = 77  # exit code of a worker that was ended for its memory
# How loky names the ends of its workers.
_ENDS = {TOO_LONG: re.compile(r"\bSIGXCPU\b"), TOO_LARGE: re.compile(rf"\(-?{_NO_MEMORY}\)")}


class OverBudget(Exception):  # noqa: N818
    """A page costs more than it may; the message is the reason for skipping it."""


@contextmanager
def budget(seconds: int, memory: int) -> Iterator[None]:
    """Run the body with limits; raises `OverBudget` if it needs more. Only in the main thread of a process."""
    before = resource.getrlimit(resource.RLIMIT_CPU), resource.getrlimit(resource.RLIMIT_AS)
    handler = signal.signal(signal.SIGPROF, _interrupt)
    looking = None if _LIMITED else _Look(memory)
    try:
        used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        _lower(resource.RLIMIT_CPU, int(used) + seconds + _GRACE_S)
        if _LIMITED:
            _lower(resource.RLIMIT_AS, _address_space() + memory)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        yield
    except MemoryError:
        raise OverBudget(TOO_LARGE) from None
    except SelectolaxError:  # the parser fails only for want of memory
        raise OverBudget(TOO_LARGE) from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_CPU, before[0])
        resource.setrlimit(resource.RLIMIT_AS, before[1])
        signal.signal(signal.SIGPROF, handler)
        if looking:
            looking.done.set()


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


def _address_space() -> int:
    """The address space of this process in bytes."""
    return int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()


class _Look(threading.Thread):
    """Ends the process if its memory grows too much."""

    def __init__(self, memory: int) -> None:
        super().__init__(daemon=True)
        self.most, self.done = _peak() + memory, threading.Event()
        self.start()

    def run(self) -> None:
        while not self.done.wait(_LOOK_S):
            if _peak() > self.most:
                os._exit(_NO_MEMORY)


def _peak() -> int:
    """The most memory that this process has had, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10
