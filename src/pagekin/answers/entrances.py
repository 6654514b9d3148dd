"""A way into each host of a collection: the hosts with most pages, and for each the page to begin with."""

from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc

from pagekin.answer import Row
from pagekin.collection.lookup import find
from pagekin.collection.store import Store
from pagekin.kernels import Longs


@dataclass(frozen=True)
class Entrance(Row):
    """A host, how many pages of it are known, and one to begin with."""

    host: str
    pages: int
    url: str
    title: str


def entrances(store: Store, k: int) -> list[Entrance]:
    """The k hosts with most pages. Where any page was fetched, only fetched ones count: the others cannot be shown."""

    def made() -> list[Entrance]:
        counted = np.flatnonzero(store.fetched if store.fetched.any() else store.graph.is_page)
        encoded = pc.dictionary_encode(pc.fill_null(store.graph.pages["host"], "").combine_chunks())
        hosts, host_of = encoded.dictionary.to_pylist(), encoded.indices.to_numpy(zero_copy_only=False)[counted]
        pages = np.bincount(host_of, minlength=len(hosts))
        largest = sorted((-int(pages[at]), host, at) for at, host in enumerate(hosts) if host and pages[at])[:k]
        return [_entrance(store, host, counted[host_of == at]) for _, host, at in largest]

    return store.memo.get("entrances", k, made)


def _entrance(store: Store, host: str, pages: Longs) -> Entrance:
    """By the front page of a host, or else by the page that most authors link to."""
    front = find(store, f"http://{host}/")
    if front is not None and front.page in pages:
        page = front.page
    else:
        cited = np.diff(store.seeing().arrays.in_start)[pages]
        page = int(pages[np.argmax(cited)])
    return Entrance(host, len(pages), store.url(page), store.title(page))
