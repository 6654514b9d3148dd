"""The operations that batch steps are written in, and which engine runs them: this machine, or Spark.

    with using(engine):                       above: `build --engine spark`
        over_rows(work, rows)                 a kernel on blocks of rows; groups (hosts, components) are rows too
        one_by_one(work, blocks)              the same, for results that go to disk as they come, in order
        over_files(work, files)               one result for each file, or for each span of a table
        over_addresses(work, files)           the same for files that the engine finds and reads: `hdfs://…`
        relational(folder)                    joins and sums over Parquet, as Ibis expressions

Whoever writes a step does not know which engine that is. `work` must return what it makes: on Spark it runs in another
process, and what it changes there is lost. Steps of one question, and small dense jobs, use `local` directly.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, TypeVar

from pagekin.engine import local
from pagekin.errors import UsageError
from pagekin.wording import option

if TYPE_CHECKING:
    from ibis import Table

S = TypeVar("S")
T = TypeVar("T")


class Tables(Protocol):
    """A folder of Parquet tables, and what makes new tables from them; a context that releases both."""

    folder: Path

    def read(self, name: str, files: str = "") -> "Table": ...

    def write(self, name: str, expression: "Table", by: str | None = None) -> None: ...

    def forget(self, name: str) -> None: ...

    def __enter__(self) -> "Tables": ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...


class Engine(Protocol):
    """Where batch work runs."""

    spreads: bool  # whether work runs in other processes, perhaps of other machines

    @property
    def at_once(self) -> int:
        """How many pieces of work run at a time, each with memory of its own."""
        ...

    def relational(self, folder: Path, threads: int | None = None) -> Tables: ...

    def over_rows(
        self, work: Callable[[int, int], T], rows: int, workers: int | None = None, most: int | None = None
    ) -> list[T]: ...

    def one_by_one(
        self, work: Callable[[int, int], T], blocks: Iterable[tuple[int, int]], workers: int | None = None
    ) -> Iterator[T]: ...

    def over_files(self, work: Callable[[S], T], files: Sequence[S]) -> Iterator[T]: ...

    def listed(self, address: str) -> list[str]:
        """The files at an address of a file system that the engine knows; only one that spreads work knows any."""
        ...

    def over_addresses(self, work: Callable[[str, bytes], T], files: Sequence[str]) -> Iterator[T]: ...


class Local:
    """This machine: DuckDB, and kernels in threads."""

    spreads = False
    at_once = 1  # threads share the memory
    over_rows = staticmethod(local.over_rows)
    one_by_one = staticmethod(local.one_by_one)

    def relational(self, folder: Path, threads: int | None = None) -> Tables:
        from pagekin.engine.relational import Relational  # DuckDB, which few steps need

        return Relational(folder, threads)

    def over_files(self, work: Callable[[S], T], files: Sequence[S]) -> Iterator[T]:
        return map(work, files)

    def listed(self, address: str) -> list[str]:
        raise UsageError(f"this engine reads paths, not {address}; use {option('engine', 'spark')}")

    def over_addresses(self, work: Callable[[str, bytes], T], files: Sequence[str]) -> Iterator[T]:
        return (work(file, b"") for address in files for file in self.listed(address))


_engine: ContextVar[Engine] = ContextVar("engine", default=Local())  # noqa: B039


def engine() -> Engine:
    """The engine that batch steps run on now."""
    return _engine.get()


@contextmanager
def using(chosen: Engine) -> Iterator[None]:
    """Inside this context, batch steps run on this engine."""
    before = _engine.set(chosen)
    try:
        yield
    finally:
        _engine.reset(before)


def over_rows(work: Callable[[int, int], T], rows: int, workers: int | None = None, most: int | None = None) -> list[T]:
    """Run `work(first, last)` on all rows, in blocks of at most `most` rows; returns the results in order."""
    return engine().over_rows(work, rows, workers, most)


def one_by_one(
    work: Callable[[int, int], T], blocks: Iterable[tuple[int, int]], workers: int | None = None
) -> Iterator[T]:
    """Run `work(first, last)` on each block; yields the results in order."""
    return engine().one_by_one(work, blocks, workers)


def over_files(work: Callable[[S], T], files: Sequence[S]) -> Iterator[T]:
    """Run `work(file)` on each file; yields the results in order."""
    return engine().over_files(work, files)


def over_addresses(work: Callable[[str, bytes], T], files: Sequence[str]) -> Iterator[T]:
    """Run `work(address, bytes)` on each file that `listed` found; yields the results in order."""
    return engine().over_addresses(work, files)


def relational(folder: Path, threads: int | None = None) -> Tables:
    """The tables in a folder, for relational steps."""
    return engine().relational(folder, threads)
