"""Reads HTML: finds title, summary, language, text, links in blocks and terms, in one walk over a browser's tree.

White space is folded. Each box has a line of its own, a *stretch*, whose fingerprint tells later whether other pages of
the site repeat it (`collection.roles`).

A link is an `<a>` or `<area>` with an `href`, or a frame with a `src` (rel `frame`), without which the framesets of
1996 would be dead ends. References to a place on the same page (`#top`, or nothing) are not links.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import NamedTuple
from zlib import crc32

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pagekin.model import ALONE, Alternate, Block, Capture, Link, Page, Stretch
from pagekin.parse import blocks
from pagekin.parse.encoding import decode
from pagekin.parse.furniture import names_a_thing, said_region
from pagekin.parse.language import language_of
from pagekin.parse.listed import ATTRIBUTE, unlisted
from pagekin.parse.scan import HEADINGS
from pagekin.parse.segmenters import segmenters
from pagekin.parse.walk import LINK_ROLES, ROLES, Anchor, Notes, cut, fold, walk
from pagekin.parse.words import Analyser
from pagekin.url import DEFAULT_DOCUMENTS, host, join, site

# Characters that are kept; a longer text is cut at a word.
TITLE = 300
SUMMARY = 200
ANCHOR = 1000
REL = 100
NOFOLLOW = "nofollow"
SENTENCE = 60  # characters beside a link: an entry of a menu has a date or a number there, not a sentence
REFERENCE = 4000  # no server takes a longer address, and a page full of them would fill the cache of joined addresses


# XML closes these elements; an HTML parser would leave them open and take what follows for their content.
_XML_EMPTY = re.compile(r"<(a|iframe|noscript|script|style|textarea|title)\b([^<>]*)/>", re.IGNORECASE)
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{1,8}){0,3}|x-default")
_OTHER_SCHEME = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def parse(capture: Capture, analyser: Analyser | None = None, respect_noindex: bool = True) -> Page:
    """Read a page. Takes any bytes: what is not HTML gives a page with little in it.

    respect_noindex: a page that asks search engines not to index it has neither text nor terms

    >>> page = parse(Capture("http://bees.example/", b"<title>Bees</title> In <a href=hive#queen>the <b>h</b>ive</a>"))
    >>> page.title, page.text, page.links[0][:5]  # a link alone is in no block
    ('Bees', 'In the hive', ('http://bees.example/hive', 'the hive', 0, -1, ''))
    """
    notes = _noted(_tree(capture))
    lines = _lines(notes)
    text = "\n".join(line for line, _ in lines if line)
    title = cut(fold(notes.title or "") or (notes.words(notes.heading) if notes.heading else ""), TITLE)
    language = language_of(text, notes.language, capture.language)
    robots = _robots(notes, capture)
    links, found, dropped = _links(
        notes, capture.url, nofollow=not robots.isdisjoint(("nofollow", "none")), lines=lines
    )
    indexed = not respect_noindex or robots.isdisjoint(("noindex", "none"))
    text = text if indexed else ""
    description = (notes.meta.get("description") or notes.meta.get("og:description") or [""])[0]
    headings = " ".join(line for line, heading in lines if heading)
    terms, compounds = (analyser or _default()).read(text, title, language, headings) if indexed else ((), ())
    return Page(
        title=title,
        summary=cut(fold(description) or text[: 2 * SUMMARY].replace("\n", " "), SUMMARY),
        language=language,
        text=text,
        links=links,
        blocks=found,
        terms=terms,
        compounds=compounds,
        stretches=_stretches(lines),
        dropped=dropped,
        unindexed=not indexed,
        canonical=_canonical(notes, capture.url),
        alternates=_alternates(notes, capture.url),
    )


@dataclass(frozen=True)
class Elements:
    """The tree of a page with the element of each link, its blocks, and the address that references are relative to."""

    tree: LexborHTMLParser
    links: list[tuple[LexborNode, Link]]
    blocks: tuple[Block, ...]
    base: str


def elements(capture: Capture) -> Elements:
    """A page with its elements, for drawing on it."""
    tree = _tree(capture)
    notes = _noted(tree)
    links, found, _ = _links(notes, capture.url, nofollow=False)
    nodes = [anchor.node for anchor in notes.anchors if anchor.node is not None]
    return Elements(tree, list(zip(nodes, links, strict=True)), found, _base(notes, capture.url))


class Cuts(NamedTuple):
    """The block of each link of a page after each step of segmentation, and the heading that it stands under.

    After scanning, a section of one link is a block, as in the paper's Table 1: it is adjusting that drops it.
    """

    scanned: list[int]
    adjusted: list[int]
    gathered: list[int]
    heading: list[int]  # 0: before the first


def cuts(capture: Capture, rule: blocks.LinkSections = blocks.OF_LINKS) -> Cuts:
    """A page cut step by step, for experiments.

    >>> html = b"<h2>Hives</h2><a href=a>A</a> <a href=b>B</a><h2>Wax</h2><a href=c>C</a>"
    >>> cuts(Capture("http://bees.example/", html))
    Cuts(scanned=[0, 0, 1], adjusted=[0, 0, -1], gathered=[0, 0, -1], heading=[1, 1, 2])
    """
    tree = _tree(capture)
    notes = _noted(tree)
    rows, places, _ = _rows(notes, capture.url, nofollow=False)
    sections = list(blocks.sections(notes.scan, places))
    parts = (section for section in sections if section.links)
    scanned = [number for number, section in enumerate(parts) for _ in section.links]
    joined = list(blocks.adjusted(sections, rule))
    adjusted, _ = blocks.blocks(joined, len(rows))
    gathered, _ = blocks.blocks(blocks.gathered(joined), len(rows))
    headings = {node.mem_id for node in tree.css(",".join(HEADINGS))}
    of: dict[int, int] = {}
    heading = 0
    for node in tree.css(",".join((*HEADINGS, "a", "area", "frame", "iframe"))):
        heading += node.mem_id in headings
        of[node.mem_id] = heading
    return Cuts(scanned, adjusted, gathered, [of.get(_id(anchor), heading) for anchor in notes.anchors])


def _id(anchor: Anchor) -> int:
    return anchor.node.mem_id if anchor.node is not None else 0


def _tree(capture: Capture) -> LexborHTMLParser:
    markup = decode(unlisted(capture.body), capture.content_type)
    if "xhtml" in (capture.content_type or ""):
        markup = _XML_EMPTY.sub(r"<\1\2></\1>", markup)
    tree = LexborHTMLParser(markup)
    if ATTRIBUTE in markup:  # a list of ours that somebody has changed, or whose marks a minifier has removed
        for node in reversed(tree.css(f"body [{ATTRIBUTE}]")):  # what is in another goes first, while it is there
            node.decompose()
    return tree


def _noted(tree: LexborHTMLParser, cutting: bool = True) -> Notes:
    """Walk a tree and note what it says; without `cutting`, where blocks begin is not noted."""
    notes = Notes()
    if cutting:
        notes.scan.learn(tree)
    walk(tree.root, notes, ROLES if cutting else LINK_ROLES)
    return notes


def _base(notes: Notes, url: str) -> str:
    return (join(url, notes.base) if notes.base else None) or url


def leads(capture: Capture, spellings: dict[str, list[str]] | None = None) -> tuple[list[str], str | None]:
    """Where a crawler may go from a page: the links that it may follow, and the canonical address. How links to a
    folder are written, `/a/` or `/a/index.html`, whose canonical form leaves that out, is noted in `spellings`.

    >>> leads(Capture("http://bees.example/", b"<a href=hive>The hive</a> <a href=shop rel=nofollow>Buy honey</a>"))
    (['http://bees.example/hive'], None)
    """
    notes = _noted(_tree(capture), cutting=False)
    if not _robots(notes, capture).isdisjoint(("nofollow", "none")):
        return [], _canonical(notes, capture.url)
    base = _base(notes, capture.url)
    anchors = [anchor for anchor in notes.anchors if NOFOLLOW not in _rel(anchor.rel)]
    targets = [(anchor, target) for anchor in anchors if (target := _target(base, anchor))]
    for anchor, target in targets:
        if spellings is None:
            break
        written = anchor.href.partition("#")[0].strip()
        if written and target.endswith("/"):
            name = written.rpartition("/")[2]
            ways = spellings.setdefault(target, [])
            if (way := target + name * (name in DEFAULT_DOCUMENTS)) not in ways:
                ways.append(way)
    return [target for _, target in targets], _canonical(notes, capture.url)


def _robots(notes: Notes, capture: Capture) -> set[str]:
    """What the page's author asks robots to do: noindex, nofollow, none …"""
    asked = " ".join((*notes.meta.get("robots", ()), capture.robots or ""))
    return set(asked.lower().replace(",", " ").split())


