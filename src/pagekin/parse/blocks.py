"""Groups a page's links into blocks: links that are close together and look alike (paper 3, "segmentation").

*Scanning* cuts the page into sections wherever a box begins or ends; `Scan` notes the cuts while the page is walked.
*Adjusting* goes over the sections from left to right and joins neighbours by the paper's six rules. *Gathering* joins
links that are left alone, each in a cell, heading or paragraph of its own, into lists. A section that then has two
links or more is a block; a link that is still alone belongs to none (`ALONE`). Nothing is dropped.

The time is linear in the size of the page: a section is joined once, and joining costs no more than the number of
looks of the second section.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import pairwise

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pagekin.model import ALONE, Block
from pagekin.parse import furniture
from pagekin.parse.colours import distance
from pagekin.parse.style import PLAIN, TAGS, Attributes, Changes, Style, StyleRules, changed, changes_of, rules_of

# A page is cut at the beginning and end of these boxes. Items (li, dt, dd, th) are not among them: lists would fall
# to pieces.
CUTS = frozenset(
    ("table", "tr", "td", "p", "hr", "ul", "ol", "dl", "dir", "menu", "div", "section", "nav", "header", "footer",
     "article", "aside", "main", "h1", "h2", "h3", "h4", "h5", "h6", "form", "fieldset", "pre", "blockquote", "center")
)  # fmt: skip
CELLS = frozenset(("tr", "td"))
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
# A section is "of links" if more than half of its words are in links and it has more than one link (T1 and T2, for
# which the paper gives no values).
LINK_WORDS = 0.5
LINKS = 1
# From the paper: font scores further apart than this mean different fonts; two sections with more words than this each
# are not joined.
FONT_SCORE = 0.5
WORDS = 10
BOLD = 1.2  # weight of bold characters in the font score

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

# Scripts written without spaces; a word is about two characters.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
# The bytes with which no such character begins in UTF-8: most texts, even with dashes and quotes, have no others.
_SPACED = bytes(set(range(256)) - {0xE0, 0xE1, *range(0xE3, 0xEA), 0xEF})


def count_words(text: str) -> int:
    """Count the words of a text: what is separated by white space, except for single signs.

    >>> count_words("Home | About us"), count_words("蜜蜂的家")
    (3, 2)
    """
    return _words(text, text.split())


def _words(text: str, parts: list[str]) -> int:
    words = len([part for part in parts if len(part) > 1 or part.isalnum()])
    if text.isascii() or not text.encode("utf-8", "replace").translate(None, _SPACED):
        return words
    return max(words, len(_UNSPACED.findall(text)) // 2)


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
            attributes = node.attributes
            self.region = _region(tag, attributes, self.region)
            self.called = furniture.region(tag, attributes, self.called)
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


class Section:
    """A stretch of a page: its links in order, its words, and how it looks."""

    __slots__ = (
        "anchor_words", "bold", "box", "characters", "links", "looks", "measure", "part", "regions", "ruled", "score",
        "style", "words",
    )  # fmt: skip

    def __init__(
        self, links: list[int], words: int = 0, anchor_words: int = 0, ruled: bool = False, box: Box = PAGE
    ) -> None:
        self.links = links
        self.box = box  # the box in which it begins
        self.part = ""  # navigation, header, footer or aside, if the page says so
        self.words = words
        self.anchor_words = anchor_words
        self.measure: Callable[[Section], None] | None = None  # finds words and looks when they are needed
        self.ruled = ruled  # a line separates it from what is before it
        self.bold = False
        self.characters = 0  # that are not white space
        self.score = 0.0  # Σ n_i b_i edis_i of Eq. 1
        self.style = PLAIN  # the style of most characters
        self.looks: dict[Style, int] = {}  # characters in each style
        self.regions: dict[str, int] = {}  # links in each part of the page

    def measured(self) -> "Section":
        if self.measure is not None:
            self.measure(self)
            self.measure = None
        return self

    def look(self, style: Style, characters: int) -> None:
        """Add that many characters of this style."""
        self.characters += characters
        if characters:
            self.bold = self.bold or style.bold
            self.score += characters * (BOLD if style.bold else 1.0) * distance(style.colour, style.background)
        self._count(style, characters)

    def _count(self, style: Style, characters: int) -> None:
        total = self.looks[style] = self.looks.get(style, 0) + characters
        most = self.looks.get(self.style, -1)
        if total > most or (total == most and style < self.style):
            self.style = style

    @property
    def font_score(self) -> float:
        """How much its text stands out, on average: afs of Eq. 1."""
        return self.score / self.characters

    @property
    def of_links(self) -> bool:
        return is_of_links(len(self.links), self.words, self.anchor_words)

    def join(self, other: "Section") -> None:
        """Take in the section that follows."""
        self.links += other.links
        self.words += other.words
        self.anchor_words += other.anchor_words
        self.bold = self.bold or other.bold
        self.characters += other.characters
        self.score += other.score
        for style, characters in other.looks.items():
            self._count(style, characters)
        for region, links in other.regions.items():
            self.regions[region] = self.regions.get(region, 0) + links


def is_of_links(links: int, words: int, anchor_words: int) -> bool:
    """Whether a section is of links: it has several, and most of its words are in them."""
    return links > LINKS and _mostly_links(words, anchor_words)


def _mostly_links(words: int, anchor_words: int) -> bool:
    """Whether most words are in anchors; true if there are no words, as with pictures."""
    return not words or anchor_words / words > LINK_WORDS


def can_join(one: Section, other: Section) -> bool:
    """Whether two neighbours belong together: they are in the same part of the page, no line is between them, and the
    paper's six rules, in its order, say so."""
    if other.ruled or other.part != one.part:
        return False
    if len(one.links) <= LINKS and len(other.links) <= LINKS:
        return False  # neither is of links: no rule joins them, whatever their words
    linked, other_linked = one.measured().of_links, other.measured().of_links
    if not linked and not other_linked:
        return False
    if linked and other_linked and one.style.background == other.style.background:
        return True
    if one.bold or other.bold:
        return False
    if one.characters and other.characters and _other_font(one, other):
        return False
    if one.words > WORDS and other.words > WORDS:
        return False
    if linked == other_linked:
        return False
    larger = linked if one.words >= other.words else other_linked
    links, words = len(one.links) + len(other.links), one.words + other.words
    return is_of_links(links, words, one.anchor_words + other.anchor_words) == larger


