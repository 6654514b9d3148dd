"""The papers' own tables and figures, for any collection whose answer is known: `pagekin evaluate … --tables paper1`.

A paper is a module with two functions, and a row here:

    table(store, options) -> PaperTables
    plot(store, options, answer, path)        its figures in one file; the ending says the format
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

from pagekin.answer import Answer, html_table
from pagekin.collection.store import Store
from pagekin.errors import UsageError, unknown

TABLES = {f"paper{number}": f"pagekin.evaluate.papers.paper{number}" for number in (1, 2, 3, 4)}
FIGURE_FILES = (".svg", ".png", ".pdf")


@dataclass(frozen=True)
class Options:
    """What was asked for along with the tables; each paper takes what it needs."""

    labels: Path | None = None  # rows page,label; else the labels that came with the data
    queries: Path | None = None  # questions in words
    qrels: Path | None = None  # the pages that answer them
    one_click: Path | None = None  # qrels that count pages one click away, too


@dataclass(frozen=True, repr=False)
class PaperTables(Answer[Mapping[str, Any]]):
    """The rows of a paper's tables; where there are several, each row says of which it is."""

    tables: str = ""  # of which paper
    about: Mapping[str, Any] = field(default_factory=dict)  # what they were made from
    captions: Mapping[str, str] = field(default_factory=dict)  # of several tables, by their names

    def tables_in(self) -> Mapping[str, str]:
        return self.captions

    def _repr_html_(self) -> str:
        if not self.captions:
            return super()._repr_html_()
        made = []
        for name, caption in self.captions.items():
            rows = [
                {key: value for key, value in row.items() if key != "table"} for row in self if row["table"] == name
            ]
            if rows:
                made.append(f"<p>{escape(name)}. {escape(caption)}</p>{html_table(list(rows[0]), rows)}")
        return "".join(made)


def tables(store: Store, name: str, options: Options, out: Path | None = None) -> PaperTables:
    """The tables of a paper and, where a file is named, its figures."""
    if name not in TABLES:
        raise unknown("tables", name, TABLES)
    if out and out.suffix.lower() not in FIGURE_FILES:
        raise UsageError(f"figures are written as {' '.join(FIGURE_FILES)}, and not as '{out.name}'")
    paper = import_module(TABLES[name])
    answer: PaperTables = paper.table(store, options)
    if out is not None:
        paper.plot(store, options, answer, out)
    return answer
