"""Tuned weights on disk: kept, verified, forgotten, lost."""

import pytest

from pagekin import Collection
from pagekin.collection import tuned
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.errors import CollectionError
from pagekin.methods.fused import WEIGHTS
from tests.small_webs import collection, page

URL = "http://h.example/{}".format
SOME, OTHER = {"smoothed": 1.5, "title": 0.0}, {"smoothed": 3.0}


@pytest.fixture
def site(tmp_path):
    path = collection(
        tmp_path / "s.kin", *(page(URL(i), URL((i + 1) % 6), words=f"w{i % 2} bee") for i in range(6))
    ).path
    keep(path, SOME)
    return path


def keep(path, found):
    with writing(path) as writer:
        tuned.keep(writer, found)


def test_they_are_kept_shown_and_outlive_what_comes(site):
    assert tuned.weights(Store(site)) == SOME
    assert Collection(site).info().tuned == SOME
    collection(site, page(URL("new"), URL(0)))
    built = Collection(site).build()
    assert "tuned" not in " ".join(built.lines)
    info = Collection(site).info()
    assert info.tuned == SOME
    assert "tuned" not in (*info.built, *info.stale)
    assert Collection(site).scrub().done[0].startswith("nothing to repair")


def test_a_lost_manifest_brings_back_the_latest_or_none(site):
    keep(site, OTHER)
    (site / "manifest.json").unlink()
    Collection(site).scrub()
    assert tuned.weights(Store(site)) == OTHER
    with writing(site) as writer:
        assert tuned.forget(writer)
        assert not tuned.forget(writer)
    (site / "manifest.json").unlink()
    Collection(site).scrub()
    assert tuned.weights(Store(site)) == {}


@pytest.mark.parametrize("damaged", [b"", b'{"smoothed": 9.5, "title": 0.0}', None])
def test_damage_is_named_and_scrub_says_that_they_are_lost(site, damaged):
    file = site / Store(site).manifest.indexes["tuned"].path / tuned.FILE
    if damaged is None:
        file.unlink()
    else:
        file.write_bytes(damaged)
    with pytest.raises(CollectionError, match=r"weights\.json"):
        Collection(site).related(URL(0))
    (said,) = Collection(site).scrub().done
    assert said.startswith("the tuned weights were damaged (weights.json ")
    assert said.endswith(f'and are lost; to fit them again: Collection("{site}").tune(related="FILE")')
    assert len(Collection(site).related(URL(0)))
    assert Collection(site).scrub().done[0].startswith("nothing to repair")


def test_fused_uses_them(site):
    with writing(site) as writer:
        tuned.forget(writer)
    before = Collection(site).related(URL(0))
    assert {row.url for row in before} == {URL(1), URL(5)}  # only the part direct says anything
    keep(site, {"direct": 10 * WEIGHTS["direct"]})
    after = Collection(site).related(URL(0))
    assert [row.score for row in after] == pytest.approx([10 * row.score for row in before])
