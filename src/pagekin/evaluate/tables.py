"""The tables and figures of the papers, on a collection of one's own: `pagekin evaluate … --tables paper2`.

A paper is a module with `table(store, options) -> answer` and `plot(answer, path)`.
"""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from pagekin.collection.store import Store
from pagekin.errors import UsageError, unknown

TABLES = {"paper2": "pagekin.evaluate.paper2"}


@dataclass(frozen=True)
class Options:
    """What the shell was given; each paper takes what it needs."""

    queries: Path | None = None
    qrels: Path | None = None
    one_click: Path | None = None


def tabled(site: Path, name: str, options: Options, out: Path | None = None) -> dict[str, Any]:
    """The answer of a paper's tables, drawn to a file if one is named."""
    if name not in TABLES:
        raise unknown("tables", name, TABLES)
    if out and out.suffix.lower() not in (".svg", ".png", ".pdf"):
        raise UsageError(f"{out} is no drawing; expected a name that ends in .svg, .png or .pdf")
    paper = import_module(TABLES[name])
    answer: dict[str, Any] = paper.table(Store(site), options)
    if out:
        paper.plot(answer, out)
    return answer
