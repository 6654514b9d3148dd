"""Words are read anew only where they have changed: what is counted is how often the analyser is asked."""

import itertools
from dataclasses import replace

import pyarrow as pa
import pytest

from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.index.base import derive
from pagekin.index.gathered import Analyser
from pagekin.index.inverted import Inverted
from pagekin.model import Capture
from tests.small_webs import collection, edges, page

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
    assert texts == ["new", "p3"]  # its address, and what it says of the page that it links to
    assert "reused" in said
    assert Store(path).manifest.indexes["inverted"].files["words.arrows"]


def test_links_alone_leave_nothing_to_keep(tmp_path, read):
    path = tmp_path / "s.kin"
    for pair in (("a", "b"), ("a", "c")):
        assert renewed(path, read, edges(pair)) == []
    assert renewed(path, read, page(URL("new"), words="wax")) == ["new"]


def naming(name, *said):
    """A page that links to others: each address with its anchor."""
    items = "".join(f'<li><a href="{URL(target)}">{anchor}</a>' for target, anchor in said)
    html = f"<title>{name}</title><ul>{items}</ul>"
    return Capture(URL(name), html.encode(), "text/html; charset=utf-8", fetched=1_000, origin="test")


def renewed(path, read, *items):
    """Add something and make the index; the texts that were read for it."""
    collection(path, *items)
    with writing(path) as writer:
        writer.fold()
        read.clear()
        derive(writer, Inverted())
    return sorted(read)


def content(path):
    folder = path / Store(path).manifest.indexes["inverted"].path
    files = (file for file in folder.iterdir() if file.suffix in (".npy", ".arrow"))
    return {file.name: file.read_bytes() for file in files if file.name not in ("prints.npy", "words.npy")}


def test_of_what_is_said_of_a_page_only_what_new_pages_say_is_read(tmp_path, read):
    first = [page(URL("t"), words="wax"), naming("a", ("t", "Bees")), naming("b", ("t", "hive of bees"))]
    assert renewed(tmp_path / "s.kin", read, *first) == ["Bees", "a", "b", "hive of bees", "t"]
    more = naming("c", ("t", "a bee"))
    assert renewed(tmp_path / "s.kin", read, more) == ["a bee", "c"]
    renewed(tmp_path / "once.kin", read, *first, more)
    assert content(tmp_path / "s.kin") == content(tmp_path / "once.kin")
    changed = replace(naming("a", ("t", "Honey")), fetched=2_000)
    assert renewed(tmp_path / "s.kin", read, changed) == ["Honey", "a bee", "hive of bees"]  # one said something else
    renewed(tmp_path / "twice.kin", read, *first[:1], changed, *first[2:], more)
    assert content(tmp_path / "s.kin") == content(tmp_path / "twice.kin")


@pytest.mark.parametrize(("before", "after"), [(100, 100), (200, 100), (300, 1)])
def test_a_word_that_hundreds_say_counts_as_in_one_build(tmp_path, read, before, after):
    links = [(URL(f"a{i}"), URL("t"), "bee") for i in range(before + after)]
    renewed(tmp_path / "s.kin", read, page(URL("t")), edges(*links[:before]))
    renewed(tmp_path / "s.kin", read, edges(*links[before:]))
    renewed(tmp_path / "once.kin", read, page(URL("t")), edges(*links))
    assert content(tmp_path / "s.kin") == content(tmp_path / "once.kin")


@pytest.mark.parametrize("spelled", [*itertools.permutations(["Bees", "bee", "bees"])])
def test_how_a_word_is_spelled_does_not_depend_on_what_is_read_together(tmp_path, read, spelled):
    pages = [page(URL("t"), words="wax"), page(URL("u"), words="wax")]
    said = [(URL(f"a{at}"), URL("tu"[at % 2]), word) for at, word in enumerate(spelled)]  # only links say it
    renewed(tmp_path / "s.kin", read, *pages, edges(*said[:2]))
    renewed(tmp_path / "s.kin", read, edges(*said[2:]))
    renewed(tmp_path / "once.kin", read, *pages, edges(*said))
    assert content(tmp_path / "s.kin") == content(tmp_path / "once.kin")
    terms = pa.ipc.open_file(pa.py_buffer(content(tmp_path / "s.kin")["terms.arrow"])).read_all()
    assert dict(zip(terms["term"].to_pylist(), terms["surface"].to_pylist(), strict=True))["bee"] == "Bees"
