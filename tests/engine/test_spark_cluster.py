"""A real cluster on loopback, real data, and a worker that is killed in the middle. `make spark` runs it."""

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagekin import Collection, demo
from pagekin.engine.base import using
from pagekin.engine.session import session
from pagekin.engine.spark import Spark, spark
from pagekin.errors import PagekinError
from tests.spark_here import differences, missing

pytestmark = [pytest.mark.spark, pytest.mark.skipif(missing() is not None, reason=missing() or "")]
ROOT = Path(__file__).parents[2]
WHOLE = [
    "mirrors",
    "inverted",
    "completions",
    "text",
    "block-pairs",
    "block-pairs(scope=site)",
    "keywords",
    "similarity",
    "similarity(measure=amsler)",
    "subrelevant",
    "answers(method=semantic)",
]
DEADLINE_S = 120


class Cluster:
    """The cluster of `scripts/spark-cluster`, with a state of its own."""

    def __init__(self, state: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.state, self.master = state, f"spark://127.0.0.1:{port}"
        self.env = os.environ | {"SPARK_PORT": str(port), "SPARK_CLUSTER": str(state)}

    def run(self, verb: str) -> subprocess.CompletedProcess[str]:
        command = [str(ROOT / "scripts" / "spark-cluster"), verb]
        # Its processes outlive it, and would hold a pipe open.
        said = self.state.with_suffix(".said")
        with said.open("w") as out:
            done = subprocess.run(command, env=self.env, stdout=out, stderr=subprocess.STDOUT, timeout=5 * DEADLINE_S)
        return subprocess.CompletedProcess(command, done.returncode, said.read_text())

    def pid(self, name: str) -> int:
        return int((self.state / f"{name}.pid").read_text())

    def executors(self) -> list[tuple[int, int]]:
        """The processes in which workers run tasks, each with its worker."""
        workers = {self.pid(f"worker-{number}") for number in (1, 2)}
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                if parent in workers:
                    found.append((int(entry.name), parent))
            except (OSError, ValueError):
                continue
        return found


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster") / "state")
    started = made.run("start")
    assert (started.returncode, started.stdout.strip()) == (0, made.master), started.stdout
    yield made
    assert made.run("stop").returncode == 0
    assert not made.state.exists()


def built_here(path: Path, add: Path, indexes: list[str]) -> Path:
    Collection(path).add(add)
    Collection(path).build(indexes)
    return path


def copied(path: Path, name: str) -> Path:
    """The collection without what was built."""
    to = path.with_name(name)
    shutil.copytree(path, to)
    built = [index for index in Collection(to).store.manifest.indexes if index != "graph"]
    Collection(to).build(drop=[name for name in built if name.partition("(")[0] != "barred"])
    return to


@pytest.mark.data
@pytest.mark.parametrize("name", ["webkb", "planetmath"])
def test_real_data_is_the_same_on_spark(data, tmp_path, name):
    here = built_here(tmp_path / "here.kin", data(name), WHOLE)
    there = copied(here, "there.kin")
    Collection(there).build(WHOLE, engine="spark", master="local[2]")
    assert differences(here, there, WHOLE) == []


def test_the_cluster_says_how_it_is(cluster):
    found = cluster.run("status")
    assert found.returncode == 0
    assert [line.split()[::2] for line in found.stdout.splitlines()] == [
        ["master", "runs"], ["worker-1", "runs"], ["worker-2", "runs"],
    ]  # fmt: skip
    assert "runs already" in cluster.run("start").stdout


def test_the_demo_web_on_a_cluster_with_a_worker_killed_in_mid_build(cluster, tmp_path):
    demo.write(tmp_path / "web")
    indexes = ["block-pairs", "text", "inverted", "mirrors", "keywords", "similarity", "answers(method=integrated)"]
    here = built_here(tmp_path / "here.kin", tmp_path / "web", indexes)
    there = copied(here, "there.kin")
    killed: list[int] = []

    def kill_one() -> None:
        """Kill a worker and the process in which it runs tasks, when there are two and the build is at its tables."""
        deadline = time.monotonic() + DEADLINE_S
        while time.monotonic() < deadline and not killed:
            if list(there.glob("index/block-pairs.*/steps.*/kept.parquet")) and len(found := cluster.executors()) > 1:
                killed.extend(found[0])
                for process in killed:
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.05)

    with session(cluster.master) as started, using(Spark(started, there)):
        killer = threading.Thread(target=kill_one)
        killer.start()
        Collection(there).build(indexes)
        killer.join()
    assert len(killed) == 2
    assert differences(here, there, indexes) == []


def test_a_block_of_rows_whose_worker_dies_is_done_again(cluster, tmp_path):
    mark = tmp_path / "died"
    (tmp_path / "s.kin").mkdir()

    def once_deadly(first: int, last: int) -> int:
        try:
            mark.touch(exist_ok=False)
        except FileExistsError:
            return last - first
        os.kill(os.getpid(), signal.SIGKILL)
        return 0

    with spark(cluster.master, tmp_path / "s.kin") as engine:
        assert sum(engine.over_rows(once_deadly, 100)) == 100
    assert mark.exists()


def test_a_cluster_without_workers_is_a_sentence(tmp_path, monkeypatch):
    alone = Cluster(tmp_path / "state")
    alone.env["SPARK_WORKERS"] = "0"
    monkeypatch.setattr("pagekin.engine.session.START_S", 10)
    assert alone.run("start").returncode == 0
    try:
        with pytest.raises(PagekinError, match=r"no worker at .* took a task within 10 seconds"), session(alone.master):
            pass
    finally:
        alone.run("stop")
