"""Verifies the files of one state of a collection when they are opened.

Files are read in full and compared with their checksums as long as those opened are together under 64 MB, which takes
at most some 20 ms for indexes and 100 ms for parts. Larger ones are checked for their size, as `scrub` and every writer
check them in full. If a question fails on a file that was checked by size alone, it is read after all, so that damage
is called damage.
"""

import math
from collections.abc import Callable, Iterable
from pathlib import Path

from pagekin.collection import parts as part_files
from pagekin.collection.files import faults, total
from pagekin.collection.manifest import BuiltIndex, Part

MOST_BYTES = 64 << 20

Fault = tuple[Path, str]  # a file, and what is wrong with it
Check = Callable[[bool], Iterable[Fault]]  # whether to read the files, or only to look at their sizes


class Verifier:
    """Remembers what was verified, so that each file of a state is read once."""

    def __init__(self, path: Path, in_full: bool = False) -> None:
        self.path = path
        self._left: float = math.inf if in_full else MOST_BYTES
        self._seen: set[str] = set()
        self._by_size: list[Check] = []  # of files that were too large to read

    def index(self, held: BuiltIndex) -> Fault | None:
        """What is wrong with an index, if anything can be seen."""
        return self._verify(held.path, total(held.files), lambda all_: faults(self.path / held.path, held.files, all_))

    def table(self, part: Part, table: str) -> Fault | None:
        """What is wrong with a table of a part, if anything can be seen."""
        if table not in part.checksums:
            return None
        path = self.path / part.path / f"{table}.parquet"
        try:
            size = path.stat().st_size
        except OSError:
            return path, "is missing"
        known = part.checksums[table]
        return self._verify(f"{part.path}/{table}", size, lambda all_: part_files.faults(path, known) if all_ else ())

    def examine(self) -> Fault | None:
        """What is wrong with the files that were opened after a look at their size alone."""
        return next((fault for check in self._by_size for fault in check(True)), None)

    def _verify(self, what: str, size: int, check: Check) -> Fault | None:
        if what in self._seen:
            return None
        in_full = size <= self._left
        fault = next(iter(check(in_full)), None)
        if fault is None:
            self._seen.add(what)
            if in_full:
                self._left -= size
            else:
                self._by_size.append(check)
        return fault
