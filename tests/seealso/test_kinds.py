"""Pages that lead to others, and pages that people read."""

from pathlib import PurePath

import pytest

from pagekin.seealso.kinds import is_of_links, leads_on
from pagekin.seealso.outline import outline


@pytest.mark.parametrize(
    "path",
    [
        "index.html", "404.html", "404/index.html",
        "search.html", "search/index.html", "genindex.html", "genindex-A.html",
        "py-modindex.html",
        "tags/index.html", "tags.html", "tag/bees/index.html", "categories/bees.html",
        "posts/page/2/index.html", "page/3.html", "archives/2024/index.html", "sitemap.html",
        "bookindex.html", "Index.htm",
    ],
)  # fmt: skip
def test_by_name(path: str) -> None:
    assert leads_on(PurePath(path))


@pytest.mark.parametrize(
    "path",
    [
        "bees.html", "guide/index.html", "git-diff-index.html", "about/index.html", "search/engines.html",
        "page/layout.html", "posts/404-bees.html", "page/index.html",
    ],
)  # fmt: skip
def test_pages_that_people_read(path: str) -> None:
    assert not leads_on(PurePath(path))


def test_by_what_most_of_the_text_is() -> None:
    links = b"".join(b"<li><a href=%d.html>Chapter number %d</a>" % (n, n) for n in range(6))
    assert is_of_links(outline(b"<main><h1>Contents</h1><ul>" + links + b"</ul></main>"), 1)
    text = b"<p>" + b"A long sentence about bees and what they do all day. " * 4
    assert not is_of_links(outline(b"<main><h1>Bees</h1>" + text + b"<ul>" + links + b"</ul></main>"), 1)
    elsewhere = links.replace(b"href=", b"href=http://b.example/")
    assert not is_of_links(outline(b"<main><h1>Links</h1><ul>" + elsewhere + b"</ul></main>"), 1)
    here = links.replace(b"href=", b"href=#")
    assert not is_of_links(outline(b"<main><h1>Links</h1><ul>" + here + b"</ul></main>"), 1)
