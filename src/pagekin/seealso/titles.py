"""The titles of a site's pages without what nearly all of them end or begin with, the name of the site."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

# What stands between a page's title and the site's name.
_BETWEEN = re.compile(r"\s+(?:[|·•»«‹›—–:-]|::|//|>>|<<|&raquo;)\s+|\s*\|\s*|\s+[—–]+\s*")
NEARLY_ALL = 0.8  # of the titles that have such a sign, and more than half of all titles
LEAST = 3  # titles, to tell what they share

Cut = Callable[[str], tuple[str, str]]


def without_site(titles: Iterable[str]) -> dict[str, str]:
    """Each title, and what is left of it.

    >>> without_site(["Bees | Farm", "Ants | Farm", "Farm", "Wasps | or bees? | Farm"])
    {'Bees | Farm': 'Bees', 'Ants | Farm': 'Ants', 'Farm': 'Farm', 'Wasps | or bees? | Farm': 'Wasps | or bees?'}
    """
    left = {title: title for title in titles}
    for cut in (_last, _first):
        while shared := _shared([cut(title) for title in left.values()]):
            shorter = {
                title: rest if same == shared and rest.strip() else now for title, now, (rest, same) in _cuts(left, cut)
            }
            if shorter == left:
                break
            left = shorter
    return left


def _cuts(left: dict[str, str], cut: Cut) -> Iterator[tuple[str, str, tuple[str, str]]]:
    return ((title, now, cut(now)) for title, now in left.items())


def _shared(cuts: list[tuple[str, str]]) -> str:
    """What nearly all titles that have two parts share; "" if there is nothing."""
    named = Counter(shared for rest, shared in cuts if rest and shared)
    if not named:
        return ""
    shared, count = min(named.items(), key=lambda item: (-item[1], item[0]))
    enough = max(NEARLY_ALL * sum(named.values()), len(cuts) / 2, LEAST)
    return shared if count >= enough else ""


def _last(title: str) -> tuple[str, str]:
    """A title without its last part, and that part."""
    signs = list(_BETWEEN.finditer(title))
    if not signs:
        return title, ""
    return title[: signs[-1].start()], title[signs[-1].end() :]


def _first(title: str) -> tuple[str, str]:
    sign = _BETWEEN.search(title)
    return (title[sign.end() :], title[: sign.start()]) if sign else (title, "")
