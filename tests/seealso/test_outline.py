"""Boxes as a browser closes them, texts and headings; the end of each box against the tree that a browser builds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from pagekin.seealso.outline import outline

PROBE = b"<i data-probe></i>"


def ends(page: bytes) -> list[tuple[str, bytes]]:
    found = outline(page)
    return [(box.name.decode(), page[box.end :]) for box in found.boxes[1:]]


def test_boxes_end_where_browsers_end_them() -> None:
    assert ends(b"<div><ul><li>a<li>b</ul></div>c") == [
        ("div", b"</div>c"), ("ul", b"</ul></div>c"), ("li", b"<li>b</ul></div>c"), ("li", b"</ul></div>c"),
    ]  # fmt: skip
    assert ends(b"<div><table><tr><td>a</div>b<td>c</table>d</div>e")[0] == ("div", b"</div>e")
    assert ends(b"<main><p>a</main>b") == [("main", b"</main>b")]
    assert ends(b"<main>a") == [("main", b"")]
    assert ends(b"<body><div>a</body>b</div>c") == [("body", b"</body>b</div>c"), ("div", b"</div>c")]


WELL_FORMED = st.recursive(
    st.sampled_from(
        ["text", "<p>a</p>", "<br>", "<b>b</b>", "<!-- </div> -->", "<script>'</div>'</script>", "<img alt='>'>"]
    ),
    lambda inside: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(["div", "section", "article", "main", "blockquote", "nav"]),
        st.lists(inside, max_size=3),
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.lists(WELL_FORMED, max_size=4).map("".join))
def test_what_is_put_at_the_end_of_a_box_is_its_last_child(markup: str) -> None:
    page = f"<!doctype html><body>{markup}</body>".encode()
    found = outline(page)
    elements = LexborHTMLParser(page.decode()).css("body, div, section, article, main, blockquote, nav")
    assert [box.name.decode() for box in found.boxes[1:]] == [node.tag for node in elements]
    for number, box in enumerate(found.boxes[1:]):
        tree = LexborHTMLParser((page[: box.end] + PROBE + page[box.end :]).decode())
        probe = tree.css_first("[data-probe]")
        assert probe is not None and probe.parent is not None
        holder = tree.css("body, div, section, article, main, blockquote, nav")[number]
        assert probe.parent.mem_id == holder.mem_id


def test_texts_are_what_readers_see_and_know_their_links() -> None:
    page = (
        b"<title>no</title><script>no</script><div>one <a href=x.html>two</a> <a href=#top>three</a>"
        b"<a href=http://b.example/>four</a><a href='http://a.example/y'>five</a></div><template>no</template>six"
    )
    found = outline(page, base=b"http://a.example/")
    assert [(found.text(run), run.linked) for run in found.texts] == [
        ("one", False), ("two", True), ("three", False), ("four", False), ("five", True), ("six", False),
    ]  # fmt: skip
    assert len(found.links) == 2


def test_words_are_read_in_the_page_s_encoding() -> None:
    page = "<p>café".encode("latin-1")
    found = outline(page, encoding="windows-1252")
    assert found.text(found.texts[0]) == "café"


@pytest.mark.parametrize(
    ("page", "behind"),
    [
        (b"<p>a<!-- pagekin --> b", b" b"),
        (b"<p>a<!--pagekin--> b", b" b"),
        (b"<div data-pagekin>x</div>", b"x</div>"),
        (b"<div id=x data-pagekin=''></div>", b"</div>"),
        (b"a<span data-pagekin></span>", b"<span data-pagekin></span>"),
    ],
)
def test_markers(page: bytes, behind: bytes) -> None:
    assert page[outline(page).marker :] == behind


@pytest.mark.parametrize(
    "page",
    [
        b"<p>a<!-- no pagekin -->", b"<script>'<!-- pagekin -->'</script>", b"<div data-pagekin-other>",
        b"<template><!-- pagekin --></template>", b"<div title='data-pagekin'>",
    ],
)  # fmt: skip
def test_no_markers(page: bytes) -> None:
    assert outline(page).marker == -1
