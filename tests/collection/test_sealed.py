import json

import pytest

from pagekin.collection import sealed

CONTENT = {"a": [1, 2], "b": {"c": "ü", "d": None}}


def test_what_is_written_is_read(tmp_path):
    sealed.write(tmp_path / "x.json", CONTENT)
    assert sealed.read(tmp_path / "x.json") == (CONTENT, True)
    assert [file.name for file in tmp_path.iterdir()] == ["x.json"]


def test_a_file_without_a_checksum_is_read_and_said_to_have_none(tmp_path):
    (tmp_path / "x.json").write_text(json.dumps(CONTENT))
    assert sealed.read(tmp_path / "x.json") == (CONTENT, False)


@pytest.mark.parametrize("change", [lambda t: t.replace("2", "3"), lambda t: t[:-9], lambda t: "[]", lambda t: ""])
def test_anything_else_is_refused(tmp_path, change):
    sealed.write(tmp_path / "x.json", CONTENT)
    (tmp_path / "x.json").write_text(change((tmp_path / "x.json").read_text()))
    with pytest.raises(ValueError):
        sealed.read(tmp_path / "x.json")
