"""Questions from indexes: which entries ask, what is held out of the collection that is asked, and what stays."""

import pytest

from pagekin.answers.collection import Collection
from pagekin.collection.store import Store
from pagekin.errors import PagekinError
from pagekin.evaluate.index_entries import hide

BASE = "http://bees.example/"
COMMANDS = ["wax", "honey", "queen", "hive", "drone"]
LIST = "".join(f"<dt><a href='{name}.html'>{name}</a><dd>Prints all about {name} forthwith" for name in COMMANDS)
SITE = {
    "genindex.html": """<title>Index</title><h1>Index</h1><ul><li><a href='drone.html'>drone</a>
        <li>males<ul><li><a href='drone.html'>of bees</a></ul><li><a href='http://out.example/'>mead</a>
        <li><a href='hive.html'>skep</a>, <a href='wax.html'>[1]</a></ul>""",
    "commands.html": f"<h1>Commands</h1><p>Listed here.<dl>{LIST}</dl>",
    "hive.html": f"<title>Hive</title><h1>Hive</h1><p>Of straw or wood.</p><p>{'Long ago. ' * 40}</p><dl>{LIST}</dl>",
    "drone.html": "<title>Drone</title><h1>Drone</h1><p>He has no sting.</p>",
    "wax.html": "<title>Wax</title><h1>Wax</h1><p>Prints all about wax forthwith.</p>",
    "honey.html": """<title>Honey</title><h1>Honey</h1><p>Sweet.</p>
        <ul><li><a href='queen.html'>Queen</a> - Prints all about queen forthwith</ul>""",
    "queen.html": "<title>Queen</title><h1>Queen</h1><p>She lays eggs, see <a href='genindex.html'>index</a>.</p>",
}


@pytest.fixture
def bees(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    for name, html in SITE.items():
        (folder / name).write_text(html)
    Collection(tmp_path / "site.kin").add(folder, base_url=BASE)
    return Store(tmp_path / "site.kin")


def test_entries_are_questions_unless_the_answer_begins_with_them(bees, tmp_path):
    seen, truth = hide(bees, tmp_path / "seen.kin")
    asked = {
        truth.words[each]: [seen.url(page).removeprefix(BASE) for page, _ in truth.relevant(each)]
        for each in truth.asked
    }
    assert asked == {
        "Prints all about drone forthwith": ["drone.html"],
        "Prints all about hive forthwith": ["hive.html"],
        "Prints all about honey forthwith": ["honey.html"],
        "Prints all about queen forthwith": ["queen.html"],
        "males of bees": ["drone.html"],
        "skep": ["hive.html", "wax.html"],
    }
    assert truth.kind == "index-entries"
    assert truth.notes == (
        "2 of 14 entries lead to no other page of the collection",  # mead, and the hive's entry on its own page
        "3 stand in the title or at the beginning of the page they lead to: no questions",  # drone, and wax twice
    )


def test_indexes_and_lists_are_held_out_and_answers_stay_without_entries(bees, tmp_path):
    seen, truth = hide(bees, tmp_path / "seen.kin")
    fetched = seen.graph.pages["fetched"].is_valid().to_pylist()
    known = enumerate(seen.graph.pages["url"].to_pylist())
    urls = {url.removeprefix(BASE): page for page, url in known if fetched[page]}
    assert set(urls) == {"hive.html", "drone.html", "wax.html", "honey.html", "queen.html"}
    assert truth.hidden == (
        "2 of 7 pages, which are indexes or lists of descriptions, and such entries on 2 other pages"
    )
    for question in truth.words.values():
        assert not any(question in seen.text(page) for page in urls.values())
    assert seen.text(urls["hive.html"]).endswith("Long ago.\nwax Prints all about wax forthwith")
    assert seen.text(urls["honey.html"]).split() == ["Honey", "Sweet."]
    assert seen.arrays.targets(urls["honey.html"]).tolist() == []


def test_a_search_is_measured_on_them(bees):
    found = Collection(bees.path).evaluate(index_entries=True, method=["search(alpha=0.0)", "search(by=tf-idf)"], k=5)
    assert (found.truth, found.questions) == ("index-entries", 6)
    assert [row["method"] for row in found] == ["search(alpha=0.0)", "search(by=tf-idf)"]
    assert "held" not in (found.note or "")
    defaults = Collection(bees.path).evaluate(index_entries=True)
    assert [row["method"] for row in defaults] == ["search", "search(alpha=0.0)", "search(by=tf-idf)"]


def test_without_an_index_there_is_nothing_to_ask(bees, tmp_path):
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "a.html").write_text("<p>A page")
    Collection(tmp_path / "plain.kin").add(folder)
    with pytest.raises(PagekinError, match="has no index and no list of descriptions"):
        Collection(tmp_path / "plain.kin").evaluate(index_entries=True)


def test_entries_that_all_stand_in_titles_ask_nothing(tmp_path):
    folder = tmp_path / "plain"
    folder.mkdir()
    names = ("ants", "bees", "cows")
    for name in names:
        (folder / f"{name}.html").write_text(f"<title>{name}</title><p>Animals")
    entries = "".join(f"<li><a href='{name}.html'>{name}</a>" for name in names)
    (folder / "genindex.html").write_text(f"<h1>Index</h1><ul>{entries}</ul>")
    Collection(tmp_path / "plain.kin").add(folder)
    with pytest.raises(PagekinError, match=r"has no entry that is a question, .*; 3 stand in the title"):
        Collection(tmp_path / "plain.kin").evaluate(index_entries=True)
