"""Runs one job of Spark: says how far it is, can be interrupted, and turns what goes wrong into Python's own errors."""

import errno
import os
import re
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, TypeVar

from pagekin.engine.watch import rows_done
from pagekin.errors import PagekinError

if TYPE_CHECKING:
    from pyspark import SparkContext

T = TypeVar("T")

LOOK_S = 0.2  # between two looks at how many tasks are done
LONGEST = 300  # characters of an error of Spark: whole ones have pages

_FULL = re.compile(r"No space left on device|\[Errno 28\]")
_MEMORY = re.compile(r"OutOfMemoryError|MemoryError|Cannot allocate memory|SIGKILL|exit code 137")
_GONE = re.compile(
    r"ConnectionRefusedError|Py4JNetworkError|SparkContext was shut down|has been stopped|All masters are"
)
_UNSEEN = re.compile(r"(?:FileNotFoundException|PATH_NOT_FOUND|FileNotFoundError).*?(/[^\s'\"]+)")


def run(context: "SparkContext", job: Callable[[], T]) -> T:
    """The result of a job, which runs in a thread while this one says how many of its tasks are done."""
    found: list[T] = []
    failed: list[BaseException] = []
    ended = Event()

    def work() -> None:
        try:
            found.append(job())
        except BaseException as error:
            failed.append(error)
        finally:
            ended.set()

    Thread(target=work, daemon=True).start()
    try:
        while not ended.wait(LOOK_S):
            _tell(context)
    except BaseException:
        with suppress(Exception):
            context.cancelAllJobs()
        raise
    if failed:
        raise explained(failed[0]) from failed[0]
    return found[0]


def _tell(context: "SparkContext") -> None:
    """Say how many tasks of the stages at work are done."""
    tracker = context.statusTracker()
    with suppress(Exception):  # of a Java that is gone, as the job itself will say
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        known = [stage for stage in stages if stage is not None]
        if known:
            rows_done(sum(stage.numCompletedTasks for stage in known), sum(stage.numTasks for stage in known))


def explained(error: BaseException) -> BaseException:
    """What an error of Spark is about: a full disk, memory, a cluster that is gone, or what a task raised."""
    text = _text(error)
    if _FULL.search(text):
        return OSError(errno.ENOSPC, f"{os.strerror(errno.ENOSPC)} for a task of Spark")
    if _GONE.search(text):
        return PagekinError(
            "Spark ended before the work did; see that its master and workers run; what was committed before is safe; "
            "run the same command again"
        )
    if _MEMORY.search(text):
        return PagekinError(
            "a task of Spark ran out of memory; give workers more (spark.executor.memory, or PAGEKIN_MEMORY for a "
            "local master), or fewer cores each; what was committed before is safe"
        )
    if unseen := _UNSEEN.search(text):
        return PagekinError(
            f"a worker of Spark does not see {unseen[1]}; the folder of the collection must be at the same path on all "
            "machines; what was committed before is safe"
        )
    if not isinstance(error, Exception) or isinstance(error, PagekinError) or not _is_of_spark(error):
        return error
    return PagekinError(f"a task of Spark failed, and was tried again in vain: {_last(text)}")


def _is_of_spark(error: BaseException) -> bool:
    return type(error).__module__.partition(".")[0] in ("py4j", "pyspark")


def _text(error: BaseException) -> str:
    """What an error says, with what Java says: py4j asks Java for that, which may be gone."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return f"{type(error).__name__}: Py4JNetworkError"


def _last(text: str) -> str:
    """The line that names the error: the last of a Python traceback, else the cause that Java names, else the first."""
    lines = [line.strip().lstrip(": ") for line in text.splitlines() if line.strip()]
    raised = [line for line in lines if re.match(r"(Caused by: )?[\w.$]+(Error|Exception|Warning)\b", line)]
    python = [line for line in raised if not line.startswith(("org.", "java.", "py4j.", "Py4J", "Caused by: "))]
    java = [line.removeprefix("Caused by: ") for line in raised if line not in python and "Py4J" not in line]
    return (python or java or lines or [""])[-1 if python or java else 0][:LONGEST]
