"""Archives read by tasks, each for itself, make the collection that reading them in a row makes."""

import pytest

from pagekin.collection.ingest import ingest
from pagekin.collection.spread import spread
from pagekin.collection.store import Store
from pagekin.engine.base import Local, using
from pagekin.errors import PagekinError
from pagekin.model import Redirect, Skipped
from tests.small_webs import edges, page


def sources():
    """Four archives: pages, another version of one of them, what tables bring, and one that cannot be read."""
    some = [page(f"http://a.example/{n}", f"http://a.example/{n + 1}", words="bees and hives") for n in range(30)]
    later = page("http://a.example/3", "http://b.example/", fetched=2_000, words="a later version")
    moved = Redirect("http://a.example/old", "http://a.example/3")
    links = edges(("http://c.example/", "http://a.example/7", "seven"))
    return [some, [later, moved], [links], [Skipped("d.warc", "unreadable")]]


def same(one, other):
    a, b = Store(one), Store(other)
    assert a.graph.pages.drop(["part"]).to_pylist() == b.graph.pages.drop(["part"]).to_pylist()
    assert a.graph.links.to_pylist() == b.graph.links.to_pylist()
    terms = [sum(rows.num_rows for rows in store.rows("terms")) for store in (a, b)]
    assert terms[0] == terms[1] > 0


def test_the_same_collection_in_one_commit(tmp_path):
    expected = ingest(tmp_path / "row.kin", sources())
    found = spread(tmp_path / "spread.kin", sources(), part_pages=10)
    same(tmp_path / "row.kin", tmp_path / "spread.kin")
    assert (found.rows, found.skipped) == (expected.rows, expected.skipped)
    assert found.pages == 31  # two versions of one page are in different archives
    assert found.examples == {"unreadable": ["d.warc"]}
    assert Store(tmp_path / "spread.kin").manifest.version == 1  # of a new collection: 0


def test_again_adds_nothing_and_leaves_nothing(tmp_path):
    path = tmp_path / "s.kin"
    spread(path, sources())
    before = {file: file.stat().st_mtime_ns for file in path.glob("parts/*/*")}
    again = spread(path, sources())
    assert (again.pages, again.unchanged) == (0, 31)
    assert {file: file.stat().st_mtime_ns for file in path.glob("parts/*/*")} == before


class Failing(Local):
    """An engine on which the last task fails, after the others have written their parts."""

    def over_files(self, work, files):
        yield from map(work, files[:-1])
        raise PagekinError("a task of Spark failed")


@pytest.mark.parametrize("new", [True, False])
def test_a_failed_job_leaves_the_collection_as_it_was(tmp_path, new):
    path = tmp_path / "s.kin"
    if not new:
        ingest(path, [[page("http://z.example/", "http://a.example/1")]])
    before = sorted(file for file in path.rglob("*") if file.name != "lock")
    with using(Failing()), pytest.raises(PagekinError, match="a task of Spark failed"):
        spread(path, sources())
    assert sorted(file for file in path.rglob("*") if file.name != "lock") == before
    assert path.exists() is not new
    spread(path, sources())
    assert Store(path).size > 30


def test_what_a_task_run_twice_wrote_is_swept_up(tmp_path):
    path = tmp_path / "s.kin"

    class Twice(Local):
        def over_files(self, work, files):
            list(map(work, files))  # of a machine that died before it said so
            return map(work, files)

    with using(Twice()):
        spread(path, sources())
    assert {f"parts/{each.name}" for each in (path / "parts").iterdir()} == {
        part.path for part in Store(path).manifest.parts
    }
