"""Print answers as a table, JSON, JSON lines or CSV. Every command that prints rows uses this module.

What it prints comes from strangers: tables and a CSV on a terminal are cleaned, JSON has escapes.
"""

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import StringIO
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from pagekin.answer import Answer, cell
from pagekin.errors import PagekinError, unknown
from pagekin.harmless import as_cell, as_json, clean
from pagekin.wording import speaking

T = TypeVar("T")

FORMATS = ("table", "json", "jsonl", "csv", "csv-safe")
STDOUT = "-"  # as the name of a file
PIPE_WIDTH = 200  # width of a table that goes to a file or another program


def checked_format(name: str) -> str:
    """The name of a format; a `UsageError` that lists the formats if it is unknown."""
    if name not in FORMATS:
        raise unknown("format", name, FORMATS)
    return name


def asked(format: str, question: Callable[[], T]) -> T:
    """The answer to a question. In JSON its note names parameters as Python does, which is for programs everywhere.

    An error is for the person who typed the command, so then the question is asked again, in words of the shell.
    """
    if format == "json":
        with suppress(PagekinError), speaking("python"):
            return question()
    return question()


@contextmanager
def printing(ending: str) -> Iterator[Path]:
    """A file to write to, whose bytes go to stdout when it is complete: `--out -`."""
    with TemporaryDirectory(prefix="pagekin-out-") as folder:
        file = Path(folder, f"out{ending}")
        yield file
        sys.stdout.flush()
        sys.stdout.buffer.write(file.read_bytes())
        sys.stdout.buffer.flush()


def show(answer: Answer[Any], format: str, lines: Sequence[Sequence[str]] = ()) -> None:
    """Print an answer.

    JSON is the whole answer, JSON lines and CSV are its rows, a table shows the columns a person wants to see. In a
    table each row is followed by its `lines`, if there are any: the evidence in words.
    """
    rows = answer.rows()
    captions = answer.tables_in()
    if format == "json":
        print_json(answer.as_dict())
    elif format == "table" and captions:
        _print_tables(rows, captions)
    elif format == "table" and any(lines):
        show_list(rows, answer.visible(), lines)
    else:
        show_rows(rows, format, answer.visible(), answer.columns())
    if format != "json":
        note(answer, format)


def say_lines(lines: Iterable[str]) -> None:
    """Print lines of a table that are not rows."""
    for line in lines:
        print(clean(line))


def note(answer: Answer[Any], format: str) -> None:
    """Print the note of an answer: with a table to stdout, otherwise to stderr."""
    if answer.note:
        print(clean(answer.note), file=sys.stdout if format == "table" else sys.stderr)


def show_rows(
    rows: Sequence[Mapping[str, Any]], format: str, columns: Sequence[str], header: Sequence[str] = ()
) -> None:
    """Print rows; `columns` are the columns of a table, `header` is the header of a CSV."""
    if format in ("json", "jsonl"):
        for row in rows:
            print(_json(row))
    elif format in ("csv", "csv-safe"):
        _print_csv(rows, header or columns, as_cell if format == "csv-safe" else str)
    elif rows:
        _print_table(rows, columns)


def print_json(value: Any) -> None:
    """Print a value as one JSON document."""
    print(_json(value, 2))


def _json(value: Any, indent: int | None = None) -> str:
    """JSON that stdout can show: one without ü or “ ” gets escapes that are JSON, not those of `backslashreplace`."""
    text = as_json(value, indent)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent)
    return text


def _print_csv(rows: Iterable[Mapping[str, Any]], header: Sequence[str], spelled: Callable[[str], str]) -> None:
    """Print rows as CSV. A terminal gets text that cannot play with it, a file or a program the text as it is."""
    shown = clean if sys.stdout.isatty() else str

    def csv_cell(value: Any) -> Any:
        if isinstance(value, list | dict):
            return as_json(value)
        return spelled(shown(value)) if isinstance(value, str) else value

    print(_csv_line(header))
    for row in rows:
        print(_csv_line(csv_cell(row.get(name)) for name in header))


def _csv_line(cells: Iterable[Any]) -> str:
    line = StringIO(newline="")
    csv.writer(line, lineterminator="\r\n").writerow(cells)  # Python 3.11 quotes a CR only if lines end with one
    return line.getvalue().removesuffix("\r\n")


def _print_table(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, justify="right" if column in ("rank", "score") else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell(row.get(column))) for column in columns))
    console.print(table)


def _print_tables(rows: Iterable[Mapping[str, Any]], captions: Mapping[str, str]) -> None:
    for name, group in groupby(rows, key=lambda row: row["table"]):
        same = list(group)
        print(f"{f'Table {name}' if name.isdecimal() else name}. {clean(captions[name])}")
        told = [column for column in same[0] if any(row.get(column) not in (None, "") for row in same)]
        _print_table(same, [column for column in told if column != "table"])


def show_sections(
    sections: Iterable[tuple[str, Sequence[Mapping[str, Any]]]], hidden: str | None, notes: Iterable[str]
) -> None:
    """Print tables with captions, what was hidden, and each note on a line of its own."""
    for caption, rows in sections:
        if rows:
            print(clean(caption))
            _print_table(rows, list(rows[0]))
    if hidden:
        print(f"hidden: {clean(hidden)}")
    for said in notes:
        print(f"note: {clean(said)}")


def show_list(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    """Print rows one below the other, each followed by its lines."""
    for row, under in zip(rows, lines, strict=True):
        print("  ".join(filter(None, (cell(row.get(column)) for column in columns))))
        for line in under:
            print(f"      {clean(line)}")
