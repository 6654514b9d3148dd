"""Pages that link to nearly the same pages, found without comparing all pairs (Dean & Henzinger 1999, 3.1.2).

Take the rarest members of each set, just so many that the rest is under 95 % of it. Two sets that have 95 % in common
must share one of these members, so only pages that do are compared.
"""

import numpy as np

from pagekin.graph.links import LinkArrays
from pagekin.kernels import Ints

MORE_THAN = 10  # a near-duplicate must have more links than this
IN_COMMON = 95  # per cent of the links of each


def leaders(graph: LinkArrays, pages: Ints, first: int) -> Ints:
    """For each of some pages, the place of its leader: itself, or an earlier near-duplicate that represents it.

    The page at place `first` comes first, the others in page order. A page joins the first leader with which it shares
    95 % of the links of each.
    """
    leader = np.arange(pages.size, dtype=np.int32)
    links = graph.out_start[pages + 1] - graph.out_start[pages]
    candidates = np.flatnonzero(links > MORE_THAN).tolist()
    if first in candidates:
        candidates.remove(first)
        candidates.insert(0, first)
    met: dict[int, list[int]] = {}  # member → the leaders that have it among their rarest
    for place in candidates:
        own = graph.targets(int(pages[place]))
        rarest = _rarest(graph, own)
        before = sorted({other for member in rarest for other in met.get(member, ())})
        same = (other for other in before if _alike(own, graph.targets(int(pages[other]))))
        leader[place] = next(same, place)
        if leader[place] == place:
            for member in rarest:
                met.setdefault(member, []).append(place)
    return leader


def _rarest(graph: LinkArrays, members: Ints) -> list[int]:
    """The members with fewest in-links; every near-duplicate has one of them among its own."""
    cited = graph.in_start[members + 1] - graph.in_start[members]
    needed = -(-members.size * IN_COMMON // 100)
    rarest: list[int] = members[np.lexsort((members, cited))][: members.size - needed + 1].tolist()
    return rarest


def _alike(a: Ints, b: Ints) -> bool:
    needed = IN_COMMON * max(a.size, b.size)
    if min(a.size, b.size) * 100 < needed:  # even if all of the smaller were in common
        return False
    return bool(np.intersect1d(a, b, assume_unique=True).size * 100 >= needed)
