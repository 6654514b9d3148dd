"""Guesses the layout of a table of links from its first rows: delimiter, header, and which column is which.

    Source URL;Target URL;Anchor Text
    http://bees.example/;http://bees.example/hive/;The hive

The delimiter is the one that splits the first row into names for both ends of a link, or else gives the most rows the
same width.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pagekin.errors import SourceError

SAMPLE = 100  # rows from which the layout is guessed
HEAD = 1 << 15  # bytes that hold them: half of what `recognises` is given, so that the last row is whole
MOSTLY = 0.9  # share of rows that must agree: one damaged row must not decide

ENDS = ("source", "target")
# Headers are compared in lower case, with `_` for spaces and hyphens and without a final `_url` or `_id`. Besides the
# plain names there are those of SNAP, Gephi and the exports of backlink services.
NAMES = {
    "source": ("source", "src", "from", "citing", "fromnode", "source_page", "referring_page", "linking_page"),
    "target": ("target", "dst", "to", "cited", "tonode", "destination", "target_page"),
    "anchor": ("anchor", "anchor_text", "text", "link_text", "label"),
    "source_title": ("source_title", "referring_page_title"),
    "target_title": ("target_title",),
}
EXPECTED = "expected columns " + " and ".join(f"{end} (also: {', '.join(NAMES[end][1:])})" for end in ENDS)

_DELIMITERS = ("\t", ",", ";", " ")  # the first wins a tie: anchors hold commas and spaces, never tabs
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
_URL = re.compile(r"\s*(?:https?|ftp|file):", re.IGNORECASE)
_NUMBER = re.compile(r"\s*-?[\d.eE+-]+\s*")


@dataclass(frozen=True)
class Layout:
    """The layout of a text table: its delimiter, whether quotes count, and which column plays which role."""

    delimiter: str  # a space means any white space
    quotes: bool  # whether a quoted text is one cell
    width: int
    header: bool
    named: bool  # the header names both ends of a link
    columns: dict[str, int]
    rows: list[list[str]]  # the first rows, without the header

    @cached_property
    def plain(self) -> bool:
        """Whether the names are URLs or numbers, which cannot be mistaken for text."""
        return any(map(is_plain, self.rows))


def layout_of(where: str, block: bytes) -> Layout:
    """The layout of a table that begins with this block of clean lines; errors name it as `where`."""
    sample = _sample(where, block)
    delimiter = max(_DELIMITERS, key=lambda delimiter: _fit([cells(line, delimiter) for line in sample]))
    rows = [cells(line, delimiter) for line in sample]
    roles = roles_in(where, rows[0])
    header = bool(roles) or _is_header(rows[0], rows[1:])
    width = len(rows[0]) if header else _width(rows)
    if width < 2:
        raise SourceError(f"{where} has one column ({sample[0][:40]!r} …); {EXPECTED}")
    quotes = delimiter in ",;" or sample[0].startswith('"')
    columns = roles or _unnamed([row for row in rows[header:] if len(row) == width])
    return Layout(delimiter, quotes, width, header, bool(roles), columns, rows[header:])


def _sample(where: str, block: bytes) -> list[str]:
    head = block[:HEAD]
    if len(block) > HEAD:
        head = head[: head.rfind(b"\n") + 1] or head
    sample = [line for line in head.decode("utf-8", "ignore").split("\n") if line.strip()][:SAMPLE]
    if not sample:
        raise SourceError(f"{where} is empty; {EXPECTED}")
    if share(bool(_CONTROL.search(line)) for line in sample) > 0.5:
        raise SourceError(f"{where} is not text; {EXPECTED}")
    return sample


def roles_in(where: str, names: Sequence[str]) -> dict[str, int]:
    """The column of each role that a header names: none if it is not a header, an error if it names only one end.

    >>> roles_in("links.csv", ["id", "Target URL", "source"])
    {'source': 2, 'target': 1}
    """
    roles = _roles(names)
    ends = roles.keys() & set(ENDS)
    if len(ends) == 1:
        raise SourceError(f"{where} names only a {ends.pop()}; {EXPECTED}; found {', '.join(names)}")
    return roles if ends else {}


def cells(line: str, delimiter: str) -> list[str]:
    """The cells of a line on its own, so that a quote that is never closed cannot swallow the lines after it."""
    return line.split() if delimiter == " " else next(csv.reader([line], delimiter=delimiter))


def is_plain(row: Sequence[str]) -> bool:
    """Whether a row begins with two names that nobody would use in a header: URLs or numbers."""
    return len(row) > 1 and all(map(_kind, row[:2]))


def is_pair(kind: Literal["url", "number"], row: Sequence[str]) -> bool:
    """Whether a row begins with two names of this kind."""
    return [_kind(cell) for cell in row[:2]] == [kind, kind]


def share(answers: Iterable[bool]) -> float:
    """The share of the answers that are true, from 0 to 1; 0 if there are none."""
    given = list(answers)
    return sum(given) / max(len(given), 1)


def _is_header(first: list[str], rest: list[list[str]]) -> bool:
    """Whether a row without known names is still a header: words above URLs or numbers."""
    return not any(map(_kind, first)) and share(map(is_plain, rest)) >= MOSTLY


def _kind(cell: str) -> str:
    return "url" if _URL.match(cell) else "number" if cell.strip().isdigit() else ""


def _width(rows: list[list[str]]) -> int:
    return Counter(map(len, rows)).most_common(1)[0][0]


def _fit(rows: list[list[str]]) -> tuple[bool, int]:
    """How well a delimiter splits rows: does it find both names in the header, then how many rows agree in width."""
    width = _width(rows)
    return set(ENDS) <= _roles(rows[0]).keys(), sum(len(row) == width for row in rows) if width > 1 else 0


def _roles(names: Sequence[str]) -> dict[str, int]:
    plain = [re.sub(r"[\s_-]+", "_", name.strip().lower()) for name in names]
    plain = [re.sub(r"_?(url|id)$", "", name) for name in plain]
    found = {role: [name in known for name in plain] for role, known in NAMES.items()}
    return {role: hits.index(True) for role, hits in found.items() if any(hits)}


def _unnamed(rows: list[list[str]]) -> dict[str, int]:
    """The roles without a header: source, target, and anchor if a third column is text (numbers are weights, times)."""
    text = any(row[2:3] and not _NUMBER.fullmatch(row[2]) for row in rows)
    return {"source": 0, "target": 1, "anchor": 2} if text else {"source": 0, "target": 1}
