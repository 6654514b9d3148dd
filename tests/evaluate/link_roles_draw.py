"""Draws links of real sites to be labelled by eye, and shows each where it stands: `python -m … FOLDER SITE`.

Pages are drawn by a seed from all pages of a site that have a link, so that typical ones are met. A page's links are
dealt into eight stretches in the order of the page, and one is drawn from each: early and late ones are met alike.
"""

import random
import sys
from collections import Counter
from pathlib import Path

from pagekin.model import Capture
from pagekin.parse.html import elements
from tests.evaluate.link_roles import SITES, captures

SEED = 17
LINKS = 8  # a page, at most
AROUND = 300  # characters of markup shown on either side
ELSEWHERE = 2  # other pages that are searched for the same link


def drawn(pages: dict[str, Capture], count: int) -> dict[str, list[int]]:
    """The drawn links of a site, as positions by page."""
    dice = random.Random(SEED)
    order = sorted(pages)
    dice.shuffle(order)
    chosen: dict[str, list[int]] = {}
    for name in order:
        links = len(elements(pages[name]).links)
        if links:
            cuts = sorted({round(at * links / LINKS) for at in range(LINKS + 1)})
            chosen[name] = [dice.randrange(first, last) for first, last in zip(cuts, cuts[1:], strict=False)]
        if len(chosen) == count:
            break
    return chosen


def shown(pages: dict[str, Capture], name: str, positions: list[int]) -> None:
    """Print a page's drawn links: ancestors, markup around, and how many of two other pages have the same link."""
    dice = random.Random(name)
    others = [elements(pages[each]).links for each in dice.sample(sorted(pages), min(ELSEWHERE, len(pages)))]
    same = Counter((link.target, link.anchor) for found in others for link in {link.target: link for _, link in found}.values())
    found = elements(pages[name])
    for number, (node, _) in enumerate(found.links):
        node.attrs["data-link"] = str(number)
    markup = found.tree.html or ""
    print(f"\n######## {name}: {len(found.links)} links")
    for position in positions:
        node, link = found.links[position]
        at = markup.index(f'data-link="{position}"')
        print(f"\n== {position} {link.target} “{link.anchor[:80]}” on {same[link.target, link.anchor]} of {ELSEWHERE} others")
        print("   in", " ".join(_ancestors(node)))
        print(" ".join(markup[max(at - AROUND, 0) : at].split()), "▶", " ".join(markup[at : at + AROUND].split()))


def _ancestors(node):
    names = []
    while (node := node.parent) is not None and node.tag not in ("html", None):
        attributes = node.attributes
        marks = "".join(f"{sign}{attributes[key]}" for key, sign in (("id", "#"), ("class", "."), ("role", "@")) if attributes.get(key))
        names.append(f"{node.tag}{marks.replace(' ', '.')}")
    return names[::-1]


if __name__ == "__main__":
    folder, site = Path(sys.argv[1]), sys.argv[2]
    pages = captures(SITES[site], folder)
    for name, positions in drawn({url: page for url, page in pages.items() if SITES[site].drawn(page)}, SITES[site].pages).items():
        shown(pages, name, positions)
