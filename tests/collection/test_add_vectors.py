"""`add --vectors`: what is taken, what is refused and why, and that nothing is left of an add that failed."""

import shutil

import numpy as np
import pyarrow as pa
import pytest

from pagekin import Collection
from pagekin.collection import add_vectors as adding
from pagekin.collection.store import Store
from pagekin.collection.vectors import standing
from pagekin.errors import CollectionError, SourceError, UsageError
from pagekin.model import Redirect
from tests.collection.test_vectors import held
from tests.shell.test_main import shell  # noqa: F401
from tests.small_webs import collection, page
from tests.vector_files import vector_file

URL = "http://h.example/{}".format
NAN, INF = float("nan"), float("inf")


@pytest.fixture
def site(tmp_path):
    pages = [page(URL(i), URL((i + 1) % 8), words=f"w{i} bee") for i in range(8)]
    return collection(tmp_path / "s.kin", *pages, Redirect(URL("old"), URL(0))).path


def add(site, *rows):
    return Collection(site).add(vectors=vector_file(site.parent / "v.parquet", rows))


def test_what_is_taken_and_what_is_refused(site, shell, tmp_path):  # noqa: F811
    good = [(URL(i), [1.0, i]) for i in range(3)]
    bad = [
        (URL("nix"), [1.0, 2.0]), (URL("nada"), [1.0, 2.0]), ("http:// what", [1.0, 2.0]), (None, [1.0, 2.0]),
        (URL(3), [1.0, 2.0, 3.0]), (URL(4), [NAN, 1.0]), (URL(5), [1.0, -INF]), (URL(6), [0.0, 0.0]),
        (URL(7), None), (URL(1), [5.0, 5.0]), (URL(5), [1.0, None]),
    ]  # fmt: skip
    code, _, err = shell("add", site, "--vectors", vector_file(tmp_path / "v.parquet", [*good, *bad]))
    assert code == 0
    assert err.splitlines() == [
        "added vectors of 3 pages, each of 2 numbers",
        "skipped 11:",
        "  3 not in the collection: http://h.example/nix, http://h.example/nada …",
        "  2 given again further down, where the last counts: http://h.example/1, http://h.example/5",
        "  2 with a number that is not finite: http://h.example/4, http://h.example/5",
        "  1 without an address: row 7",
        "  1 without numbers: http://h.example/7",
        "  1 of another length than 2, which those of the collection have: http://h.example/3",
        "  1 of zeros alone: http://h.example/6",
    ]
    assert held(site) == {URL(0): (1.0, 0.0), URL(1): (5.0, 5.0), URL(2): (1.0, 2.0)}
    assert Collection(site).info().vectors == {"pages": 3, "length": 2}
    assert "vectors" in shell("info", site)[1]


def test_addresses_are_found_as_in_questions(site):
    report = add(site, (URL("old"), [1.0, 2.0]), ("https://h.example/1#top", [3.0, 4.0]))
    assert report.vectors == 2
    assert held(site) == {URL(0): (1.0, 2.0), URL(1): (3.0, 4.0)}


def test_adding_again_replaces_page_by_page_and_the_same_changes_nothing(site):
    add(site, *((URL(i), [1.0, i]) for i in range(4)))
    before = (site / "manifest.json").read_bytes()
    report = add(site, *((URL(i), [1.0, i]) for i in range(4)))
    assert report.lines == ["added vectors of 0 pages, each of 2 numbers; 4 were already in the collection"]
    assert (site / "manifest.json").read_bytes() == before
    report = add(site, (URL(0), [9.0, 9.0]), (URL(1), [1.0, 1.0]), (URL(5), [7.0, 7.0]))
    assert (report.vectors, report.unchanged_vectors) == (2, 1)
    expected = {URL(0): (9.0, 9.0), URL(1): (1.0, 1.0), URL(2): (1.0, 2.0), URL(3): (1.0, 3.0), URL(5): (7.0, 7.0)}
    assert held(site) == expected


def test_the_last_that_is_added_counts_even_if_the_clock_was_set_back(site, monkeypatch):
    add(site, (URL(0), [1.0, 1.0]))
    monkeypatch.setattr(adding.time, "time_ns", lambda: 0)
    add(site, (URL(0), [2.0, 2.0]))
    assert held(site) == {URL(0): (2.0, 2.0)}


def test_another_length_is_refused_unless_it_is_another_model_for_all(site):
    add(site, *((URL(i), [1.0, i]) for i in range(4)))
    report = add(site, (URL(0), [1.0, 2.0, 3.0]), (URL(1), [1.0, 2.0, 3.0]), (URL(2), [8.0, 8.0]))
    assert report.vectors == 1
    assert report.skipped == {"of another length than 2, which those of the collection have": 2}
    assert len(held(site)) == 4
    report = add(site, *((URL(i), [1.0, 2.0, i]) for i in range(1, 5)))
    assert "they replace those of 4 pages, which had another length and no longer count" in report.lines
    assert held(site) == {URL(i): (1.0, 2.0, i) for i in range(1, 5)}


