"""Quotes: a link is quoted where it certainly is, in the words of the page, and nowhere else."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin import Collection
from pagekin.answers.quotes import APART, AROUND, certain, quoted
from pagekin.answers.why import why
from pagekin.collection.store import Store
from pagekin.methods import method
from pagekin.model import Capture
from tests.small_webs import collection

ROOT = "http://h.example/"
WORDS = st.sampled_from(["wax", "bees", "hive", "of", "and"])


def captured(name, body):
    html = f"<html lang=en><title>{name}</title><main>{body}</main>"
    return Capture(ROOT + name, html.encode(), "text/html; charset=utf-8", fetched=1, origin="test")


@settings(deadline=None)
@given(st.lists(st.tuples(WORDS, st.booleans()), max_size=12))
def test_what_is_certain_is_where_the_link_is(pieces):
    """A text whose links are known: words, some of which are links."""
    text, places, anchors = "", [], []
    for word, is_link in pieces:
        text += " " if text else ""
        if is_link:
            places.append((len(text), len(text) + len(word)))
            anchors.append(word)
        text += word
    found = certain(text, anchors)
    assert len(found) == len(places)
    assert all(one in (None, other) for one, other in zip(found, places, strict=True))
    for (begin, end), one in zip(places, found, strict=True):
        if text.count(text[begin:end]) == 1:
            assert one == (begin, end)


@settings(deadline=None)
@given(st.text("ab  \n", max_size=600), st.integers(0, 500), st.integers(1, 30))
def test_a_quote_is_a_piece_of_the_text(text, begin, size):
    text = " ".join(text.split())
    place = (min(begin, len(text)), min(begin + size, len(text)))
    parts = quoted(text, [place])
    flat = "".join(part for part, _ in parts).removeprefix("… ").removesuffix(" …")
    assert flat in text
    assert len(flat) <= 2 * AROUND + size
    assert [part for part, is_link in parts if is_link] == ([text[slice(*place)]] if place[0] < place[1] else [])


def test_links_far_from_each_other_are_not_quoted_together():
    text = f"wax {'x' * APART} y bees"
    assert "".join(part for part, _ in quoted(text, [(0, 3), (len(text) - 4, len(text))])).startswith("wax …")
    assert quoted("", []) == []


def test_why_quotes_the_page_that_links_to_both(tmp_path):
    store = collection(
        tmp_path / "s.kin",
        captured("list", "<p>Wax. Melt it as <a href=/wax>wax</a>\n for <a href=/hive>hives</a>, then wait."),
        captured("twice", "<p>Of wax: <a href=/wax>wax</a>, more wax; <a href=/hive>the hive</a> stands."),
        captured("wax", "<p>About wax, in <a href=/hive>the hive</a>"),
        captured("hive", "<p>About hives."),
    )
    told = why(store, [f"{ROOT}wax"], f"{ROOT}hive", method("co-citation"))
    quotes = {quote.page.url.removeprefix(ROOT): quote.parts for quote in told.quotes}
    assert quotes["list"] == (
        ("Wax. Melt it as ", False), ("wax", True), (" for ", False), ("hives", True), (", then wait.", False),
    )  # fmt: skip
    assert quotes["wax"] == (("About wax, in ", False), ("the hive", True))
    assert [text for text, is_link in quotes["twice"] if is_link] == [
        "the hive"
    ]  # which “wax” is the link, is not sure


def test_a_picture_s_words_are_not_looked_for_in_the_text(tmp_path):
    """Which of the two “hives” is the link, is not sure; the “wax” that is said is no link."""
    store = collection(
        tmp_path / "s.kin",
        captured("list", "<p><a href=/x><img src=i alt=wax></a> See <a href=/hive>hives</a>. Some wax, more hives."),
        captured("hive", "<p>About hives."),
    )
    assert why(store, [f"{ROOT}list"], f"{ROOT}hive", method("co-citation")).quotes == ()


def test_a_line_s_links_are_looked_for_in_their_line(tmp_path):
    """The same word before and behind it, in other lines, does not make the link uncertain."""
    store = collection(
        tmp_path / "s.kin",
        captured("list", "<p>On hives.</p><p>See <a href=/hive>hives</a> here.</p><p>More hives.</p>"),
        captured("hive", "<p>About hives."),
    )
    (quote,) = why(store, [f"{ROOT}list"], f"{ROOT}hive", method("co-citation")).quotes
    assert quote.parts == (("On hives. See ", False), ("hives", True), (" here. More hives.", False))


def test_without_texts_nothing_is_quoted(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.html").write_text(f"<p>Words of {name}: <a href=a.html>a</a> and <a href=b.html>b</a>")
    site = Collection(tmp_path / "s.kin")
    site.add(folder, base_url=ROOT, text=False)
    store = Store(tmp_path / "s.kin")
    told = why(store, [f"{ROOT}a.html"], f"{ROOT}b.html", method("amsler"))
    assert told.sentences()
    assert told.quotes == ()
