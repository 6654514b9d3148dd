"""Salvages what is whole of a damaged part: the tables that are intact, and the intact row groups of the others.

A fetched page that may have lost rows keeps what is left of it, but not its digest, its ETag and its Last-Modified: so
the same capture is not taken for held when its source is added or crawled again, and restores the page.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection import parts as part_files
from pagekin.collection.files import readable
from pagekin.collection.footers import Footer, whole_groups
from pagekin.collection.manifest import Part
from pagekin.collection.mend import mend
from pagekin.collection.schema import OWNER, SCHEMAS, Tables, empty, upgraded
from pagekin.wording import option

EVERY_PAGE = (np.iinfo(np.int64).min, np.iinfo(np.int64).max)
RENEWED = ("digest", "etag", "last_modified")  # what says that a capture is held
EXAMPLES = 3  # sources that a sentence names


@dataclass(frozen=True)
class Salvaged:
    """What is left of a part, and what is not."""

    part: Part
    tables: Tables
    damaged: tuple[str, ...]  # tables whose files are not what was written
    incomplete: int  # fetched pages that may have lost rows
    sources: tuple[str, ...]  # where those come from

    @property
    def whole(self) -> bool:
        """Whether every row could be read."""
        return all(self.tables[table].num_rows == rows for table, rows in self.part.rows.items())

    def sentences(self, aside: Path) -> Iterator[str]:
        any_lost = vectors_lost = False
        for table, total in self.part.rows.items():
            lost = total - self.tables[table].num_rows
            what = f"{lost:,} of {total:,} rows are lost" if lost else f"all its {total:,} rows could be read"
            if table in self.damaged:
                yield f"part {self.part.name}: its table {table} is damaged: {what}; it is set aside in {aside}"
            elif lost:
                yield f"part {self.part.name}: its table {table} is about pages that are lost: {what}"
            any_lost |= lost > 0 and table != "vectors"
            vectors_lost |= lost > 0 and table == "vectors"
        if any_lost:
            named = ", ".join(self.sources[:EXAMPLES]) + (" …" if len(self.sources) > EXAMPLES else "")
            which = f": {named}" if named else ""
            yield (
                f"part {self.part.name}: {self.incomplete:,} of the pages that are left may lack what is lost; "
                f"to restore everything, add its sources again{which}"
            )
        if vectors_lost:
            yield f"part {self.part.name}: to restore the vectors that are lost, add them again: {option('vectors')}"


def set_aside(folder: Path, name: str) -> Path:
    """Copy what can be read of a part's files to `damaged/`; returns where they are."""
    part, aside = folder / "parts" / name, folder / "damaged" / name
    for file in (file for file in sorted(part.rglob("*")) if file.is_file()):
        copy = aside / file.relative_to(part)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(readable(file))
    return aside


def intact(folder: Path, part: Part, table: str) -> bool:
    """Whether a table's file is what was written."""
    return not any(part_files.faults(folder / part.path / f"{table}.parquet", part.checksums[table]))


def salvaged(folder: Path, part: Part, icann_only: bool) -> Salvaged:
    """What can be read of a damaged part."""
    tables, damaged, spans = empty(), [], []
    for table in part.checksums:
        if intact(folder, part, table):
            tables[table] = part_files.read(folder, part, table)
        else:
            tables[table], missing = _groups(folder, part, table)
            damaged.append(table)
            spans += missing if table != "vectors" else []  # the sources of pages do not bring vectors back
    pages = tables["pages"]
    renewed = np.zeros(pages.num_rows, bool)
    for first, last in spans:
        renewed |= (pages["id"].to_numpy() >= first) & (pages["id"].to_numpy() <= last)
    renewed &= pages["fetched"].is_valid().to_numpy()
    tables["pages"] = _renewed(pages, pa.array(renewed))
    tables, _ = mend(tables, icann_only)
    origins = pages["origin"].filter(pa.array(renewed)).to_pylist()
    sources = sorted({_source(origin) for origin in origins if origin})
    return Salvaged(part, tables, tuple(damaged), int(renewed.sum()), tuple(sources))


def _groups(folder: Path, part: Part, table: str) -> tuple[pa.Table, list[tuple[int, int]]]:
    """The rows of the whole row groups of a file, and the first and last page of each of the others."""
    path = folder / part.path / f"{table}.parquet"
    footer = part_files.footer(folder, part, table)
    if footer is None:
        return SCHEMAS[table].empty_table(), [EVERY_PAGE]
    rows, lost = whole_groups(readable(path), footer)
    rows = upgraded(table, rows)
    if table == "pages" and lost:
        return rows, [EVERY_PAGE]  # any page of the part may link to a page that is lost
    return rows, list(_pages_of(footer, lost, OWNER.get(table, "page")))


def _pages_of(footer: Footer, groups: list[int], owner: str) -> Iterator[tuple[int, int]]:
    metadata = footer.metadata()
    at = metadata.schema.names.index(owner)
    for group in groups:
        known = metadata.row_group(group).column(at).statistics
        yield known.min, known.max


def _renewed(pages: pa.Table, which: pa.Array) -> pa.Table:
    for name in RENEWED:
        field = pages.schema.field(name)
        values = pc.if_else(which, pa.scalar(None, field.type), pages[name].combine_chunks())
        pages = pages.set_column(pages.column_names.index(name), field, values)
    return pages


def _source(origin: str) -> str:
    """The file of an origin: an archive, or the page's own file."""
    return origin.rpartition("#")[0] or origin
