import pytest

from pagekin.collection.lookup import find, nearest
from pagekin.model import Redirect
from pagekin.url import canonical
from tests.small_webs import collection, edges, from_edges

PAGES = ["http://www.bees.example/hive", "http://www.bees.example/honey/", "http://trains.example/", "10.1145/12345"]


@pytest.fixture
def store(tmp_path):
    links = [(PAGES[0], page) for page in PAGES]
    return collection(tmp_path / "s.kin", edges(*links), Redirect("http://old.example/", "http://trains.example/"))


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("http://www.bees.example/hive", PAGES[0]),
        ("HTTP://WWW.Bees.example:80/hive#queen", PAGES[0]),
        ("https://bees.example/hive/", PAGES[0]),
        ("bees.example/honey", PAGES[1]),
        ("www.bees.example/hive", PAGES[0]),
        ("http://www.bees.example/honey", PAGES[1]),
        ("http://trains.example/index.html", PAGES[2]),
        ("http://old.example/", PAGES[2]),
        (" 10.1145/12345 ", PAGES[3]),
    ],
)
def test_a_page_is_found_as_a_person_would_write_it(store, asked, found):
    answer = find(store, asked)
    assert store.url(answer.page) == found


def test_another_address_than_the_one_asked_for_is_said(store):
    assert find(store, "http://www.bees.example/hive").note is None
    assert find(store, "https://bees.example/hive").note == (
        "https://bees.example/hive was found as http://www.bees.example/hive"
    )
    assert find(store, "http://old.example/").note == "http://old.example/ leads to http://trains.example/"


@pytest.mark.parametrize("asked", ["http://nowhere.example/", "", "http://a b/", "\x00", "ü" * 5000])
def test_what_is_not_there_is_not_found(store, asked):
    assert find(store, asked) is None
    nearest(store, asked)


def test_the_nearest_are_offered(store):
    assert nearest(store, "http://www.bees.example/hives")[0] == PAGES[0]
    assert nearest(store, "http://trians.example/")[0] == PAGES[2]
    assert nearest(store, "http://elsewhere.example/honey")[0] == PAGES[1]


def test_an_address_that_is_there_is_spelled_once(tmp_path, monkeypatch):
    store = from_edges(tmp_path / "s.kin", [("http://a.example/", "http://b.example/")])
    spelled = []
    monkeypatch.setattr("pagekin.url.canonical", lambda text: spelled.append(text) or canonical(text))
    assert find(store, "http://a.example/")
    assert spelled == []  # the first spelling is canonicalised by the look-up itself, the others by `variants`
    assert find(store, "https://a.example/")
    assert spelled
