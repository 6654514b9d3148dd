"""The scrub pass (paper 5, 3.1): finds malformed or inconsistent entries, repairs them, and says what it did.

Parts whose files fail their checksum are set aside (`damaged/` in the collection): what they held must be added again.
Rows that are inconsistent are mended or dropped. The graph is compared with one made afresh from the parts.
"""

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection import graph as graphs
from pagekin.collection import parts as part_files
from pagekin.collection.manifest import Manifest, Part
from pagekin.collection.schema import OWNER, SCHEMAS, Tables, table
from pagekin.collection.snapshot import merged
from pagekin.collection.store import GRAPH, Store, Writer, writing
from pagekin.collection.tabulate import in_page_order
from pagekin.errors import CollectionError
from pagekin.failures import explained
from pagekin.model import ALONE
from pagekin.url import CANONICAL_VERSION, canonical, host, page_id, site


def scrub(path: Path) -> Iterator[str]:
    """Check a collection and repair it; yields a sentence for each repair."""
    if not path.exists():
        raise CollectionError(f"there is no collection {path}")
    with writing(path) as writer:
        repaired = 0
        for line in (*_leftovers(writer), *_damaged(writer), *_malformed(writer), *_graph(writer), *_form(writer)):
            repaired += 1
            yield line
        parts = writer.manifest.parts
        if not repaired:
            yield f"nothing to repair: {len(parts)} parts, {sum(p.rows['pages'] for p in parts):,} page rows checked"


def _leftovers(writer: Writer) -> Iterator[str]:
    gone = writer.sweep()
    if gone:
        yield f"removed folders that an interrupted command left behind ({len(gone)}): {', '.join(gone)}"


def _damaged(writer: Writer) -> Iterator[str]:
    """Set aside the parts whose files are not what was written."""
    for part in writer.manifest.parts:
        bad = [
            name
            for name, known in part.checksums.items()
            if not _intact(writer.path / part.path / f"{name}.parquet", known)
        ]
        if bad:
            aside = writer.path / "damaged"
            aside.mkdir(exist_ok=True)
            kept = tuple(other for other in writer.manifest.parts if other != part)
            if (writer.path / part.path).exists():
                shutil.copytree(writer.path / part.path, aside / part.name, dirs_exist_ok=True)
            _without_graph(writer, kept)
            yield (
                f"part {part.name} is damaged ({', '.join(bad)}): set aside in {aside}, with "
                f"{part.rows['pages']:,} page rows; add its sources again"
            )


def _intact(path: Path, known: str) -> bool:
    try:
        return part_files.checksum(path) == known
    except OSError as error:
        if explained(error, path):  # too many open files, no permission …: the part itself may be sound
            raise
        return False


def _without_graph(writer: Writer, parts: tuple[Part, ...]) -> None:
    """Commit changed parts without the graph, which no longer matches them and is rebuilt later in the pass."""
    indexes = {name: index for name, index in writer.manifest.indexes.items() if name != GRAPH}
    writer.commit(parts=parts, indexes=indexes, version=writer.manifest.version + 1)


def _malformed(writer: Writer) -> Iterator[str]:
    """Mend or drop inconsistent rows, part by part."""
    for at, part in enumerate(writer.manifest.parts):
        tables = {name: part_files.read(writer.path, part, name) for name in SCHEMAS}
        mended, findings = mend(tables, writer.manifest.icann_only)
        if findings:
            new = part_files.write(writer.path, writer.new_name(), mended, part.holds)
            _without_graph(writer, (*writer.manifest.parts[:at], new, *writer.manifest.parts[at + 1 :]))
            for what, count in sorted(findings.items()):
                yield f"part {part.name}: {count:,} {what}"


