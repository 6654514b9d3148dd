"""The tables and figures of the papers, for any collection with known answers: `pagekin evaluate … --tables paper1`.

A paper is a module with two functions, and an entry in `TABLES`:

    table(store, options) -> PaperTables
    plot(store, options, answer, path)        its figures in one file; the ending gives the format
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

from pagekin.answer import Answer, html_note, html_table
from pagekin.collection.store import Store
from pagekin.errors import UsageError, unknown

TABLES = {f"paper{number}": f"pagekin.evaluate.papers.paper{number}" for number in (1, 2, 3, 4)}
FIGURE_FILES = (".svg", ".png", ".pdf")


@dataclass(frozen=True)
class Options:
    """The files given for the tables; each paper uses those it needs."""

    labels: Path | None = None  # rows page,label; None: the labels that came with the data
    queries: Path | None = None  # questions in words
    qrels: Path | None = None  # the pages that answer them
    one_click: Path | None = None  # qrels that also count pages one click away


@dataclass(frozen=True, repr=False)
class PaperTables(Answer[Mapping[str, Any]]):
    """The rows of a paper's tables; if there are several tables, each row names its `table`."""

    tables: str = ""  # the paper
    about: Mapping[str, Any] = field(default_factory=dict)  # what the tables were made from
    captions: Mapping[str, str] = field(default_factory=dict)  # if there are several tables: name → caption

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
        return "".join(made) + html_note(self.note)


def tables(store: Store, name: str, options: Options, out: Path | None = None) -> PaperTables:
    """The tables of a paper; with `out`, its figures are drawn to that file."""
    if name not in TABLES:
        raise unknown("tables", name, TABLES)
    if out and out.suffix.lower() not in FIGURE_FILES:
        raise UsageError(f"figures are written as {' '.join(FIGURE_FILES)}, not as '{out.name}'")
    paper = import_module(TABLES[name])
    answer: PaperTables = paper.table(store, options)
    if out is not None:
        paper.plot(store, options, answer, out)
    return answer
