"""Evidence in the form that methods give it: pages by address and title, links by anchor, and the number of reasons."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from pagekin.collection.store import Store
from pagekin.graph.hubs import Role, Scored
from pagekin.model import Evidence

MOST = 10  # the most reasons of one kind listed for a result; `of` says how many there are in all

Detail = dict[str, object]


def named(store: Store, page: int) -> Detail:
    """A page by its address and title."""
    return {"page": store.url(page), "title": store.title(page)}


def path(store: Store, pages: Sequence[int]) -> Detail:
    """A path along links: the addresses of its pages, and the anchor of the link between each page and the next,
    whichever way that link leads."""
    anchors = [store.anchor(here, there) or store.anchor(there, here) for here, there in pairwise(pages)]
    return {"path": [store.url(page) for page in pages], "anchors": anchors}


def direct(store: Store, source: int, target: int, **more: object) -> Evidence:
    """A link from one of the two pages to the other."""
    where: Detail = {"from": store.url(source), "to": store.url(target), "anchors": [store.anchor(source, target)]}
    return Evidence("direct", where | more)


def cited_by(store: Store, citer: int, page: int, other: int, **more: object) -> Evidence:
    """A page that links to both."""
    anchors = [store.anchor(citer, page), store.anchor(citer, other)]
    return Evidence("cited-by", named(store, citer) | {"anchors": anchors} | more)


def cites(store: Store, cited: int, page: int, other: int, **more: object) -> Evidence:
    """A page that both link to."""
    anchors = [store.anchor(page, cited), store.anchor(other, cited)]
    return Evidence("cites", named(store, cited) | {"anchors": anchors} | more)


def counted(reasons: Sequence[Evidence]) -> list[Evidence]:
    """The first `MOST` reasons, each saying how many there are in all."""
    return [Evidence(reason.kind, {**reason.detail, "of": len(reasons)}) for reason in reasons[:MOST]]


def of_scores(store: Store, found: Scored, other: int, by: Role) -> Iterator[Evidence]:
    """Why a page (`other`, by its place) has its score: the links between it and the page asked about, then the hubs
    that give it authority (or the authorities that make it a hub). Those linked with both pages come first, then those
    that give most.
    """
    web = found.web
    for source, target in ((web.place, other), (other, web.place)):
        for link in np.flatnonzero((web.source == source) & (web.target == target)):
            ends = int(web.pages[source]), int(web.pages[target])
            yield direct(store, *ends, weight=float(web.to_authority[link]))
    yield from (_hubs if by == "authority" else _authorities)(store, found, other)


def _hubs(store: Store, found: Scored, other: int) -> Iterator[Evidence]:
    web = found.web
    weight, to_page = found.to_authority_of(other), found.to_authority_of(web.place)
    given = {q: w * found.hub[q] for q, w in weight.items() if found.hub[q] > 0}
    for q in sorted(given, key=lambda q: (q not in to_page, -given[q], q))[:MOST]:
        hub, page, result = (int(web.pages[place]) for place in (q, web.place, other))
        anchors = [store.anchor(hub, page) if q in to_page else "", store.anchor(hub, result)]
        yield Evidence("hub", named(store, hub) | {
            "score": float(found.hub[q]), "hub_weight": float(web.hub_weight[q]),
            "both": q in to_page, "weights": [to_page.get(q), weight[q]], "anchors": anchors, "of": len(given),
        })  # fmt: skip


def _authorities(store: Store, found: Scored, other: int) -> Iterator[Evidence]:
    web = found.web
    weight, of_page = found.to_hub_of(other), found.to_hub_of(web.place)
    given = {q: w * found.authority[q] for q, w in weight.items() if found.authority[q] > 0}
    for q in sorted(given, key=lambda q: (q not in of_page, -given[q], q))[:MOST]:
        authority, page, result = (int(web.pages[place]) for place in (q, web.place, other))
        anchors = [store.anchor(page, authority) if q in of_page else "", store.anchor(result, authority)]
        yield Evidence("authority", named(store, authority) | {
            "score": float(found.authority[q]), "authority_weight": float(web.authority_weight[q]),
            "both": q in of_page, "weights": [of_page.get(q), weight[q]], "anchors": anchors, "of": len(given),
        })  # fmt: skip
