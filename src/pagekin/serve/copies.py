"""A ranking as text to paste elsewhere: CSV for a spreadsheet, Markdown for notes. JSON is what the API answers."""

import csv
import re
from collections.abc import Callable
from io import StringIO
from typing import NamedTuple

from pagekin.answers.ranking import Ranking
from pagekin.harmless import as_cell, as_json
from pagekin.serve.rendering import name_of, outward

_MARKS = re.compile(r"([\\`*_\[\]<>|~#])")  # what Markdown obeys


class Format(NamedTuple):
    """How to write a ranking, and what the text is."""

    write: Callable[[Ranking], str]
    media_type: str


def as_csv(ranking: Ranking) -> str:
    """A row for each result; no cell is a formula."""
    text = StringIO(newline="")
    rows = csv.writer(text)
    rows.writerow(ranking.header)
    for row in ranking.rows():
        cells = (row[name] for name in ranking.header)
        rows.writerow(
            [as_json(each) if isinstance(each, list | dict) else as_cell(each) if isinstance(each, str) else each
             for each in cells]
        )  # fmt: skip
    return text.getvalue()


def as_markdown(ranking: Ranking) -> str:
    """A list of links; an address that is none of the web stays text."""
    lines = []
    for row in ranking:
        named = _MARKS.sub(r"\\\1", name_of(row.url, row.title))
        target = outward(row.url)
        lines.append(f"{row.rank}. [{named}](<{_in_brackets(target)}>)" if target else f"{row.rank}. {named}")
    return "\n".join(lines) + "\n"


def _in_brackets(url: str) -> str:
    return url.replace("<", "%3C").replace(">", "%3E")


FORMATS = {"csv": Format(as_csv, "text/csv"), "md": Format(as_markdown, "text/markdown")}
