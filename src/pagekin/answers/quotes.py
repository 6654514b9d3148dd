"""What authors wrote around the links that are evidence: a few words before and after, from the pages' texts.

A collection keeps the text of a page and, apart from it, its links in order with their anchors; not where in the text
each link is. Looking for the anchors one after the other, from the beginning and from the end, gives the first and the
last place where each can be. If that is the same place, the link is there. Otherwise nothing is quoted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

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
        text = " ".join(store.text(source).split())
        places = certain(text, links["anchor"].to_pylist())
        of_each = [[place for at in np.flatnonzero(target == each) if (place := places[at])] for each in targets]
        if parts := quoted(text, nearest([held for held in of_each if held])):
            found.append(Quote(PageName(store.url(source), store.title(source)), tuple(parts)))
    return sorted(found, key=lambda quote: -sum(is_link for _, is_link in quote.parts))[:MOST]


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


def certain(text: str, anchors: Sequence[str | None]) -> list[Place | None]:
    """Where the links with these anchors, which follow one another, are in a text; None where that is not certain.

    >>> certain("Wax is made by bees. See wax, and hives.", ["bees", "wax", "more", "hives"])
    [(15, 19), (25, 28), None, (34, 39)]
    >>> certain("Wax, or wax of bees.", ["wax"]), certain("wax, or wax of bees.", ["wax"])
    ([(8, 11)], [None])
    """
    said = [" ".join((anchor or "").split()) for anchor in anchors]
    first, at = list[int](), 0
    for anchor in said:
        first.append(text.find(anchor, at) if anchor else -1)
        at = first[-1] + len(anchor) if first[-1] >= 0 else at
    last, end = list[int](), len(text)
    for anchor in reversed(said):
        last.append(text.rfind(anchor, 0, end) if anchor else -1)
        end = last[-1] if last[-1] >= 0 else end
    each = zip(said, first, reversed(last), strict=True)
    return [(one, one + len(anchor)) if one == other >= 0 else None for anchor, one, other in each]


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