def _canonical(notes: Notes, url: str) -> str | None:
    """The address that a page declares canonical, if it differs; one on another site could be used to hijack it."""
    reference = (notes.canonical or "").strip()
    if not reference or len(reference) > REFERENCE:
        return None
    named = join(_base(notes, url), reference)
    return named if named and named != url and host(named) and site(host(named)) == site(host(url)) else None


def _alternates(notes: Notes, url: str) -> tuple[Alternate, ...]:
    """The pages that a page names as the same in another language, each once. Whether it is true is decided later."""
    base = _base(notes, url)
    found: dict[Alternate, None] = {}
    for written, href in notes.alternates:
        language = written.strip().lower().replace("_", "-")
        target = join(base, href) if len(href) <= REFERENCE and _LANGUAGE.fullmatch(language) else None
        if target and target != url:
            found[Alternate(language, target)] = None
    return tuple(found)


def _target(base: str, anchor: Anchor) -> str | None:
    return join(base, anchor.href) if len(anchor.href) <= REFERENCE else None


def _rel(written: str, nofollow: bool = False) -> str:
    if not written:
        return NOFOLLOW if nofollow else ""
    rel = f"{fold(written).lower()} {NOFOLLOW}" if nofollow else fold(written).lower()
    if len(rel) > REL and NOFOLLOW in rel.split():  # whatever else is cut off
        return f"{cut(rel, REL - len(NOFOLLOW) - 1)} {NOFOLLOW}"
    return cut(rel, REL)


