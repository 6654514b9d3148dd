import json
import os
from pathlib import Path

import pytest

from pagekin.collection import sealed

CONTENT = {"a": [1, 2], "b": {"c": "ü", "d": None}}


def test_what_is_written_is_read(tmp_path):
    sealed.write(tmp_path / "x.json", CONTENT)
    assert sealed.read(tmp_path / "x.json") == (CONTENT, True)
    assert [file.name for file in tmp_path.iterdir()] == ["x.json"]


def test_a_file_has_its_name_only_when_it_is_on_the_disk_and_then_its_name_is_too(tmp_path, monkeypatch):
    done, replace = [], os.replace
    monkeypatch.setattr(os, "fsync", lambda descriptor: done.append(Path(f"/proc/self/fd/{descriptor}").readlink()))
    monkeypatch.setattr(os, "replace", lambda *names: (done.append("named"), replace(*names)))
    sealed.write(tmp_path / "x.json", CONTENT)
    assert done == [tmp_path / "x.json.new", "named", tmp_path]


def test_a_file_without_a_checksum_is_read_and_said_to_have_none(tmp_path):
    (tmp_path / "x.json").write_text(json.dumps(CONTENT))
    assert sealed.read(tmp_path / "x.json") == (CONTENT, False)


@pytest.mark.parametrize("change", [lambda t: t.replace("2", "3"), lambda t: t[:-9], lambda t: "[]", lambda t: ""])
def test_anything_else_is_refused(tmp_path, change):
    sealed.write(tmp_path / "x.json", CONTENT)
    (tmp_path / "x.json").write_text(change((tmp_path / "x.json").read_text()))
    with pytest.raises(ValueError):
        sealed.read(tmp_path / "x.json")
