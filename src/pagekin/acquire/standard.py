"""Standard input as a source of pages or links: `zcat links.gz | pagekin add SITE.kin -`.

An archive must be seekable, and what it is shows in the first bytes, so all of it is kept in a temporary file while it
is read. Its pages have no origin: nobody can read them from there again.
"""

import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from pagekin.acquire.capture import place
from pagekin.acquire.sources import KINDS, FoundSource, open_sources
from pagekin.errors import SourceError, UsageError
from pagekin.model import Capture, Item, Skipped
from pagekin.wording import option

NAME = "stdin"
SAID = "standard input"
WITHOUT_ADDRESSES = (
    "html",
    "markdown",
    "zip",
    "adjacency",
)  # kinds whose pages are named after files, or several files


@contextmanager
def received(stream: BinaryIO | None = None) -> Iterator[Path]:
    """Standard input as a file, which goes at the end of this context."""
    if stream is None:
        if sys.stdin is None or sys.stdin.isatty():
            raise UsageError(f"{SAID} is a terminal; send something there through a pipe, like: zcat links.csv.gz | …")
        stream = sys.stdin.buffer
    with TemporaryDirectory(prefix="pagekin-stdin-") as folder:
        file = Path(folder, NAME)
        with file.open("wb") as out:
            shutil.copyfileobj(stream, out, 1 << 20)
        if not file.stat().st_size:
            raise SourceError(f"{SAID} is empty; expected a table of links, JSON lines or a web archive")
        yield file


def open_received(file: Path, kind: str = "auto", columns: Mapping[str, str] | None = None) -> list[FoundSource]:
    """What was received, as a source."""
    try:
        found = open_sources([file], kind, columns=columns)
    except SourceError as error:
        raise SourceError(_renamed(str(error), file)) from None
    if found[0].kind in WITHOUT_ADDRESSES:
        read = ", ".join(sorted(set(KINDS) - set(WITHOUT_ADDRESSES)))
        raise SourceError(
            f"{SAID} is {found[0].kind}, whose pages have no address there; write it to a file in a folder, and add "
            f"that with {option('base_url')}; {SAID} may be: {read}"
        )
    return [replace(each, said=_renamed(each.said, file), items=partial(_items, each, file)) for each in found]


def _items(source: FoundSource, file: Path) -> Iterator[Item]:
    try:
        for item in source:
            if isinstance(item, Capture):
                yield replace(item, origin=None)
            elif isinstance(item, Skipped):
                yield replace(item, where=_renamed(item.where, file, NAME))
            else:
                yield item
    except SourceError as error:
        raise SourceError(_renamed(str(error), file)) from None


def _renamed(text: str, file: Path, name: str = SAID) -> str:
    return text.replace(place(file), name)
