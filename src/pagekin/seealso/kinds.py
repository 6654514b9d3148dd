"""Tells pages that only lead to others (the front, indexes, tags, search, 404) from pages that people read.

By the name of the file, as generators and people call it; or because most of the page's text is links to other pages of
the site. Such pages get no list and are named in none. And tells pages that have a section “See also” of their own.
"""

import re
from bisect import bisect_right
from pathlib import PurePath

from pagekin.parse.see_also_words import says_so
from pagekin.seealso.outline import Outline

_INDEX = "index"
_NAMES = frozenset(
    [
        "404",
        "50x",
        "500",
        "offline",
        "search",
        "searchresults",
        "genindex",
        "genindex-all",
        "modindex",
        "bookindex",
        "index-all",
        "sitemap",
        "site-map",
        "contents",
        "toc",
        "tags",
        "tag",
        "categories",
        "category",
        "archive",
        "archives",
        "allclasses",
        "allpackages",
    ]
)
_NAME = re.compile(r"genindex-.+|.+-modindex|print_page")
_FOLDERS = frozenset(["tag", "tags", "category", "categories", "archives"])  # what is in them is a list by tag …
_TURNED = re.compile(r"\d+")  # page/2/: the second page of a list
MOSTLY = 0.6  # the share of a page's text in links to other pages of the site
LEAST_LINKS = 5
LONGEST = 60  # bytes of a heading “See also”


def leads_on(path: PurePath) -> bool:
    """Whether a page only leads to others, by its path in the folder.

    >>> [leads_on(PurePath(each)) for each in ("index.html", "404.html", "tags/bees/index.html", "posts/page/2.html")]
    [True, True, True, True]
    >>> [leads_on(PurePath(each)) for each in ("bees.html", "guide/index.html", "search/engines.html")]
    [False, False, False]
    """
    parts = [*path.parts[:-1], path.name.partition(".")[0]]
    if parts[-1].lower() == _INDEX:
        parts.pop()
    if not parts:
        return True
    name, around = parts[-1].lower(), parts[-2].lower() if len(parts) > 1 else ""
    if name in _NAMES or _NAME.fullmatch(name):
        return True
    return around in _FOLDERS or (around == "page" and _TURNED.fullmatch(name) is not None)


def has_own(outline: Outline) -> bool:
    """Whether a page has a section “See also” that its author wrote, by its headings."""
    starts = [run.start for run in outline.texts]
    for at, _ in outline.headings:
        first = bisect_right(starts, at)
        if any(says_so(outline.text(run)) for run in outline.texts[first : first + 1] if run.end - run.start < LONGEST):
            return True
    return False


def is_of_links(outline: Outline, box: int) -> bool:
    """Whether most of the text in a box is links to other pages of the site."""
    if len(outline.links) < LEAST_LINKS:
        return False
    every = linked = 0
    for run in outline.texts:
        if outline.within(run.box, box):
            size = run.end - run.start
            every, linked = every + size, linked + size * run.linked
    return linked > MOSTLY * every
