"""Archives at addresses of file systems that Spark is configured for: the same collection as from their paths."""

from pathlib import Path

import pytest

from pagekin import Collection
from pagekin.collection.store import Store
from pagekin.engine.hadoop import written
from pagekin.errors import SourceError
from tests.engine.test_spark import archives
from tests.spark_here import QUICK_JAVA, missing

pytestmark = [pytest.mark.spark, pytest.mark.skipif(missing() is not None, reason=missing() or "")]


def origins(path: Path) -> list[str]:
    return [origin for origin in Store(path).graph.pages["origin"].to_pylist() if origin]


@pytest.fixture
def web(tmp_path, monkeypatch):
    """Archives in a folder, which Spark also knows as `viewfs://cluster/web`, as its settings say."""
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", QUICK_JAVA)
    folder = tmp_path / "archives, old [1]"  # all of which a pattern would mean otherwise
    archives(folder)
    (folder / "notes.txt").write_text("no archive")
    (tmp_path / "conf").mkdir()
    mounted = f"spark.hadoop.fs.viewfs.mounttable.cluster.link./web {tmp_path / 'mounted'}\n"
    (tmp_path / "mounted").symlink_to(folder)
    (tmp_path / "conf" / "spark-defaults.conf").write_text(mounted.replace(" /", " file:///"))
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path / "conf"))
    return folder


def test_addresses_of_a_folder_and_of_another_file_system(web, tmp_path):
    here, there, mounted = (tmp_path / f"{name}.kin" for name in ("here", "there", "mounted"))
    expected = Collection(here).add(*sorted(web.glob("*.warc.gz")))
    found = Collection(there).add(f"file://{tmp_path}/archives, old ?1?", engine="spark", master="local[2]")
    assert (found.pages, found.skipped) == (expected.pages, expected.skipped)
    assert [Path(origin.removeprefix("file://")).parent for origin in origins(there)] == [web] * len(origins(here))
    assert sorted(origins(there)) == sorted(f"file://{origin}" for origin in origins(here))

    found = Collection(mounted).add("viewfs://cluster/web/{0,1,2}.warc.gz", engine="spark", master="local[2]")
    assert found.pages == expected.pages - 1  # all but that of the broken archive
    assert {origin.partition("#")[0] for origin in origins(mounted)} == {
        f"viewfs://cluster/web/{number}.warc.gz" for number in range(3)
    }
    for name in (there, mounted):
        graph = Store(name).graph
        assert graph.links.num_rows and not list(name.glob("index/spark.*"))
    strip = [Store(name).graph.pages.drop(["part", "origin"]).to_pylist() for name in (here, there)]
    assert strip[0] == strip[1]

    with pytest.raises(SourceError, match=r"no archive at file:///.*none among 0 files"):
        Collection(there).add(f"file://{tmp_path}/none", engine="spark", master="local[2]")
    with pytest.raises(SourceError, match=r"Spark cannot list nosuch://a/b: .*nosuch"):
        Collection(there).add("nosuch://a/b", engine="spark", master="local[2]")


def test_addresses_as_people_write_them():
    assert written("hdfs:/web/a.warc") == "hdfs:///web/a.warc"
    assert written("hdfs://name:8020/a:/b") == "hdfs://name:8020/a:/b"
