"""Progress of long work: passed to a callback, shown live on a terminal and in a notebook, or printed as lines.

reading                 ━━━━━━━━━╸━━━━━━━  1,200 of 3,302, 75 a second, 28 s left      on a terminal
reading: 1,200 of 3,302, 75 a second, 28 s left                                        as lines, every few seconds
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pagekin.engine.watch import watched
from pagekin.harmless import clean, clean_line

HIDDEN_S = 1.0  # what ends sooner is not shown: it would only flicker
LINE_S, LINES_S = 2.0, 5.0  # seconds until the first line, and between lines
LIVE_S = 0.1  # seconds between two updates of the live line
SURE_S = 1.0  # of a first second alone, no speed is told


@dataclass(frozen=True)
class Progress:
    """What is being done, how much of it is done, and how much there is in all, if known."""

    text: str
    done: int = 0
    total: int | None = None
    lasting: bool = False  # a sentence about something finished, which stays on the screen


Tell = Callable[[Progress], None]


class Pace:
    """How fast something goes, and how long it may still take: by what was done since it began."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock, self.shown = clock, Progress("")
        self.began, self.first = clock(), 0

    def see(self, progress: Progress) -> None:
        if progress.text != self.shown.text or progress.done < self.shown.done:  # something else, or another round
            self.began, self.first = self.clock(), progress.done
        self.shown = progress

    def told(self) -> str:
        """`1,200 of 3,302, 75 a second, 28 s left`, or as much of it as is known."""
        now, passed = self.shown, self.clock() - self.began
        counts = [f"{now.done:,} of {now.total:,}"] if now.total is not None else [f"{now.done:,}"] if now.done else []
        speed = (now.done - self.first) / passed if passed >= SURE_S else 0.0
        if not speed:
            return ", ".join([*counts, f"{duration(passed)} so far"] if passed >= SURE_S else counts)
        left = [f"{duration((now.total - now.done) / speed)} left"] if now.total is not None else []
        return ", ".join([*counts, _rate(speed), *left])


def duration(seconds: float) -> str:
    """A duration for people.

    >>> duration(0.2), duration(28.4), duration(200), duration(7900), duration(90_000)
    ('1 s', '28 s', '3 min', '2 h 12 min', '25 h')
    """
    whole = max(1, round(seconds))
    if whole < 90:
        return f"{whole} s"
    if whole < 90 * 60:
        return f"{round(whole / 60)} min"
    hours, minutes = divmod(round(whole / 60), 60)
    return f"{hours} h {minutes} min" if hours < 10 else f"{hours} h"


def _rate(speed: float) -> str:
    if speed < 1:
        return f"{speed * 60:.2g} a minute"
    return f"{speed:.1f} a second" if speed < 10 else f"{speed:,.0f} a second"


@contextmanager
def reporting(progress: Tell | None, lines: bool = False) -> Iterator[Tell]:
    """The callback that was given; without one, a live line on a terminal or in a notebook.

    Elsewhere nothing or, if `lines` are asked for, a line on stderr every few seconds.
    """
    if progress is not None:
        yield progress
    elif sys.stderr.isatty() or "ipykernel" in sys.modules:
        with live() as show:
            yield show
    elif lines:
        with printed(LINE_S, LINES_S) as show:
            yield show
    else:
        yield lambda progress: None


@contextmanager
def reporting_rows(tell: Tell, text: str) -> Iterator[None]:
    """Inside this context, work reports which step it is at and how many rows are done (`engine.watch`)."""
    tell(Progress(text))
    with watched(lambda what, done, rows: tell(Progress(f"{text}: {what}" if what else text, done, rows))):
        yield


@contextmanager
def printed(first_s: float, every_s: float) -> Iterator[Tell]:
    """Print a line every few seconds, whether or not something was done meanwhile; lasting sentences at once."""
    pace, over = Pace(), threading.Event()

    def show(progress: Progress) -> None:
        if progress.lasting:
            print(clean_line(progress.text), file=sys.stderr)
        else:
            pace.see(progress)

    def tick() -> None:
        wait = first_s
        while not over.wait(wait):
            wait = every_s
            if pace.shown.text:
                print(clean_line(": ".join(filter(None, (pace.shown.text, pace.told())))), file=sys.stderr, flush=True)

    ticking = threading.Thread(target=tick, daemon=True)
    ticking.start()
    try:
        yield show
    finally:
        over.set()
        ticking.join()


@contextmanager
def live() -> Iterator[Tell]:
    """Show one line that changes, with a bar if the end is known; lasting sentences are printed above it.

    It begins with the first report, so that a question may be asked before.
    """
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, ProgressColumn, Task, TextColumn
    from rich.progress import Progress as Bars
    from rich.table import Column
    from rich.text import Text

    pace, began, changed = Pace(), time.monotonic(), 0.0

    class Known(BarColumn):
        """A bar that is not there while the end is not known."""

        def render(self, task: Task) -> Any:
            return super().render(task) if task.total is not None else ""

    class Told(ProgressColumn):
        """Counts, speed and the time left."""

        def render(self, task: Task) -> Text:
            return Text(pace.told())

    class Line(Bars):
        """The line, which is empty at first."""

        def get_renderables(self) -> Any:
            return super().get_renderables() if time.monotonic() - began >= HIDDEN_S else ()

    columns = TextColumn("{task.description}"), Known(), Told(Column(no_wrap=True))
    bars = Line(*columns, console=Console(stderr=True), transient=True)
    bar = bars.add_task("", total=None)

    def show(progress: Progress) -> None:
        nonlocal changed
        if progress.lasting:
            bars.console.print(clean_line(progress.text), markup=False, highlight=False)
            return
        other = progress.text != pace.shown.text
        pace.see(progress)
        if not other and time.monotonic() - changed < LIVE_S:
            return
        changed = time.monotonic()
        bars.update(bar, description=escape(clean(progress.text)), completed=progress.done, total=progress.total)
        bars.start()

    try:
        yield show
    finally:
        if changed:
            bars.stop()
