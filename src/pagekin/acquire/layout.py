"""Guesses the layout of a table of links from its first rows: delimiter, header, and which column is which.

    Source URL;Target URL;Anchor Text
    http://bees.example/;http://bees.example/hive/;The hive

The delimiter is the one that splits the first row into names for both ends of a link, or else gives the most rows the
same width. Columns are known by their names (`headers`) and by what they hold: among several that may be an end of a
link, those with addresses count. If that leaves a doubt, the table is refused with a sample, and the user names them.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Literal

from pagekin.acquire.headers import ENDS, EXPECTED, ROLES, columns_by_role, role_of
from pagekin.errors import SourceError, UsageError, unknown
from pagekin.wording import option

SAMPLE = 100  # rows from which the layout is guessed
HEAD = 1 << 15  # bytes that hold them: half of what `recognises` is given, so that the last row is whole
MOSTLY = 0.9  # share of rows that must agree: one damaged row must not decide
CONSTANT = 3  # rows after which a number that is always the same is no target: MediaWiki's namespaces
SHOWN = 3  # rows in an error

_DELIMITERS = ("\t", ",", ";", "|", " ")  # the first wins a tie: anchors hold commas and spaces, never tabs
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
_URL = re.compile(r"\s*(?:https?|ftp|file):", re.IGNORECASE)
_NUMBER = re.compile(r"\s*-?[\d.eE+-]+\s*")

Asked = Mapping[str, str]  # role → the header or the number of its column, as the user names it


@dataclass(frozen=True)
class Layout:
    """The layout of a text table: its delimiter, whether quotes count, and which column plays which role."""

    delimiter: str  # a space means any white space
    quotes: bool  # whether a quoted text is one cell
    width: int
    header: bool
    named: bool  # the header, or the user, names both ends of a link
    columns: dict[str, int]
    rows: list[list[str]]  # the first rows, without the header
    names: list[str]  # the header, if there is one
    before: int = 0  # lines above the header: a title

    @cached_property
    def plain(self) -> bool:
        """Whether the names are URLs or numbers, which cannot be mistaken for text."""
        return any(map(is_plain, self.rows))

    @property
    def said(self) -> str:
        """Which columns were taken, for people."""
        return said_columns(self.columns, self.names)

    def holds(self, kind: Literal["url", "number"]) -> bool:
        """Whether both ends of most rows are of this kind."""
        ends = [self.columns[end] for end in ENDS]
        fits = (all(len(row) > column and _kind(row[column]) == kind for column in ends) for row in self.rows)
        return share(fits) >= MOSTLY


def said_columns(columns: Mapping[str, int], names: Sequence[str]) -> str:
    """Columns by their roles, named or numbered from 1.

    >>> said_columns({"source": 1, "target": 0}, ["to", "from"]), said_columns({"source": 0}, [])
    ('source=from, target=to', 'source=1')
    """
    return ", ".join(f"{role}={names[column] if names else column + 1}" for role, column in columns.items())


def layout_of(where: str, block: bytes, asked: Asked | None = None) -> Layout:
    """The layout of a table that begins with this block of clean lines; errors name it as `where`."""
    sample = _sample(where, block)
    delimiter = max(_DELIMITERS, key=lambda delimiter: _fit([cells(line, delimiter) for line in sample]))
    rows = [cells(line, delimiter) for line in sample]
    before = int(len(rows) > 1 and sum(map(bool, rows[0])) == 1 and names_ends(rows[1]))  # a title, or Excel's "sep=;"
    rows = rows[before:]
    header = _has_header(rows, asked)
    width = len(rows[0]) if header else _width(rows)
    if width < 2:
        raise SourceError(f"{where} has one column ({sample[0][:40]!r} …); {EXPECTED}")
    quotes = delimiter in ",;|" or sample[0].startswith('"')
    names = rows[0] if header else []
    columns = roles_in(where, names, [row for row in rows[header:] if len(row) == width], width, asked)
    named = asked is not None or (header and names_ends(names))
    return Layout(delimiter, quotes, width, header, named, columns, rows[header:], names, before)


def roles_in(
    where: str, names: Sequence[str], rows: Sequence[Sequence[str]], width: int, asked: Asked | None = None
) -> dict[str, int]:
    """The column of each role, by the names in the header and what the rows hold; an error if that is in doubt.

    >>> roles_in("links.csv", ["id", "Target URL", "source"], [], 3)
    {'source': 2, 'target': 1}
    """
    if asked is not None:
        return _asked(where, names, width, asked)
    kinds = [_kind_of([row[column] for row in rows]) for column in range(width)]
    by = columns_by_role(names)
    try:
        ends = _named_ends(by, kinds, names) if any(by.get(end) for end in ENDS) else _unnamed_ends(names, kinds, rows)
    except _DoubtError as doubt:
        raise SourceError(f"{where} {doubt}; {EXPECTED}; found {_shown(names, rows)}{_advice(names, width)}") from None
    others = {role: by[role][0] for role in ROLES if role not in ENDS and by.get(role)}
    alone = not names or (width == 3 and not any(by.get(role) for role in ROLES))
    if alone and ends == (0, 1) and any(row[2:3] and not _NUMBER.fullmatch(row[2]) for row in rows):
        others = {"anchor": 2}  # numbers would be weights or times
    return dict(zip(ENDS, ends, strict=True)) | others


class _DoubtError(Exception):
    """Why it is not clear which columns are the ends of links."""


def _named_ends(by: dict[str, list[int]], kinds: list[str], names: Sequence[str]) -> tuple[int, int]:
    """The ends that a header names, with addresses if it names several; one that is called just `url` may be the
    other end."""
    sources, targets = (by.get(end, []) for end in ENDS)
    either = [column for column in by.get("", []) if kinds[column] in ("url", "")]
    if not (sources and targets):
        named = "source" if sources else "target"
        if len(either) != 1 or kinds[(sources or targets)[0]] not in ("url", ""):
            raise _DoubtError(f"names only a {named}")
        sources, targets = sources or either, targets or either
    pairs = [pair for pair in product(sources, targets) if pair[0] != pair[1]]
    source, target = max(pairs, key=lambda pair: sum(kinds[column] == "url" for column in pair))
    holding = {kinds[source], kinds[target]}
    if "url" in holding and holding & {"number", "text"} and kinds.count("url") > 1:
        wrong = names[source if kinds[source] != "url" else target]
        raise _DoubtError(f"has no addresses in '{wrong}', but in other columns")
    if "url" not in holding and kinds.count("url") > 1:
        raise _DoubtError(f"has no addresses in '{names[source]}' and '{names[target]}', but in other columns")
    return source, target


def _unnamed_ends(names: Sequence[str], kinds: list[str], rows: Sequence[Sequence[str]]) -> tuple[int, int]:
    """The ends without names: the two columns that hold addresses, or the first two of a table with little else."""
    addresses = [column for column, kind in enumerate(kinds) if kind == "url"]
    if names and not all(role_of(names[column]) == "" for column in addresses):
        raise _DoubtError("has other names")  # two columns of addresses may be old and new ones, or pages and pictures
    if len(addresses) == 2:
        return addresses[0], addresses[1]
    if addresses:
        raise _DoubtError(f"has {len(addresses)} columns of addresses")
    if names:
        raise _DoubtError("has other names")
    if len(kinds) > 3 or (kinds[0] != kinds[1] and "mixed" not in kinds[:2]):
        raise _DoubtError("has no header, and columns of several kinds")
    texts = [row[2] for row in rows if row[2:3] and not _NUMBER.fullmatch(row[2])]
    if len(texts) >= CONSTANT and kinds[1] == "number" and len({row[1] for row in rows}) == 1:
        raise _DoubtError(f"has the same number, {rows[0][1]}, in each row of its second column")
    return 0, 1


def _asked(where: str, names: Sequence[str], width: int, asked: Asked) -> dict[str, int]:
    """The columns that the user names, by header or by number."""
    for role in asked:
        if role not in ROLES:
            raise unknown("role of a column", role, ROLES)
    if missing := [end for end in ENDS if end not in asked]:
        raise UsageError(f"{option('columns')} names no {missing[0]}; expected source=NAME,target=NAME")
    places = {name.strip().lower(): column for column, name in reversed(list(enumerate(names)))}
    found = {}
    for role in sorted(asked, key=ROLES.index):
        column = places.get(asked[role].strip().lower())
        if column is None and asked[role].strip().isdigit() and 0 < int(asked[role]) <= width:
            column = int(asked[role]) - 1
        if column is None:
            known = ", ".join(names) if names else f"the numbers 1 to {width}, for there is no header"
            raise SourceError(f"{where} has no column '{asked[role]}'; expected one of: {known}")
        found[role] = column
    if found["source"] == found["target"]:
        raise UsageError(f"{option('columns')} names one column as source and as target")
    return found


def _shown(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The beginning of a table."""
    some = [names] if names else []
    return "\n".join(["", *("  " + " | ".join(cell[:60] for cell in row) for row in [*some, *rows[:SHOWN]])])


