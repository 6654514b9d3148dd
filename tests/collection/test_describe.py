import os

from pagekin import Collection
from tests.small_webs import from_edges


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
