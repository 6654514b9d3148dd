"""A page's links in blocks: links that stand together and look alike belong together (paper 3, "segmentation").

*Scanning* cuts the page into sections wherever a box begins or ends; `Scan` notes the cuts down while a page is walked.
*Adjusting* goes over the sections from left to right and joins neighbours by the paper's six rules. A joined section of two
links or more is a block; a link that is left alone belongs to none (`ALONE`). Nothing is dropped: every link keeps its place.

Costs time linear in the page: a section is joined once, and to join two costs no more than the smaller has looks.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from pagekin.model import ALONE, Block
from pagekin.parse.colours import distance
from pagekin.parse.style import PLAIN, TAGS, Attributes, Rules, Style, restyled, rules_of

# Boxes, at whose beginning and end a page is cut. Items (li, dt, dd, th) are none: lists would fall to pieces.
CUTS = frozenset(
    """table tr td p hr ul ol dl dir menu div section nav header footer article aside main h1 h2 h3 h4 h5 h6 form fieldset
    pre blockquote center""".split()
)
# Elements that may look otherwise than their parents; any may where the page has rules or style attributes.
STYLED = frozenset((*TAGS, "font", "basefont", "body", "table", "thead", "tbody", "tfoot", "tr", "td", "th"))

# A section is one of links when more than half of its words are links and there are two or more (T1 and T2: the paper
# prints none).
LINK_WORDS = 0.5
LINKS = 1
# Of the paper: font scores further apart than this are another font; over so many words a section stands for itself.
FONT_SCORE = 0.5
WORDS = 10
BOLD = 1.2  # how much more bold characters count in the font score

REGIONS = {
    "nav": "navigation",
    "header": "header",
    "footer": "footer",
    "aside": "aside",
    "main": "",
    "article": "",
    **dict.fromkeys(("ul", "ol", "dl", "dir", "menu"), "list"),
}
_NAMED = re.compile(
    r"""(?:(?<![a-z])|(?<=main)|(?<=site)|(?<=page)|(?<=sub))(?:
    (?P<navigation>nav(?:bar|igation)?|menu(?:bar)?|breadcrumbs?|pagination|pager|toc|tabs)
    |(?P<footer>foot(?:er)?|contentinfo|copyright)
    |(?P<header>header|masthead|banner)
    |(?P<aside>sidebar|aside|complementary)
    )(?![a-z])""",
    re.VERBOSE,
)
_NAME = 200  # characters of class, id and role that are looked at

_WORD = re.compile(r"\w\S*")
# Written without spaces; a word is about two characters.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def count_words(text: str) -> int:
    """How many words there are; a lone `|` is none.

    >>> count_words("Home | About us"), count_words("蜜蜂的家")
    (3, 2)
    """
    words = len(_WORD.findall(text))
    return words if text.isascii() else max(words, len(_UNSPACED.findall(text)) // 2)


@dataclass(slots=True)
class Scan:
    """What a walk notes down for the sections, as places in the list of texts that it writes."""

    text: list[str]
    everywhere: bool = False  # whether any element may look otherwise: look at all
    rules: Rules = field(default_factory=dict)
    style: Style = PLAIN
    region: str = ""
    cuts: list[int] = field(default_factory=lambda: [0])  # where sections begin …
    regions: list[str] = field(default_factory=lambda: [""])  # … and in which part of the page
    lines: set[int] = field(default_factory=set)  # the cuts that are drawn, with <hr>
    runs: list[int] = field(default_factory=lambda: [0])  # where text begins to look otherwise …
    styles: list[Style] = field(default_factory=lambda: [PLAIN])  # … and how

    def enter(self, tag: str, attributes: Attributes, whole: bool) -> tuple[Style, str]:
        """An element begins; what is returned is to be handed to `leave`. Inside a link (`whole`) nothing is cut."""
        before = self.style, self.region
        if self.everywhere or tag in STYLED:
            style = restyled(self.style, tag, attributes, self.rules)
            if style != self.style:
                self._look(style)
        if tag in CUTS:
            self.region = _region(tag, attributes, self.region)
            self._cut(whole)
            if tag == "hr":
                self.lines.add(len(self.cuts) - 1)
        return before

    def leave(self, tag: str, before: tuple[Style, str], whole: bool) -> None:
        style, self.region = before
        if style != self.style:
            self._look(style)
        if tag in CUTS:
            self._cut(whole)

    def learn(self, css: str) -> None:
        """Rules of the page's own, which hold from here on."""
        self.rules |= rules_of(css)
        self.everywhere = self.everywhere or bool(self.rules)

    def _look(self, style: Style) -> None:
        self.style = style
        self.runs.append(len(self.text))
        self.styles.append(style)

    def _cut(self, whole: bool) -> None:
        if not whole:
            self.cuts.append(len(self.text))
            self.regions.append(self.region)


