"""The one small file that says what a collection holds: `manifest.json`. What it does not list does not exist.

It is replaced as a whole and atomically (`sealed`), so a process killed at any moment leaves either the old state or
the new one. The folders that it lists describe themselves too (`part.json`, `index.json`), so that `scrub` can write a
lost manifest again.
"""

import os
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pagekin.collection import sealed
from pagekin.collection.files import Known
from pagekin.collection.schema import FORMAT_VERSION
from pagekin.errors import CollectionError
from pagekin.failures import explained, plain, said
from pagekin.url import CANONICAL_VERSION
from pagekin.wording import command

NAME = "manifest.json"
UNSEALED_FORMAT = 1  # in which manifests had no checksum
# What is listed as an index, and is none of the registry's (`index.base`).
GRAPH = "graph"
TUNED = "tuned"  # weights that `tune` fitted (`tuned`): made from what a user says
BARRED = "barred"  # addresses that were removed for good (`barred`), likewise
KEPT = frozenset((TUNED, BARRED))  # what `build` neither makes nor renews


class LostManifestError(CollectionError):
    """The manifest is missing or damaged; `scrub` rebuilds it."""


@dataclass(frozen=True)
class Part:
    """An immutable set of rows: `parts/NAME/TABLE.parquet` for each table that is not empty."""

    name: str
    rows: dict[str, int]  # by table
    checksums: dict[str, str]  # by table
    holds: tuple[str, ...]  # fingerprints of what was added, kept by compaction, so that adding it again is noticed

    @property
    def path(self) -> str:
        return f"parts/{self.name}"

    @classmethod
    def read(cls, found: dict[str, Any]) -> "Part":
        """A part from its entry in a manifest or from its own description."""
        return cls(**found | {"holds": tuple(found["holds"])})


@dataclass(frozen=True)
class BuiltIndex:
    """An index in `index/…`, and the version of the collection it was made from."""

    path: str
    version: int
    parts: tuple[str, ...] = ()  # for the graph, the parts it covers; readers complete it from the others
    files: dict[str, Known] = field(default_factory=dict)  # none: it was made before files had checksums

    @classmethod
    def read(cls, found: dict[str, Any]) -> "BuiltIndex":
        """An index from its entry in a manifest or from its own description."""
        files = {name: (size, crc) for name, (size, crc) in found.get("files", {}).items()}
        return cls(**found | {"parts": tuple(found["parts"]), "files": files})


@dataclass(frozen=True)
class Manifest:
    """What a collection holds at one moment. `version` counts the changes to its content."""

    version: int = 0
    parts: tuple[Part, ...] = ()
    indexes: dict[str, BuiltIndex] = field(default_factory=dict)
    retired: tuple[str, ...] = ()  # paths of the previous state only, kept for one generation for open readers
    icann_only: bool = False
    segmenters: dict[str, str] = field(default_factory=dict)  # how Chinese and Japanese were cut into words
    canonical: int = CANONICAL_VERSION
    format: int = FORMAT_VERSION

    def paths(self) -> set[str]:
        """Every directory this state needs."""
        return {part.path for part in self.parts} | {index.path for index in self.indexes.values()}

    @property
    def settings(self) -> dict[str, Any]:
        """What holds for the whole collection, and is kept with every part."""
        return {"icann_only": self.icann_only, "segmenters": self.segmenters, "canonical": self.canonical}

    def following(self, **changes: Any) -> "Manifest":
        """The next state: this one with some changes, and with the paths that it no longer needs retired."""
        new = replace(self, **changes)
        return replace(new, retired=tuple(sorted(self.paths() - new.paths())))


def stamp(folder: Path) -> tuple[int, ...]:
    """What tells one state of a collection from the next, for the price of a `stat`; raises the errors of `read`."""
    path = f"{folder}/{NAME}"  # asked for several times an answer, and to join paths takes as long as the `stat`
    try:
        seen = os.stat(path)  # noqa: PTH116
    except OSError:
        read(folder)  # raises an error that says what is wrong
        seen = os.stat(path)  # noqa: PTH116
    return seen.st_ino, seen.st_mtime_ns, seen.st_size


def read(folder: Path) -> Manifest:
    """The manifest of a collection; a `CollectionError` says why it cannot be read."""
    path = folder / NAME
    remedy = f"to rebuild it from the parts, run: {command('scrub', folder)}"
    try:
        found, is_sealed = sealed.read(path)
    except FileNotFoundError:
        if not folder.exists():
            hint = f"{command('add', folder, 'PATH')} makes one from an archive, a folder or a table of links"
            raise CollectionError(f"there is no collection {folder}; {hint}") from None
        if (folder / "parts").is_dir():
            raise LostManifestError(f"{path} is missing; {remedy}") from None
        raise CollectionError(f"{folder} is not a collection: it has no {NAME}") from None
    except NotADirectoryError:
        raise CollectionError(f"{folder} is a file, not a collection (a folder NAME.kin)") from None
    except ValueError as error:
        raise LostManifestError(f"{path} is damaged ({error}); {remedy}") from None
    except OSError as error:
        if explained(error) or isinstance(error, IsADirectoryError):
            raise CollectionError(f"cannot read {path}: {said(error, path)}") from None
        raise LostManifestError(f"{path} cannot be read ({plain(error)}); {remedy}") from None
    try:
        version = found["format"]
        if not all(isinstance(found[name], int) for name in ("format", "version", "canonical")):
            raise TypeError("a version is not a number")
        if version > FORMAT_VERSION:
            raise CollectionError(
                f"{folder} has format {version}, made by a newer pagekin; this one reads up to {FORMAT_VERSION}: "
                "upgrade pagekin"
            )
        if version > UNSEALED_FORMAT and not is_sealed:
            raise LostManifestError(f"{path} is damaged (it has no checksum); {remedy}")
        return Manifest(
            **found
            | {
                "parts": tuple(map(Part.read, found["parts"])),
                "indexes": {name: BuiltIndex.read(index) for name, index in found["indexes"].items()},
                "retired": tuple(found["retired"]),
                "format": FORMAT_VERSION,
            }
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise LostManifestError(f"{path} is damaged or not a manifest of pagekin ({error!r}); {remedy}") from None


def write(folder: Path, manifest: Manifest) -> None:
    """Make `manifest` the state of the collection, atomically and durably."""
    sealed.write(folder / NAME, asdict(manifest))
