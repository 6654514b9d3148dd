import pytest

from pagekin.collection.files import all_known, faults


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a").write_bytes(bytes(range(256)) * 8200)  # more than is read at once
    (tmp_path / "b").write_bytes(b"")
    return tmp_path


def test_what_is_as_it_was_has_no_faults(folder):
    assert list(faults(folder, all_known(folder), in_full=True)) == []


def test_each_damage_is_named(folder):
    known = all_known(folder)
    (folder / "b").unlink()
    held = (folder / "a").read_bytes()
    (folder / "a").write_bytes(held[:-1] + b"?")
    found = list(faults(folder, known, in_full=True))
    assert [(path.name, what.partition(":")[0]) for path, what in found] == [("a", "is damaged"), ("b", "is missing")]
    assert [path.name for path, _ in faults(folder, known, in_full=False)] == ["b"]  # a's size is as it was
    (folder / "a").write_bytes(held[:-1])
    assert "2,099,199 bytes instead of 2,099,200" in next(faults(folder, known, in_full=False))[1]
