"""Who may be an answer, against a twin that filters whole lists; and the lists that stood before, to the last digit."""

import numpy as np
import pytest

from pagekin import Collection, Filters
from pagekin.methods import REGISTRY, method
from pagekin.methods.narrowed import depths, lists
from pagekin.methods.walk import Walk
from tests.small_webs import collection, page, random_pairs

METHODS = sorted(REGISTRY)
URL = "http://h{}.example/{}.html".format
TEXT = " ".join(f"word{i}" for i in range(60))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A random web of 400 pages, of which a fifth were fetched; three of those are copies of another."""
    path = tmp_path_factory.mktemp("narrowed") / "s.kin"
    links = {}
    for source, target in random_pairs(5, 400, 4000):
        links.setdefault(source, []).append(URL(target % 9, target))
    fetched = [source for source in sorted(links) if source % 5 == 0 or source < 20]
    words = {
        source: TEXT if source in (0, 5, 10) else f"bee{source % 7} hive{source % 3} own{source}" for source in fetched
    }
    collection(path, *(page(URL(s % 9, s), *links[s], title="t", words=words[s]) for s in fetched))
    Collection(path).build(all=True)
    return Collection(path)


def twin(store, name, asked, k, narrow, fold):
    """The first k of the whole list that may be answers."""
    found = method(name).answering(store).related(store, asked, store.size)
    kept, hidden = [], relatives_of(store, asked) if fold else set()
    for other in found.pages.tolist():
        if (store.fetched[other] or not narrow) and other not in hidden:
            kept.append(other)
            hidden |= relatives_of(store, other) if fold else set()
    return kept[:k]


def relatives_of(store, number):
    from pagekin.index.mirrors.kin import relatives

    return set(relatives(store).mirrors(number))


@pytest.mark.parametrize("fetched", [None, True, False])
@pytest.mark.parametrize("name", METHODS)
def test_lists_are_the_twin_s_and_those_of_one_question(site, name, fetched):
    store = site.store
    some = np.concatenate((np.flatnonzero(store.fetched)[::9], np.flatnonzero(~store.fetched)[::60])).astype(np.int32)
    asked = method(name).answering(store)
    found = lists(asked, store, 6, some, fetched)
    for row, number in enumerate(some.tolist()):
        narrow = bool(store.fetched[number]) if fetched is None else fetched
        expected = twin(store, name, number, 6, narrow, fold=True)
        mine = found.pages[row, : found.sizes[row]].tolist()
        if name not in ("link", "integrated"):  # which choose among more candidates for a longer list
            assert mine == expected
        answer = site.related(store.url(number), k=6, method=asked, filters=Filters(fetched=fetched))
        assert [store.url(other) for other in mine] == [row.url for row in answer]
        assert all(store.fetched[other] for other in mine) or not narrow


@pytest.mark.parametrize("name", METHODS)
def test_with_all_pages_the_lists_are_those_that_stood_before(site, name):
    store, asked = site.store, method(name).answering(site.store)
    some = np.arange(0, store.size, 17, dtype=np.int32)
    for one, other in zip(asked.lists(store, 7, some), lists(asked, store, 7, some, False, fold=False), strict=True):
        assert np.array_equal(one, other)


def test_a_page_is_asked_about_once_if_one_long_list_has_enough_fetched_pages(site, monkeypatch):
    store, some, calls = site.store, np.flatnonzero(site.store.fetched)[:12].astype(np.int32), []
    related = Walk.related
    monkeypatch.setattr(Walk, "related", lambda self, *asked: calls.append(asked[1]) or related(self, *asked))
    found = lists(Walk(), store, 6, some)
    assert calls == some.tolist() and found.sizes.tolist() == [6] * 12


def test_several_seeds_are_answered_with_fetched_pages_if_one_was_fetched(site):
    store = site.store
    known, unknown = (store.url(int(np.flatnonzero(mask)[3])) for mask in (store.fetched, ~store.fetched))
    fetched = {url for url, there in zip(store.graph.pages["url"].to_pylist(), store.fetched, strict=True) if there}
    assert {row.url for row in site.related(known, unknown)} <= fetched
    assert not {row.url for row in site.related(unknown)} <= fetched
    assert {row.url for row in site.related(unknown, filters=Filters(fetched=True))} <= fetched
    assert not {row.url for row in site.related(known, filters=Filters(fetched=False))} <= fetched


def test_compare_export_and_evaluate_take_the_same_filter(site, tmp_path):
    import pyarrow.parquet as pq

    store = site.store
    asked = store.url(int(np.flatnonzero(store.fetched)[3]))
    for fetched in (None, True, False):
        one = [row.url for row in site.related(asked, k=5, method="walk", filters=Filters(fetched=fetched))]
        compared = site.compare(asked, ["walk", "amsler"], k=5, filters=Filters(fetched=fetched))
        assert [row.url for row in compared[0].results] == one
        site.export("related", tmp_path / "r.parquet", method="walk", k=5, filters=Filters(fetched=fetched))
        rows = pq.read_table(tmp_path / "r.parquet").to_pylist()
        assert [row["target"] for row in rows if row["source"] == asked] == one
        (tmp_path / "pairs.csv").write_text(f"page,other\n{asked},{one[0]}\n")
        made = site.evaluate(related=tmp_path / "pairs.csv", method="walk", k=5, fetched=fetched)
        row = made.asked.index(next(each for each in made.asked if each.url == asked))
        assert made.measured[0].lists.pages[row, 0] == store.graph.pages["url"].to_pylist().index(one[0])


def test_nothing_that_was_fetched_is_said(tmp_path):
    collection(tmp_path / "s.kin", page("http://a.example/", "http://b.example/", "http://c.example/"))
    found = Collection(tmp_path / "s.kin").related("http://a.example/")
    assert not len(found)
    assert found.note == "none of the 2 related pages was fetched; to see them: fetched=False"


def test_a_method_is_asked_for_more_and_more(site):
    store = site.store
    assert list(depths(store, method("amsler"), 5, narrow=False)) == [5, 200, store.size]
    assert list(depths(store, method("amsler"), 5, narrow=True)) == [200, store.size]
    assert list(depths(store, method("block"), 5, narrow=True)) == [5, 200, store.size]
    assert list(depths(store, method("amsler"), store.size, narrow=True)) == [store.size]
