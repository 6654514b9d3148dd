"""Groups a page's links into blocks: links that are close together and look alike (paper 3, "segmentation").

*Scanning* (`scan`) cuts the page into sections wherever a box begins or ends, while it is walked. *Adjusting* goes over
the sections from left to right and joins neighbours by the paper's six rules. *Gathering* joins
links that are left alone, each in a cell, heading or paragraph of its own, into lists. A section that then has two
links or more is a block; a link that is still alone belongs to none (`ALONE`). Nothing is dropped.

The time is linear in the size of the page: a section is joined once, and joining costs no more than the number of
looks of the second section.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from pagekin.model import ALONE, Block
from pagekin.parse.colours import distance
from pagekin.parse.scan import HEADINGS, PAGE, Box, Scan, Start
from pagekin.parse.style import PLAIN, Style


class LinkSections(NamedTuple):
    """When a section is "of links": a larger share of its words is in links, and it has more links, than these say.

    The paper calls them T1 and T2 and gives no values. Collections are all cut by the same two, or their blocks could
    not be compared; others are for experiments (`evaluate.papers.segmented`).
    """

    words: float = 0.5  # T1
    links: int = 1  # T2


OF_LINKS = LinkSections()
# From the paper: font scores further apart than this mean different fonts; two sections with more words than this each
# are not joined.
FONT_SCORE = 0.5
WORDS = 10
BOLD = 1.2  # weight of bold characters in the font score

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

    def of_links(self, rule: LinkSections = OF_LINKS) -> bool:
        return is_of_links(len(self.links), self.words, self.anchor_words, rule)

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


def is_of_links(links: int, words: int, anchor_words: int, rule: LinkSections = OF_LINKS) -> bool:
    """Whether a section is of links: it has several, and most of its words are in them."""
    return links > rule.links and _mostly_links(words, anchor_words, rule)


def _mostly_links(words: int, anchor_words: int, rule: LinkSections = OF_LINKS) -> bool:
    """Whether most words are in anchors; true if there are no words, as with pictures."""
    return not words or anchor_words / words > rule.words


def can_join(one: Section, other: Section, rule: LinkSections = OF_LINKS) -> bool:
    """Whether two neighbours belong together: they are in the same part of the page, no line is between them, and the
    paper's six rules, in its order, say so."""
    if other.ruled or other.part != one.part:
        return False
    if len(one.links) <= rule.links and len(other.links) <= rule.links:
        return False  # neither is of links: no rule joins them, whatever their words
    linked, other_linked = one.measured().of_links(rule), other.measured().of_links(rule)
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
    return is_of_links(links, words, one.anchor_words + other.anchor_words, rule) == larger


def _other_font(one: Section, other: Section) -> bool:
    return (
        abs(one.font_score - other.font_score) > FONT_SCORE
        or one.style.face != other.style.face
        or one.style.size != other.style.size
    )


def adjusted(sections: Iterable[Section], rule: LinkSections = OF_LINKS) -> Iterator[Section]:
    """Join neighbouring sections that belong together; the first of them grows.

    No rule joins two sections of which neither has several links, so most text is not even measured.
    """
    current: Section | None = None
    for section in sections:
        if current is None:
            current = section
        elif can_join(current, section, rule):
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
    return region or ("links" if section.of_links() else "text")


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
