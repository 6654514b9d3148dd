"""The same build on Spark as here, on the demo web: archives, and every index with batch steps."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from pagekin import Collection, demo
from pagekin.collection import graph as graphs
from pagekin.collection.store import Store
from pagekin.engine.base import using
from pagekin.engine.session import session
from pagekin.engine.spark import SMALL, Spark
from pagekin.errors import PagekinError
from tests.spark_here import QUICK_JAVA, differences, missing

pytestmark = pytest.mark.skipif(missing() is not None, reason=missing() or "")
INDEXES = [
    "mirrors",
    "block-pairs",
    "keywords",
    "similarity",
    "subrelevant",
    "inverted",
    "completions",
    "text",
    "answers(method=semantic)",
    "answers(method=integrated)",
]
# So that so small a web has several blocks, passes, spans and files.
FEW = {
    "collection.repeats.BLOCK": 1_500,
    "collection.parts.ROW_GROUP": 2_000,
    "collection.parts.PIECE": 40_000,
    "index.completions.ENTRIES_AT_ONCE": 500,
    "index.spooled.LEAST_ROWS": 1_000,
    "index.text.vectors.ROWS": 50,
}


def archives(folder: Path) -> list[Path]:
    """The demo web as three archives, and one that nobody can read."""
    folder.mkdir()
    pages = sorted(demo.web.pages().items())
    files = [folder / f"{number}.warc.gz" for number in range(3)]
    for number, file in enumerate(files):
        file.write_bytes(b"".join(record(*page) for page in pages[number::3]))
    (folder / "more.csv").write_text("source,target,anchor\nhttp://z.example/more,http://z.example/,One more\n")
    broken = folder / "broken.warc.gz"
    whole, cut = record("http://z.example/", b"<p>Whole"), record("http://z.example/cut", b"<p>Cut off")
    broken.write_bytes(whole + cut[: len(cut) // 2])
    return [*files, broken]


def record(url: str, body: bytes) -> bytes:
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"Content-Type: application/http\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + http + b"\r\n\r\n")


def test_the_demo_web_is_the_same_on_spark(tmp_path, monkeypatch, capfd):
    """One session for everything: starting one takes as long as the rest."""
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", QUICK_JAVA)
    monkeypatch.setenv("PAGEKIN_MEMORY", "1GB")
    for name, few in FEW.items():
        monkeypatch.setattr(f"pagekin.{name}", few)
    monkeypatch.chdir(tmp_path)
    files = archives(tmp_path / "archives")
    here, there = tmp_path / "here.kin", tmp_path / "there [1].kin"  # which Hadoop would take for a pattern
    expected = Collection(here).add(*files)
    Collection(here).build(INDEXES)

    def fails(first, last):
        raise PagekinError("this cannot be done")

    def breaks(first, last):
        raise ZeroDivisionError("of a task")

    with session("local[2]") as started, using(engine := Spark(started, there)):
        found = Collection(there).add(*files)
        Collection(there).build(INDEXES)
        again = Collection(there).add(*files)
        blocks = engine.over_rows(lambda first, last: np.arange(first, last), 1_000)
        large = engine.over_rows(lambda first, last: np.zeros(SMALL, np.int8), 2)
        with pytest.raises(PagekinError, match="this cannot be done"):
            engine.over_rows(fails, 2)
        with pytest.raises(PagekinError, match=r"a task of Spark failed.*ZeroDivisionError: of a task"):
            engine.over_rows(breaks, 2)
    assert np.concatenate(blocks).tolist() == list(range(1_000))
    assert [each.size for each in large] == [SMALL, SMALL]
    assert (found.pages, found.skipped) == (expected.pages, expected.skipped)
    assert again.pages == 0
    assert_same_pages(here, there)
    assert differences(here, there, INDEXES) == []
    for path in (here, there):  # what Spark kept of words serves the next build here as what this machine kept
        assert Collection(path).add(files[0].with_name("more.csv")).rows == 1
        (made,) = Collection(path).build("inverted").made
        assert "; reused" in made.said
    assert differences(here, there, ["inverted"]) == []
    assert sorted(file.name for file in tmp_path.iterdir()) == ["archives", "here.kin", "there [1].kin"]
    assert not list(there.glob("index/spark.*")) and not list(there.rglob("*.crc"))
    assert capfd.readouterr().err == ""


def assert_same_pages(one: Path, other: Path) -> None:
    a, b = Store(one), Store(other)
    assert a.graph.ids.tolist() == b.graph.ids.tolist()
    assert a.graph.pages.drop(["part"]).to_pylist() == b.graph.pages.drop(["part"]).to_pylist()
    assert graphs.same(a.graph, b.graph)  # roles, lines of templates and all arrays, too
    assert set(a.graph.links["role"].to_pylist()) == {0, 1, 2} and a.graph.repeated.any()
    assert a.boilerplate.equals(b.boilerplate)


def test_a_session_of_the_program_s_own_is_left_alone(monkeypatch):
    from pyspark import SparkContext

    monkeypatch.setattr(SparkContext, "_active_spark_context", object())
    with pytest.raises(PagekinError, match="has a Spark session already"), session("local[1]"):
        pass