def mend(tables: Tables, icann_only: bool = False) -> tuple[Tables, Counter[str]]:
    """The tables without inconsistent rows, and counts of what was found, by kind."""
    found: Counter[str] = Counter()
    pages, renamed = _mended_pages(tables["pages"], icann_only, found)
    known = pages["id"].to_numpy()
    made = {"pages": pages}
    for name, owner in OWNER.items():
        if name != "pages":
            rows = tables[name]
            for column in (owner, "target") if name == "links" else (owner,):
                rows = _renamed(rows, column, renamed)
            made[name] = in_page_order(name, _sound(name, rows, known, found))
    aliases = _renamed(tables["aliases"], "page", renamed)
    made["aliases"] = aliases.filter(pa.array(np.isin(aliases["page"].to_numpy(), known)))
    found["aliases of unknown pages dropped"] += aliases.num_rows - made["aliases"].num_rows
    return made, +found


def _mended_pages(pages: pa.Table, icann_only: bool, found: Counter[str]) -> tuple[pa.Table, dict[int, int]]:
    """The pages with canonical addresses, and with ids, hosts and sites that match them; and old id → new id."""
    rows: dict[int, dict[str, object]] = {}
    renamed: dict[int, int] = {}
    for row in pages.to_pylist():
        url = canonical(row["url"])
        if url is None:
            found["pages without a valid address dropped"] += 1
            continue
        number = page_id(url)
        if url != row["url"]:
            found["addresses put into canonical form"] += 1
        elif number != row["id"]:
            found["ids that did not match their address corrected"] += 1
        where = host(url)
        if (row["host"], row["site"]) != (where, site(where, icann_only)) and url == row["url"]:
            found["hosts and sites that did not match their address corrected"] += 1
        if number != row["id"]:
            renamed[row["id"]] = number
        row |= {"id": number, "url": url, "host": where, "site": site(where, icann_only)}
        if number in rows:
            found["duplicate pages merged"] += 1
            if row["fetched"] is None:
                continue
        rows[number] = row
    ordered = [rows[number] for number in sorted(rows)]
    return table("pages", {name: [row[name] for row in ordered] for name in pages.column_names}), renamed


def _renamed(rows: pa.Table, column: str, renamed: dict[int, int]) -> pa.Table:
    if not renamed or not rows.num_rows:
        return rows
    values = [renamed.get(value, value) for value in rows[column].to_pylist()]
    at = rows.column_names.index(column)
    return rows.set_column(at, rows.schema.field(column), pa.array(values, pa.int64()))


def _sound(name: str, rows: pa.Table, known: npt.NDArray[np.int64], found: Counter[str]) -> pa.Table:
    """Only the rows whose pages exist and whose numbers are possible."""
    keep = np.isin(rows[OWNER[name]].to_numpy(), known)
    if name == "links":
        keep &= np.isin(rows["target"].to_numpy(), known)
    found[f"{name} of unknown pages dropped"] += int((~keep).sum())
    for column in ("block", "position", "body", "title", "links"):
        if column in rows.column_names and pa.types.is_integer(rows.schema.field(column).type):
            least = ALONE if (name, column) == ("links", "block") else 0
            negative = pc.less(rows[column], least).to_numpy(zero_copy_only=False)
            found[f"{name} with a negative {column} dropped"] += int((negative & keep).sum())
            keep &= ~negative
    return rows.filter(pa.array(keep)) if not keep.all() else rows


def _form(writer: Writer) -> Iterator[str]:
    """Record that the addresses, which were checked above, are in today's canonical form."""
    if writer.manifest.canonical != CANONICAL_VERSION:
        writer.commit(canonical=CANONICAL_VERSION)
        yield f"all addresses are now in version {CANONICAL_VERSION} of the canonical form"


def _graph(writer: Writer) -> Iterator[str]:
    """Rebuild the written graph if it is not what the parts give."""
    state: Manifest = writer.manifest
    fresh = graphs.from_snapshot(merged([Store(writer.path).contribution(i) for i in range(len(state.parts))]))
    held = state.indexes.get(GRAPH)
    if held and {part.name for part in state.parts} == set(held.parts):
        try:
            if graphs.equal(graphs.read(writer.path / held.path), fresh):
                return
        except graphs.DAMAGE as error:
            if explained(error):
                raise
        _without_graph(writer, state.parts)
        yield "the graph was damaged or did not match the parts: rebuilt"
    writer.fold()
