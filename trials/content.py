"""The content of a collection: the rows that count, table by table, and what one content lacks of another.

Rows are compared by count and by a sum of their hashes, so that their order and the parts they are in do not matter.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from trials.damage import files, nameless

SEALED = ("manifest.json", "part.json", "index.json")
PASSING = ("part", "fetched", "last_modified")  # of a page: which part it is in, and when it was fetched


@dataclass(frozen=True)
class Content:
    """How many rows each table has (`fetched`: how many pages were fetched), and a hash of all its rows."""

    rows: dict[str, int]
    hashes: dict[str, int]


def content(site: Path, timeless: bool = False) -> Content:
    """The content of a collection; `timeless`: whenever it was fetched. To be called in a child (`child`)."""
    counted = {name: _counted(rows) for name, rows in _tables(site, timeless).items()}
    return Content({name: n for name, (n, _) in counted.items()}, {name: total for name, (_, total) in counted.items()})


def row_hashes(site: Path, timeless: bool = False) -> dict[str, set[int]]:
    """The hash of each row, table by table, to see whether one content is within another. For small collections."""
    return {name: set(map(_hash, rows)) for name, rows in _tables(site, timeless).items()}


def _tables(site: Path, timeless: bool) -> dict[str, Iterator[tuple[Any, ...]]]:
    from pagekin.collection import vectors
    from pagekin.collection.store import Store

    store = Store(site)
    pages, held = store.graph.pages, vectors.standing(store)
    return {
        "pages": _pages(pages, timeless),
        "fetched": _rows(pages.filter(pages["fetched"].is_valid()).select(["url"])),
        "links": _links(store.graph),
        "aliases": _rows(store.graph.aliases),
        **{name: _each(map(_rows, store.rows(name))) for name in ("text", "blocks", "terms")},
        "vectors": zip(store.graph.ids[held.page].tolist(), held.print.tolist(), strict=True),
    }


def _pages(pages: Any, timeless: bool) -> Iterator[tuple[Any, ...]]:
    names = [name for name in pages.column_names if name not in (PASSING if timeless else PASSING[:1])]
    return zip(*(pages[name].cast(_plain(pages[name].type)).to_pylist() for name in names), strict=True)


def _plain(kind: Any) -> Any:
    import pyarrow as pa

    return pa.int64() if pa.types.is_timestamp(kind) else kind.value_type if pa.types.is_dictionary(kind) else kind


def _links(graph: Any) -> Iterator[tuple[Any, ...]]:
    """Links with ids in the place of page numbers, which depend on what other pages there are."""
    ends = (graph.ids[graph.links[name].to_numpy()].tolist() for name in ("source", "target"))
    others = (graph.links[name].to_pylist() for name in ("block", "position", "anchor", "rel"))
    return zip(*ends, *others, strict=True)


def _rows(table: Any) -> Iterator[tuple[Any, ...]]:
    return zip(*(table[name].to_pylist() for name in sorted(table.column_names)), strict=True)


def _each(tables: Iterable[Iterator[tuple[Any, ...]]]) -> Iterator[tuple[Any, ...]]:
    for table in tables:
        yield from table


def _counted(rows: Iterable[tuple[Any, ...]]) -> tuple[int, int]:
    count = total = 0
    for row in rows:
        count, total = count + 1, (total + _hash(row)) % 2**64
    return count, total


def _hash(row: tuple[Any, ...]) -> int:
    return int.from_bytes(blake2b(repr(row).encode("utf-8", "surrogatepass"), digest_size=8).digest())


def unnamed_losses(before: Content, after: Content, said: Sequence[str], part_names: Sequence[str]) -> list[str]:
    """What is lost and not said: a table with fewer rows needs a line with `lost`, the table and the part.

    Rows that are only different, such as an older version of a page that stands again, need any line of a loss.
    """
    losses = [line for line in said if "lost" in line and any(name in line for name in part_names)]
    found = []
    for table, rows in before.rows.items():
        named = "pages" if table == "fetched" else table
        if after.rows[table] < rows and not any(re.search(rf"\b{named}\b", line) for line in losses):
            found.append(f"{rows - after.rows[table]} of {rows} rows of {table} are gone, and no line says so")
    if after != before and not losses and not found:
        changed = [table for table, hash_ in before.hashes.items() if after.hashes[table] != hash_]
        found.append(f"rows of {', '.join(changed)} are not what they were, and no line says so")
    return found


def parts(site: Path) -> list[str]:
    """The names of the parts of a collection."""
    return [part["name"] for part in json.loads((site / "manifest.json").read_text())["parts"]]


def fingerprint(site: Path) -> list[tuple[str, str]]:
    """What all files in use say, whatever their folders are called: two collections that agree answer the same."""
    passed = (
        "damaged/",
        *(f"{folder}/" for folder in json.loads((site / "manifest.json").read_text()).get("retired", ())),
    )
    held = (file for file in files(site) if not file.startswith(passed))
    return sorted((nameless(file), blake2b(_said(site / file), digest_size=16).hexdigest()) for file in held)


def _said(file: Path) -> bytes:
    """The bytes of a file; of one that carries its own checksum, which must be right, what it says without names."""
    from pagekin.collection import sealed

    if file.name not in SEALED:
        return file.read_bytes()
    try:
        found, _ = sealed.read(file)
    except ValueError:
        return file.read_bytes()
    found.pop("retired", None)
    return nameless(json.dumps(found)).encode()
