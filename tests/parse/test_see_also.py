"""The finder of "See also" sections: each shape of section on a page of our own, and what is no section.

In `SHAPES` a section is what stands between ⟦ and ⟧: the page with it is what authors write, the page without it is what
must be left. The finder on pages of others: tests/evaluate/test_see_also_debian.py.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagekin.model import Capture
from pagekin.parse.html import parse
from pagekin.parse.see_also import LABELS, PHRASES, without_see_also

BEE, HIVE, WAX = '<a href="bee">Bees</a>', '<a href="hive">The hive</a>', '<a href="wax">Wax</a>'
KEPT = '<a href="kept">kept</a>'

SHAPES = {
    "a heading, up to the next": f"<h1>Honey</h1><p>Sweet.</p>⟦<h2>See also</h2><ul><li>{BEE}<li>{HIVE}</ul>⟧<h2>Notes</h2>{KEPT}",
    "a heading with smaller ones below": f"<h2>Honey</h2>⟦<h2>See also</h2><h3>Animals</h3>{BEE}<h3>Houses</h3>{HIVE}⟧<h2>Notes</h2>",
    "a heading below a larger one": f"<h2>Honey</h2><h3>Comb</h3>Sweet.⟦<h3>See also</h3><p>{BEE}</p>⟧<h2>Notes</h2>{KEPT}",
    "a numbered heading with a permanent link": f'<p>Sweet.</p>⟦<h2>5.2. See also<a href="#see">¶</a></h2><p>{BEE}</p>⟧',
    "a wiki's heading in an element of its own": f'<p>Sweet.</p>⟦<div class="mw-heading"><h2>See also</h2><span>[<a href="#e">edit</a>]</span></div><ul><li>{BEE}</ul>⟧<div class="printfooter">{KEPT}</div>',
    "a heading and a table": f"<p>Sweet.</p>⟦<h3>See also</h3><table><tr><td>{BEE}<td>collects honey</table>⟧",
    "a heading in a section of its own": f"<section><p>Sweet.</p></section><section>⟦<h2>See also</h2><p>{BEE}</p>⟧</section><p>{KEPT}</p>",
    "a heading, up to a line": f"<p>Sweet.</p>⟦<h2>SEE ALSO</h2><p>{BEE}, {HIVE}</p>⟧<hr><p>{KEPT}</p>",
    "a heading, up to the footer": f"<p>Sweet.</p>⟦<h2>See also</h2><p>{BEE}</p>⟧<footer>{KEPT}</footer>",
    "a heading, up to when the page was changed": f"<p>Sweet.</p>⟦<h2>See also</h2><p>{BEE}</p>⟧<p>This page last modified {KEPT}</p>",
    "a heading over text without a link": "<p>Sweet.</p>⟦<h2>See also</h2><p>bee(1), hive(5)</p>⟧",
    "a term of a definition list": f"<dl><dt>Since:<dd>1.2⟦<dt>See Also:<dd>{BEE}<dd>{HIVE}⟧<dt>Kept:<dd>{KEPT}</dl>",
    "JSDoc's term": f'<p>Sweet.</p><dl>⟦<dt class="tag-see">See:</dt><dd>{BEE}</dd>⟧</dl>',
    "an admonition": f'<p>Sweet.</p>⟦<div class="admonition seealso"><p class="admonition-title">Siehe da</p><p>{BEE}</p></div>⟧<p>{KEPT}</p>',
    "a side bar": f'⟦<aside class="sidebar"><p class="sidebar-title">Related articles</p><p>About animals:</p><ul><li>{BEE}</ul></aside>⟧<p>{KEPT}</p>',
    "a paragraph": f"<p>Sweet.</p><p>⟦See also {BEE} and {HIVE}.⟧</p><p>{KEPT}</p>",
    "a paragraph in bold": f"<p>Sweet.</p><p>⟦<b>See also </b>{BEE}() and {HIVE}().⟧</p>{KEPT}",
    "a paragraph in brackets": f"<p>Sweet.</p><p>⟦(See also {BEE}.)⟧</p><p>{KEPT}</p>",
    "an item of a list": f"<ul><li>Sweet.<li>⟦See also {BEE}.⟧<li>{KEPT}</ul>",
    "a label and a list": f"<p>Sweet.</p>⟦<p><b>See also:</b></p><ul><li>{BEE}<li>{HIVE}</ul>⟧<p>{KEPT}</p>",
    "a label and paragraphs of links": f"<p>Sweet.</p>⟦<p>Related topics</p><p>{BEE}</p><div>{HIVE}</div>⟧<p>Not {KEPT}.</p>",
    "a sentence and a list": f"<p>Sweet.</p>⟦<p>See also the following:</p><ul><li>{BEE}</ul>⟧<p>{KEPT}</p>",
    "a row of a table": f"<table><tr><th>Colour<td>{KEPT}<tr>⟦<th>See also<td>{BEE}⟧</table>",
    "a line": f"<div>Sweet.<br>⟦See also: {BEE}, {HIVE}⟧<br>Copyright {KEPT}</div>",
    "a label in a line, and lines": f"<div>Sweet.<br>⟦<b>See also</b>⟧<br>⟦{BEE}<br>{HIVE}⟧<br><br>Copyright {KEPT}</div>",
    "a manual page": f"<pre>\n<b>NAME</b>\n   honey - sweet {KEPT}\n\n⟦<b>SEE ALSO</b>\n   {BEE}, {HIVE}\n\n⟧<b>AUTHOR</b>\n   A bee\n</pre>",
    "two of them, one in the other": f'<p>Sweet.</p>⟦<h2>See also</h2><p>See also {BEE}.</p><div class="seealso">{HIVE}</div>⟧',
}


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
])  # fmt: skip
def test_what_is_no_section_stays(html):
    page = shown(html)
    found = without_see_also(page)
    assert found.sections == ()
    assert found.capture is page


@pytest.mark.parametrize("phrase", [part.strip() for part in f"{PHRASES}|{LABELS}".replace("\n", "|").split("|") if part.strip()])  # fmt: skip
@pytest.mark.parametrize("spell", [str, str.capitalize, str.upper, "{}:".format])
def test_every_phrase_is_known_as_a_heading(phrase, spell):
    found = without_see_also(shown(f"<p>Sweet.</p><h2>{spell(phrase)}</h2><p>{BEE}</p>"))
    assert len(found.sections) == 1
    assert "Bees" not in parse(found.capture).text


@pytest.mark.parametrize("written", [
    "See also %s.", "Siehe auch %s.", "Voir aussi : %s", "Véase también %s", "Vedi anche %s", "Veja também %s.",
    "Zie ook %s.", "Zobacz też %s", "См. также %s", "関連項目: %s", "参见%s。", "另請參閱%s", "Se även %s.",
])  # fmt: skip
def test_a_paragraph_may_begin_so_in_many_languages(written):
    found = without_see_also(shown(f"<p>Sweet.</p><p>{written % BEE}</p><p>{KEPT}</p>"))
    assert [[link.target for link in links] for links in found.sections] == [["http://a.example/bee"]]
    assert parse(found.capture).text == "Sweet. kept"


def test_a_page_that_is_all_one_section_has_nothing_left():
    found = without_see_also(Capture("http://a.example/", f"<h1>See also</h1><p>{BEE}</p>".encode()))
    assert found.nothing_left
    assert parse(found.capture).text == ""


def test_what_stands_around_a_section_does_not_grow_together():
    assert parse(without_see_also(shown(f"sweet<div>See also {BEE}</div>sour")).capture).text == "sweet sour"
    assert parse(without_see_also(shown(f"sweet<h2>See also</h2>{BEE}<h2>sour</h2>")).capture).text == "sweet sour"


def test_a_page_in_another_encoding_is_read_as_before():
    page = f"<meta charset=iso-8859-2><p>Miód</p><p>Zobacz też {BEE}</p>".encode("iso-8859-2")
    found = without_see_also(Capture("http://a.example/", page, "text/html"))
    assert len(found.sections) == 1
    assert parse(found.capture).text == "Miód"


PIECES = ["<h2>See also</h2>", "<h1>", "<p>", "</p>", "<dl><dt>", "<dd>", "See also ", BEE, "<br>", "<b>", "</b>", "<ul><li>",
          "</ul>", "<table><tr><td>", "</table>", "word ", "<pre>", "</pre>", '<div class="seealso">', "</div>", "Related: "]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_any_page_can_be_read_and_what_is_found_once_is_not_found_again(html):
    found = without_see_also(shown(html))
    links = [link for links in found.sections for link in links]
    assert len(links) == len({link.position for link in links})
    assert len(parse(found.capture).links) == len(parse(shown(html)).links) - len(links)
