"""How far long work is: whoever does it says so here, and whoever looks on hears it. Neither knows the other.

    with watched(print):                 above: a terminal, a notebook, a callback
        with step("counting links"):     any layer on the way names what is done
            rows_done(7, 20)             and counts: prints counting links 7 20

Work in other processes is not heard; whoever collects its results counts them.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Watcher = Callable[[str, int, int | None], None]  # what is done, how much of it, of how much in all if that is known

_watcher: ContextVar[Watcher] = ContextVar("watcher", default=lambda what, done, rows: None)
_step: ContextVar[str] = ContextVar("step", default="")


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Inside this context `watcher` hears how far work is; it is called in the thread that does the work."""
    before, named = _watcher.set(watcher), _step.set("")
    try:
        yield
    finally:
        _step.reset(named)
        _watcher.reset(before)


@contextmanager
def step(what: str) -> Iterator[None]:
    """Inside this context, `what` is done; the innermost name counts."""
    before = _step.set(what)
    try:
        rows_done(0, None)
        yield
    finally:
        _step.reset(before)


def rows_done(done: int, rows: int | None, what: str | None = None) -> None:
    """Say that so many rows are done, of so many in all; `what`: instead of the name of the step.

    >>> with watched(print), step("counting"):
    ...     rows_done(1, 3)
    counting 0 None
    counting 1 3
    """
    _watcher.get()(_step.get() if what is None else what, done, rows)


@contextmanager
def block_of(rows: int, first: int) -> Iterator[None]:
    """Inside this context, what is done is a block of a longer list: it is counted from its row `first` on.

    >>> with watched(print), block_of(100, first=20):
    ...     rows_done(5, 10)
     25 100
    """
    outer = _watcher.get()
    before = _watcher.set(lambda what, done, _: outer(what, first + done, rows))
    try:
        yield
    finally:
        _watcher.reset(before)
