"""`export`: write a collection as files for other programs: spreadsheets, notebooks, Gephi, Pajek, documentation sites.

    related     every page's related pages, by one method
    graph       the links
    similarity  which pages are similar and how much, as `assisted` uses it
    pages       the pages

The ending of the file gives the format (`ROW_FILES`, `GRAPH_FILES`), or `format` does; `related` can also go to a
folder, one JSON file a page, and all but Parquet to standard output. Everything is written, without limits. A file is
written whole or not at all.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from pagekin.answer import Report
from pagekin.answers.clusters import clustering
from pagekin.answers.export.files import ROW_FILES, as_cells, opened
from pagekin.answers.export.folder import write_folder
from pagekin.answers.export.graphs import GRAPH_FILES, write_graph
from pagekin.answers.export.tables import LinkRows, PageRows, RelatedRows, SimilarityRows, covered
from pagekin.answers.filters import Filters
from pagekin.collection.store import Store
from pagekin.engine.watch import rows_done
from pagekin.errors import UsageError, unknown
from pagekin.methods import index_note
from pagekin.methods import method as named
from pagekin.model import DEFAULT_METHOD
from pagekin.wording import option

WHAT = ("related", "graph", "similarity", "pages")
STANDARD_OUTPUT = "standard output"
NOT_STREAMED = ".parquet"  # its readers begin at the end


@dataclass(frozen=True, repr=False)
class Exported(Report):
    """What was written, and where."""

    what: str
    path: str
    pages: int | None = None  # files in a folder, or nodes of a graph file
    rows: int | None = None  # rows of a table, or edges of a graph file
    row: str = ""  # what a row is called
    note: str | None = None  # if the index behind the related pages is stale

    @property
    def lines(self) -> list[str]:
        if self.rows is None:
            done = f"wrote the related pages of {_count(self.pages or 0, 'page')} to {self.path}, with an index.json"
        else:
            parts = [_count(self.pages, "page")] if self.pages is not None else []
            done = f"wrote {' and '.join([*parts, _count(self.rows, self.row)])} to {self.path}"
        return [done, self.note] if self.note else [done]


def export(
    store: Store,
    what: str,
    path: Path | None,
    method: str | None = None,
    k: int = 15,
    safe: bool = False,
    filters: Filters | None = None,
    format: str | None = None,
) -> Exported:
    """Write `what` to a path, or (None) to standard output.

    `k`, `method` and `filters` (who may be an answer) are for `related`. For `similarity`,
    `method` is the `assisted` whose similarity graph to write.
    With `safe`, no cell of a CSV file is a formula. `format` is for a path whose ending does not give it: csv, gexf.
    Links, pairs and pages are streamed; `related` keeps k numbers a page in memory.
    """
    if what not in WHAT:
        raise unknown("export", what, WHAT)
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    if filters and what != "related":
        raise UsageError(f"filters are about related pages; leave them out to export {what}")
    filters = filters or Filters()
    to_folder = what == "related" and format is None and path is not None and (path.is_dir() or not path.suffix)
    ending = "" if to_folder else _ending(what, path, format)
    if safe and ending != ".csv":
        given = f"'{path or STANDARD_OUTPUT}'" + (f" as {ending}" if format else "")
        raise UsageError(f"{option('safe')} is for .csv, which spreadsheets open, not for {given}")
    note = _note(store, method, filters) if what == "related" else None
    if path is not None and to_folder:
        return Exported(
            what, str(path), pages=write_folder(store, path, method or DEFAULT_METHOD, k, filters), note=note
        )
    where = str(path or STANDARD_OUTPUT)
    rows = _rows(store, what, method, min(k, max(store.size, 1)), filters)
    with opened(path) as file:
        if ending in GRAPH_FILES and not isinstance(rows, PageRows):
            written = write_graph(store, rows, file, ending)
            return Exported(what, where, written.nodes, written.edges, rows.edge, note)
        batches = _counted(rows.batches())
        written_rows = ROW_FILES[ending](rows.schema, map(as_cells, batches) if safe else batches, file)
        return Exported(what, where, rows=written_rows, row=rows.row, note=note)


def _counted(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The batches, for whoever looks on."""
    rows = 0
    for batch in batches:
        yield batch
        rows += batch.num_rows
        rows_done(rows, None, "writing rows")


def _note(store: Store, method: str | None, filters: Filters) -> str | None:
    left = int(store.graph.is_page.sum()) - covered(store, filters).size
    which = f"{_count(left, 'page')} that nobody fetched {'is' if left == 1 else 'are'} not covered"
    notes = [index_note(named(method or DEFAULT_METHOD), store)]
    notes += [f"{which}; to cover all: {option('fetched', False)}"] if left else []
    return "; ".join(filter(None, notes)) or None


def _rows(
    store: Store, what: str, method: str | None, k: int, filters: Filters
) -> RelatedRows | LinkRows | SimilarityRows | PageRows:
    if what == "related":
        return RelatedRows(store, method or DEFAULT_METHOD, k, filters)
    if what == "similarity":
        return SimilarityRows(store, clustering(method or "assisted").index)
    return LinkRows(store) if what == "graph" else PageRows(store)


def _ending(what: str, path: Path | None, format: str | None) -> str:
    """The ending that stands for the format of a file; a `UsageError` if no format for `what` has it."""
    fitting = [*ROW_FILES, *(GRAPH_FILES if what != "pages" else ())]
    names = [ending.removeprefix(".") for ending in fitting if path is not None or ending != NOT_STREAMED]
    if format is not None:
        if format in names:
            return f".{format}"
        if path is None and f".{format}" == NOT_STREAMED:
            raise UsageError(f"{format} cannot be read from a stream; name a file, or use {_or(names)}")
        raise unknown("format", format, names)
    if path is None:
        raise UsageError(f"{STANDARD_OUTPUT} has no ending that gives the format; use {_or(names)}")
    ending = path.suffix.lower()
    if ending not in fitting:
        given = f"not '{ending}'" if ending else f"but '{path}' has no ending"
        folder = "; a folder, or a new name without an ending, gets one JSON file a page" if what == "related" else ""
        raise UsageError(f"the ending gives the format of {what}: use {' '.join(fitting)}, {given}{folder}")
    return ending


def _or(formats: list[str]) -> str:
    return " or ".join(option("format", name) for name in formats)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
