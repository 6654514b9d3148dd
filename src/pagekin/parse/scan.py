"""Notes where the sections of a page begin and how its text looks, while the page is walked: paper 3's *scanning*.

A page is cut into sections wherever a box begins or ends. `blocks` joins them.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pagekin.parse import furniture
from pagekin.parse.style import PLAIN, TAGS, Attributes, Changes, Style, StyleRules, changed, changes_of, rules_of

# A page is cut at the beginning and end of these boxes. Items (li, dt, dd, th) are not among them: lists would fall
# to pieces.
CUTS = frozenset(
    ("table", "tr", "td", "p", "hr", "ul", "ol", "dl", "dir", "menu", "div", "section", "nav", "header", "footer",
     "article", "aside", "main", "h1", "h2", "h3", "h4", "h5", "h6", "form", "fieldset", "pre", "blockquote", "center")
)  # fmt: skip
CELLS = frozenset(("tr", "td"))
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))

WRAPPERS = frozenset(("header", "sidebar", "tags"))  # names that are also given to boxes around everything
REGIONS = {
    "nav": "navigation",
    "header": "header",
    "footer": "footer",
    "aside": "aside",
    "main": "",
    "article": "",
    **dict.fromkeys(("ul", "ol", "dl", "dir", "menu"), "list"),
}
# Boxes whose tag, or whose role, id or class, says which part of the page they are.
PARTS = frozenset(("div", "section", "table", "form", *REGIONS))
_NAMED = re.compile(
    r"""(?:(?<![a-z])|(?<=main)|(?<=site)|(?<=page)|(?<=sub))(?:
    (?P<navigation>nav(?:bar|igation)?|menu(?:bar)?|breadcrumbs?|pagination|pager|toc|tabs)
    |(?P<footer>foot(?:er)?|contentinfo|copyright)
    |(?P<header>header|masthead|banner)
    |(?P<aside>sidebar|aside|complementary)
    )(?![a-z])""",
    re.VERBOSE,
)
_NAME = 200  # characters of class, id and role that are searched


# The innermost box around something: its tag, and the number of the box around it (for a row or cell, its table's).
# Plain tuples, since every box and section of a page makes one.
Box = tuple[str, int]
PAGE: Box = ("", 0)
# Where a section begins: its place in the text, the part of the page, whether a line is above it, its box, and whether
# it begins with text (else with a link, which may turn out to be none), what the page calls the part (`furniture`), and
# whether it is a heading.
Start = tuple[int, str, bool, Box, bool, str, bool]
Before = tuple[Style, str, Box, int, str]  # what an element changes, as it was before the element


@dataclass(slots=True)
class Scan:
    """What a walk notes about sections, as places in the list of texts that it writes."""

    text: list[str]
    by_tag: StyleRules = field(default_factory=lambda: TAGS)
    by_node: dict[int, Changes] = field(default_factory=dict)  # the elements with a look of their own
    style: Style = PLAIN
    region: str = ""
    called: str = ""  # what the page calls the part, for the roles of links
    box: Box = PAGE
    boxes: int = 0  # how many have begun
    around: int = 0  # the number of the innermost open box, except for rows and cells
    cuts: list[Start] = field(default_factory=list)  # where sections begin
    pending: bool = True  # whether what comes next begins a section …
    ruled: bool = False  # … and there is a line, an <hr>, above it
    runs: list[int] = field(default_factory=lambda: [0])  # where the look of the text changes …
    styles: list[Style] = field(default_factory=lambda: [PLAIN])  # … and how

    def learn(self, tree: LexborHTMLParser) -> None:
        """Find the elements that set a look, by the parser's own search, so that the walk need not ask each one."""
        found = tree.css("style,[style],[bgcolor],font,basefont,body")
        rules: StyleRules = {}
        for node in found:
            if node.tag == "style":
                rules |= rules_of(node.text())
        if any(map(_by_name, rules)):
            found += tree.css("[class],[id]")
        for node in found:
            if changes := changes_of(node.tag or "", node.attributes, rules):
                self.by_node[node.mem_id] = changes
        if rules:
            tags = {*TAGS, *(selector for selector in rules if not _by_name(selector))}
            self.by_tag = {tag: changes_of(tag, {}, rules) for tag in tags}

    def enter(self, tag: str, node: LexborNode, whole: bool) -> Before:
        """Begin an element; pass what is returned to `leave`. Inside a link (`whole`) nothing is cut."""
        before = self.style, self.region, self.box, self.around, self.called
        changes = (self.by_node and self.by_node.get(node.mem_id)) or self.by_tag.get(tag)
        if changes:
            style = changed(self.style, changes)
            if style != self.style:
                self._look(style)
        if tag in PARTS:
            self.region, self.called = _part(tag, node.attributes, self.region, self.called)
        elif tag == "h1" and self.called in WRAPPERS:
            self.called = ""  # so the box that is called a header or a menu is around the whole page
        if tag in CUTS and not whole:
            self.pending = True
            if tag == "hr":
                self.ruled = True
            self.box = (tag, self.around)
            if tag not in CELLS:
                self.boxes += 1
                self.around = self.boxes
        return before

    def leave(self, tag: str, before: Before, whole: bool) -> None:
        style, self.region, self.box, self.around, called = before
        if tag != "h1":
            self.called = called
        if style is not self.style:
            self._look(style)
        if tag in CUTS and not whole:
            self.pending = True

    def begin(self, written: bool) -> None:
        """Begin a section, because text (`written`) or a link comes next: it is not empty."""
        heading = self.box[0] in HEADINGS
        self.cuts.append((len(self.text), self.region, self.ruled, self.box, written, self.called, heading))
        self.pending = self.ruled = False

    def _look(self, style: Style) -> None:
        self.style = style
        self.runs.append(len(self.text))
        self.styles.append(style)


def _by_name(selector: str) -> bool:
    return "." in selector or "#" in selector


def _part(tag: str, attributes: Attributes, region: str, called: str) -> tuple[str, str]:
    """The part of the page that a box forms, and what the page calls it. Boxes without an id are like many others."""
    if not attributes or "id" not in attributes:
        return _like_others(tag, attributes.get("class"), attributes.get("role"), region, called)
    return _region(tag, attributes, region), furniture.region(tag, attributes, called)


@lru_cache(4096)
def _like_others(tag: str, class_: str | None, role: str | None, region: str, called: str) -> tuple[str, str]:
    attributes = {"class": class_, "role": role}
    return _region(tag, attributes, region), furniture.region(tag, attributes, called)


def _region(tag: str, attributes: Attributes, outer: str) -> str:
    """The part of the page that a box forms, "" for the main content; a list in the navigation is navigation."""
    if attributes:
        name = " ".join(filter(None, map(attributes.get, ("role", "id", "class"))))
        if name and (named := _named(name[:_NAME])):
            return named
    region = REGIONS.get(tag)
    return outer if region is None or (region == "list" and outer) else region


@lru_cache(4096)
def _named(name: str) -> str | None:
    found = _NAMED.search(name.lower())
    return found.lastgroup if found else None