def _other_font(one: Section, other: Section) -> bool:
    return (
        abs(one.font_score - other.font_score) > FONT_SCORE
        or one.style.face != other.style.face
        or one.style.size != other.style.size
    )


def adjusted(sections: Iterable[Section]) -> Iterator[Section]:
    """Join neighbouring sections that belong together; the first of them grows.

    No rule joins two sections of which neither has several links, so most text is not even measured.
    """
    current: Section | None = None
    for section in sections:
        if current is None:
            current = section
        elif can_join(current, section):
            current.join(section)
        else:
            yield current
            current = section
    if current is not None:  # the paper's listing forgets the last section
        yield current


def gathered(sections: Iterable[Section]) -> Iterator[Section]:
    """The sections with links, where neighbours that are one link each, in similar boxes, become one section.

    Pages write lists as cells of a table, as headings, as paragraphs. Such links go together if their boxes have the
    same tag in the same box (cells: in the same table) and most words there are the link's. There may be text between
    them, but no line, no other link and, unless they are headings themselves, no heading.
    """
    run: Section | None = None
    for section in sections:
        if run is not None and (section.ruled or section.links or _heads(section, run)):
            if section.box == run.box and not section.ruled and _is_one_link(section):
                run.join(section)
                continue
            yield run
            run = None
        if _is_one_link(section):
            run = section
        elif section.links:
            yield section
    if run is not None:
        yield run


def _is_one_link(section: Section) -> bool:
    return len(section.links) == 1 and _mostly_links(section.measured().words, section.anchor_words)


def _heads(text: Section, run: Section) -> bool:
    return text.box[0] in HEADINGS and run.box[0] not in HEADINGS


def sections(scan: Scan, links: Sequence[tuple[int, int, bool]]) -> Iterator[Section]:
    """The sections of a scanned page, except for empty ones.

    `links` gives for each link, in order: where it begins in the text, its number of words, and whether these appear
    in the text (a picture's name does not).
    """
    text, at, ruled = scan.text, 0, False
    ends: tuple[Start, ...] = (*scan.cuts, (len(text) + 1, "", False, PAGE, False, "", False))
    for (start, region, below_line, box, written, _, _), (end, *_) in pairwise(ends):
        first = at
        while at < len(links) and links[at][0] < end:
            at += 1
        ruled = ruled or below_line
        if first == at and not written and not "".join(text[start:end]).strip():
            continue  # a picture that links to mailto:, say
        section = Section(list(range(first, at)), ruled=ruled, box=box)
        ruled = False
        section.part = region if region != "list" else ""
        if at > first:
            section.regions[region] = at - first
        section.measure = partial(_measure, scan, start, end, links[first:at])
        yield section


def _measure(scan: Scan, start: int, end: int, links: Sequence[tuple[int, int, bool]], section: Section) -> None:
    """Count the words of a stretch of the text, and the characters of each look."""
    written = "".join(scan.text[start:end])
    parts = written.split()
    section.words = _words(written, parts)
    for _, words, read in links:
        section.anchor_words += words
        section.words += 0 if read else words
    runs, styles = scan.runs, scan.styles
    first, behind = bisect_right(runs, start) - 1, bisect_left(runs, end)
    if behind - first == 1:
        section.look(styles[first], len("".join(parts)))
        return
    for run in range(first, behind):
        stop = runs[run + 1] if run + 1 < behind else end
        part = "".join(scan.text[max(runs[run], start) : stop])
        section.look(styles[run], len("".join(part.split())))


def label(section: Section) -> str:
    """What a block is, for people: the part of the page that most of its links are in, else what it is made of."""
    region = max(section.regions, key=lambda name: (section.regions[name], name))
    return region or ("links" if section.of_links else "text")


def blocks(found: Iterable[Section], count: int) -> tuple[list[int], tuple[Block, ...]]:
    """The block of each of the page's `count` links, and the blocks, numbered in document order."""
    numbers = [ALONE] * count
    made: list[Block] = []
    for section in found:
        if len(section.links) > 1:
            for link in section.links:
                numbers[link] = len(made)
            made.append(Block(len(made), len(section.links), label(section.measured())))
    return numbers, tuple(made)
