"""Answers as a table, JSON, JSON lines or CSV: every command that prints rows prints them through here."""

import csv
import json
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from pagekin.errors import unknown

FORMATS = ("table", "json", "jsonl", "csv")
ZWJ = "\u200d"  # joins emoji; the other characters of its class can reorder a line
UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn")
PIPE_WIDTH = 200  # of a table that goes to a file or another program


def checked(name: str) -> str:
    """The name of a format, or a `UsageError` that lists them."""
    if name not in FORMATS:
        raise unknown("format", name, FORMATS)
    return name


def show(answer: Mapping[str, Any], format: str, columns: Sequence[str], fields: Sequence[str] = ()) -> None:
    """Print an answer `{"results": [row, …], "note": …, …}`.

    JSON is the whole answer, JSON lines and CSV are its rows (`fields` is the header of a CSV without any), a table
    shows `columns` of them. In a table a row with `lines` is followed by them: evidence, in words. An answer with
    `captions` is several tables, and each row says of which it is.
    """
    rows: list[Mapping[str, Any]] = list(answer["results"])
    if format == "json":
        print_json(answer)
    elif format == "jsonl":
        for row in rows:
            print(json.dumps(row, ensure_ascii=False))
    elif format == "csv":
        _print_csv(rows, fields or columns)
    elif "captions" in answer:
        _print_tables(rows, answer["captions"])
    elif any("lines" in row for row in rows):
        _print_list(rows, columns)
    elif rows:
        _print_table(rows, columns)
    if format != "json" and answer.get("note"):
        print(clean(str(answer["note"])), file=sys.stdout if format == "table" else sys.stderr)


def print_json(value: Any) -> None:
    """One JSON document."""
    print(json.dumps(value, ensure_ascii=False, indent=2))


def _print_csv(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> None:
    rows = list(rows)
    names = list(dict.fromkeys(name for row in rows for name in row)) or list(columns)
    writer = csv.DictWriter(sys.stdout, names, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow(
            {name: json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
             for name, value in row.items()}
        )  # fmt: skip


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
        table.add_row(*(Text(_cell(row.get(column))) for column in columns))
    console.print(table)


def _print_tables(rows: Iterable[Mapping[str, Any]], captions: Mapping[str, str]) -> None:
    for name, group in groupby(rows, key=lambda row: row["table"]):
        same = list(group)
        print(f"{f'Table {name}' if name.isdecimal() else name}. {clean(captions[name])}")
        _print_table(same, [column for column in same[0] if column != "table"])


def _print_list(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> None:
    """Rows one under the other, each with its lines."""
    for row in rows:
        print("  ".join(filter(None, (_cell(row.get(column)) for column in columns))))
        for line in row["lines"]:
            print(f"      {clean(line)}")


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4f}" if abs(value) >= 1e-3 or value == 0 else f"{value:.2e}"
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, list | tuple):
        return ", ".join(_cell(item) for item in value)
    return "" if value is None else clean(str(value))


def clean(text: str) -> str:
    """Text from a crawled page that cannot move the cursor, ring the bell or turn the line around.

    >>> clean("a\\x1b[31mb\\u202ec\\nd")
    'a[31mbc d'
    """
    return "".join(char for char in " ".join(text.split()) if char == ZWJ or unicodedata.category(char) not in UNSEEN)
