"""The files of one state of a collection, for reading: verified (`verify`), and what is wrong with one is said."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from pagekin.collection import manifest as manifests
from pagekin.collection import parts as part_files
from pagekin.collection.manifest import KEPT, BuiltIndex, Manifest, Part
from pagekin.collection.verify import Verifier
from pagekin.errors import CollectionError, PagekinError
from pagekin.failures import explained
from pagekin.wording import command

T = TypeVar("T")


class StateFiles:
    """The parts and indexes that a manifest lists."""

    def __init__(self, path: Path, manifest: Manifest, in_full: bool = False) -> None:
        """`in_full`: verify every file that is opened, however large."""
        self.path, self.manifest = path, manifest
        self.verifier = Verifier(path, in_full)

    def opened(self, held: BuiltIndex, read: Callable[[Path], T]) -> T:
        """Read an index, verified, or say what is wrong with its files."""
        fault = self.verifier.index(held)
        if fault:
            raise self._damage(*fault)
        with self.explaining(self.path / held.path):
            try:
                return read(self.path / held.path)
            except Exception as error:
                if held.files or explained(error):
                    raise
                # It was made before files had checksums.
                what = f"is missing or damaged ({type(error).__name__})"
                raise self._damage(self.path / held.path, what) from error

    def table(
        self, part: Part, table: str, columns: Sequence[str] | None = None, pages: Sequence[int] | None = None
    ) -> pa.Table:
        """Read one table of a part, verified, or only some columns, or only the rows of a few pages."""
        self.verify(part, table)
        with self.explaining(self.path / part.path / f"{table}.parquet"):
            return part_files.read(self.path, part, table, columns, pages)

    def verify(self, part: Part, table: str) -> None:
        """Raise an error that names the file if a table of a part is not what was written."""
        fault = self.verifier.table(part, table)
        if fault:
            raise self._damage(*fault)

    @contextmanager
    def explaining(self, reading: Path | None = None) -> Iterator[None]:
        """Turn an unforeseen error into one that names the file, if it comes from a damaged file or a removed one.

        `reading`: all that is done is to read this, so what the system lacks is said of it.
        """
        try:
            yield
        except PagekinError:
            raise
        except Exception as error:
            if fault := self.verifier.examine():
                raise self._damage(*fault) from error
            if isinstance(error, OSError) and self._has_changed():
                raise self._outdated() from error
            if reading and (found := explained(error, reading)):
                raise CollectionError(f"reading {reading} failed: {found.wrong}; {found.remedy}") from error
            raise

    def _damage(self, path: Path, what: str) -> CollectionError:
        """An error that names a file, unless a later state needs it no more and may have removed it.

        A writer reads states that are not committed: that another one stands says nothing then.
        """
        if self._has_changed() and not self._is_needed(path):
            return self._outdated()
        return CollectionError(f"{path} {what}; to repair the collection, run: {command('scrub', self.path)}")

    def _outdated(self) -> CollectionError:
        return CollectionError(f"{self.path} has changed since it was opened; open it again")

    def _has_changed(self) -> bool:
        """Whether a later state has replaced this one, and may have removed files of it."""
        return manifests.read(self.path) != self.manifest

    def _is_needed(self, path: Path) -> bool:
        """Whether the state that stands needs a file: then no writer has removed it."""
        return "/".join(path.relative_to(self.path).parts[:2]) in manifests.read(self.path).paths()

    def pieces(self, part: Part, table: str, columns: Sequence[str] | None) -> Iterator[pa.Table]:
        """The rows of a table of a part, verified, a piece at a time; a page's rows are in one (`parts.pieces`)."""
        self.verify(part, table)
        with self.explaining(self.path / part.path / f"{table}.parquet"):
            yield from part_files.pieces(self.path, part, table, columns)

    def spans_of(self, part: Part, table: str) -> list[tuple[int, int]]:
        """The row groups of a table of a part, verified, in pieces that can be read apart (`parts.spans`)."""
        self.verify(part, table)
        with self.explaining(self.path / part.path / f"{table}.parquet"):
            return part_files.spans(self.path, part, table)

    def span(self, part: Part, table: str, first: int, last: int, columns: Sequence[str] | None) -> pa.Table:
        """The rows of some row groups of a table of a part, verified (`parts.span`)."""
        self.verify(part, table)
        with self.explaining(self.path / part.path / f"{table}.parquet"):
            return part_files.span(self.path, part, table, first, last, columns)

    def batches(self, part: Part, table: str, rows: int, coded: Sequence[str] = ()) -> Iterator[pa.Table]:
        """The rows of a table of a part, verified, so many at a time (`parts.batches`)."""
        self.verify(part, table)
        with self.explaining(self.path / part.path / f"{table}.parquet"):
            yield from part_files.batches(self.path, part, table, rows, coded)

    def texts_in(self, part: Part, table: str, column: str) -> Iterator[pa.Array]:
        """The different texts of a column of a part, verified (`parts.values`)."""
        self.verify(part, table)
        with self.explaining(self.path / part.path / f"{table}.parquet"):
            yield from part_files.values(self.path, part, table, column)

    def unsealed(self) -> list[str]:
        """The indexes that were made before files had checksums: nothing tells whether they are what was written."""
        return sorted(name for name, index in self.manifest.indexes.items() if not index.files)

    def stale(self) -> list[str]:
        """The indexes that were made from an earlier version of the content."""
        held = self.manifest.indexes.items()
        return sorted(name for name, index in held if index.version != self.manifest.version and name not in KEPT)
