"""Draws links of real sites to be labelled by eye, and shows each where it stands.

    python -m tests.evaluate.link_roles_draw FOLDER SITE

Pages are drawn by a seed from all pages of a site that have a link, so that typical ones are met. A page's links are
dealt into eight stretches in the order of the page, and one is drawn from each: early and late ones are met alike.
"""

import random
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from selectolax.lexbor import LexborNode

from pagekin.model import Capture
from pagekin.parse.html import elements
from tests.evaluate.link_roles import SITES, Site, captures

SEED = 17
LINKS = 8  # of a page, at most
AROUND = 300  # characters of markup shown on either side
ELSEWHERE = 2  # other pages that are searched for the same link


def drawn(site: Site, pages: dict[str, Capture]) -> dict[str, list[int]]:
    """The drawn links of a site, as positions by page."""
    dice = random.Random(SEED)
    order = sorted(url for url, page in pages.items() if site.drawn(page))
    dice.shuffle(order)
    chosen: dict[str, list[int]] = {}
    for name in order:
        links = len(elements(pages[name]).links)
        if links:
            cuts = sorted({round(at * links / LINKS) for at in range(LINKS + 1)})
            chosen[name] = [dice.randrange(first, last) for first, last in pairwise(cuts)]
        if len(chosen) == site.pages:
            break
    return chosen


def shown(pages: dict[str, Capture], name: str, positions: list[int]) -> Iterator[str]:
    """A page's drawn links: ancestors, markup around, and how many of two other pages have the same link."""
    others = random.Random(name).sample(sorted(pages), min(ELSEWHERE, len(pages)))
    same = [{(link.target, link.anchor) for _, link in elements(pages[other]).links} for other in others]
    found = elements(pages[name])
    for number, (node, _) in enumerate(found.links):
        node.attrs["data-link"] = str(number)
    markup = found.tree.html or ""
    yield f"\n######## {name}: {len(found.links)} links"
    for position in positions:
        node, link = found.links[position]
        at = markup.index(f'data-link="{position}"')
        also = sum((link.target, link.anchor) in links for links in same)
        yield f"\n== {position} {link.target} “{link.anchor[:80]}” on {also} of {len(others)} others"
        yield f"   in {' '.join(reversed(list(_ancestors(node))))}"
        before, after = markup[max(at - AROUND, 0) : at], markup[at : at + AROUND]
        yield f"{' '.join(before.split())} ▶ {' '.join(after.split())}"


def _ancestors(node: LexborNode) -> Iterator[str]:
    """The elements around a link, as selectors, from the inside out."""
    while (parent := node.parent) is not None and parent.tag not in ("html", None):
        node, has = parent, parent.attributes
        marks = [sign + (has.get(key) or "") for key, sign in (("id", "#"), ("class", "."), ("role", "@"))]
        yield f"{node.tag}{''.join(mark.replace(' ', '.') for mark in marks if len(mark) > 1)}"


if __name__ == "__main__":
    site = SITES[sys.argv[2]]
    every = captures(site, Path(sys.argv[1]).absolute())
    for page, places in drawn(site, every).items():
        print("\n".join(shown(every, page, places)))
