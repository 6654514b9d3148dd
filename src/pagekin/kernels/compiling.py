"""`njit` for our kernels: numba's, which tells the user when there is something to wait for.

A kernel is compiled when it is first called, and kept on disk: after an installation, the first question to each method
takes seconds longer. On a terminal and in a notebook one line says so; a pipe stays silent, as it does for progress.
"""

import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core import event

Kernel = TypeVar("Kernel", bound=Callable[..., Any])  # a kernel keeps the types that it is written with

KEPT = "pagekin compiles itself for this machine, once: the first questions take some seconds longer"
LOST = (
    "pagekin compiles itself for this machine, in every process: what is compiled cannot be kept here. "
    "Set NUMBA_CACHE_DIR to a folder that may be written"
)


def njit(**options: Any) -> Callable[[Kernel], Kernel]:
    """numba's njit. Where neither the installation nor the home folder may be written, nothing is kept on disk."""

    def compiled(function: Kernel) -> Kernel:
        try:
            return cast(Kernel, numba.njit(**options)(function))
        except RuntimeError:  # "cannot cache function: no locator available"
            _waits.sentence = LOST
            return cast(Kernel, numba.njit(**options | {"cache": False})(function))

    return compiled


class Waits(event.Listener):
    """Says once that a kernel is being compiled. What comes from the disk is no such event."""

    def __init__(self) -> None:
        self.sentence, self.said = KEPT, False

    def on_start(self, happened: Any) -> None:
        ours = happened.data["dispatcher"].py_func.__module__.startswith("pagekin.")
        if ours and not self.said:
            self.said = True
            if sys.stderr.isatty() or "ipykernel" in sys.modules:
                print(self.sentence, file=sys.stderr)

    def on_end(self, happened: Any) -> None:
        pass


_waits = Waits()
event.register("numba:compile", _waits)  # type: ignore[no-untyped-call]
