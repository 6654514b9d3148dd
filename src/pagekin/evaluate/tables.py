"""The papers' own tables and figures, for any collection whose answer is known: `pagekin evaluate … --tables paper1`.

A paper is a module with two functions, and a row here:

    tables(store, options) -> {"query": …, "note": …, "captions": {table: caption}, "results": [{"table": …, …} …]}
    plot(store, options, path)                              its figures in one file; the ending says the format
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pagekin.collection.store import Store
from pagekin.errors import UsageError, unknown
from pagekin.evaluate import paper1

FIGURE_FILES = (".svg", ".png", ".pdf")


@dataclass(frozen=True)
class Options:
    """What was asked for along with the tables."""

    labels: Path | None = None  # rows page,label; else the labels that came with the data


class Paper(NamedTuple):
    """What can be printed and drawn of a paper."""

    tables: Callable[[Store, Options], dict[str, Any]]
    plot: Callable[[Store, Options, Path], str]


TABLES: dict[str, Paper] = {"paper1": Paper(paper1.tables, paper1.plot)}


def tables(site: Path, name: str, options: Options, out: Path | None = None) -> tuple[dict[str, Any], str | None]:
    """The tables of a paper and, where a file is named, its figures with a sentence about them."""
    if name not in TABLES:
        raise unknown("tables", name, TABLES)
    if out and out.suffix.lower() not in FIGURE_FILES:
        raise UsageError(f"figures are written as {' '.join(FIGURE_FILES)}, and not as '{out.name}'")
    store = Store(site)
    answer = TABLES[name].tables(store, options)
    return answer, TABLES[name].plot(store, options, out) if out else None
