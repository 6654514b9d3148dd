"""The engine of a verb by its name: what is wrong is said before Spark is started."""

import pytest

from pagekin import Collection
from pagekin.answers.engines import chosen
from pagekin.engine import session as sessions
from pagekin.engine.base import Local, engine
from pagekin.engine.spark import FOLDER
from pagekin.errors import CollectionError, UsageError
from pagekin.wording import speaking
from tests.small_webs import from_edges


@pytest.fixture(autouse=True)
def unstarted(monkeypatch):
    """Nothing here may get as far as Java."""
    monkeypatch.setattr(sessions, "check_java", lambda: pytest.fail("it looked for Java"))


def test_this_machine_is_the_default(tmp_path):
    with chosen("local", None, tmp_path / "none.kin"):
        assert type(engine()) is Local


def test_an_unknown_engine(tmp_path):
    with pytest.raises(UsageError, match=r"unknown engine 'sparc'; did you mean 'spark'\? known: local, spark"):
        Collection(tmp_path / "none.kin").build(engine="sparc")


def test_a_master_without_spark(tmp_path):
    with pytest.raises(UsageError, match='master is for Spark; add engine="spark"'):
        Collection(tmp_path / "none.kin").build(master="local[2]")
    with speaking("shell"), pytest.raises(UsageError, match="--master is for Spark; add --engine spark"):
        Collection(tmp_path / "none.kin").add(tmp_path, master="local[2]")


def test_a_wrong_master(tmp_path):
    with pytest.raises(UsageError, match="is no master of Spark"):
        Collection(tmp_path / "new.kin").add(tmp_path, engine="spark", master="7077")
    assert not (tmp_path / "new.kin").exists()


def test_no_collection(tmp_path):
    with pytest.raises(CollectionError, match="there is no collection"):
        Collection(tmp_path / "none.kin").build(engine="spark")


def test_what_a_killed_job_leaves_is_swept_up(tmp_path):
    path = from_edges(tmp_path / "s.kin", [("http://a.example/", "http://b.example/")]).path
    for left in (
        f"{FOLDER}0a1b2c3d/block.tmp",
        "block-pairs.000001-0a1b2c3d/steps.x/kept.parquet/_temporary/0/p.parquet",
    ):
        (path / "index" / left).parent.mkdir(parents=True)
        (path / "index" / left).write_bytes(b"half")
    Collection(path).build("similarity")
    assert not list(path.glob("index/spark.*")) and not list(path.rglob("_temporary"))
