"""Which page a link in Markdown means."""

import pytest

from pagekin.acquire.references import Pages

BASE = "https://bees.example/"
FILES = {
    "index.md": BASE,
    "guide/wax.md": BASE + "guide/wax",
    "guide/index.md": BASE + "guide/",
    "guide/My Bees.md": BASE + "guide/My%20Bees",
    "notes/wax.md": BASE + "notes/wax",
    "notes/Honey.md": BASE + "notes/Honey",
}
PLAIN = Pages(BASE, FILES)


@pytest.mark.parametrize(
    ("reference", "page"),
    [
        ("wax.md", "guide/wax"),
        ("wax.md#colour", "guide/wax"),
        ("wax", "guide/wax"),
        ("wax/", "guide/wax"),
        ("wax.html?x=1", "guide/wax"),
        ("WAX.md", "guide/wax"),
        ("../notes/Honey.md", "notes/Honey"),
        ("/notes/honey.md", "notes/Honey"),
        ("My%20Bees.md", "guide/My%20Bees"),
        ("https://bees.example/notes/wax.html", "notes/wax"),
        ("..", ""),
        (".", "guide/"),
        ("../index.md", ""),
        ("/", ""),
        ("missing.md", "guide/missing"),
        ("picture.png", "guide/picture.png"),
    ],
)
def test_references(reference, page):
    assert PLAIN.meant("guide/bees.md", BASE + "guide/bees", reference) == BASE + page


@pytest.mark.parametrize(
    "reference", ["", "#part", "?x", "mailto:jo@bees.example", "https://wax.example/", "//x.example/"]
)
def test_what_stays_as_it_is(reference):
    assert PLAIN.meant("guide/bees.md", BASE + "guide/bees", reference) is None


def test_where_links_are_addresses():
    """Hugo and Jekyll leave a link as it is: it is relative to the address of the page."""
    pages = {"a/b.md": BASE + "a/b/", "a/c.md": BASE + "a/c/", "c.md": BASE + "c/"}
    known = Pages(BASE, pages, by_address=True, folders=True)
    assert known.meant("a/b.md", BASE + "a/b/", "../c/") == BASE + "a/c/"
    assert known.meant("a/b.md", BASE + "a/b/", "../../c") == BASE + "c/"
    assert known.meant("a/b.md", BASE + "a/b/", "c.md") == BASE + "a/c/"
    assert known.meant("a/b.md", BASE + "a/b/", "missing.md") == BASE + "a/missing/"
    assert known.meant("a/b.md", BASE + "a/b/", "x.png") is None
    assert Pages(BASE, pages).meant("a/b.md", BASE + "a/b", "../c") == BASE + "c/"


@pytest.mark.parametrize(
    ("file", "name", "page"),
    [
        ("index.md", "Honey", "notes/Honey"),
        ("index.md", "honey", "notes/Honey"),
        ("index.md", "Honey.md", "notes/Honey"),
        ("index.md", "guide/wax", "guide/wax"),
        ("notes/Honey.md", "wax", "notes/wax"),  # two notes of that name: the one beside
        ("index.md", "wax", None),  # and here it could be either
        ("index.md", "My Bees", "guide/My%20Bees"),
        ("notes/Honey.md", "../guide/wax", "guide/wax"),
        ("notes/Honey.md", "./wax", "notes/wax"),
        ("index.md", "/guide/wax", "guide/wax"),
        ("index.md", "nothing", None),
    ],
)
def test_wikilinks(file, name, page):
    assert PLAIN.note(file, name) == (None if page is None else BASE + page)


def test_a_note_at_the_top_wins_and_a_path_may_be_cut_short():
    known = Pages(BASE, {"wax.md": "top", "a/wax.md": "a", "a/b/bees.md": "bees", "c/b/bees.md": "other"})
    assert known.note("a/x.md", "wax") == "top"
    assert known.note("x.md", "a/b/bees") == "bees"
    assert known.note("x.md", "b/bees") is None
    assert Pages(BASE, {"a/b/bees.md": "bees"}).note("x.md", "b/Bees") == "bees"