def _advice(names: Sequence[str], width: int) -> str:
    first, second = (names[0], names[1]) if len(names) > 1 else ("1", "2")
    return f"\nto say which are which: {option('columns', f'source={first},target={second}')}"


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


def cells(line: str, delimiter: str) -> list[str]:
    """The cells of a line on its own, so that a quote that is never closed cannot swallow the lines after it."""
    return line.split() if delimiter == " " else next(csv.reader([line], delimiter=delimiter))


def is_plain(row: Sequence[str]) -> bool:
    """Whether a row begins with two names that nobody would use in a header: URLs or numbers."""
    return len(row) > 1 and all(map(_kind, row[:2]))


def share(answers: Iterable[bool]) -> float:
    """The share of the answers that are true, from 0 to 1; 0 if there are none."""
    given = list(answers)
    return sum(given) / max(len(given), 1)


def names_ends(row: Sequence[str]) -> bool:
    """Whether a row names both ends of links."""
    return set(ENDS) <= columns_by_role(row).keys()


def _has_header(rows: list[list[str]], asked: Asked | None) -> bool:
    """Whether the first row is a header: it has the names that the user gives, or a name for an end, or words above
    URLs or numbers, or a name for something else above anything."""
    first = [cell.strip().lower() for cell in rows[0]]
    if asked is not None and any(name.strip().lower() in first and not name.isdigit() for name in asked.values()):
        return True
    if any(map(_kind, first)):
        return False
    if any(role_of(cell) is not None for cell in rows[0]):
        return True
    width = _width(rows)
    kinds = [_kind_of([row[column] for row in rows[1:] if len(row) == width]) for column in range(width)]
    return kinds.count("url") > 0 or kinds[:2] == ["number", "number"]


def _kind_of(cells: Sequence[str]) -> str:
    """What a column holds: url, number or text, if most cells do, else mixed; nothing if all are empty."""
    written = [_kind(cell) or "text" for cell in cells if cell.strip()]
    if not written:
        return ""
    kind, count = Counter(written).most_common(1)[0]
    return kind if count >= MOSTLY * len(written) else "mixed"


def _kind(cell: str) -> str:
    return "url" if _URL.match(cell) else "number" if cell.strip().isdigit() else ""


def _width(rows: list[list[str]]) -> int:
    return Counter(map(len, rows)).most_common(1)[0][0]


def _fit(rows: list[list[str]]) -> tuple[bool, int]:
    """How well a delimiter splits rows: does it find both names in the header, then how many rows agree in width."""
    width = _width(rows)
    return names_ends(rows[0]) or names_ends(rows[1] if len(rows) > 1 else []), (
        sum(len(row) == width for row in rows) if width > 1 else 0
    )
