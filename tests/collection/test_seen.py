"""A state seen without navigation and templates: every way to ask for its links gives the same ones."""

import numpy as np
import pytest

from pagekin import Collection
from pagekin.collection.roles import ROLES
from pagekin.collection.seen import seen_by
from pagekin.collection.store import Store
from pagekin.index.base import _text, is_built
from pagekin.index.inverted import Inverted
from pagekin.index.keywords import KeywordRelevance, keywords_of
from pagekin.index.subrelevant import Subrelevant
from pagekin.methods import REGISTRY, method
from tests.role_twin import Twin, random_sites
from tests.small_webs import collection, of_words

CONTENT = ROLES.index("content")
WITHOUT_INDEX = sorted(name for name, cls in REGISTRY.items() if cls().index is None and hasattr(cls(), "links"))


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return collection(tmp_path_factory.mktemp("seen") / "s.kin", *random_sites(4))


def test_every_way_to_ask_gives_the_links_that_are_content(store):
    seen = store.seeing()
    everything = np.arange(store.size, dtype=np.int32)
    by_page = [row for page in range(store.size) for row in seen.links_of(page).to_pylist()]
    assert by_page == [row for row in store.links_on(everything).to_pylist() if row["role"] == CONTENT]
    assert by_page == seen.links_on(everything).to_pylist()
    assert by_page == [row for rows in seen.all_links() for row in rows.to_pylist()]
    some = everything[::3]
    assert seen.links_on(some).to_pylist() == [row for row in by_page if row["source"] % 3 == 0]
    assert 0 < len(by_page) < store.graph.links.num_rows


def test_the_arrays_are_those_of_the_content(store):
    twin = Twin(random_sites(4))
    roles = twin.roles()
    meant = {
        (url, link.target)
        for url, page in twin.pages.items()
        for link, role in zip(page.links, roles[url], strict=True)
        if role == "content" and link.target != url
    }
    seen = store.seeing()
    for direction in ("out", "in"):
        start, row = seen.arrays.rows(direction)
        pairs = [(page, int(other)) for page in range(store.size) for other in row[start[page] : start[page + 1]]]
        named = [(store.url(a), store.url(b)) for a, b in (pairs if direction == "out" else [(b, a) for a, b in pairs])]
        assert len(named) == len(set(named)) and set(named) == meant
    assert seen.graph.ids is store.graph.ids and seen.graph.content is seen.arrays is store.graph.content
    assert seen.limited(None, None) is not store.limited(None, None)


def test_what_sees_all_is_the_store_itself(store):
    assert store.seeing("all", "all") is store
    assert store.seeing().seeing("all", "all") is store and store.seeing().seeing() is store.seeing()
    assert store.seeing("content", "all").arrays is store.graph.content
    assert store.seeing("all", "content").arrays is store.arrays
    assert seen_by(object(), store) is store and seen_by(method("amsler(links=all)"), store) is store
    assert method("amsler").seen(store) is store.seeing("content", "all")
    links = store.seeing("all", "content")
    assert all(links.links_of(page).equals(store.links_of(page)) for page in range(store.size))


def test_most_methods_need_no_index():
    assert {"amsler", "co-citation", "coupling", "hits", "siblings", "simrank", "walk"} <= set(WITHOUT_INDEX)


@pytest.mark.parametrize("name", WITHOUT_INDEX)
def test_a_method_that_sees_all_links_is_the_method_on_the_whole_store(store, name):
    asked, site = method(f"{name}(links=all)"), Collection(store.path)
    for page in range(0, store.size, 4):
        found = asked.related(store, page, 10)
        rows = site.related(store.url(page), k=10, method=asked).results
        assert [row.url for row in rows] == [store.url(other) for other in found.pages.tolist()]
        assert [row.score for row in rows] == pytest.approx(found.scores.tolist())


def test_keywords_are_read_from_the_index_of_what_is_seen(tmp_path):
    path = tmp_path / "s.kin"
    collection(path, *random_sites(4))
    Collection(path).build(index=["keywords", "keywords(links=all, words=all)"])
    store = Store(path)
    own, whole = keywords_of(store.seeing()), keywords_of(store)
    assert own.word.size < whole.word.size
    assert set(store.manifest.indexes) >= {repr(KeywordRelevance()), repr(KeywordRelevance(links="all", words="all"))}
    for seen, held in ((store.seeing(), own), (store, whole)):
        there = {row["page"] for rows in seen.rows("terms") for row in rows.to_pylist()}
        assert {int(held.ids[page]) for page in np.flatnonzero(np.diff(held.start))} == there


def test_where_all_is_content_one_index_serves_both(tmp_path):
    path = tmp_path / "s.kin"
    of_words(path, {"a": "bee hive", "b": "hive honey"}, [("a", "b")])
    wanted = Inverted(words="all"), KeywordRelevance(links="all", words="all"), Subrelevant(links="all")
    assert not any(is_built(Store(path), each) for each in wanted)
    Collection(path).build(index="inverted")
    store = Store(path)
    assert _text(store, Inverted(words="all")) == repr(Inverted()) != repr(Inverted(words="all"))
    assert is_built(store, wanted[0]) and not is_built(store, wanted[1]) and not is_built(store, wanted[2])


def test_where_something_is_repeated_each_has_its_own(tmp_path):
    path = tmp_path / "s.kin"
    collection(path, *random_sites(4))
    Collection(path).build(index="inverted")
    assert is_built(Store(path), Inverted()) and not is_built(Store(path), Inverted(words="all"))
    Collection(path).build(index="inverted(words=all)")
    assert is_built(Store(path), Inverted(words="all"))
