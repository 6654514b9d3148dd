"""Progress of long work: passed to a callback, or shown by default on a terminal and in a notebook."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pagekin.engine.local import watched
from pagekin.harmless import clean, clean_line

SPEED_S = 600  # seconds over which the speed is averaged: one block of rows may take a minute
LIVE_S = 0.2  # seconds between two updates of the live line


@dataclass(frozen=True)
class Progress:
    """What is being done, how much of it is done, and how much there is in all, if known."""

    text: str
    done: int = 0
    total: int | None = None
    lasting: bool = False  # a sentence about something finished, which stays on the screen


Tell = Callable[[Progress], None]


@contextmanager
def reporting(progress: Tell | None) -> Iterator[Tell]:
    """The callback that was given; without one, a live line on a terminal or in a notebook, and nothing elsewhere."""
    if progress is not None:
        yield progress
    elif sys.stderr.isatty() or "ipykernel" in sys.modules:
        with live() as show:
            yield show
    else:
        yield lambda progress: None


@contextmanager
def reporting_rows(tell: Tell, text: str) -> Iterator[None]:
    """Inside this context, batch work reports how many rows are done."""
    tell(Progress(text))
    with watched(lambda done, rows: tell(Progress(text, done, rows))):
        yield


@contextmanager
def live() -> Iterator[Tell]:
    """Show one line that changes, with a bar if the end is known; lasting sentences are printed above it."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    class WithEnd(ProgressColumn):
        """A column that is empty while the end is not known."""

        def __init__(self, column: ProgressColumn) -> None:
            super().__init__()
            self.column = column

        def render(self, task: Task) -> Any:
            return self.column.render(task) if task.total is not None else ""

    ends = map(WithEnd, (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()))
    bars = Bars(
        TextColumn("{task.description}"), *ends,
        console=Console(stderr=True), transient=True, speed_estimate_period=SPEED_S,
    )  # fmt: skip
    bar, shown, changed = bars.add_task("", total=None), Progress(""), 0.0

    def show(progress: Progress) -> None:
        nonlocal bar, shown, changed
        if progress.lasting:
            bars.console.print(clean_line(progress.text), markup=False, highlight=False)
            return
        other = progress.total is not None and progress.text != shown.text  # its speed is another
        if not other and time.monotonic() - changed < LIVE_S and progress.done != progress.total:
            return
        if other or (progress.total is None) != (shown.total is None):
            bars.remove_task(bar)
            bar = bars.add_task(escape(clean(progress.text)), total=progress.total)
        shown, changed = progress, time.monotonic()
        bars.update(bar, description=escape(clean(progress.text)), completed=progress.done, total=progress.total)

    with bars:
        yield show
