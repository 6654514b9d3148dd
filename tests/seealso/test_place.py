"""Where a list belongs, rule by rule, and what a browser makes of it, whatever the page is like."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from pagekin.errors import UsageError
from pagekin.parse.listed import unlisted
from pagekin.seealso.listing import Entry, Listing
from pagekin.seealso.outline import outline
from pagekin.seealso.place import Place, Selector, among_own_words, level, place, stands

LIST = Listing([Entry("wasp.html", "Wasps"), Entry("ant.html", "Ants")], "See also")


def behind(page: bytes, at: str | None = None) -> bytes | None:
    found = place(outline(page), Selector.read(at) if at else None)
    return None if found is None else page[found.at :]


@pytest.mark.parametrize(
    ("page", "rest"),
    [
        (b"<nav>n</nav><main>a</main>b", b"</main>b"),
        (b"<div role=main>a</div>b", b"</div>b"),
        (b"<article>a</article>b", b"</article>b"),
        (b"<main><div>side</div><article>a long text of it</article><p>next</main>", b"</article><p>next</main>"),
        (b"<main>a long text of its own <article>teaser</article></main>", b"</main>"),
        (b"<main><nav>a menu of many words</nav><article>short</article></main>", b"</article></main>"),
        (b"<main><article>one text</article><article>two text</article></main>", b"</main>"),
        (b"<article>a<article>comment</article></article>b", b"</article>b"),
        (b"<main hidden>x</main><main>a</main>b", b"</main>b"),
        (b"<!-- <main>x</main> --><main>a</main>", b"</main>"),
        (b"<script>'<main></main>'</script><main>a</main>", b"</main>"),
        (b"<main>a<script>'</main>'</script>b</main>c", b"</main>c"),
        (b"<main>a<p>b<!-- pagekin --></p>c</main>", b"</p>c</main>"),
        (b"<body>\n  <main>\n    a\n  </main>\n</body>", b"  </main>\n</body>"),
        (b"<main>a</main><main>b</main>", b"</main><main>b</main>"),
    ],
)
def test_where_the_page_says(page: bytes, rest: bytes) -> None:
    assert behind(page) == rest


@pytest.mark.parametrize("page", [b"<p>a", b"<article>a</article><article>b</article>", b"<div>a</div>", b""])
def test_a_page_that_says_nothing(page: bytes) -> None:
    assert behind(page) is None


@pytest.mark.parametrize(
    ("at", "rest"),
    [("div", b"</div>c</div></main>"), ("#x", b"</div></main>"), (".y", b"</div></main>"), ("div.z", b"</div></main>"),
     (".none", b"</main>")],
)  # fmt: skip
def test_where_the_caller_says(at: str, rest: bytes) -> None:
    page = b"<main><div>a</div>c</div></main>" if at == "div" else b"<main>a<div id=x class='z y'>b</div></main>"
    assert behind(page, at) == rest


@pytest.mark.parametrize("text", ["", "a b", "p", "div > p", "#", ".a.b", "*", "[x]", "main:first"])
def test_what_is_no_selector(text: str) -> None:
    with pytest.raises(UsageError, match=r"takes a tag, an #id, a \.class"):
        Selector.read(text)


def test_among_the_words_that_only_this_page_has() -> None:
    page = (
        b"<body><div id=head>The farm of all the bees</div><table><tr><td>Menu of the whole farm</td>"
        b"<td id=text><h1>Queen bees</h1><p>A queen lays all the eggs.<p>She lives for several years.</td></tr></table>"
        b"<div id=foot>Written by the farmers</div></body>"
    )
    own = "Queen bees\nA queen lays all the eggs.\nShe lives for several years."
    found = among_own_words(
        outline(page), own, "The farm of all the bees\nMenu of the whole farm\nWritten by the farmers"
    )
    assert found is not None
    assert page[found.at :].startswith(b"</td></tr></table>")


@pytest.mark.parametrize(
    ("page", "rest"),
    [
        ("<div id=a><h1>Queen bees</h1><p>{own}{bar}</div><p>Foot of the farm", "</div><p>Foot of the farm"),
        ("<div id=a><h1>Queen bees</h1><p>{own}</div>{bar}<p>Foot of the farm", "</div><div class=sidebar>"),
        ("<body><h1>Queen bees</h1><p>{own}{bar}<p>Foot of the farm", "<div class=sidebar>"),
    ],
)
def test_behind_a_note_in_the_text_that_is_called_a_side_bar(page: str, rest: str) -> None:
    own = "A queen lays all the eggs, she lives for several years, and the workers feed her."
    bar = "Tip: mark her with a colour"
    text = page.format(own=own, bar=f"<div class=sidebar><p>{bar}</div>").encode()
    found = among_own_words(outline(text), f"Queen bees\n{own}\n{bar}", "Foot of the farm")
    assert found is not None and text[found.at :].startswith(rest.encode())


def test_before_the_foot_of_a_page_without_boxes() -> None:
    page = b"<h1>Queen bees rule</h1>\n<p>A queen lays all the eggs.\n<hr>\n<address>The farmers of the farm</address>"
    found = among_own_words(outline(page), "Queen bees rule\nA queen lays all the eggs.", "The farmers of the farm")
    assert found is not None
    assert page[found.at :] == b"<hr>\n<address>The farmers of the farm</address>"
    frames = outline(b"<title>A farm of frames</title><frameset><frame src=a.html></frameset>")
    assert among_own_words(frames, "", "") is None


def test_a_page_of_which_all_is_repeated_is_another_edition() -> None:
    page = b"<div class=nav>Menu of the farm</div><div id=a><p>A queen lays all the eggs.</div><div>&copy; 2024</div>"
    found = among_own_words(outline(page), "", "Menu of the farm\nA queen lays all the eggs.")
    assert found is not None and page[found.at :] == b"</div><div>&copy; 2024</div>"


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (b"<p>none", 2), (b"<h1>a</h1>", 2), (b"<h1>a</h1><h2>b</h2><h3>c</h3>", 2), (b"<h2>a</h2><h3>b</h3>", 3),
        (b"<h2>a</h2><h2>b</h2>", 2), (b"<h1>a</h1><h1>b</h1>", 2), (b"<h6>a</h6>", 6),
    ],
)  # fmt: skip
def test_the_level_of_the_heading(page: bytes, wanted: int) -> None:
    assert level(outline(page), len(page)) == wanted


@pytest.mark.parametrize(
    "page",
    [
        b"<main>a<a href=x>never ends</main>",  # the list would be in the link
        b"<select><main>a</main></select>",
        b"<svg><main>a</main></svg>",
    ],
)
def test_a_list_that_browsers_would_not_show_there_is_told(page: bytes) -> None:
    found = place(outline(page))
    assert found is None or not fits(page, found)


def fits(page: bytes, found: Place) -> bool:
    new = page[: found.at] + LIST.written(page, 2) + page[found.at :]
    assert unlisted(new) == page
    return stands(outline(page), new.decode("utf-8", "replace"), found, 2)


PIECES = [
    "<main>", "</main>", "<article>", "</article>", "<div>", "</div>", "<div role=main>", "<p>", "</p>", "<a href=x>",
    "</a>", "<table>", "<tr>", "<td>", "</table>", "<ul>", "<li>", "</ul>", "<b>", "</b>", "<script>", "</script>",
    "<!--",
    "-->", "<svg>", "</svg>", "<select>", "</select>", "<template>", "</template>", "words of a page ", "\n  ", "<pre>",
    "</pre>", "<textarea>", "</textarea>", "</body>", "<noscript>", "</noscript>", "<button>", "<form>", "<frameset>",
    "<!-- pagekin -->", "<h1>", "</h1>", "<title>", "</title>",
]  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_in_any_page_a_list_that_stands_is_in_the_element_that_was_meant(markup: str) -> None:
    """What `stands` lets pass, looked at once more: by a browser's tree of the page with an element of its own name."""
    page = markup.encode()
    found = place(outline(page))
    if found is None or not fits(page, found):
        return
    new = page[: found.at] + LIST.written(page, 2) + page[found.at :]
    [ours] = LexborHTMLParser(new.decode()).css("body [data-pagekin-list]")
    around = []
    above = ours.parent
    while above is not None:
        around.append(
            (above.tag, (above.attributes or {}).get("role") if above.tag and above.tag[0] not in "-#" else None)
        )
        above = above.parent
    if found.by == "element":
        assert any(tag in ("main", "article") or role == "main" for tag, role in around)
    assert not {"a", "select", "button", "svg", "template"}.intersection(tag for tag, _ in around)
    assert [link.attributes["href"] for link in ours.css("a")] == ["wasp.html", "ant.html"]
