"""Our lists in pages: found by their marks, taken out, and never read as what a page says."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pagekin.collection.tabulate import digest
from pagekin.model import Capture
from pagekin.parse import parse
from pagekin.parse.listed import END, SIGN, lists_in, marked, stray, unlisted

LIST = b'<section data-pagekin-list=""><h2>See also</h2><ul><li><a href="wasp.html">Wasps</a></ul></section>'


def read(body: bytes) -> tuple[str, list[str]]:
    page = parse(Capture("http://bees.example/bee.html", body))
    return page.text, [link.target for link in page.links]


@settings(deadline=None)
@example(b"", b"\n", b"\r")  # the page goes on with an end of a line of another kind
@given(st.binary(max_size=40), st.binary(max_size=40), st.sampled_from((b"\n", b"\r\n", b"\r")))
def test_a_list_can_be_taken_out_of_any_bytes(before: bytes, after: bytes, newline: bytes) -> None:
    assert unlisted(before + marked(LIST, newline) + after) == before + after


def test_a_list_that_was_changed_stays_and_is_told() -> None:
    page = b"<p>" + marked(LIST, b"\n").replace(b"Wasps", b"Hornets") + b"</p>"
    assert unlisted(page) == page
    assert [each.unchanged for each in lists_in(page)] == [False]
    assert not stray(page)


@pytest.mark.parametrize("lost", [SIGN, END, b"<!-- pagekin see-also "])
def test_a_mark_without_the_other_is_told(lost: bytes) -> None:
    page = b"<p>" + marked(LIST, b"\n").replace(lost, b"<!-- ", 1)
    assert unlisted(page) == page
    assert stray(page)
    assert not stray(b"<p>pagekin see-also</p><!-- pagekin -->")


def test_of_two_lists_the_unchanged_one_goes() -> None:
    changed = marked(LIST, b"\n").replace(b"Wasps", b"Ants")
    assert unlisted(b"a" + marked(LIST, b"\n") + b"b" + changed + b"c") == b"ab" + changed + b"c"


@pytest.mark.parametrize(
    "listed",
    [
        marked(LIST, b"\n"),
        marked(LIST, b"\n").replace(b"Wasps", b"Hornets"),  # changed by hand
        LIST,  # what a minifier leaves
        LIST.replace(b"</ul>", LIST + b"</ul>"),  # one in another
    ],
)
def test_a_list_is_neither_words_nor_links_of_its_page(listed: bytes) -> None:
    plain = b"<html><body><main><p>Bees make honey, and <a href=hive.html>live here</a>.</p></main></body>"
    assert read(plain.replace(b"</main>", listed + b"</main>")) == read(plain)


def test_the_digest_of_a_page_is_that_of_the_page_without_its_list() -> None:
    plain = b"<main><p>Bees</p></main>"
    assert digest(plain.replace(b"</main>", marked(LIST, b"\n") + b"</main>")) == digest(plain)
    assert digest(plain + LIST) != digest(plain)
