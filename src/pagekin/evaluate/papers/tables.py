"""The tables and figures of the papers, for any collection: `pagekin evaluate … --tables paper1`.

A set of tables is a module with two functions, and an entry in `TABLES`:

    table(store, options) -> PaperTables
    plot(store, options, answer, path)        its figures in one file; the ending gives the format

If it has settings, they are the fields of its frozen dataclass `Settings`: `--tables "segmentation(words=0.6)"`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from pagekin import spec
from pagekin.answer import Answer, html_note, html_table
from pagekin.collection.store import Store
from pagekin.errors import PagekinError, UsageError, unknown
from pagekin.evaluate.truth import Labels, labels_of, read_labels
from pagekin.wording import option

# Name → module, in the order of a report.
TABLES = {
    **{f"paper{number}": f"pagekin.evaluate.papers.paper{number}" for number in (1, 2, 3)},
    "segmentation": "pagekin.evaluate.papers.segmented",
    "r-score": "pagekin.evaluate.papers.graded",
    **{f"paper{number}": f"pagekin.evaluate.papers.paper{number}" for number in (4, 5)},
}
ALL = "all"  # every one of them, in one report
FIGURE_FILES = (".svg", ".png", ".pdf")


@dataclass(frozen=True)
class Options:
    """What was given for the tables; each module uses what it needs."""

    labels: Path | None = None  # rows page,label; None: the labels that came with the data
    queries: Path | None = None  # questions in words
    qrels: Path | None = None  # the pages that answer them
    one_click: Path | None = None  # qrels that also count pages one click away
    related: Path | None = None  # rows page,page,grade: for the R-score
    methods: Sequence[str] = ()  # whose R-score is wanted
    k: int = 15  # the largest R
    page: str | None = None  # the page that paper 5 is asked about
    blocks: Path | None = None  # rows page,blocks: how people cut pages
    settings: Any = None  # of the module


@dataclass(frozen=True, repr=False)
class PaperTables(Answer[Mapping[str, Any]]):
    """The rows of a paper's tables; if there are several tables, each row names its `table`."""

    tables: str = ""  # the paper
    about: Mapping[str, Any] = field(default_factory=dict)  # what the tables were made from
    captions: Mapping[str, str] = field(default_factory=dict)  # if there are several tables: name → caption

    def tables_in(self) -> Mapping[str, str]:
        return self.captions

    def parts(self) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
        """Name, caption and rows of each table that has rows; a table without a name is the only one."""
        if not self.captions:
            yield "", "", [dict(row) for row in self]
            return
        for name, caption in self.captions.items():
            rows = [
                {key: value for key, value in row.items() if key != "table"} for row in self if row["table"] == name
            ]
            if rows:
                yield name, caption, rows

    def _repr_html_(self) -> str:
        if not self.captions:
            return super()._repr_html_()
        made = [
            f"<p>{escape(name)}. {escape(caption)}</p>{html_table(list(rows[0]), rows)}"
            for name, caption, rows in self.parts()
        ]
        return "".join(made) + html_note(self.note)


def labels(store: Store, options: Options) -> Labels:
    """The labels of a file, or those that came with the data."""
    if options.labels is None and not any(store.graph.pages["label"].to_pylist()):
        raise PagekinError(f"{store.path} has no labels; give {option('labels')} a file with rows page,label")
    return read_labels(store, options.labels) if options.labels else labels_of(store)


def named(written: str) -> str:
    """The name of tables that may be written with settings; an error if there are none of that name.

    >>> named("segmentation(links=2)")
    'segmentation'
    """
    name = written.partition("(")[0].strip()
    if name not in TABLES:
        raise unknown("tables", name, (*TABLES, ALL))
    return name


def module(written: str, options: Options) -> tuple[ModuleType, Options]:
    """The module that makes some tables, and the options with its settings."""
    name = named(written)
    found = import_module(TABLES[name])
    return found, replace(options, settings=spec.read("tables", written, {name: getattr(found, "Settings", _None)}))


@dataclass(frozen=True)
class _None:
    """The settings of tables that have none."""


def tables(store: Store, written: str, options: Options, out: Path | None = None) -> PaperTables:
    """The tables of a paper; with `out`, its figures are drawn to that file."""
    named(written)
    if out and out.suffix.lower() not in FIGURE_FILES:
        raise UsageError(f"figures are written as {' '.join(FIGURE_FILES)}, not as '{out.name}'")
    paper, options = module(written, options)
    answer: PaperTables = paper.table(store, options)
    if out is not None:
        paper.plot(store, options, answer, out)
    return answer
