"""Words are read anew only where they have changed: what is counted is how often the analyser is asked."""

import pytest

from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.index.base import derive
from pagekin.index.gathered import Analyser
from pagekin.index.inverted import Inverted
from tests.small_webs import collection, page

URL = "http://h.example/{}".format


@pytest.fixture
def read(monkeypatch):
    """The texts that are read."""
    texts, before = [], Analyser.read

    def counted(self, text, *others):
        texts.append(text)
        return before(self, text, *others)

    monkeypatch.setattr(Analyser, "read", counted)
    return texts


def test_only_what_is_new_is_read(tmp_path, read):
    path = tmp_path / "s.kin"
    collection(path, *(page(URL(f"p{i}"), URL(f"p{i + 1}"), title=f"Page {i}", words="wax") for i in range(20)))

    def made():
        with writing(path) as writer:
            writer.fold()
            read.clear()
            return derive(writer, Inverted()), sorted(read)

    assert len(made()[1]) == 39  # 20 addresses, and the 19 anchors of links to pages that were fetched
    assert made()[1] == []
    collection(path, page(URL("new"), URL("p3"), words="wax"))
    said, texts = made()
    assert texts == ["new", "p3"]  # its address; and what is said of the page that it links to, an anchor once
    assert "reused" in said
    assert Store(path).manifest.indexes["inverted"].files["words.parquet"]
