"""A temporary collection has what the real one has, read anew; what cannot be read again is counted."""

import pytest

from pagekin.answers.collection import Collection
from pagekin.collection.store import Store
from pagekin.errors import PagekinError
from pagekin.evaluate.held_out import Pages, collect, moved, some
from pagekin.model import Redirect
from tests.small_webs import collection, edges, page

BASE = "http://bees.example/"


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    for name, html in {
        "honey.html": '<title>Honey</title><p>Sweet <a href="wax.html">wax</a>',
        "wax.html": '<title>Wax</title><p>Soft <a href="honey.html">honey</a> <a href="http://out.example/">out</a>',
        "bee.html": '<title>Bee</title><link rel="canonical" href="bees.html"><p>Small',
    }.items():
        (folder / name).write_text(html)
    Collection(tmp_path / "site.kin").add(folder, base_url=BASE)
    return tmp_path


def described(store):
    pages = [tuple(row.values()) for row in store.graph.pages.select(["url", "title", "language"]).to_pylist()]
    texts = [store.text(number) for number in range(store.size)]
    return pages, texts, store.graph.links.to_pylist()


def test_all_pages_read_anew_are_the_same_collection(site):
    store = Store(site / "site.kin")
    pages = Pages(store)
    assert collect(store, pages, site / "again.kin") == []
    assert described(Store(site / "again.kin")) == described(store)
    assert (pages.read, pages.gone, pages.changed, pages.notes) == (3, [], [], [])


def test_what_is_gone_or_changed_is_counted_and_left_out(site):
    (site / "site/bee.html").unlink()
    (site / "site/wax.html").write_text("<p>Hard")
    told = []
    pages = Pages(Store(site / "site.kin"), lambda done, size: told.append((done, size)))
    assert [capture.url for capture in pages] == [f"{BASE}honey.html"]
    assert (pages.gone, pages.changed) == ([f"{BASE}bee.html"], [f"{BASE}wax.html"])
    assert pages.notes[0].startswith("the bytes of 1 pages are gone, so they are left out (crawl with warc to keep")
    assert pages.notes[1].startswith("1 pages have changed since they were added and are left out: ")
    assert len(told) == 1


def test_without_any_bytes_there_is_nothing_to_read(tmp_path):
    store = collection(tmp_path / "a.kin", page("http://a.example/", "http://b.example/", origin=None))
    with pytest.raises(PagekinError, match=r"no page of .*a\.kin can be read again; the bytes of 1 pages are gone"):
        list(Pages(store))


def test_redirects_stay_and_tables_are_counted(tmp_path):
    (tmp_path / "x.html").write_text("<p>x")
    Collection(tmp_path / "a.kin").add(tmp_path / "x.html", base_url=BASE)
    rows = edges(("http://t.example/", f"{BASE}x.html"))
    store = collection(tmp_path / "a.kin", Redirect(f"{BASE}old", f"{BASE}x.html"), rows)
    assert list(moved(store)) == [Redirect(f"{BASE}old", f"{BASE}x.html", "redirect")]
    pages = Pages(store)
    assert len(list(pages)) == 1
    assert pages.notes == ["1 pages came from tables rather than from HTML and are left out"]


def test_a_note_names_a_few():
    assert some(["a", "b", "c", "d"]) == "a, b, c …"
