"""Evidence in the form that methods give it: pages by address and title, links by anchor, and the number of reasons."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from pagekin.collection.roles import CONTENT, ROLES
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
    titles = [store.title(page) for page in pages]
    return {"path": [store.url(page) for page in pages], "titles": titles, "anchors": anchors}


def _roles(store: Store, *links: tuple[int, int]) -> Detail:
    """The role of a link that is no author's choice; nothing if all are content."""
    found = [role for link in links if (role := store.role(*link)) != ROLES[CONTENT]]
    return {"role": found[0]} if found else {}


def direct(store: Store, source: int, target: int, **more: object) -> Evidence:
    """A link from one of the two pages to the other."""
    where: Detail = {"from": store.url(source), "to": store.url(target), "anchors": [store.anchor(source, target)]}
    return Evidence("direct", where | _roles(store, (source, target)) | more)


def cited_by(store: Store, citer: int, page: int, other: int, **more: object) -> Evidence:
    """A page that links to both."""
    anchors = [store.anchor(citer, page), store.anchor(citer, other)]
    return Evidence(
        "cited-by", named(store, citer) | {"anchors": anchors} | _roles(store, (citer, page), (citer, other)) | more
    )


def cites(store: Store, cited: int, page: int, other: int, **more: object) -> Evidence:
    """A page that both link to."""
    anchors = [store.anchor(page, cited), store.anchor(other, cited)]
    return Evidence(
        "cites", named(store, cited) | {"anchors": anchors} | _roles(store, (page, cited), (other, cited)) | more
    )


def counted(reasons: Sequence[Evidence]) -> list[Evidence]:
    """The first `MOST` reasons, links of menus and templates last, each saying how many there are in all."""
    told = sorted(reasons, key=lambda reason: "role" in reason.detail)
    return [Evidence(reason.kind, {**reason.detail, "of": len(reasons)}) for reason in told[:MOST]]


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
    yield from _givers(store, found, other, by)


def _givers(store: Store, found: Scored, other: int, by: Role) -> Iterator[Evidence]:
    """The pages that give another its score: hubs give authority, and authorities make a hub."""
    web, hubs = found.web, by == "authority"
    kind, linked = ("hub", found.to_authority_of) if hubs else ("authority", found.to_hub_of)
    scores, weights = (found.hub, web.hub_weight) if hubs else (found.authority, web.authority_weight)
    of_page, of_other = linked(web.place), linked(other)
    given = {q: weight * scores[q] for q, weight in of_other.items() if scores[q] > 0}
    page, result = int(web.pages[web.place]), int(web.pages[other])
    for q in sorted(given, key=lambda q: (q not in of_page, -given[q], q))[:MOST]:
        giver = int(web.pages[q])
        first, second = ((giver, end) if hubs else (end, giver) for end in (page, result))
        yield Evidence(kind, named(store, giver) | {
            "score": float(scores[q]), f"{kind}_weight": float(weights[q]),
            "both": q in of_page, "weights": [of_page.get(q), of_other[q]],
            "anchors": [store.anchor(*first) if q in of_page else "", store.anchor(*second)], "of": len(given),
        })  # fmt: skip
