"""Elements are cut out of a page, and the rest is parsed as before."""

from pagekin.model import Capture
from pagekin.parse.cutting import cut_out
from pagekin.parse.html import elements, parse


def test_the_rest_of_a_page_stays():
    html = "<title>T</title><p>one<b>two</b>three <a href=x>x</a><ul><li>four<li>five</ul>"
    page = Capture("http://a.example/", html.encode())
    tree = elements(page).tree
    cut = cut_out(page, tree, [tree.css("b"), tree.css("li")])
    assert parse(cut) == parse(Capture("http://a.example/", b"<title>T</title><p>one three <a href=x>x</a><ul></ul>"))


def test_nothing_to_cut_leaves_the_page_as_it_parses():
    html = "<meta charset=iso-8859-1><title>Caf\xe9</title><pre>\n\n x</pre><table><td>1<tr><td>2</table><p><b>b<p>c"
    page = Capture("http://a.example/", html.encode("iso-8859-1"), "text/html")
    assert parse(cut_out(page, elements(page).tree, [])) == parse(page)
