"""The tokenizer against html5lib's tests, and against the tree that a browser builds."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from pagekin.seealso.tokens import attributes, plain, tokens

Data = Callable[[str], Path]
PIECES = [
    "<div>", "</div>", "<p class=a>", "</p>", "<!-- ", " -->", "--!>", "<!-->", "<script>", "</script>", "<style>",
    "</style>", "<textarea>", "</textarea>", "<title>", "</title>", "<b title='<i>'>", '<b title="', '"', "'", ">", "<",
    "</", "/>", "<br/>", "<main id=x>", "</main>", "text", " ", "=", "<b =x>", "<b x=y/z>", "<!doctype html>", "<?x>",
    "<svg>", "</svg>", "<![CDATA[", "]]>", "&lt;b>", "<xmp>", "</xmp>", "it's", "<b a=it's>", "</script ",
    "<!--<script>",
]  # fmt: skip


def seen(page: bytes) -> list[tuple[Any, ...]]:
    """Tags as html5lib's tests write them."""
    found: list[tuple[Any, ...]] = []
    for token in tokens(page):
        name = token.name.decode()
        if name:
            found.append(("EndTag", name) if token.closing else ("StartTag", name, attributes(page, token)))
    return found


@pytest.mark.data
def test_tags_and_attributes_of_html5lib_s_tests(data: Data) -> None:
    """Those that begin outside of raw text, without what changes characters: NUL, CR, references."""
    ran, wrong = 0, []
    for file in sorted((data("conformance") / "html5lib-tests" / "tokenizer").glob("*.test")):
        for case in json.loads(file.read_text("utf-8")).get("tests", []):
            written = (
                case["input"].encode("utf-8", "surrogatepass").decode("unicode_escape")
                if case.get("doubleEscaped")
                else case["input"]
            )
            states = case.get("initialStates", ["Data state"])
            if "Data state" not in states or not written.isascii() or set(written) & set("\0\r&"):
                continue
            wanted = [tuple(token[:3]) for token in case["output"] if token[0] in ("StartTag", "EndTag")]
            raw = any(token[1] in ("script", "style", "title", "textarea", "xmp") for token in wanted)
            wanted = [token[:2] if token[0] == "EndTag" else token for token in wanted]
            ran += not raw
            if not raw and seen(written.encode()) != wanted:
                wrong.append((file.name, written, seen(written.encode()), wanted))
    assert ran > 500
    assert wrong == []


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_every_element_of_the_tree_that_has_an_attribute_is_a_tag_here(markup: str) -> None:
    """A parser makes up elements, but none with attributes of its own; tags within raw text are in no tree."""
    page = f"<body>{markup}".encode()
    marked = page.replace(b"<div>", b"<div data-n=1>").replace(b"<svg>", b"<svg data-n=1>")
    tree = LexborHTMLParser(marked.decode(), scripting=True)
    started = [token for token in tokens(marked) if not token.closing and "data-n" in attributes(marked, token)]
    assert len(tree.css("[data-n]")) <= len(started)
    inside = b"<body>" + markup.encode() + b"-->]]></script></style></textarea></title></xmp>"
    assert all(inside[token.start : token.start + 1] == b"<" for token in tokens(inside))


@pytest.mark.parametrize(
    ("page", "names"),
    [
        (b"<script>if (a < b) '</p>'</script><p>", [b"script", b"script", b"p"]),
        (b"<script><!-- <script> </script> --></script><p>", [b"script", b"script", b"p"]),
        (b"<script><!--></script><p>", [b"script", b"script", b"p"]),
        (b"<!-- <main> --><p>", [b"", b"p"]),
        (b"<!--><p>", [b"", b"p"]),
        (b"<!-- never ends <p>", [b""]),
        (b"<a title='never ends><p>", []),
        (b"<textarea><p></textarea><p>", [b"textarea", b"textarea", b"p"]),
        (b"<noscript><main></noscript><p>", [b"noscript", b"noscript", b"p"]),
        (b"<svg><title/><style/></svg><p>", [b"svg", b"title", b"style", b"svg", b"p"]),
        (b"<svg><![CDATA[<p>]]></svg><p>", [b"svg", b"svg", b"p"]),
        (b"<![CDATA[<p>]]><b>", [b"b"]),
        (b"<svg><div><![CDATA[<p>]]><b>", [b"svg", b"div", b"b"]),
        (
            b"<svg><foreignobject><style><p></style></foreignobject><![CDATA[<b>]]><i>",
            [b"svg", b"foreignobject", b"style", b"style", b"foreignobject", b"i"],
        ),
        (b"1 < 2 <p", []),
        (b"<plaintext><p>", [b"plaintext"]),
        (b"<P\tClass=x>", [b"p"]),
    ],
)
def test_what_is_markup_and_what_is_not(page: bytes, names: list[bytes]) -> None:
    assert [token.name for token in tokens(page)] == names


def test_in_xml_an_empty_script_is_closed() -> None:
    page = b'<script src="x"/><p>'
    assert [token.name for token in tokens(page)] == [b"script"]
    assert [token.name for token in tokens(page, xml=True)] == [b"script", b"p"]


def test_japanese_that_looks_like_markup() -> None:
    page = "<p>ば</p>".encode("iso-2022-jp")
    hostile = b"<p>\x1b$B<b<b\x1b(B</p>"
    assert len(plain(hostile, "iso-2022-jp")) == len(hostile)
    assert [token.name for token in tokens(plain(hostile, "iso-2022-jp"))] == [b"p", b"p"]
    assert plain(page, "utf-8") is page


@pytest.mark.parametrize(
    "page", [b"<" * 100_000, b"<a " * 50_000, b"<!--" * 50_000, b"<a b='" * 30_000, b"<script><!--" * 20_000]
)
def test_time_grows_with_the_page_only(page: bytes) -> None:
    assert len(list(tokens(page))) <= 1
