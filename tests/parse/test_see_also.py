"""The finder of "See also" sections: each shape of section on a page of our own, and what is no section.

In see_also_shapes.txt a section is what stands between ⟦ and ⟧: the page with it is what authors write, the page
without it is what must be left. The finder on pages of others: tests/evaluate/test_see_also_debian.py.
"""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagekin.model import Capture
from pagekin.parse.html import parse
from pagekin.parse.see_also import without_see_also

BEE, HIVE, WAX = '<a href="bee">Bees</a>', '<a href="hive">The hive</a>', '<a href="wax">Wax</a>'
KEPT = '<a href="kept">kept</a>'

NAMES = {"{bee}": BEE, "{hive}": HIVE, "{kept}": KEPT}


def shapes() -> dict[str, str]:
    """Shape → page; see_also_shapes.txt has a line `== shape` before each."""
    parts = re.split(r"^== (.*)\n", (Path(__file__).parent / "see_also_shapes.txt").read_text("utf-8"), flags=re.M)[1:]
    pages = [re.sub("{[a-z]+}", lambda name: NAMES[name[0]], page) for page in parts[1::2]]
    return dict(zip(parts[::2], pages, strict=True))


SHAPES = shapes()


def shown(html: str) -> Capture:
    return Capture("http://a.example/honey", f"<title>Honey</title>{html}".encode(), "text/html; charset=utf-8")


@pytest.mark.parametrize("shape", SHAPES)
def test_a_section_is_hidden_and_nothing_else_of_the_page_changes(shape):
    whole = SHAPES[shape].replace("⟦", "").replace("⟧", "")
    before, rest = SHAPES[shape].split("⟦", 1)
    inside, after = rest.rsplit("⟧", 1)
    found = without_see_also(shown(whole))
    expected = [name for name in ("bee", "hive", "wax") if f'"{name}"' in inside]
    assert [link.target.rpartition("/")[2] for links in found.sections for link in links] == expected
    assert parse(found.capture) == parse(shown(f"{before} {after}"))
    assert len(found.sections) == 1
    assert not found.nothing_left


@pytest.mark.parametrize("html", [
    '<ul><li><a href="#See_also">See also</a></ul><p>Sweet.</p>',  # a table of contents
    f'<p>Sweet, see also {BEE}.</p>',  # in the middle of a sentence
    f'<dl><dt>honey, {BEE}<dd>see also {HIVE}</dl>',  # from one entry of an index to another
    '<p>See also below.</p><p>See also <a href="#wax">wax</a>.</p>',  # leads nowhere
    f'<h2>References</h2>{BEE}<h2>Further reading</h2>{HIVE}',
    f'<h2>Related functions</h2><p>{BEE}</p>',  # Doxygen's, which are on the page itself
    f'<p>Related topics in the theory of {BEE} are many.</p>',
    f'<p>See alsowax {BEE}.</p>',
    f'<pre>See also {BEE}</pre><nav><h2>See also</h2>{BEE}</nav>',
    f'<table><tr><th>Name<th>See also<tr><td>{BEE}<td>{HIVE}</table>',  # a column
    f'<h3>Bugs</h3><ul class="seealso"><li>{BEE}</ul>',
    f'<div role="navigation"><h3>Related Topics</h3><ul><li>{BEE}</ul></div>',  # Sphinx's page turner
    '<ul><li><a href="honey#7">See also: more about bees</a></ul>',  # a table of contents, again
    f'<p>(see also {BEE}) and so on.</p>',
    '<h2><div>See also</div><div><a href="http://edit.example/">edit</a></div></h2>',
])  # fmt: skip
def test_what_is_no_section_stays(html):
    page = shown(html)
    found = without_see_also(page)
    assert found.sections == ()
    assert found.capture is page


def test_a_page_that_is_all_one_section_has_nothing_left():
    found = without_see_also(Capture("http://a.example/", f"<h1>See also</h1><p>{BEE}</p>".encode()))
    assert found.nothing_left
    assert parse(found.capture).text == ""


def test_what_stands_around_a_section_does_not_grow_together():
    for markup in (f"sweet<div>See also {BEE}</div>sour", f"sweet<h2>See also</h2>{BEE}<h2>sour</h2>"):
        assert parse(without_see_also(shown(markup)).capture).text.split() == ["sweet", "sour"]


def test_a_page_in_another_encoding_is_read_as_before():
    page = f"<meta charset=iso-8859-2><p>Miód</p><p>Zobacz też {BEE}</p>".encode("iso-8859-2")
    found = without_see_also(Capture("http://a.example/", page, "text/html"))
    assert len(found.sections) == 1
    assert parse(found.capture).text == "Miód"


PIECES = """<h2>See_also</h2> <h1> <p> </p> <dl><dt> <dd> See_also_ BEE <br> <b> </b> <ul><li> </ul> <table><tr><td>
    </table> word_ <pre> </pre> <div_class="seealso"> </div> Related:_""".replace("BEE", BEE.replace(" ", "_")).split()


@given(st.lists(st.sampled_from(PIECES), max_size=30).map(lambda some: "".join(some).replace("_", " ")))
def test_any_page_can_be_read_and_what_is_found_once_is_not_found_again(html):
    found = without_see_also(shown(html))
    links = [link for links in found.sections for link in links]
    assert len(links) == len({link.position for link in links})
    assert len(parse(found.capture).links) == len(parse(shown(html)).links) - len(links)