Line = tuple[str, bool]  # the text of a section, which may be empty, and whether it is a heading


def _lines(notes: Notes) -> list[Line]:
    """The text of each section of a page."""
    text, cuts = notes.text, notes.scan.cuts
    ends = [cut[0] for cut in cuts[1:]] + [len(text)]
    folded = [" ".join("".join(text[cut[0] : end]).split()) for cut, end in zip(cuts, ends, strict=False)]
    if any("\xad" in line for line in folded):  # as `fold` does, which takes as long again to be called
        folded = [fold(line) for line in folded]
    return [(line, cut[6]) for line, cut in zip(folded, cuts, strict=True)]


def _stretches(lines: Sequence[Line]) -> tuple[Stretch, ...]:
    """The stretches of a text: for each line that is not empty, a number of 32 bits that tells it from others."""
    written = [line for line in lines if line[0]]
    data = "\n".join([line for line, _ in written]).encode("utf-8", "replace").split(b"\n")
    return tuple(
        [_STRETCH((print_ - (1 << 31), line[1])) for print_, line in zip(map(crc32, data), written, strict=False)]
    )


@lru_cache(1)
def _default() -> Analyser:
    return Analyser(**segmenters())


def _links(
    notes: Notes, url: str, nofollow: bool, lines: Sequence[Line] = ()
) -> tuple[tuple[Link, ...], tuple[Block, ...], int]:
    """The links with their addresses, their blocks, and how many references are not valid web addresses."""
    rows, places, dropped = _rows(notes, url, nofollow)
    numbers, found = blocks.blocks(blocks.gathered(blocks.adjusted(blocks.sections(notes.scan, places))), len(rows))
    cuts, stretch_of = notes.scan.cuts, _stretch_numbers(lines, len(notes.scan.cuts))
    starts = [start for start, *_ in cuts]
    links = []
    for position, ((target, name, rel), block) in enumerate(zip(rows, numbers, strict=True)):
        section = bisect_right(starts, places[position][0]) - 1
        # Where it stands: what the link or the page says, else what its block is made of.
        region = said_region(rel, name)
        if region and not said_region(rel, ""):
            node = notes.anchors[position].node if places[position][2] else None
            region = "" if names_a_thing(name, target, node) else region
        region = region or cuts[section][5]
        if region == "sidebar" and block == ALONE and _in_sentence(lines, section, name):
            region = "text"
        elif not region:
            region = "text" if block == ALONE else MADE_OF.get(found[block].label, "links")
        links.append(_LINK((target, name, position, block, rel, region, stretch_of[section])))
    return tuple(links), found, dropped


def _rows(
    notes: Notes, url: str, nofollow: bool
) -> tuple[list[tuple[str, str, str]], list[tuple[int, int, bool]], int]:
    """Target, anchor and rel of each link, where it stands (as `blocks.sections` takes it), and how many were dropped.

    Anchors that are no links are taken out of `notes`.
    """
    base = _base(notes, url)
    kept: list[Anchor] = []
    rows: list[tuple[str, str, str]] = []
    places: list[tuple[int, int, bool]] = []
    dropped = 0
    for anchor in notes.anchors:
        target = _target(base, anchor)
        if target is None:
            dropped += not _OTHER_SCHEME.match(anchor.href)
            continue
        written = notes.words(anchor)
        name = written or fold(anchor.pictures) or fold(anchor.name)
        kept.append(anchor)
        rows.append((target, cut(name, ANCHOR), _rel(anchor.rel, nofollow)))
        places.append((anchor.start, blocks.count_words(name), bool(written)))
    notes.anchors = kept
    return rows, places, dropped


def _in_sentence(lines: Sequence[Line], section: int, anchor: str) -> bool:
    """Whether there is a sentence around a link. In a box called a side bar it is an author's note (DocBook)."""
    return section < len(lines) and len(lines[section][0]) >= len(anchor) + SENTENCE


MADE_OF = {"text": "text", "list": "list"}  # what a block is made of by its label; others are boxes of links
_LINK, _STRETCH = partial(tuple.__new__, Link), partial(tuple.__new__, Stretch)  # as `words._TERM`


def _stretch_numbers(lines: Sequence[Line], sections: int) -> list[int]:
    """The stretch of text of each section: its number among those with text."""
    count, numbers = 0, [ALONE] * sections
    for section, (line, _) in enumerate(lines):
        if line:
            numbers[section], count = count, count + 1
    return numbers
