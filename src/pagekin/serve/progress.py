"""What `add` says while it runs (on a terminal; silence in a pipe) and when it ends."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pagekin.collection.ingest import Report


@contextmanager
def counting() -> Iterator[Callable[[Report], None]]:
    """A live line with the pages so far."""
    if not sys.stderr.isatty():
        yield lambda report: None
        return
    from rich.console import Console

    with Console(stderr=True).status("reading …") as status:
        yield lambda report: status.update(f"{report.pages:,} pages, {report.rows:,} rows")


def told(report: Report) -> Iterator[str]:
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
