"""What `add` and `build` say while they run (on a terminal; silence in a pipe), and `add` when it ends."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pagekin.engine.local import watched

if TYPE_CHECKING:
    from pagekin.collection.ingest import Report  # parsers and archives, which a build does not need

BLOCKS_S = 600  # seconds over which a build's speed is taken: a block of rows may take a minute


@contextmanager
def counting() -> Iterator[Callable[["Report"], None]]:
    """A live line with the pages so far."""
    if not sys.stderr.isatty():
        yield lambda report: None
        return
    from rich.console import Console

    with Console(stderr=True).status("reading …") as status:
        yield lambda report: status.update(f"{report.pages:,} pages, {report.rows:,} rows")


@contextmanager
def building() -> Iterator[Callable[[str], None]]:
    """A live line with what is being made, which the caller says, and how far it is."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    shown = Progress(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=BLOCKS_S)
    bar = shown.add_task("graph", total=None)

    def begin(text: str) -> None:
        nonlocal bar
        shown.remove_task(bar)
        bar = shown.add_task(escape(text), total=None)

    with shown, watched(lambda done, rows: shown.update(bar, completed=done, total=rows)):
        yield begin


def told(report: "Report") -> Iterator[str]:
    """The end of an `add`: what came in, what was skipped and why."""
    taken = [_count(report.pages, "page")] if report.pages or not report.rows else []
    taken += [_count(report.rows, "row") + " of tables"] if report.rows else []
    yield "added " + " and ".join(taken) + (f"; {report.unchanged:,} were held already" if report.unchanged else "")
    if report.broken_links:
        yield f"left out {_count(report.broken_links, 'link')} whose target is no address"
    if report.skipped:
        yield f"skipped {report.skipped.total():,}:"
    for why, count in report.skipped.most_common():
        named = ", ".join(report.examples[why][:2]) + (" …" if count > 2 else "")
        yield f"  {count:,} {why}: {named}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
