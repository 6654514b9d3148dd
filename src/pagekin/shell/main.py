"""The program `pagekin`: how errors, and Ctrl-C, become messages and exit codes.

It imports next to nothing before it can answer Ctrl-C.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from types import FrameType
from typing import Any, NoReturn

from pagekin.errors import PagekinError, UsageError
from pagekin.failures import explained, said
from pagekin.harmless import clean
from pagekin.shell import INTERRUPTED
from pagekin.wording import speaking

AGAIN_S = 0.05  # seconds after which an interruption that was lost is raised again


def main() -> None:
    """Run a command. A user's mistake is answered with a sentence on stderr, never a traceback; so is Ctrl-C."""
    with _heard() as heard:
        try:
            code = _run()
        except KeyboardInterrupt:
            code = INTERRUPTED
        except Exception as error:  # an interruption may have become another error on its way
            code = INTERRUPTED if heard else _told(error)
        if code == INTERRUPTED:
            _interrupted()
    sys.exit(code)


def _run() -> Any:
    """Run a command; returns its exit code."""
    if hasattr(signal, "SIGPIPE"):  # `pagekin … | head`: end quietly when the reader has gone, as other programs do
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal without “ ” or ü shows an escape instead
            stream.reconfigure(errors="backslashreplace")
    # We multiply no large dense matrices. The threads that OpenBLAS would start for that take address space, and within
    # a limit (`ulimit -v`) it waits for ever for threads that it could not start, or crashes.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from pagekin.shell.commands import app

    with speaking("shell"):
        return app(prog_name="pagekin", standalone_mode=False)


def _told(error: Exception) -> Any:
    """Say what is wrong; returns the exit code. An error that nobody foresaw is raised."""
    if isinstance(error, PagekinError):
        print(f"pagekin: {clean(str(error))}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    if hasattr(error, "show") and hasattr(error, "exit_code"):  # an error of click: an unknown flag …
        if isinstance(written := getattr(error, "message", None), str):  # it may name a file of a stranger
            error.message = clean(written)  # type: ignore[attr-defined]
        error.show()
        return error.exit_code
    if not isinstance(error, OSError) and not explained(error):
        raise error
    print(f"pagekin: {' '.join(sys.argv[1:2])} failed: {clean(said(error))}", file=sys.stderr)
    return 1


@contextmanager
def _heard() -> Iterator[list[int]]:
    """The signals of Ctrl-C that were heard inside this context; each raises `KeyboardInterrupt`, wherever it comes.

    One that comes where nothing can be raised (while an object is thrown away), is raised again elsewhere.
    """
    found: list[int] = []

    def hear(number: int, frame: FrameType | None) -> NoReturn:
        found.append(number)
        raise KeyboardInterrupt

    def again(lost: Any) -> None:
        if isinstance(lost.exc_value, KeyboardInterrupt):  # here it would be lost again
            later = threading.Timer(AGAIN_S, signal.raise_signal, [signal.SIGINT])
            later.daemon = True
            later.start()
        else:
            former_hook(lost)

    former = signal.getsignal(signal.SIGINT)
    former_hook = sys.unraisablehook
    if former is signal.default_int_handler:  # a program in the background may have been told to ignore it
        signal.signal(signal.SIGINT, hear)
        sys.unraisablehook = again
    try:
        yield found
    finally:
        sys.unraisablehook = former_hook
        if former is signal.default_int_handler:
            signal.signal(signal.SIGINT, former)


def _interrupted() -> None:
    """Say so, in one line, and do not wait for threads that are in the middle of something."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # once is enough
    print("pagekin: interrupted; what was committed is kept; run the same command again to continue", file=sys.stderr)
    if any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()):
        sys.stderr.flush()
        os._exit(INTERRUPTED)
