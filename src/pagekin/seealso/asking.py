"""Which lists are asked for anew, and which are kept from the last run.

One changed page changes the weights of its words for all pages, so any list might change a little, and asking for all
of them takes most of the time of a run on a large site. If few pages have changed, only these lists are asked for:

* those of the pages that changed, and those that name one which changed or is gone;
* those that may name a changed page now: of the pages that it is most related to, and of those linked with it.

The others stay as they are, which also keeps the differences between two runs small. When `MOST_CHANGED` of the pages
have changed since all lists were asked for, all are asked for again; on a site of up to `SMALL` pages, always.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from pagekin.collection.store import Store
from pagekin.seealso.leaves import Leaves
from pagekin.seealso.memory import Memory
from pagekin.seealso.related import Wanted, linked, related

SMALL = 1_000  # pages: asking for all takes seconds
MOST_CHANGED = 0.05
WIDER = 10  # times as many related pages of a changed one are asked again as a list names

Lists = dict[str, list[str]]  # address → the addresses of its related pages


@dataclass(frozen=True)
class Asked:
    """The lists of all pages, and how many pages have changed since all were asked for."""

    lists: Lists
    changed: int


def lists(
    store: Callable[[], Store], leaves: Leaves, memory: Memory, wanted: Wanted, asking: Collection[str],
    may_be: Collection[str],
) -> Asked:  # fmt: skip
    """The related pages of every page in `asking`, of those that may be named; `store` has all indexes ready."""
    kept = {
        url: list(known.related) for url in asking if (known := leaves.unchanged(url)) and known.related is not None
    }
    new = {url for url in leaves.by_url if not leaves.unchanged(url)}
    gone = memory.pages.keys() - leaves.by_url.keys()
    changed = memory.changed + len(new) + len(gone)
    if not kept or ((new or gone) and (len(leaves.by_url) <= SMALL or changed > MOST_CHANGED * len(leaves.by_url))):
        return Asked(related(store(), wanted, asking, may_be), 0)
    affected = {url for url in asking if url not in kept or not (new | gone).isdisjoint(kept[url])}
    if new:
        near = related(store(), wanted.with_k(WIDER * wanted.k), new, may_be)
        affected |= {other for others in near.values() for other in others} | linked(store(), new)
    affected &= set(asking)
    return Asked(kept | (related(store(), wanted, affected, may_be) if affected else {}), changed)
