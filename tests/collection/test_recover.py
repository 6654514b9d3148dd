"""A manifest that is lost is rebuilt from what parts and indexes say about themselves."""

import errno
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from pagekin import Collection
from pagekin.collection import manifest, recover, sealed
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.errors import CollectionError
from tests.small_webs import collection, edges, page

A, B, C = (f"http://{name}.example/" for name in "abc")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    path = tmp_path_factory.mktemp("built") / "s.kin"
    with writing(path, icann_only=True):
        pass
    collection(path, page(A, B, words="bees and honey"), page(B, C))
    collection(path, edges((C, A, "first"), (C, B)))
    Collection(path).build(all=True)
    collection(path, page(C, A, words="honey"))
    return path


@pytest.fixture
def site(built, tmp_path):
    return shutil.copytree(built, tmp_path / "s.kin")


def scrub(path):
    return list(Collection(path).scrub().done)


def lose(site, how):
    file = site / "manifest.json"
    if how == "missing":
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[:-40])


@pytest.mark.parametrize("how", ["missing", "cut"])
def test_it_is_rebuilt_as_it_was(site, how):
    before = replace(manifest.read(site), retired=())
    assert before.icann_only
    assert before.indexes.keys() > {"graph", "similarity", "inverted"}
    lose(site, how)
    with pytest.raises(CollectionError, match=r"manifest\.json is .*run: Collection\(.*\.scrub\(\)"):
        Collection(site).related(A)
    said = scrub(site)
    assert "rebuilt from 2 parts with 5 page rows" in said[0]
    assert not any("lost" in line for line in said)
    assert replace(manifest.read(site), retired=()) == before


def test_parts_that_compaction_replaced_do_not_come_back(site):
    Collection(site).build(index="graph")
    assert len(list((site / "parts").iterdir())) == 3  # one generation back is kept
    before = Store(site)
    lose(site, "missing")
    scrub(site)
    assert [part.name for part in Store(site).manifest.parts] == [part.name for part in before.manifest.parts]
    assert Store(site).manifest.version == before.manifest.version


def test_what_stood_in_the_manifest_alone_is_named_as_lost(site):
    """A collection as it was before parts and indexes described themselves."""
    for file in site.glob("*/*/*.json"):
        if file.name in ("part.json", "index.json"):
            file.unlink()
    before = {url: Collection(site).related(url, method="co-citation").as_dict()["results"] for url in (A, B, C)}
    lose(site, "missing")
    said = " / ".join(scrub(site))
    assert "whether private suffixes count stood in the manifest alone and is lost" in said
    assert "the index similarity is lost and has to be built again" in said
    assert before == {url: Collection(site).related(url, method="co-citation").as_dict()["results"] for url in before}


def test_a_part_that_cannot_be_read_at_all_is_set_aside_before_a_writer_removes_it(site):
    part = site / Store(site).manifest.parts[1].path
    (part / "part.json").unlink()
    (part / "pages.parquet").write_bytes(b"nothing")
    held = {file.name: file.read_bytes() for file in part.iterdir()}
    lose(site, "missing")
    assert any(f"part {part.name} " in line and "its rows are lost; it is set aside in" in line for line in scrub(site))
    assert {file.name: file.read_bytes() for file in (site / "damaged" / part.name).iterdir()} == held


@pytest.mark.parametrize("name", ["part.json", "index.json", "pages.parquet"])
def test_nothing_is_lost_for_want_of_file_handles(site, monkeypatch, name):
    """What may not be read now may be sound: a manifest without it would have it removed."""
    if name == "pages.parquet":
        for file in site.glob("parts/*/part.json"):
            file.unlink()
    lose(site, "missing")
    held = sorted(site.rglob("*"))

    def lacking(path, *rest, **named):
        if Path(path).name == name:
            raise OSError(errno.EMFILE, "Too many open files", str(path))
        return read(path, *rest, **named)

    place, called = (recover.pq, "read_table") if name == "pages.parquet" else (sealed, "read")
    read = getattr(place, called)
    monkeypatch.setattr(place, called, lacking)
    with pytest.raises(CollectionError, match="too many files are open"):
        scrub(site)
    assert [path for path in sorted(site.rglob("*")) if path.name != "lock"] == [p for p in held if p.name != "lock"]


def test_a_manifest_that_the_disk_cannot_read_is_rebuilt(site, monkeypatch):
    before, read_text = replace(manifest.read(site), retired=()), Path.read_text

    def failing(path, *rest, **named):
        if path.name == "manifest.json" and path.stat().st_ino == bad:
            raise OSError(errno.EIO, "Input/output error", str(path))
        return read_text(path, *rest, **named)

    bad = (site / "manifest.json").stat().st_ino
    monkeypatch.setattr(Path, "read_text", failing)
    with pytest.raises(CollectionError, match=r"manifest\.json cannot be read \(Input/output error.*scrub\(\)"):
        Collection(site).related(A)
    assert "rebuilt from 2 parts" in scrub(site)[0]
    assert replace(manifest.read(site), retired=()) == before


def test_a_folder_that_is_no_collection_is_left_alone(tmp_path):
    (tmp_path / "x" / "parts").mkdir(parents=True)
    (tmp_path / "x" / "parts" / "mine.txt").write_text("mine")
    with pytest.raises(CollectionError, match="is not a collection"):
        scrub(tmp_path / "x")
    assert (tmp_path / "x" / "parts" / "mine.txt").read_text() == "mine"
    assert not (tmp_path / "x" / "manifest.json").exists()


def before_checksums(site):
    """Make a collection what it would have been before files had checksums."""
    found = json.loads((site / "manifest.json").read_text())
    del found["checksum"]
    for index in found["indexes"].values():
        del index["files"]
    (site / "manifest.json").write_text(json.dumps(found | {"format": 1}))
    for name in ("part.json", "index.json"):
        for file in site.glob(f"*/*/{name}"):
            file.unlink()


def test_a_collection_of_before_checksums_opens_and_build_adds_them(site):
    answer = Collection(site).related(A, method="assisted").as_dict()
    before_checksums(site)
    assert Collection(site).related(A, method="assisted").as_dict() == answer
    said = " / ".join(scrub(site))
    assert "could not verify the index similarity: it was made before files had checksums" in said
    before_checksums(site)
    Collection(site).build()
    assert scrub(site)[0].startswith("nothing to repair")
    assert all(index.files for index in Store(site).manifest.indexes.values())


def test_the_first_writer_of_an_old_collection_does_not_build_on_an_unverified_graph(site):
    before_checksums(site)
    folder = site / Store(site).manifest.indexes["graph"].path
    shutil.copy(folder / "in.npy", folder / "out.npy")
    with writing(site) as writer:
        writer.fold()
    assert scrub(site)[0].startswith(("descriptions", "could not verify"))
    assert not any("the graph was damaged" in line for line in scrub(site))
