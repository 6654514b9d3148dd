"""A web that says in every word which round it is from, and how an answer that mixes two rounds is noticed.

Every page has one version for each round, and all it says names the round: title, text, anchors. A round is one part,
so all pages change at once: an answer that names two rounds was put together from two states of the collection. A
question joins by one line in `QUESTIONS`.
"""

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from trials import sites

if TYPE_CHECKING:
    from pagekin import Collection
    from pagekin.model import Capture

PAGES = 200  # what a part takes at once, so that a round is committed as a whole
LEAVES = 2  # pages that come and go, and that no answer names: they have neither links nor words of others
STEPS = (1, 2, 3, 5, 8)

Told = dict[str, Any]  # an answer as JSON

QUESTIONS: dict[str, Callable[["Collection", str], Any]] = {
    "info": lambda site, page: site.info(),
    "related": lambda site, page: site.related(page, why=True),
    "assisted": lambda site, page: site.related(page, method="assisted", why=True),
    "block": lambda site, page: site.related(page, method="block", why=True),
    "search": lambda site, page: site.search("beacon", k=20),
    "blocks": lambda site, page: site.blocks(page),
    "compare": lambda site, page: site.compare(page, ["amsler", "cosine", "walk"], k=5),
    "clusters": lambda site, page: site.clusters(page),
}
SERVED = {  # the same over HTTP
    "info": "info",
    "related": "related?url={}&why=true",
    "assisted": "related?url={}&method=assisted&why=true",
    "block": "related?url={}&method=block&why=true",
    "search": "search?q=beacon&k=20",
    "blocks": "blocks?url={}",
    "compare": "compare?url={}&method=amsler&method=cosine&method=walk&k=5",
    "clusters": "clusters?url={}",
}


def targets(number: int, turn: int) -> list[str]:
    """The links of a page in a round."""
    return [sites.address((number * step + turn) % PAGES) for step in STEPS]


def captures(turn: int) -> list["Capture"]:
    """All pages in their version of a round."""
    return [
        sites.page(
            sites.address(number), *targets(number, turn), title=f"Page {number} of round {turn}",
            words=f"A beacon of round {turn}, the beacon number {number}.", anchor=f"in round {turn}",
            fetched=1_000 * turn,
        )
        for number in range(PAGES)
    ]  # fmt: skip


def rounds_in(answer: Told) -> set[int]:
    """The rounds that an answer names, wherever it does."""
    return {int(number) for number in re.findall(r"round (\d+)", json.dumps(answer, ensure_ascii=False))}


def wrong(name: str, answer: Told, number: int, before: int) -> str:
    """What is wrong with an answer about a page, "" if nothing is; `before` is the latest round seen before."""
    if name == "info":
        right = answer["pages"] == answer["fetched"] and PAGES <= answer["pages"] <= PAGES + LEAVES
        return "" if right else f"info counts {answer['pages']} pages"
    rounds = rounds_in(answer)
    if len(rounds) != 1:
        return f"{name} names the rounds {sorted(rounds)}"
    turn = min(rounds)
    if turn < before:
        return f"{name} goes back from round {before} to {turn}"
    if name == "blocks":
        linked = {link["url"] for block in answer["results"] for link in block["links"]}
        return "" if linked == set(targets(number, turn)) else f"blocks has other links than round {turn}"
    return ""
