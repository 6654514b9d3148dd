"""What does Spark cost, and what does a second worker bring? Block co-citation of the web of `blockpairs`.

The index is made by a separate process each time: here, on Spark within this machine, and on a cluster on loopback with
one worker and with two, each of one core. Starting Spark is not counted, but noted. With two cores in all, the driver
and the workers share them, so two workers cannot be twice as fast as one.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from bench.blockpairs import MEMORY, web
from bench.case import Case, timed
from bench.graphs import SHRINK
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.engine.local import cores
from pagekin.index.block_pairs.tables import block_numbers

PAGES = 1_000_000 // SHRINK
SCALED = 100_000 // SHRINK  # pages for each worker
CLUSTER = Path(__file__).parents[1] / "scripts" / "spark-cluster"
PORT = 17077  # not that of a cluster which may run for something else


def run() -> Iterator[Case]:
    million = _pairs(PAGES) / 1e6
    here, there = _built(PAGES, "local"), _built(PAGES, f"spark:local[{min(cores(), 2)}]")
    yield Case(
        f"block pairs of {PAGES:,} pages on Spark, {million:.3g} million pairs of links",
        there["seconds"] / million,
        "s a million pairs",
        "the local engine",
        here["seconds"] / million,
        note=f"{_start(there)}; {'the same' if there['said'] == here['said'] else 'NOT THE SAME'} result by its counts",
    )
    with _cluster(1) as master:
        one = _built(SCALED, f"spark:{master}")
    with _cluster(2) as master:
        two, twice = _built(SCALED, f"spark:{master}"), _built(2 * SCALED, f"spark:{master}")
    of = f"{cores()} cores for all of it"
    yield Case(
        f"strong scaling: {SCALED:,} pages, one worker over two", two["seconds"], "s", "one worker", one["seconds"],
        note=f"2 × would be ideal; {of}; {_start(two)}",
    )  # fmt: skip
    yield Case(
        f"weak scaling: {SCALED:,} pages on one worker over {2 * SCALED:,} on two", twice["seconds"], "s", "one worker",
        one["seconds"], note=f"1 × would be ideal; {of}",
    )  # fmt: skip


def _start(made: dict[str, Any]) -> str:
    return f"starting took {made['start']:.1f} s more"


def _pairs(pages: int) -> int:
    """How many pairs of links are in one block, both ways."""
    links = Store(web(pages)).graph.links
    blocks = block_numbers(links["source"].to_numpy(), links["block"].to_numpy())
    sizes = np.unique(blocks, return_counts=True)[1]
    return int((sizes * (sizes - 1)).sum())


@contextmanager
def _cluster(workers: int) -> Iterator[str]:
    """The master of a cluster that is there for what is inside."""
    env = os.environ | {"SPARK_PORT": str(PORT), "SPARK_WORKERS": str(workers), "PYTHON": sys.executable}
    # Not a pipe: the cluster's own processes would hold it open.
    subprocess.run([CLUSTER, "start"], env=env, check=True, stdout=subprocess.DEVNULL)
    try:
        yield f"spark://127.0.0.1:{PORT}"
    finally:
        subprocess.run([CLUSTER, "stop"], env=env, check=True)


def _built(pages: int, engine: str) -> dict[str, Any]:
    """The seconds and the output of a fresh process that makes the index of a web of this many pages on an engine."""
    command = [sys.executable, "-m", "bench.spark", str(web(pages)), engine]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=os.environ | {"PAGEKIN_MEMORY": MEMORY})
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


def _measured(path: str, engine: str) -> dict[str, Any]:
    from pagekin.answers.engines import chosen
    from pagekin.index.base import derive
    from pagekin.methods.block import BlockCoCitation

    kind, _, master = engine.partition(":")
    on = chosen(kind, master or None, Path(path))
    start, _ = timed(on.__enter__)
    try:
        with writing(path) as writer:
            wanted = BlockCoCitation(scope="web").index
            others = {name: held for name, held in writer.manifest.indexes.items() if name != repr(wanted)}
            writer.commit(indexes=others)  # or what another engine has made would be reused
            seconds, said = timed(lambda: derive(writer, wanted))
    finally:
        on.__exit__(None, None, None)
    return {"seconds": seconds, "said": said, "start": start}


if __name__ == "__main__":
    print(json.dumps(_measured(*sys.argv[1:])))
