"""Finds the "See also" sections that authors wrote, and makes the page without them.

A section begins with words that mean "see also" (`see_also_words`, in many languages). What belongs to it depends on
where they stand:

* a heading that says nothing else: what follows, up to the next heading of the same or a higher level, or the end of
  the element that the heading is in, or the navigation or the footer;
* a `<dt>` that says nothing else: its `<dd>`s (javadoc's "See Also:");
* another label, alone in its line: what follows it, or all of the box that it opens (`<aside>`, Sphinx's `.seealso`);
* a bold label in a manual page that is one `<pre>`: what follows, up to the next bold word that begins a line;
* the beginning of a line or paragraph with a link to another page: that line ("See also <a>the hive</a>.").

Words alone do not make a section within a link, a menu or an example; a paragraph that begins with them may be all a
link. Links of the label ("[edit]", a permanent link) are hidden with the section, but not among those that the author
names.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, takewhile

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pagekin.model import Capture, Link
from pagekin.parse.cutting import cut_out
from pagekin.parse.furniture import is_furniture, names
from pagekin.parse.html import elements
from pagekin.parse.lines import (
    anchors,
    is_away,
    is_blank,
    is_element,
    is_inline,
    leads_away,
    line_from,
    line_of,
    nodes_after,
    opens_line,
    text_of,
    text_up_to,
)
from pagekin.parse.see_also_words import SAID_ALONE, begins_so, begins_with_capital, core, says_so
from pagekin.parse.walk import HIDDEN, fold

_ALONE_IN_DT = {"see"}  # JSDoc's; elsewhere too many things are called so
# The class that tools give the box of such a section: Sphinx's "admonition seealso", Apache's "seealso".
_BOX_CLASSES = {"seealso", "see-also", "see_also"}
_NO_BOX = {"html", "body", "ul", "ol"}  # Apache has its lists of bugs in a <ul class="seealso">, too
_BOX_TAGS = {"aside", "details", "fieldset", "section"}
_BOX_WORDS = {"admonition", "sidebar", "topic", "callout", "panel", "card", "box", "note"}

_HEADING = re.compile(r"h[1-6]")
_LISTS = {"ul", "ol", "dl", "table", "menu", "dir"}
_NO_PLACE = HIDDEN | {"a", "pre", "xmp", "listing", "nav", "button", "option", "textarea", "select"}
# What ends a section without a heading, besides the furniture that comes after the content.
_OVER_TAGS = {"hr", "form"}

# A paragraph about the page rather than its subject, after the last section of a page without a footer element.
_COLOPHON = re.compile(
    r"\W*(?:copyright\b|©|all rights reserved|(?:this )?page (?:was )?(?:last |generated )|last (?:modified|updated))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class WithoutSeeAlso:
    """A page without its "See also" sections, and the links of each section; the page itself if there are none."""

    capture: Capture
    sections: tuple[tuple[Link, ...], ...] = ()
    nothing_left: bool = False  # the page is all "See also"


def without_see_also(capture: Capture) -> WithoutSeeAlso:
    """Hide the "See also" sections of a page: their links and their words.

    >>> page = b"<h1>Bees</h1><p>They fly.<h2>See also</h2><ul><li><a href=hive>The hive</a></ul>"
    >>> found = without_see_also(Capture("http://bees.example/", page))
    >>> [[link.target for link in links] for links in found.sections]
    [['http://bees.example/hive']]
    >>> found.capture.body
    b'<html><head></head><body><h1>Bees</h1><p>They fly.</p> </body></html>'
    """
    read = elements(capture)
    found = _outermost(list(sections(read.tree)))
    if not found:
        return WithoutSeeAlso(capture)
    by_node = {node.mem_id: link for node, link in read.links}
    links = [tuple(sorted(_links_in(nodes, by_node), key=_position)) for nodes in found]
    rest = cut_out(capture, read.tree, found)
    links.sort(key=lambda each: [_position(link) for link in each[:1]])
    return WithoutSeeAlso(rest, tuple(links), read.tree.body is None or not text_up_to(read.tree.body, 0))


def sections(tree: LexborHTMLParser) -> Iterator[list[LexborNode]]:
    """The "See also" sections of a page, each as neighbours in the tree; one may be part of another."""
    if tree.body is None:
        return
    for box in tree.body.css(",".join(f'[class~="{name}" i]' for name in sorted(_BOX_CLASSES))):
        if box.tag not in _NO_BOX:
            yield [box]
    for heading in tree.body.css("h1,h2,h3,h4,h5,h6"):
        if says_so(text_of(heading)) and not _out_of_place(heading):
            yield _under(heading)
    for term in tree.body.css("dt"):
        said = core(text_of(term))
        if said in SAID_ALONE or said in _ALONE_IN_DT:
            yield [term, *nodes_after(term, lambda node: node.tag == "dt")]
    for label in tree.body.css("pre > b, pre > strong"):
        if says_so(text_of(label)) and _is_margin(label):
            found = [label, *nodes_after(label, _is_margin)]
            if leads_away(found):
                yield found
    for node in tree.body.traverse(include_text=True):
        if node.is_text_node and begins_so(node.text_content or ""):
            yield from _at_words(node)


def _under(heading: LexborNode) -> list[LexborNode]:
    """A heading, or what holds nothing but it, with what follows up to the next heading that is not below it."""
    level = heading.tag or "h6"
    top = _whole(heading)

    def ends(node: LexborNode) -> bool:
        tag = node.tag or ""
        if _is_over(node) or (_HEADING.fullmatch(tag) and tag <= level):
            return True
        return any((inner.tag or "") <= level for inner in node.css("h1,h2,h3,h4,h5,h6"))

    return [top, *nodes_after(top, ends)]


def _at_words(text: LexborNode) -> Iterator[list[LexborNode]]:
    """The section that begins with the words of a text, if it does: they must open a line."""
    if _out_of_place(text, _NO_PLACE if says_so(text_of(text)) else _NO_PLACE - {"a"}):
        return
    first, block = line_of(text)
    if block is None or not opens_line(first):
        return
    line, after = line_from(first)
    written = fold("".join(map(text_of, line)))
    if block.tag != "p" and _out_of_place(text):  # an entry of a table of contents
        return
    if says_so(written) or (written.endswith((":", "：")) and not leads_away(line)):
        yield from _labelled(line, after, block)
    elif leads_away(line) and (begins_with_capital(written) or (block.tag == "p" and _in_brackets(written))):
        yield line  # elsewhere a small letter leads from one entry of an index to another


def _in_brackets(written: str) -> bool:
    return written.startswith("(") and written.endswith((")", ")."))


def _labelled(line: list[LexborNode], after: LexborNode | None, block: LexborNode) -> Iterator[list[LexborNode]]:
    """What a label that is alone in its line stands for: its box, or the next thing with a link in it."""
    if block.tag == "dt" or _in_heading(block):
        return  # found by their tags
    following: Iterator[LexborNode]
    if after is not None:
        following = chain([after], nodes_after(after))
    else:  # the label has an element of its own
        top = _whole(block)
        parent = top.parent
        if parent is not None and _is_box(parent) and opens_line(top):
            yield [parent]
            return
        line = [top]
        following = nodes_after(top)
    found = _next_thing(following)
    if not found or _is_over(found[-1]) or not leads_away(found):
        return
    if is_inline(found[-1]):
        found += line_from(found[-1], whole=True)[0][1:]
    elif found[-1].tag not in _LISTS and _only_links(found[-1]):  # one of several, each in a paragraph of its own
        found += takewhile(lambda node: is_blank(node) or _only_links(node), nodes_after(found[-1], _is_over))
    yield [*line, *found]


def _next_thing(nodes: Iterable[LexborNode]) -> list[LexborNode]:
    """The first node that is not blank, with the blank ones before it."""
    found: list[LexborNode] = []
    for node in nodes:
        found.append(node)
        if not is_blank(node):
            break
    return found


def _only_links(node: LexborNode) -> bool:
    """Whether an element holds links to other pages, and no word besides."""
    if not is_element(node) or _HEADING.fullmatch(node.tag or "") or not leads_away([node]):
        return False
    linked = sum(len(fold(text_of(anchor))) for anchor in anchors(node) if is_away(anchor))
    return len(text_up_to(node, linked + 100)) <= linked + 2


def _is_margin(node: LexborNode) -> bool:
    """Whether something bold begins a line of a `<pre>`: manual pages have their headings so."""
    if node.tag not in ("b", "strong"):
        return False
    before = node.prev
    return before is None or (before.is_text_node and (before.text_content or "").endswith("\n"))


def _whole(node: LexborNode) -> LexborNode:
    """The outermost element with nothing in it but this one."""
    said = fold(text_of(node))
    while (parent := node.parent) is not None and parent.tag not in ("body", "html", "td", "th", "dd", "li", None):
        around = text_up_to(parent, len(said) + 100)
        if len(around) > len(said) and not says_so(around):  # a wiki's "[edit]" may stand beside it
            break
        node = parent
    return node


def _is_box(node: LexborNode) -> bool:
    return node.tag in _BOX_TAGS or not _BOX_WORDS.isdisjoint(names(node))


def _is_over(node: LexborNode) -> bool:
    return node.tag in _OVER_TAGS or is_furniture(node) or bool(_COLOPHON.match(text_up_to(node, 100)))


def _out_of_place(node: LexborNode, places: Collection[str] = _NO_PLACE) -> bool:
    above = node.parent
    while above is not None:
        if above.tag in places and not (above.tag == "a" and not above.attributes.get("href")):
            return True
        if above.attributes.get("role") == "navigation":  # a <nav> by another name: Sphinx's "Related Topics"
            return True
        above = above.parent
    return False


def _in_heading(node: LexborNode) -> bool:
    above: LexborNode | None = node
    while above is not None and not _HEADING.fullmatch(above.tag or ""):
        above = above.parent
    return above is not None


def _position(link: Link) -> int:
    return link.position


def _links_in(nodes: Iterable[LexborNode], by_node: Mapping[int, Link]) -> Iterator[Link]:
    """The links of a section, but for those of its label."""
    for node in filter(is_element, nodes):
        labels = [each for each in (node, *node.css("h1,h2,h3,h4,h5,h6,dt")) if says_so(text_up_to(each, 100))]
        seen = dict.fromkeys(anchor.mem_id for anchor in anchors(node))
        of_labels = {anchor.mem_id for label in labels for anchor in anchors(label)}
        yield from (by_node[at] for at in seen if at in by_node and at not in of_labels)


def _outermost(found: list[list[LexborNode]]) -> list[list[LexborNode]]:
    """The sections without those that are part of others; sections that share an element become one."""
    owner: dict[int, list[LexborNode]] = {}  # the element's id → its section
    for nodes in found:
        kept = next((owner[node.mem_id] for node in nodes if node.mem_id in owner), [])
        kept += [node for node in nodes if node.mem_id not in owner]
        owner |= dict.fromkeys((node.mem_id for node in nodes), kept)
    outer = {id(kept): kept for kept in owner.values() if not _within(kept[0], owner)}
    return list(outer.values())


def _within(node: LexborNode, owner: Mapping[int, object]) -> bool:
    above = node.parent
    while above is not None and above.mem_id not in owner:
        above = above.parent
    return above is not None