def test_another_model_whose_vectors_are_no_good_replaces_nothing(site, shell, tmp_path):  # noqa: F811
    add(site, *((URL(i), [1.0, i]) for i in range(4)))
    before = held(site)
    broken = [(URL(0), [1.0, 2.0, 3.0]), *((URL(i), [NAN] * 3) for i in range(1, 5))]
    file = vector_file(tmp_path / "b.parquet", broken)
    code, _, err = shell("add", site, "--vectors", file)
    assert code == 1
    assert err == (
        f"pagekin: the vectors of {file} have another length than those of 4 pages of {site} and would replace them, "
        "but only 1 are good; nothing was taken: check the model's output\n"
    )
    assert held(site) == before


def test_pages_and_vectors_in_one_command(tmp_path):
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "a.html").write_text("<p>bees <a href=b.html>more</a>")
    (folder / "b.html").write_text("<p>honey")
    file = vector_file(tmp_path / "v.parquet", [("http://w.example/a.html", [1.0])])
    report = Collection(tmp_path / "s.kin").add(folder, base_url="http://w.example/", vectors=file)
    assert report.lines == ["added 2 pages", "added vectors of 1 page, each of 1 number"]


def test_indexes_stay_good_but_that_of_the_vectors(site):
    add(site, (URL(0), [1.0, 2.0]), (URL(1), [1.0, 3.0]))
    made = Collection(site)
    made.build(index=["text", "vectors"])
    assert add(site, (URL(2), [4.0, 2.0])).vectors == 1
    info = made.info()
    assert "text" in info.built
    assert "vectors" not in info.built
    assert info.stale == ()
    (site / "manifest.json").unlink()
    made.scrub()
    assert "vectors" not in made.info().built  # the former one does not come back
    made.build(index=["vectors"])
    assert "vectors" in made.info().built


def test_a_failure_leaves_the_collection_as_it_was(site, monkeypatch):
    add(site, (URL(0), [1.0, 2.0]))
    before = {file: file.read_bytes() for file in site.rglob("*") if file.is_file()}
    monkeypatch.setattr(adding, "PART_BYTES", 1)
    monkeypatch.setattr(adding, "_commit", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        add(site, *((URL(i), [2.0, i]) for i in range(8)))
    assert {file: file.read_bytes() for file in site.rglob("*") if file.is_file()} == before


def test_many_parts_hold_the_same_as_one(site, monkeypatch):
    from pagekin.acquire import vectors

    rows = [(URL(i), [1.0, i]) for i in range(8)]
    copy = shutil.copytree(site, site.parent / "copy.kin")
    add(copy, *rows)
    monkeypatch.setattr(adding, "PART_BYTES", 1)
    monkeypatch.setattr(vectors, "MOST_NUMBERS", 6)
    add(site, *rows)
    assert len(Store(site).manifest.parts) > len(Store(copy).manifest.parts)
    assert held(site) == held(copy) == {url: tuple(vector) for url, vector in rows}


def test_doubles_are_kept_as_singles(site):
    file = vector_file(site.parent / "d.parquet", [(URL(0), [0.1, 1e30]), (URL(1), [1e-300, 1e300])],
                       pa.list_(pa.float64()))  # fmt: skip
    report = Collection(site).add(vectors=file)
    assert report.skipped == {"with a number that is not finite": 1}
    assert held(site) == {URL(0): (float(np.float32(0.1)), float(np.float32(1e30)))}


def test_what_is_wrong_is_said(site, shell, tmp_path):  # noqa: F811
    nothing = vector_file(tmp_path / "n.parquet", [(URL("nix"), [1.0]), (URL(1), None)])
    code, _, err = shell("add", site, "--vectors", nothing)
    assert code == 1
    assert err.splitlines()[-1] == f"pagekin: no vector could be taken from {nothing}"
    code, _, err = shell("add", site)
    assert code == 2
    assert "nothing to add" in err
    code, _, err = shell("add", tmp_path / "new.kin", "--vectors", nothing)
    assert code == 1
    assert f"there is no collection {tmp_path / 'new.kin'}" in err
    assert not (tmp_path / "new.kin").exists()
    code, _, err = shell("add", site, "--vectors", tmp_path / "none.parquet")
    assert code == 1
    assert "none.parquet" in err
    (tmp_path / "text.parquet").write_text("url,vector\n")
    code, _, err = shell("add", site, "--vectors", tmp_path / "text.parquet")
    assert code == 1
    assert "expected a Parquet file with the columns url (text) and vector (lists of numbers)" in err
    assert standing(Store(site)).page.size == 0


def test_the_same_from_python(site, tmp_path):
    with pytest.raises(UsageError, match="nothing to add"):
        Collection(site).add()
    with pytest.raises(CollectionError, match="there is no collection"):
        Collection(tmp_path / "new.kin").add(vectors=vector_file(tmp_path / "v.parquet", []))
    with pytest.raises(SourceError, match="expected a Parquet file"):
        Collection(site).add(vectors=site / "manifest.json")
