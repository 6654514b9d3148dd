"""A writer: what it names is safe on the disk; it removes what it has left, and nothing else."""

import os

import pytest

from pagekin import Collection
from pagekin.collection.store import Store
from tests.small_webs import from_edges

OURS = "000009-0a1b2c3d"


def test_no_manifest_names_what_is_not_on_the_disk(tmp_path, monkeypatch):
    """Looked at whenever a manifest is about to get its name: all files there, and the folders that name them."""
    site, replace = tmp_path / "s.kin", os.replace
    safe, commits = set(), []

    def version(found):
        return found.st_ino, found.st_mtime_ns  # the next file may have the number of one that was removed

    def named(source, target):
        if target == site / "manifest.json":
            files = [file for kind in ("parts", "index") for file in (site / kind).glob("*/*")]
            folders = {file.parent.parent for file in files}
            commits.append((len(files), [each for each in (*files, *folders) if version(each.stat()) not in safe]))
        replace(source, target)

    monkeypatch.setattr(os, "fsync", lambda descriptor: safe.add(version(os.fstat(descriptor))))
    monkeypatch.setattr(os, "replace", named)
    from_edges(site, [("a", "b"), ("b", "c"), ("c", "a")])
    Collection(site).build(all=True)
    assert len(commits) > 5
    assert commits[-1][0] > commits[1][0] > 0
    assert [missing for _, missing in commits if missing] == []


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
