"""The papers' own tables and figures, for any collection whose answer is known: `pagekin evaluate … --tables paper1`.

A paper is a module with two functions, and a row here:

    table(store, options) -> {"query": …, "note": …, "results": [row …]}; several tables have {"captions": {table: …}}
    plot(store, options, answer, path)                      its figures in one file; the ending says the format
"""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

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


def tables(site: Path, name: str, options: Options, out: Path | None = None) -> tuple[dict[str, Any], str | None]:
    """The tables of a paper and, where a file is named, its figures with a sentence about them."""
    if name not in TABLES:
        raise unknown("tables", name, TABLES)
    if out and out.suffix.lower() not in FIGURE_FILES:
        raise UsageError(f"figures are written as {' '.join(FIGURE_FILES)}, and not as '{out.name}'")
    store, paper = Store(site), import_module(TABLES[name])
    answer: dict[str, Any] = paper.table(store, options)
    if out is None:
        return answer, None
    paper.plot(store, options, answer, out)
    return answer, f"wrote the figures of {name} to {out}"