def _region(tag: str, attributes: Attributes, outer: str) -> str:
    """The part of the page that a box makes, "" for its matter; a list in the navigation is navigation."""
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
    """A stretch of a page: its links in order, its words, how it looks."""

    __slots__ = ("anchor_words", "bold", "characters", "links", "looks", "regions", "ruled", "score", "style", "words")

    def __init__(self, links: list[int], words: int, anchor_words: int, ruled: bool = False) -> None:
        self.links = links
        self.words = words
        self.anchor_words = anchor_words
        self.ruled = ruled  # off, with a line, from what is before it
        self.bold = False
        self.characters = 0  # that are not white space
        self.score = 0.0  # Σ n_i b_i edis_i of Eq. 1
        self.style = PLAIN  # that of most characters
        self.looks: dict[Style, int] = {}  # and of how many
        self.regions: dict[str, int] = {}  # links in each part of the page

    def look(self, style: Style, characters: int) -> None:
        """So many characters look like this."""
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
        """afs of Eq. 1: how much its text stands out, on average."""
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
    """The type of a section; pictures without words are all link."""
    return links > LINKS and (not words or anchor_words / words > LINK_WORDS)


def can_join(one: Section, other: Section) -> bool:
    """Whether two neighbours belong together: no line between them, and the paper's six rules, the first that applies."""
    if other.ruled:
        return False
    linked, other_linked = one.of_links, other.of_links
    if linked and other_linked and one.style.background == other.style.background:
        return True
    if one.bold or other.bold:
        return False
    if one.characters and other.characters and _other_font(one, other):
        return False
    if one.words > WORDS and other.words > WORDS:
        return False
    if linked != other_linked:
        larger = linked if one.words >= other.words else other_linked
        links, words = len(one.links) + len(other.links), one.words + other.words
        return is_of_links(links, words, one.anchor_words + other.anchor_words) == larger
    return False


def _other_font(one: Section, other: Section) -> bool:
    return (
        abs(one.font_score - other.font_score) > FONT_SCORE
        or one.style.face != other.style.face
        or one.style.size != other.style.size
    )


def adjusted(sections: Iterable[Section]) -> Iterator[Section]:
    """The sections with neighbours joined that belong together; the first of them grow."""
    current: Section | None = None
    for section in sections:
        if current is None:
            current = section
        elif can_join(current, section):
            current.join(section)
        else:
            yield current
            current = section
    if current is not None:  # the printed listing forgets the last
        yield current


def sections(scan: Scan, links: Sequence[tuple[int, int, bool]]) -> Iterator[Section]:
    """The sections of a scanned page, but for those with nothing in them.

    `links` are, in order: where each begins in the text, its words, and whether these are to be read in the text (a
    picture's name is not).
    """
    text, runs = scan.text, scan.runs
    at, ruled = 0, False
    for place, (start, end) in enumerate(pairwise((*scan.cuts, len(text)))):
        first = at
        ruled = ruled or place in scan.lines
        while at < len(links) and links[at][0] < end:
            at += 1
        written = text[start] if end - start == 1 else "".join(text[start:end])
        if first == at and (not written or written.isspace()):
            continue
        mine = links[first:at]
        words = count_words(written) + sum(words for _, words, read in mine if not read)
        section = Section(list(range(first, at)), words, sum(words for _, words, _ in mine), ruled)
        ruled = False
        if mine:
            section.regions[scan.regions[place]] = len(mine)
        run = bisect_right(runs, start) - 1
        if run + 1 == len(runs) or runs[run + 1] >= end:
            section.look(scan.styles[run], len("".join(written.split())))
        else:
            while run < len(runs) and runs[run] < end:
                stop = min(runs[run + 1], end) if run + 1 < len(runs) else end
                part = "".join(text[max(runs[run], start) : stop])
                section.look(scan.styles[run], len("".join(part.split())))
                run += 1
        yield section


def label(section: Section) -> str:
    """What a block is, for a person: the part of the page that most of its links are in, else what it is made of."""
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
            made.append(Block(len(made), len(section.links), label(section)))
    return numbers, tuple(made)
