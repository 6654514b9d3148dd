"""A command as a process in a session of its own, to be killed, and what is left of a session after a kill.

Commands that start processes themselves are started anew as a user would start them. The others are forked from this
process, which has the kernels already: the kill then falls into the work, and not into a second of importing.
"""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from trials.questions import run

STARTED_ANEW = ("add", "crawl")
BEGIN = """
import importlib, os, sys
from pagekin.shell.main import main
importlib.import_module("pagekin.answers." + sys.argv[1])
os.write(1, b"b")
os.dup2(2, 1)
main()
"""
STAY_S = 5.0  # workers look for their parent every half a second
LOOK_S = 0.002


def started(argv: Sequence[str], log: Path) -> int:
    """Start a command; returns its process id as soon as it begins to work. What it says goes to the file `log`."""
    begun, begin = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if not pid:
        _live(argv, log, begin)
    os.close(begin)
    os.read(begun, 1)
    os.close(begun)
    return pid


def _live(argv: Sequence[str], log: Path, begin: int) -> None:
    """The life of a started process. It never returns."""
    code = 1
    try:
        os.setsid()
        said = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(begin, 1)
        os.dup2(said, 2)
        if argv[0] in STARTED_ANEW:
            import pagekin

            source = str(Path(pagekin.__file__ or "").parents[1])
            os.execve(sys.executable, [sys.executable, "-c", BEGIN, *argv], os.environ | {"PYTHONPATH": source})
        os.write(begin, b"b")
        code, _, err, crash = run(argv)
        os.write(said, (err + crash).encode())
    finally:
        os._exit(code)


def ended(pid: int, seconds: float) -> int | None:
    """The exit code of a process, negative for a signal, or None if it is still there after so long."""
    until = time.monotonic() + seconds
    while True:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > until:
            return None
        time.sleep(LOOK_S)


def staying(session: int) -> list[str]:
    """The names of the processes of a session that are still there after a while; they are ended then."""
    until = time.monotonic() + STAY_S
    while (found := _members(session)) and time.monotonic() < until:
        time.sleep(0.1)
    for pid in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return list(found.values())


def _members(session: int) -> dict[int, str]:
    """The living processes of a session, by id, with their names."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            head, _, rest = stat.read_text().rpartition(")")
            state, _, _, own = rest.split()[:4]
            if int(own) == session and state != "Z":
                found[int(head.split()[0])] = head.partition("(")[2]
    return found
