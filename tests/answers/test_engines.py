"""The engine of a verb by its name: what is wrong is said before Spark is started."""

import pytest

from pagekin import Collection
from pagekin.answers.engines import chosen
from pagekin.engine import session as sessions
from pagekin.engine.base import Local, engine
from pagekin.errors import CollectionError, UsageError
from pagekin.wording import speaking


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
