"""Runs batch steps on Spark: in this machine's cores, or on a cluster whose machines share the collection's folder.

A step's function and its arrays are sent to every worker once, but for arrays of the collection's files, which a worker
maps itself (`shipping`); each task runs it on one block and gives back its result: a small one through Spark, a large
one as a file in the collection's folder, which the driver reads in order. A task whose worker dies is run again
elsewhere, and gives the same result.
"""

import pickle
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pagekin.engine import hadoop
from pagekin.engine.base import Tables
from pagekin.engine.jobs import run
from pagekin.engine.session import session
from pagekin.engine.shipping import packed, unpacked
from pagekin.errors import PagekinError

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

S = TypeVar("S")
T = TypeVar("T")

BLOCKS_PER_CORE = 4  # fewer than locally: a task costs some milliseconds to hand out
SMALL = 1 << 20  # bytes of a result that goes through Spark
FOLDER = "spark.000000-"  # in `index/` of a collection; a writer sweeps up what a killed one leaves


class Spark:
    """A Spark session as an engine."""

    spreads = True

    def __init__(self, started: "SparkSession", shared: Path) -> None:
        """shared: the collection, at the same path on all machines."""
        self.session, self.shared = started, shared.absolute()

    @property
    def at_once(self) -> int:
        """The cores of all workers that have registered so far."""
        return max(int(self.session.sparkContext.defaultParallelism), 1)

    def relational(self, folder: Path, threads: int | None = None) -> Tables:
        from pagekin.engine.spark_sql import SparkTables

        return SparkTables(self.session, folder.absolute())

    def over_rows(
        self, work: Callable[[int, int], T], rows: int, workers: int | None = None, most: int | None = None
    ) -> list[T]:
        size = max(1, -(-rows // (self.at_once * BLOCKS_PER_CORE)))
        size = min(size, most or size)
        return list(self.one_by_one(work, [(first, min(first + size, rows)) for first in range(0, rows, size)]))

    def one_by_one(
        self, work: Callable[[int, int], T], blocks: Iterable[tuple[int, int]], workers: int | None = None
    ) -> Iterator[T]:
        return self._results(work, list(blocks))

    def over_files(self, work: Callable[[S], T], files: Sequence[S]) -> Iterator[T]:
        return self._results(work, [(file,) for file in files])

    def listed(self, address: str) -> list[str]:
        return hadoop.listed(self.session.sparkContext, address)

    def over_addresses(self, work: Callable[[str, bytes], T], files: Sequence[str]) -> Iterator[T]:
        def job(context: "SparkContext", task: _Task) -> list[bytes | str]:
            found = dict(hadoop.contents(context, files).map(hadoop.named(task)).collect())
            return [found[file] for file in files]

        return self._run(work, job) if files else iter(())

    def _results(self, work: Callable[..., Any], pieces: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
        """The results of `work(*piece)`, in order, when all are there."""

        def job(context: "SparkContext", task: _Task) -> list[bytes | str]:
            return list(context.parallelize(pieces, len(pieces)).map(task).collect())

        return self._run(work, job) if pieces else iter(())

    def _run(
        self, work: Callable[..., Any], job: "Callable[[SparkContext, _Task], list[bytes | str]]"
    ) -> Iterator[Any]:
        """What a job gives, whose tasks do this work."""
        context = self.session.sparkContext
        sent = context.broadcast(packed(work, self.shared))
        with self._scratch() as folder:
            task = _Task(sent, folder)
            try:
                given = run(context, lambda: job(context, task))
            finally:
                sent.destroy()
            for each in given:
                found = each if isinstance(each, bytes) else _taken(folder / each)
                result = pickle.loads(found)
                if isinstance(result, Refused):
                    raise PagekinError(result.why)
                yield result

    @contextmanager
    def _scratch(self) -> Iterator[Path]:
        """A folder that all machines see, for as long as one operation takes."""
        folder = self.shared / "index" / f"{FOLDER}{uuid.uuid4().hex[:8]}"
        folder.mkdir(parents=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class Refused:
    """What a task cannot do, in a sentence."""

    why: str


class _Task:
    """What a worker does with a piece: unpacks the function, once for each process, and runs it."""

    def __init__(self, sent: Any, folder: Path) -> None:
        self.sent, self.folder, self.mark = sent, folder, uuid.uuid4().hex

    def __call__(self, piece: tuple[Any, ...]) -> bytes | str:
        try:
            result: Any = self._work()(*piece)
        except PagekinError as error:  # trying again would not help
            result = Refused(str(error))
        made = pickle.dumps(result, protocol=5)
        if len(made) <= SMALL:
            return made
        name = uuid.uuid4().hex
        beside = self.folder / f"{name}.new"
        beside.write_bytes(made)
        beside.rename(self.folder / f"{name}.tmp")  # whole, or not there
        return f"{name}.tmp"

    def _work(self) -> Callable[..., Any]:
        """The function that was sent, kept by this process for the next task."""
        global _latest
        if _latest[0] != self.mark:
            _latest = (self.mark, unpacked(self.sent.value))
        return _latest[1]


_latest: tuple[str, Callable[..., Any]] = ("", lambda: None)  # in a worker


def _taken(file: Path) -> bytes:
    found = file.read_bytes()
    file.unlink()
    return found


@contextmanager
def spark(master: str, shared: Path) -> Iterator[Spark]:
    """Spark at a master as an engine, for a collection in a folder that all its machines see."""
    with session(master) as started:
        yield Spark(started, shared)
