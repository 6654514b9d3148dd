"""Says so when a list is not about the page: a method that would give nearly every page of the site the same.

`hits` and `walk` look at all that is around a page. On one site with a menu that is the site, whichever page is asked
about, and its best hubs are found for all. Whether it is so is seen by asking about a few other pages of the site. They
are the same for all questions, so they are asked once for each state of a collection.
"""

from collections.abc import Callable

import numpy as np
import pyarrow.compute as pc

from pagekin.collection.store import Store
from pagekin.methods import Method
from pagekin.model import DEFAULT_METHOD
from pagekin.wording import option

FIRST, ALIKE = 5, 4  # results that are compared, and how many of them must be the same
OTHERS, AGREE = 4, 3  # pages asked about, and how many must have the same first results
LEAST_PAGES = 20  # of a site: the pages of a smaller one are all related to each other
SAMPLE = 64  # pages of a site from which these are chosen
MOST_KEPT = 64  # lists kept of other pages

First = Callable[[int, int], list[int]]  # page, k → its k best


def commonplace(store: Store, asked: Method, page: int, first: First, key: object) -> str | None:
    """The note on a list of which nearly every page of the site has the first results; `key` tells questions apart."""
    site = store.value("site", page)
    mine = first(page, FIRST) if asked.drifts and site else []
    if len(mine) < FIRST or any(store.value("site", other) != site for other in mine):
        return None
    others = [other for other in _examples(store, site) if other != page][:OTHERS]
    agreed = 0
    for at, other in enumerate(others):
        agreed += len(_first_of(store, asked, other, first, key).intersection(mine)) + (other in mine) >= ALIKE
        if agreed + len(others) - at - 1 < AGREE:
            return None
    if agreed < AGREE:
        return None
    instead = option("method", DEFAULT_METHOD)
    return f"{asked.name} finds nearly the same for every page of {site}: it says little about this one; try {instead}"


def _first_of(store: Store, asked: Method, page: int, first: First, key: object) -> set[int]:
    """The first results of another page, and one more in place of the page asked about."""
    return store.memo.get("commonplace", (asked, key, page), lambda: set(first(page, FIRST + 1)), MOST_KEPT)


def _examples(store: Store, site: str) -> list[int]:
    """A few pages of a site that were fetched (or, if none was, of all) and have links, from its different parts.

    None if the site is small. Page numbers are as good as random, so the first pages are a sample; of their addresses
    in order, some evenly apart are taken, so that they are not all of one folder or language.
    """

    def found() -> list[int]:
        here = pc.equal(store.graph.pages["site"], site).to_numpy(zero_copy_only=False).astype(bool)
        here &= np.diff(store.arrays.either_start) > 0
        here &= store.fetched if (here & store.fetched).any() else True
        pages = np.flatnonzero(here)
        if pages.size < LEAST_PAGES:
            return []
        sample = sorted(pages[:SAMPLE].tolist(), key=store.url)
        return [sample[len(sample) * (2 * at + 1) // (2 * OTHERS + 2)] for at in range(OTHERS + 1)]

    return store.memo.get("examples of a site", site, found, MOST_KEPT)
