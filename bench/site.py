"""A collection of a million pages on disk, made as a user would make it, once per run."""

import atexit
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.csv

from bench.case import timed
from bench.graphs import SHRINK, copying_model

PAGES = 1_000_000 // SHRINK
HOST_PAGES = 100

# What `.venv/bin/pagekin` does, without requiring that it is installed.
PAGEKIN = (sys.executable, "-c", "from pagekin.shell.main import main; main()")


@dataclass(frozen=True)
class Site:
    """A collection, and how long it took to add its table of links."""

    path: Path
    rows: int
    seconds: float


@cache
def million_pages() -> Site:
    """The copying-model web, added as a table of links with `pagekin add`; it is removed when the run ends."""
    folder = TemporaryDirectory(prefix="pagekin-bench-")
    atexit.register(folder.cleanup)
    table, path = Path(folder.name) / "links.csv", Path(folder.name) / "million.kin"
    source, target = copying_model(PAGES)
    names = pa.array([url(page) for page in range(PAGES)])
    pa.csv.write_csv(pa.table({"source": names.take(source), "target": names.take(target)}), table)
    os.sync()  # or writing back the table would be on the clock of reading it
    seconds, _ = timed(lambda: pagekin("add", str(path), str(table)))
    table.unlink()
    return Site(path, source.size, seconds)


def url(page: int) -> str:
    return f"http://www.h{page // HOST_PAGES}.example/{page}"


def pagekin(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the shell in a new process; it must succeed."""
    done = subprocess.run([*PAGEKIN, *arguments], capture_output=True, text=True, env=os.environ | environment)
    if done.returncode:
        raise RuntimeError(f"pagekin {' '.join(arguments)} exited {done.returncode}: {done.stderr}")
    return done
