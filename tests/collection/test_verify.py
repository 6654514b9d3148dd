"""Files are verified when they are opened: in full if they are small, by size if they are large."""

import numpy as np
import pytest

from pagekin import Collection
from pagekin.collection import verify
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.errors import CollectionError
from tests.small_webs import collection, page

A, B, C = (f"http://{name}.example/" for name in "abc")
LARGE = 0  # as the most bytes that are verified: every file is too large


@pytest.fixture
def site(tmp_path):
    path = tmp_path / "s.kin"
    collection(path, page(A, B, C, words="bees and honey"), page(B, A, C, words="honey"))
    return path


def flip(file, at=-1):
    held = bytearray(file.read_bytes())
    held[at] ^= 1
    file.write_bytes(held)


def graph_file(site, name):
    return site / Store(site).manifest.indexes["graph"].path / name


@pytest.mark.parametrize("name", ["ids.npy", "out.npy", "either_start.npy", "pages.arrow", "aliases.arrow"])
def test_one_flipped_bit_is_an_error_that_names_the_file(site, name):
    flip(graph_file(site, name))
    with pytest.raises(CollectionError, match=rf"{name} is damaged: its content .*run: Collection\(.*\.scrub\(\)"):
        Collection(site).related(A)


@pytest.mark.parametrize("table", ["pages", "links", "text"])
def test_a_part_s_table_is_verified_before_it_is_read(site, table):
    flip(site / Store(site).manifest.parts[0].path / f"{table}.parquet", 40)
    store = Store(site)
    with pytest.raises(CollectionError, match=rf"{table}\.parquet is damaged"):
        store.table(store.manifest.parts[0], table)


def test_large_files_are_checked_by_size_and_in_full_by_a_writer(site, monkeypatch):
    monkeypatch.setattr(verify, "MOST_BYTES", LARGE)
    file = graph_file(site, "ids.npy")
    flip(file)
    assert Store(site).graph.ids.size == 3  # documented: not seen
    with writing(site) as writer, pytest.raises(CollectionError, match=r"ids\.npy is damaged"):
        writer.store().graph  # noqa: B018
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(CollectionError, match=r"ids\.npy is damaged: it has 151 bytes instead of 152"):
        Store(site).graph  # noqa: B018


def test_what_is_opened_first_uses_up_what_is_verified(site, monkeypatch):
    total = sum(size for size, _ in Store(site).manifest.indexes["graph"].files.values())
    monkeypatch.setattr(verify, "MOST_BYTES", total)
    flip(site / Store(site).manifest.parts[0].path / "text.parquet", 40)
    store = Store(site)
    assert store.graph
    assert store.verifier.table(store.manifest.parts[0], "text") is None
    assert store.verifier.examine()[0].name == "text.parquet"
    assert Store(site).verifier.table(store.manifest.parts[0], "text")[0].name == "text.parquet"


def test_a_question_that_fails_on_a_large_file_names_the_damage(site, monkeypatch):
    monkeypatch.setattr(verify, "MOST_BYTES", LARGE)
    file = graph_file(site, "out.npy")
    held = np.load(file)
    np.save(file, np.full_like(held, 1 << 20))  # pages that do not exist
    with pytest.raises(CollectionError, match=r"out\.npy is damaged"):
        Collection(site)._ask(lambda store: [store.url(page) for page in store.arrays.out.tolist()])
    with pytest.raises(ZeroDivisionError):  # an error of ours stays what it is
        np.save(file, held)
        Collection(site)._ask(lambda store: store.graph and 1 // 0)


def test_rows_that_are_not_those_of_the_table_are_not_read(site, monkeypatch):
    monkeypatch.setattr(verify, "MOST_BYTES", LARGE)
    folder = site / Store(site).manifest.parts[0].path
    (folder / "text.parquet").write_bytes((folder / "terms.parquet").read_bytes())
    store = Store(site)
    with pytest.raises(CollectionError, match=r"text\.parquet is damaged"):
        store.table(store.manifest.parts[0], "text")
