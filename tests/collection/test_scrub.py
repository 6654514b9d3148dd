import shutil

import numpy as np
import pytest

from pagekin import Collection
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.errors import CollectionError
from pagekin.model import Redirect
from pagekin.url import page_id
from tests.small_webs import collection, edges, page

A, B, C = (f"http://{name}.example/" for name in "abc")


def scrub(path):
    """The sentences of a scrub."""
    return list(Collection(path).scrub().done)


@pytest.fixture
def site(tmp_path):
    path = tmp_path / "s.kin"
    collection(path, page(A, B, words="bees and honey"), page(B, C))
    collection(path, edges((C, A, "first"), (C, B)), Redirect("http://old.example/", A))
    return path


def test_a_sound_collection_is_left_alone(site):
    before = (site / "manifest.json").read_text()
    assert scrub(site) == ["nothing to repair: 3 parts, 8 page rows, 1 index checked"]
    assert (site / "manifest.json").read_text() == before


def test_a_damaged_part_is_set_aside_and_the_rest_stays(site):
    part = Store(site).manifest.parts[0]
    file = site / part.path / "pages.parquet"
    file.write_bytes(file.read_bytes()[:-20] + b"\0" * 20)
    said = scrub(site)
    assert any("its table pages is damaged: all its 3 rows could be read; it is set aside" in line for line in said)
    assert (site / "damaged" / part.name / "pages.parquet").exists()
    assert [line[:17] for line in scrub(site)] == ["nothing to repair"]


def test_a_missing_part_is_said(site):
    shutil.rmtree(site / Store(site).manifest.parts[0].path)
    assert any("is damaged" in line for line in scrub(site))


def test_a_graph_that_does_not_follow_from_the_parts_is_made_anew(site):
    before = Store(site).graph.arrays.out.tolist()
    folder = site / Store(site).manifest.indexes["graph"].path
    shutil.copy(folder / "in.npy", folder / "out.npy")
    assert scrub(site) == ["the graph was damaged or did not match the parts: rebuilt"]
    assert Store(site).graph.arrays.out.tolist() == before


def flipped(file, old, new):
    """Overwrite the one place in a file where some bytes stand."""
    held = file.read_bytes()
    assert held.count(old) == 1
    file.write_bytes(held.replace(old, new))


def with_another_part(site):
    """Change the graph's `part` of a fetched page, as a bad disk might."""
    folder = site / Store(site).manifest.indexes["graph"].path
    part = Store(site).graph.pages["part"].to_numpy()
    other = np.where(part == 0, 1, part).astype(np.int32)
    flipped(folder / "pages.arrow", part.tobytes(), other.tobytes())


def test_compaction_keeps_what_the_parts_hold_whatever_the_graph_says(site):
    with_another_part(site)
    Collection(site).build(index="graph")
    store = Store(site)
    assert len(store.manifest.parts) == 1
    assert store.graph.pages["fetched"].null_count == store.size - 2
    assert "bees and honey" in store.text(store.number(page_id(A)))


def test_a_flip_in_any_column_of_the_graph_is_seen(site):
    with_another_part(site)
    assert scrub(site) == ["the graph was damaged or did not match the parts: rebuilt"]
    folder = site / Store(site).manifest.indexes["graph"].path
    source = Store(site).graph.links["source"].to_numpy()
    flipped(folder / "links.arrow", source.tobytes(), source[::-1].tobytes())
    assert scrub(site) == ["the graph was damaged or did not match the parts: rebuilt"]
    folder = site / Store(site).manifest.indexes["graph"].path
    flipped(folder / "aliases.arrow", b"http://old.example/", b"http://odd.example/")
    assert scrub(site) == ["the graph was damaged or did not match the parts: rebuilt"]
    assert [line[:17] for line in scrub(site)] == ["nothing to repair"]


@pytest.mark.parametrize("name", ["ids", "out", "in_start", "either", "link_start"])
@pytest.mark.parametrize("size", [0, 140])
def test_arrays_that_were_cut_short_are_seen_and_made_anew(site, name, size):
    file = site / Store(site).manifest.indexes["graph"].path / f"{name}.npy"
    file.write_bytes(file.read_bytes()[:size])
    with pytest.raises(CollectionError, match=r"run: Collection\(.*\.scrub\(\)"):
        Store(site).graph  # noqa: B018
    assert scrub(site) == ["the graph was damaged or did not match the parts: rebuilt"]
    assert Store(site).graph.arrays.links


def test_a_state_that_is_gone_says_so(site):
    early = Store(site)
    for i in range(3):
        collection(site, page(f"http://d.example/{i}", A))
    with pytest.raises(CollectionError, match="has changed since it was opened"):
        early.graph  # noqa: B018


def test_damage_is_named_where_a_writer_reads_a_state_that_is_not_committed(site):
    held = Store(site).manifest
    for part in held.parts:
        (site / part.path / "text.parquet").write_bytes(b"damaged")
    with pytest.raises(CollectionError, match=r"text\.parquet .*; to repair the collection"):
        Store(site, held.following(version=held.version + 1), in_full=True).texts([0])


def test_folders_of_an_interrupted_command_are_removed(site):
    (site / "parts" / "000099-deadbeef").mkdir()
    assert scrub(site) == ["removed folders that an interrupted command left behind (1): parts/000099-deadbeef"]


def test_a_collection_of_an_older_canonical_form_is_brought_up(site):
    with writing(site) as writer:
        writer.commit(canonical=0)
    with pytest.raises(CollectionError, match=r"older canonical form .*run: Collection"):
        collection(site, page(C, A))
    assert scrub(site) == ["all addresses are now in version 1 of the canonical form"]
    collection(site, page(C, A))


def test_no_collection(tmp_path):
    with pytest.raises(CollectionError, match="there is no collection"):
        scrub(tmp_path / "none.kin")
    assert not (tmp_path / "none.kin").exists()
