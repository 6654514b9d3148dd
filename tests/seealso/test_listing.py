"""The list as HTML: escaped, in the page's letters and ends of lines, with links from file to file."""

from pathlib import Path, PurePath
from urllib.parse import unquote, urljoin
from xml.dom.minidom import parseString

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from pagekin.seealso.listing import Entry, Listing, href, newline, says_utf8

TITLES = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=20)


@settings(deadline=None)
@given(TITLES, TITLES, st.sampled_from((b"<meta charset=utf-8>", b"<meta charset=koi8-r>", b"", b"\xef\xbb\xbf")))
def test_a_browser_reads_the_titles_that_were_written_in_every_encoding(title: str, heading: str, start: bytes) -> None:
    written = Listing([Entry("a.html", title)], heading).written(start, 2)
    assert written.isascii() or says_utf8(start)
    tree = LexborHTMLParser(written.decode("utf-8" if says_utf8(start) else "koi8-r"))
    assert [node.text() for node in tree.css("li a")] == [title]
    assert [node.text() for node in tree.css("h2")] == [heading]


def test_a_title_that_is_markup_stays_text_and_all_is_well_formed_xml() -> None:
    markup = Listing([Entry('a"b.html', "<script>alert('1')</script> & more")], "<b>", "en", "pagekin.css").markup(3)
    assert "<script>" not in markup
    section = parseString(markup).documentElement
    assert section is not None and section.getElementsByTagName("a")[0].getAttribute("href") == 'a"b.html'


@pytest.mark.parametrize(
    ("page", "ends"),
    [(b"", b"\n"), (b"a\r\nb\r\nc\n", b"\r\n"), (b"a\nb", b"\n"), (b"a\rb\rc", b"\r")],
)
def test_lines_end_as_those_of_the_page(page: bytes, ends: bytes) -> None:
    assert newline(page) == ends
    written = Listing([Entry("a.html", "A")], "See also").written(page, 2)
    assert written.endswith(ends)
    assert written.replace(ends, b"").translate(None, b"\r\n") == written.replace(ends, b"")


NAMES = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="/\0"), min_size=1, max_size=6)
PATHS = st.lists(NAMES.filter(lambda name: name not in (".", "..")), min_size=1, max_size=3).map("/".join)


@settings(deadline=None)
@given(PATHS, PATHS)
def test_a_link_leads_from_file_to_file(source: str, target: str) -> None:
    base = Path("/site")
    found = href(PurePath(source), PurePath(target))
    joined = urljoin((base / source).as_uri(), found)
    assert Path(unquote(joined.removeprefix("file://"))) == base / target
