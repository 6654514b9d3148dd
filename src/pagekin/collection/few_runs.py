"""Merges many runs into few, on disk: a part that is read in slices takes megabytes of memory while it is open.

A long crawl makes hundreds of parts before a build compacts them.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa

from pagekin.collection.arrow_files import mapped
from pagekin.collection.runs import PART, PartRun, Run, slices
from pagekin.collection.schema import OWNER, SCHEMAS
from pagekin.collection.snapshot import plain
from pagekin.engine.memory import memory
from pagekin.kernels import Longs

# A part in the making of a crawl took 1.2 MB while its pages were read, one of an earlier version 3.4; titles vary.
OPEN_BYTES = 4 << 20
SHARE = 4  # of the memory, what parts that are open may take
LEAST_OPEN = 8
TABLES = ("pages", "links", "stretches")


@contextmanager
def few(runs: Sequence[Run], folder: Path, rows: int, tables: Sequence[str] = TABLES) -> Iterator[Sequence[Run]]:
    """The runs, if memory allows that all of their parts are open at once; else parts are merged into files of the
    folder, some at a time, in slices of about so many rows, and the files are removed in the end."""
    parts, most = [run for run in runs if isinstance(run, PartRun)], _most_open()
    if len(parts) <= most:
        yield runs
        return
    merged = list[MergedRun]()
    try:
        for first in range(0, len(parts), most):
            merged.append(MergedRun(parts[first : first + most], folder / f"run-{first}"))
            for table in tables:
                merged[-1].write(table, rows)
        yield [*(run for run in runs if not isinstance(run, PartRun)), *merged]
    finally:
        for run in merged:
            run.remove()


def _most_open() -> int:
    return max(LEAST_OPEN, memory() // SHARE // OPEN_BYTES)


@dataclass
class MergedRun:
    """The rows of several parts as one run, in files that are mapped."""

    runs: Sequence[Run]
    name: Path  # of the files, without their endings
    several: Longs = field(default_factory=lambda: np.empty(0, np.int64))  # ids of pages with links in several parts

    def write(self, table: str, rows: int) -> None:
        several = list[Longs]()
        held = SCHEMAS[table].append(PART)
        types = plain(held.empty_table()).schema
        schema = pa.schema([each.with_type(types.field(each.name).type) for each in held])
        with pa.ipc.new_file(self._file(table), schema) as file:
            for found in slices(self.runs, table, rows):
                some = pa.concat_tables([plain(each) for each in found if each.num_rows])
                owner, part = (some[name].to_numpy() for name in (OWNER[table], PART.name))
                order = np.argsort(owner, kind="stable")
                file.write_table(some.take(pa.array(order)).cast(schema))
                owner, part = owner[order], part[order]
                several.append(np.unique(owner[1:][(owner[1:] == owner[:-1]) & (part[1:] != part[:-1])]))
        if table == "links":
            self.several = np.concatenate([np.empty(0, np.int64), *several])

    def _file(self, table: str) -> Path:
        return self.name.with_name(f"{self.name.name}-{table}.tmp")

    def remove(self) -> None:
        for table in TABLES:
            self._file(table).unlink(missing_ok=True)

    def size(self, table: str) -> int:
        return sum(run.size(table) for run in self.runs)

    def batches(self, table: str, rows: int) -> Iterator[pa.Table]:
        held = mapped(self._file(table))
        for first in range(0, held.num_rows, rows):
            yield held.slice(first, rows)

    def addresses(self) -> Iterator[pa.Array]:
        return chain.from_iterable(run.addresses() for run in self.runs)

    def values(self, column: str) -> Iterator[pa.Array]:
        return chain.from_iterable(run.values(column) for run in self.runs)

    def aliases(self) -> pa.Table:
        return pa.concat_tables([run.aliases() for run in self.runs])
