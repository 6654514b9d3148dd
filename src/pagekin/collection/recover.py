"""Rebuilds a manifest that is missing or damaged from what parts and indexes say about themselves.

Of two parts with the same content, the one that replaced the other counts: compaction and mending keep the fingerprints
of what they rewrote. What stood in the manifest alone, in a collection that was made before parts had descriptions, is
named as lost.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pagekin.collection import manifest as manifests
from pagekin.collection import parts as part_files
from pagekin.collection import sealed
from pagekin.collection import writer as writers
from pagekin.collection.manifest import GRAPH, BuiltIndex, Manifest, Part
from pagekin.collection.salvage import set_aside
from pagekin.collection.schema import SCHEMAS, is_known
from pagekin.collection.writer import OUR_FOLDER
from pagekin.errors import CollectionError
from pagekin.failures import explained

Described = dict[str, Any]


def recovered(path: Path, why: str) -> Iterator[str]:
    """Write a manifest from what is there; yields what it did, and what it could not find out."""
    lines: list[str] = []
    found = list(_parts(path, lines))
    if not found:
        raise CollectionError(f"{path} is not a collection: it has no {manifests.NAME} and no parts")
    parts = _latest([part for part, _ in found])
    described = [each for _, each in found if each]
    settings = max(described, key=lambda each: each["version"])["settings"] if described else {}
    if not described:
        lines.append("whether private suffixes count stood in the manifest alone and is lost: taken to be the default")
    indexes = dict(_indexes(path, lines))
    parts = _in_order(parts, indexes.get(GRAPH))
    version = max([each["version"] for each in described] + [index.version for index in indexes.values()], default=1)
    manifests.write(path, Manifest(version, parts, indexes, **settings))
    rows = sum(part.rows["pages"] for part in parts)
    yield f"{why}: rebuilt from {len(parts)} parts with {rows:,} page rows and {len(indexes)} indexes"
    yield from lines


def _parts(path: Path, lines: list[str]) -> Iterator[tuple[Part, Described | None]]:
    for folder in sorted((path / "parts").iterdir()):
        if not OUR_FOLDER.fullmatch(folder.name):
            continue
        described = part_files.read_description(path, folder.name)
        if described:
            yield Part.read(described["part"]), described
            continue
        part = _as_found(folder)
        if part:
            lines.append(f"part {part.name} has no description: taken as found; what was added is no longer known")
            yield part, None
        else:  # what no manifest lists is removed sooner or later
            aside = set_aside(path, folder.name)
            why = "has no description and cannot be read: its rows are lost"
            lines.append(f"part {folder.name} {why}; it is set aside in {aside}")


def _as_found(folder: Path) -> Part | None:
    """A part that only its files describe; none if its pages cannot be read."""
    rows, checksums = dict.fromkeys(SCHEMAS, 0), {}
    for table in SCHEMAS:
        file = folder / f"{table}.parquet"
        try:
            if is_known(table, pq.read_table(file, partitioning=None).schema):
                rows[table] = pq.read_metadata(file).num_rows
                checksums[table] = part_files.checksum(file)
        except (OSError, pa.ArrowException) as error:
            if explained(error):
                raise
    if "pages" not in checksums:
        return None
    return Part(folder.name, rows, checksums, (part_files.fingerprint(checksums),))


def _latest(parts: list[Part]) -> tuple[Part, ...]:
    """The parts without those that a later one has replaced."""

    def replaced(part: Part) -> bool:
        mine = set(part.holds)
        return any(
            mine < set(other.holds) or (mine == set(other.holds) and part.name < other.name)
            for other in parts
            if other is not part
        )

    return tuple(part for part in parts if not replaced(part))


def _in_order(parts: tuple[Part, ...], graph: BuiltIndex | None) -> tuple[Part, ...]:
    """The parts in the order in which the graph numbers them, then those it does not cover."""
    place = {name: i for i, name in enumerate(graph.parts if graph else ())}
    return tuple(sorted(parts, key=lambda part: place.get(part.name, len(place))))


def _indexes(path: Path, lines: list[str]) -> Iterator[tuple[str, BuiltIndex]]:
    """The latest index of each name."""
    for folder in sorted((path / "index").glob("*")):  # of one name, the later has the larger folder name
        if not OUR_FOLDER.fullmatch(folder.name):
            continue
        try:
            found = sealed.read(folder / writers.DESCRIPTION)[0]
            index = BuiltIndex.read(found["index"])
            yield found["name"], replace(index, path=f"index/{folder.name}")
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            if explained(error):
                raise
            name = folder.name.partition(".")[0]
            lines.append(f"index/{folder.name} has no description: the index {name} is lost and has to be built again")
