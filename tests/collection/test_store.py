"""Rows of single pages, from a graph whose tables are in several pieces."""

import os

import numpy as np
import pytest

from pagekin import Collection
from pagekin.collection.store import Store, writing
from tests.small_webs import collection, edges, from_edges, random_pairs


@pytest.mark.parametrize("rows", [3, 1_000])
def test_the_rows_of_several_pages_are_those_of_each(tmp_path, monkeypatch, rows):
    monkeypatch.setattr("pagekin.collection.graph.BATCH_ROWS", rows)
    collection(tmp_path / "s.kin", edges(*((f"p{a}", f"p{b}", f"{a} to {b}") for a, b in random_pairs(1, 20, 60))))
    with writing(tmp_path / "s.kin") as writer:
        writer.fold()
    store = Store(tmp_path / "s.kin")
    assert store.graph.links["target"].num_chunks == -(-store.graph.links.num_rows // rows)
    for pages in ([], [0], [2, 3, 7, 19], range(store.size)):
        asked = np.array(pages, np.int32)
        links = store.links_on(asked)
        assert links.to_pylist() == [row for page in pages for row in store.links_of(page).to_pylist()]
        assert store.values("url", asked) == store.column("url", asked).to_pylist() == [store.url(p) for p in pages]


OURS = "000009-0a1b2c3d"


def test_a_writer_removes_what_it_left_and_nothing_else(tmp_path):
    from_edges(tmp_path / "s.kin", [("a", "b")])
    left = [tmp_path / "s.kin" / "parts" / OURS, tmp_path / "s.kin" / "index" / f"graph.{OURS}"]
    theirs = [
        tmp_path / "s.kin" / "parts" / "holiday",  # not a name of ours
        tmp_path / "s.kin" / "parts" / "000008-0a1b2c3d",  # a name of ours, and somebody's file in it
        tmp_path / "s.kin" / "index" / "notes.txt",
    ]
    for folder in (*left, *theirs):
        folder.mkdir()
    (left[0] / "pages.parquet").write_text("half")
    (left[1] / "steps.x").mkdir()
    (theirs[0] / "pages.parquet").write_text("mine")
    (theirs[1] / "photo.jpg").write_text("mine")
    from_edges(tmp_path / "s.kin", [("b", "c")])
    assert not any(folder.exists() for folder in left)
    assert all(folder.exists() for folder in theirs)


@pytest.mark.parametrize("kind", ["parts", "index"])
def test_nothing_is_removed_behind_a_link(tmp_path, kind):
    from_edges(tmp_path / "s.kin", [("a", "b")])
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / "s.kin" / kind).rename(elsewhere)
    (tmp_path / "s.kin" / kind).symlink_to(elsewhere)
    other = elsewhere / OURS
    other.mkdir()
    (other / "pages.parquet").write_text("another collection's")
    from_edges(tmp_path / "s.kin", [("b", "c")])
    Collection(tmp_path / "s.kin").scrub()
    assert other.exists()
    assert Store(tmp_path / "s.kin").size == 3


def test_a_link_within_is_not_followed(tmp_path):
    from_edges(tmp_path / "s.kin", [("a", "b")])
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "pages.parquet").write_text("mine")
    (tmp_path / "s.kin" / "parts" / OURS).symlink_to(tmp_path / "mine")
    from_edges(tmp_path / "s.kin", [("b", "c")])
    assert (tmp_path / "mine" / "pages.parquet").exists()


def test_info_counts_what_is_there_while_a_writer_removes_files(tmp_path, monkeypatch):
    path = from_edges(tmp_path / "s.kin", [("a", "b")]).path
    before = Collection(path).info().bytes
    (path / "index" / "steps").mkdir()
    (path / "index" / "steps" / "x").write_bytes(b"x")
    look = os.scandir

    def vanishing(folder):
        if str(folder).endswith("steps"):
            raise FileNotFoundError(folder)
        return look(folder)

    monkeypatch.setattr(os, "scandir", vanishing)
    assert Collection(path).info().bytes == before
