"""What authors wrote around the links that are evidence: a few words before and after, from the pages' texts.

A collection keeps the text of a page and, apart from it, its links in order, each with its anchor and the line of the
text (`stretch`) that it stands in. If a line says an anchor as often as it has links with that anchor, these are the
links. Otherwise the words may be said without a link, or the anchor is that of a picture, and nothing is quoted.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import pyarrow as pa

from pagekin.answer import PageName
from pagekin.collection.lookup import find
from pagekin.collection.store import Store
from pagekin.model import Evidence

AROUND = 60  # characters before the first link that is quoted, and after the last
APART = 160  # characters between two links that are quoted together
MOST = 3  # quotes
MOST_LOOKED_AT = 10  # pages whose texts are read for them

Place = tuple[int, int]  # where an anchor begins and ends in a text


@dataclass(frozen=True)
class Quote:
    """A piece of a page's text, in parts: whether each is the text of a link."""

    page: PageName
    parts: tuple[tuple[str, bool], ...]


def quotes(store: Store, evidence: Sequence[Evidence], pages: Sequence[int]) -> list[Quote]:
    """Quotes from the pages whose links are evidence that some pages are related, those with most links first."""
    found = list[Quote]()
    for source, targets in list(dict.fromkeys(_linking(store, evidence, frozenset(pages))))[:MOST_LOOKED_AT]:
        links = store.links_of(source)
        target = store.graph.page_of[links["target"].to_numpy()]
        lines = store.text(source).split("\n")
        text, places = " ".join(lines), _places(lines, links)
        of_each = [[place for at in np.flatnonzero(target == each) if (place := places[at])] for each in targets]
        if parts := quoted(text, nearest([held for held in of_each if held])):
            found.append(Quote(PageName(store.url(source), store.title(source)), tuple(parts)))
    return sorted(found, key=lambda quote: -sum(is_link for _, is_link in quote.parts))[:MOST]


def _places(lines: Sequence[str], links: pa.Table) -> list[Place | None]:
    """Where each link of a page is in its lines, joined by spaces; None where that is not certain."""
    found: list[Place | None] = [None] * links.num_rows
    of_line: dict[int, list[int]] = {}
    for link, line in enumerate(links["stretch"].to_pylist()):
        of_line.setdefault(line, []).append(link)
    anchors, begins = links["anchor"].to_pylist(), [0, *accumulate(len(line) + 1 for line in lines)]
    for line, here in of_line.items():
        if 0 <= line < len(lines):
            for link, place in zip(here, certain(lines[line], [anchors[link] for link in here]), strict=True):
                found[link] = place and (begins[line] + place[0], begins[line] + place[1])
    return found


def _linking(store: Store, evidence: Sequence[Evidence], pages: frozenset[int]) -> Iterator[tuple[int, frozenset[int]]]:
    """The pages whose links are evidence, and the pages that those links lead to."""
    for reason in evidence:
        ends = [found.page for name in ("from", "to", "page") if (found := find(store, reason.detail.get(name, "")))]
        match reason.kind, ends:
            case "direct", [source, target]:
                yield source, frozenset((target,))
            case "cited-by" | "block" | "hub", [source]:
                yield source, pages
            case "cites" | "authority", [target]:
                yield from ((source, frozenset((target,))) for source in sorted(pages))


def certain(line: str, anchors: Sequence[str | None]) -> list[Place | None]:
    """Where the links with these anchors, which follow one another, are in a line; None where that is not certain.

    >>> certain("See wax, and more wax of bees.", ["wax", "wax", "hives", "bees"])
    [(4, 7), (18, 21), None, (25, 29)]
    >>> certain("See wax, and more wax of bees.", ["wax", "bees"])
    [None, (25, 29)]
    """
    said = [" ".join((anchor or "").split()) for anchor in anchors]
    places = {anchor: [match.span() for match in re.finditer(re.escape(anchor), line)] for anchor in said if anchor}
    sure = {anchor: iter(held) for anchor, held in places.items() if len(held) == said.count(anchor)}
    return [next(sure[anchor]) if anchor in sure else None for anchor in said]


def nearest(places: Sequence[Sequence[Place]]) -> list[Place]:
    """One place of each kind, near each other, in order.

    >>> nearest([[(0, 3), (50, 53)], [(60, 64), (90, 94)]])
    [(50, 53), (60, 64)]
    """
    around = [
        sorted(min(kind, key=lambda place: abs(place[0] - middle[0])) for kind in places)
        for middle in {place for kind in places for place in kind}
    ]
    return min(around, key=lambda chosen: (chosen[-1][0] - chosen[0][0], chosen), default=[])


def quoted(text: str, places: Sequence[Place]) -> list[tuple[str, bool]]:
    """A text around some places in parts: those that are near each other, beginning with the first.

    >>> quoted("Wax is made by bees.", [(0, 3), (15, 19)])
    [('Wax', True), (' is made by ', False), ('bees', True), ('.', False)]
    """
    if not places:
        return []
    near = [places[0]]
    for place in places[1:]:
        if 0 <= place[0] - near[-1][1] <= APART:
            near.append(place)
    begin, end = max(near[0][0] - AROUND, 0), min(near[-1][1] + AROUND, len(text))
    if begin:
        begin = text.find(" ", begin, near[0][0]) + 1 or near[0][0]
    if end < len(text):
        end = max(text.rfind(" ", near[-1][1], end), near[-1][1])
    parts, at = [("… ", False)] if begin else [], begin
    for start, stop in near:
        parts += [(text[at:start], False), (text[start:stop], True)]
        at = stop
    parts += [(text[at:end], False), *([(" …", False)] if end < len(text) else [])]
    return [part for part in parts if part[0]]
