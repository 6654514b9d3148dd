"""Tells what is around the content of a page (menus, footers, page turners) from what authors call it."""

import re

from selectolax.lexbor import LexborNode

TAGS = {"nav", "footer"}
# Words in the class, id or role of an element.
NAMES = {"nav", "navbar", "navbox", "navigation", "navheader", "navfooter", "footer", "printfooter", "catlinks"}
NAMES |= {"breadcrumb", "breadcrumbs", "pager", "pagination", "comments", "contentinfo", "header", "sphinxsidebar"}

_WORDS = re.compile(r"[a-z]+")


def is_furniture(node: LexborNode) -> bool:
    """Whether an element is around the content rather than part of it."""
    return node.tag in TAGS or not NAMES.isdisjoint(names(node))


def within_furniture(node: LexborNode) -> bool:
    """Whether an element is in one that is around the content."""
    above = node.parent
    while above is not None and not is_furniture(above):
        above = above.parent
    return above is not None


def names(node: LexborNode) -> list[str]:
    """The words in the class, id and role of an element; none for texts and comments."""
    if (node.tag or "-").startswith(("-", "!")):
        return []
    given = node.attributes
    return _WORDS.findall(" ".join(given.get(name) or "" for name in ("class", "id", "role")).lower())
