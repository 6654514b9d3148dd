"""The engine that a verb runs on, by its name: `engine="spark", master="local[2]"`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pagekin.collection.store import Store
from pagekin.engine.base import using
from pagekin.errors import UsageError, unknown
from pagekin.wording import option

ENGINES = ("local", "spark")
EVERY_CORE = "local[*]"  # the master of Spark, if none is named


@contextmanager
def chosen(engine: str, master: str | None, path: Path, new: bool = False) -> Iterator[None]:
    """Inside this context, batch steps on a collection run on this engine; Spark is started for it, and ended.

    new: the collection need not exist.
    """
    if engine not in ENGINES:
        raise unknown("engine", engine, ENGINES)
    if engine == "local":
        if master is not None:
            raise UsageError(f"{option('master')} is for Spark; add {option('engine', 'spark')}")
        yield
        return
    if path.exists() or not new:
        Store(path)  # raises if it is no collection, before Spark is started
    from pagekin.engine.spark import spark

    with spark(master or EVERY_CORE, path) as made, using(made):
        yield
