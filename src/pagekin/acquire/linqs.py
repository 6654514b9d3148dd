"""Reads LINQS citation data (Cora, CiteSeer, WebKB): papers with word flags and a class, and who cites whom.

NAME.content    paper  0  1  0 …  class      one flag (or count) for each word of the vocabulary
NAME.cites      cited  citing                the cited paper comes first
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pyarrow as pa

from pagekin.acquire.capture import spelled
from pagekin.acquire.tables import links_of, terms_of
from pagekin.acquire.text import decoded, lines
from pagekin.errors import SourceError
from pagekin.model import Item, Rows, Skipped, Term
from pagekin.url import canonical

CONTENT, CITES = ".content", ".cites"
SAMPLE = 100  # lines whose commonest number of columns counts as the file's: one damaged line must not decide
COUNT_DIGITS = 10  # a number this long is not a count, and would not fit its column

Row = tuple[str, list[str]]  # "NAME:LINE" and the columns


def read(path: Path) -> Iterator[Item]:
    """The papers of a `.content` file, the links of a `.cites` file, or both from the folder that holds them.

    A paper becomes a page whose label is its class and whose terms are the words with a flag other than 0: `w0` is the
    first word.
    """
    files = [path]
    if path.is_dir():
        files = [file for kind in (CONTENT, CITES) for file in sorted(path.iterdir()) if kind in file.suffixes]
    if not files or not {CONTENT, CITES} & {suffix for file in files for suffix in file.suffixes}:
        raise SourceError(
            f"{spelled(path)} is not LINQS data; expected NAME{CONTENT}, NAME{CITES} or a folder that holds them"
        )
    for file in files:
        yield from _content(file) if CONTENT in file.suffixes else _cites(file)


def recognises(path: Path, head: bytes) -> bool:
    """Whether a file has one of the two names and a first line that fits, or a folder holds both."""
    if path.is_dir():
        return {CONTENT, CITES} <= {suffix for file in path.iterdir() for suffix in file.suffixes}
    columns = decoded(head.partition(b"\n")[0]).split()
    if CONTENT in path.suffixes:
        return len(columns) > 2 and all(map(str.isdecimal, columns[1:-1]))
    return CITES in path.suffixes and len(columns) == 2


def _split(path: Path) -> Iterator[Row | Skipped]:
    """The columns of every line that is not blank."""
    for number, line in enumerate(lines(path), 1):
        if isinstance(line, Skipped):
            yield line
        elif columns := line.split():
            yield f"{spelled(path.name)}:{number}", columns


def _content(path: Path) -> Iterator[Item]:
    """The papers of a `.content` file: pages with their classes, and terms."""
    sample = [row for row in islice(_split(path), SAMPLE) if not isinstance(row, Skipped)]
    width = Counter(len(columns) for _, columns in sample).most_common(1)[0][0] if sample else 0
    if width < 2:
        what = "has one column" if sample else "is empty"
        raise SourceError(f"{spelled(path)} {what}; expected a paper, its word flags and its class in each line")
    pages: dict[str, str] = {}
    terms: list[tuple[str, Term]] = []
    for row in _split(path):
        if isinstance(row, Skipped):
            yield row
            continue
        where, (name, *flags) = row
        url, counts = canonical(name), _counts(flags[:-1])
        if url is None or counts is None or len(flags) + 1 != width:
            yield Skipped(where, "wrong number of columns" if len(flags) + 1 != width else "unreadable paper or flag")
            continue
        pages[url] = flags[-1]
        terms += [(url, Term(f"w{word}", f"w{word}", body=count)) for word, count in counts]
    if pages:
        yield Rows(pages=pa.table({"url": list(pages), "label": list(pages.values())}), terms=terms_of(terms))


def _counts(flags: list[str]) -> list[tuple[int, int]] | None:
    """The words that occur and how often; None if a flag is not a count."""
    present = [(word, flag) for word, flag in enumerate(flags) if flag != "0"]
    if not all(flag.isascii() and flag.isdigit() and len(flag) < COUNT_DIGITS for _, flag in present):
        return None
    return [(word, int(flag)) for word, flag in present]


def _cites(path: Path) -> Iterator[Item]:
    """Links from the citing to the cited paper, including self-citations, which the graph leaves out."""
    pairs = []
    for row in _split(path):
        if isinstance(row, Skipped):
            yield row
            continue
        where, columns = row
        names = [name for column in columns if (name := canonical(column)) is not None]
        if len(columns) != 2 or len(names) != 2:
            yield Skipped(where, "wrong number of columns" if len(columns) != 2 else "not an address")
            continue
        cited, citing = names
        pairs.append((citing, cited))
    if pairs:
        yield Rows(links=links_of(pairs))
