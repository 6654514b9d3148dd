"""Indexes: made whole, found by name and settings, said to be missing, stale or damaged, and never half there."""

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from pagekin import Collection
from pagekin.collection.store import Store
from pagekin.collection.writer import OUR_FILES, writing
from pagekin.errors import CollectionError, NotBuiltError, UsageError
from pagekin.index.base import INDEXES, Index, derive, index, opened, register, staleness
from pagekin.wording import speaking
from tests.small_webs import collection, from_edges, page


@pytest.fixture
def counting():
    """An index that holds the number of pages, times a factor."""

    @register("counting")
    @dataclass(frozen=True, repr=False)
    class Counting(Index):
        factor: int = 1

        def make(self, store, folder):
            (folder / "count").write_text(str(self.factor * store.size))
            return f"{store.size} pages"

        def open(self, folder):
            return int((folder / "count").read_text())

    yield Counting
    del INDEXES["counting"]


@pytest.fixture
def path(tmp_path):
    from_edges(tmp_path / "s.kin", [("a", "b"), ("b", "c")])
    return tmp_path / "s.kin"


def test_an_index_is_its_text(counting):
    assert repr(counting(factor=3)) == "counting(factor=3)"
    assert index("counting( factor = 3 )") == counting(3)
    with pytest.raises(UsageError, match="unknown index 'count'; did you mean 'counting'"):
        index("count")


def test_what_was_made_is_read_again_and_settings_are_kept_apart(counting, path):
    with writing(path) as writer:
        assert derive(writer, counting()) == "3 pages"
        derive(writer, counting(factor=2))
    store = Store(path)
    assert [opened(store, counting()), opened(store, counting(2))] == [3, 6]
    assert {"counting", "counting(factor=2)"} <= set(store.manifest.indexes)


def test_asking_before_building_names_the_command(counting, path):
    with pytest.raises(NotBuiltError, match=r'is not built; run: Collection\(".*"\)\.build\(index="counting\(factor=2'):
        opened(Store(path), counting(2))
    said = r"counting\(factor=2\) is not built; run: pagekin build .*s\.kin --index 'counting\(factor=2\)'"
    with speaking("shell"), pytest.raises(NotBuiltError, match=said):
        opened(Store(path), counting(2))


def test_an_index_older_than_the_pages_answers_and_is_said_to_be_stale(counting, path):
    with writing(path) as writer:
        derive(writer, counting())
    assert staleness(Store(path), counting()) is None
    from_edges(path, [("c", "d")])
    store = Store(path)
    assert opened(store, counting()) == 3
    assert f'run: Collection("{path}").build()' in staleness(store, counting())
    assert staleness(store, None) is None


def test_making_it_again_replaces_it_and_the_old_files_stay_for_one_generation(counting, path):
    with writing(path) as writer:
        derive(writer, counting())
    before = Store(path)
    from_edges(path, [("c", "d")])
    with writing(path) as writer:
        derive(writer, counting())
    assert opened(before, counting()) == 3
    assert opened(Store(path), counting()) == 4
    assert len(list((path / "index").glob("counting.*"))) == 2


def test_a_failure_while_making_leaves_nothing(counting, path, monkeypatch):
    def fails(self, store, folder):
        (folder / "half").write_text("x")
        raise RuntimeError

    monkeypatch.setattr(counting, "make", fails)
    with writing(path) as writer, pytest.raises(RuntimeError):
        derive(writer, counting())
    assert "counting" not in Store(path).manifest.indexes
    assert not list((path / "index").glob("counting.*"))


def test_damage_is_an_error_that_says_what_to_do(counting, path):
    with writing(path) as writer:
        derive(writer, counting())
    store = Store(path)
    (path / store.manifest.indexes["counting"].path / "count").unlink()
    with pytest.raises(CollectionError, match=r"count is missing; to repair .* run: Coll.*\.scrub\(\)"):
        opened(store, counting())


WRITTEN: list[str] | None = None  # the files opened for writing, while somebody listens


def _listen(event, arguments):
    if event == "open" and WRITTEN is not None and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
        WRITTEN.append(str(arguments[0]))


sys.addaudithook(_listen)  # it cannot be taken away again


def test_nothing_that_a_build_writes_meanwhile_would_stay_if_it_were_killed(tmp_path):
    """Every file that Python opens for writing in an index's folder is of a kind that is swept."""
    global WRITTEN
    links = [f"http://h.example/{i}" for i in range(9)]
    items = [
        page(url, *links[i // 2 :], words=f"wax bees hive{i} hive{i % 3}", title=url) for i, url in enumerate(links)
    ]
    site = Collection(collection(tmp_path / "s.kin", *items).path)
    WRITTEN = []
    site.build(all=True)
    written, WRITTEN = WRITTEN, None
    inside = [Path(each) for each in written if Path(each).is_relative_to(tmp_path / "s.kin/index")]
    assert {file.suffix for file in inside} >= {".npy", ".tmp", ".json"}
    assert not [file for file in inside if file.suffix not in OUR_FILES]
