"""How far long work is: told to whoever asked, and shown by default on a terminal and in a notebook."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pagekin.engine.local import watched

SPEED_S = 600  # seconds over which the speed is taken: a block of rows may take a minute
LIVE_S = 0.2  # between two changes of the live line


@dataclass(frozen=True)
class Progress:
    """What is being done, how much of it is done, and of how much, where that is known."""

    text: str
    done: int = 0
    total: int | None = None
    lasting: bool = False  # a sentence about something that is done, to be kept in sight


Tell = Callable[[Progress], None]


@contextmanager
def told(progress: Tell | None) -> Iterator[Tell]:
    """The callable that was given; else a live line where a person looks on, else nobody."""
    if progress is not None:
        yield progress
    elif sys.stderr.isatty() or "ipykernel" in sys.modules:
        with live() as show:
            yield show
    else:
        yield lambda progress: None


@contextmanager
def rows_told(tell: Tell, text: str) -> Iterator[None]:
    """Within it batch work tells how many rows are done."""
    tell(Progress(text))
    with watched(lambda done, rows: tell(Progress(text, done, rows))):
        yield


@contextmanager
def live() -> Iterator[Tell]:
    """One line that changes, with a bar where the end is known; lasting sentences stand above it."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    bars = Bars(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=SPEED_S)
    bar, text, changed = bars.add_task("", visible=False), "", 0.0

    def show(progress: Progress) -> None:
        nonlocal bar, text, changed
        if progress.lasting:
            bars.console.print(progress.text, markup=False, highlight=False)
            return
        if progress.text != text and progress.total is not None:  # other work: its speed is another
            bars.remove_task(bar)
            bar = bars.add_task("")
        elif time.monotonic() - changed < LIVE_S and progress.done != progress.total:
            return
        text, changed = progress.text, time.monotonic()
        bars.update(bar, description=escape(text), completed=progress.done, total=progress.total, visible=True)

    with bars:
        yield show
