"""Finds the place on the web that a folder is a copy of, where its pages do not stand: most of its links lead there.

    dump/pages/bees.html:  <a href="http://hives.example/queen">    and dump/pages/queen.html is there
                           → dump/pages/ may be a copy of http://hives.example/

`site` takes such an address by itself if nearly all of the links lead to files of the folder, by whole paths. Here
fewer will do, and the copy may be a folder in the one given: people are asked, and nothing is taken.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pagekin import url as urls
from pagekin.acquire.site import MOST, SEVERAL, Looked

ENOUGH = 0.2  # the share of the addresses linked to there that are in the folder; a copy may well be a part of a site


class Elsewhere(NamedTuple):
    """An address at which links would meet pages."""

    base: str
    folder: str  # what would stand there: a folder below the one given, as `pages/`; "" for all of it
    links: int  # that lead there, of those looked at


def elsewhere(looked: Looked) -> Elsewhere | None:
    """The address on the host that most links lead to, if links would meet pages there."""
    hosts: Counter[str] = Counter()
    for address, links in looked.whole.items():
        hosts[urls.host(address)] += links
    host, links = max(hosts.items(), key=lambda item: item[1], default=("", 0))
    if links <= MOST * looked.links:
        return None
    there = [address for address in looked.whole if urls.host(address) == host]
    for folder, paths in _narrower(looked.paths):
        for base, met in Looked(paths, [], {}).bases(there).most_common(1):
            below = [address for address in there if address.startswith(base)]
            if met >= max(SEVERAL, ENOUGH * len(below)):
                return Elsewhere(base, folder, sum(looked.whole[address] for address in below))
    return None


def _narrower(paths: Iterable[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """A folder, the folder in it that holds most of its pages, and so on: each with the paths of its pages.

    >>> [folder for folder, _ in _narrower(["a/b/c.html", "a/b/d.html", "a/e/f.html", "a/g.html"])]
    ['', 'a/']
    """
    folder, inside = "", frozenset(paths)
    while inside:
        yield folder, inside
        tops = Counter(path[: path.index("/") + 1] for path in inside if "/" in path)
        top, held = max(tops.items(), key=lambda item: item[1], default=("", 0))
        if held <= MOST * len(inside):
            return
        folder += top
        inside = frozenset(path.removeprefix(top) for path in inside if path.startswith(top))
