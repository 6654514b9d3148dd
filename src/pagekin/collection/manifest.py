"""The one small file that says what a collection holds: `manifest.json`. What it does not list does not exist.

It is replaced whole and atomically (written beside, fsynced, renamed), so a process killed at any moment leaves either
the state before or the state after.
"""

import json
import os
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pagekin.collection.schema import FORMAT_VERSION
from pagekin.errors import CollectionError
from pagekin.url import CANONICAL_VERSION
from pagekin.wording import command

NAME = "manifest.json"


@dataclass(frozen=True)
class Part:
    """An immutable set of rows: `parts/NAME/TABLE.parquet` for each table that has any."""

    name: str
    rows: dict[str, int]  # by table
    checksums: dict[str, str]  # by table
    holds: tuple[str, ...]  # fingerprints of what was added, which a compacted part keeps: adding it again is seen

    @property
    def path(self) -> str:
        return f"parts/{self.name}"


@dataclass(frozen=True)
class BuiltIndex:
    """Something derived, `index/…`, and the version of the collection it was made from."""

    path: str
    version: int
    parts: tuple[str, ...] = ()  # the parts it covers, for the graph, which is completed from the others when read


@dataclass(frozen=True)
class Manifest:
    """What a collection holds at one moment. `version` counts the changes of its content."""

    version: int = 0
    parts: tuple[Part, ...] = ()
    indexes: dict[str, BuiltIndex] = field(default_factory=dict)
    retired: tuple[str, ...] = ()  # paths of the previous state, kept for one generation for readers in between
    icann_only: bool = False
    segmenters: dict[str, str] = field(default_factory=dict)  # how Chinese and Japanese were cut into words
    canonical: int = CANONICAL_VERSION
    format: int = FORMAT_VERSION

    def paths(self) -> set[str]:
        """Every directory this state needs."""
        return {part.path for part in self.parts} | {index.path for index in self.indexes.values()}

    def following(self, **changes: Any) -> "Manifest":
        """The next state: as this one but for the changes, with what it no longer needs retired."""
        new = replace(self, **changes)
        return replace(new, retired=tuple(sorted(self.paths() - new.paths())))


def stamp(folder: Path) -> tuple[int, ...]:
    """What tells one state of a collection from the next, for the price of a `stat`; an error as `read` has it."""
    try:
        seen = (folder / NAME).stat()
    except OSError:
        read(folder)  # which says what is wrong
        seen = (folder / NAME).stat()
    return seen.st_ino, seen.st_mtime_ns, seen.st_size


def read(folder: Path) -> Manifest:
    """The manifest of a collection; a `CollectionError` says why there is none to be had."""
    path = folder / NAME
    try:
        found = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        if not folder.exists():
            hint = f"{command('add', folder, 'PATH')} makes one, from an archive, a folder or a table of links"
            raise CollectionError(f"there is no collection {folder}; {hint}") from None
        raise CollectionError(f"{folder} is not a collection: it has no {NAME}") from None
    except NotADirectoryError:
        raise CollectionError(f"{folder} is a file, not a collection (a folder NAME.kin)") from None
    except (ValueError, UnicodeDecodeError) as error:
        raise CollectionError(f"{path} is damaged ({error}); restore it from a copy or add the pages anew") from None
    except OSError as error:
        raise CollectionError(f"cannot read {path}: {error.strerror}") from None
    try:
        version = found["format"]
        if not all(isinstance(found[name], int) for name in ("format", "version", "canonical")):
            raise TypeError("a version that is no number")
        if version > FORMAT_VERSION:
            raise CollectionError(
                f"{folder} has format {version}, made by a newer pagekin; this one reads up to {FORMAT_VERSION}: "
                "upgrade"
            )
        return Manifest(
            **found
            | {
                "parts": tuple(Part(**part | {"holds": tuple(part["holds"])}) for part in found["parts"]),
                "indexes": {
                    name: BuiltIndex(**index | {"parts": tuple(index["parts"])})
                    for name, index in found["indexes"].items()
                },
                "retired": tuple(found["retired"]),
            }
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise CollectionError(f"{path} is no manifest of pagekin ({error!r})") from None


def write(folder: Path, manifest: Manifest) -> None:
    """Make `manifest` the state of the collection, atomically and durably."""
    beside = folder / f"{NAME}.new"
    with beside.open("w", encoding="utf-8") as file:
        json.dump(asdict(manifest), file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(folder / NAME)
    sync(folder)


def sync(folder: Path) -> None:
    """fsync a directory, so that a rename in it survives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
