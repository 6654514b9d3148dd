"""What lists are like, whatever the truth says: how many hosts, how much is new, whether a few pages are everywhere.

    judged     share of the results that the truth knows; the others count as wrong, and may be right
    hosts      different hosts in a list, on average over the lists that are not empty
    unlinked   share of the results that the page asked about does not link to (novelty)
    unseen     share of the pages known to the truth that are in no list
    hubs       share of all places that the most frequent pages take, as many as 1 % of the pages known to the truth

The last two are the hubness of a method: where a few pages are near to everything, others are never found
(Radovanović et al. 2010). A share of nothing is None.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pagekin.collection.store import Store
from pagekin.evaluate.truth import Truth
from pagekin.graph.topk import TopK
from pagekin.kernels import Ints, Longs

HUBS = 0.01  # share of the known pages whose places are counted


def variety(store: Store, lists: TopK, truth: Truth) -> dict[str, float | None]:
    """The figures for the lists of one method; −1 is a page that is not in the collection."""
    there = np.arange(lists.pages.shape[1]) < lists.sizes[:, None]
    row = np.nonzero(there)[0].astype(np.int64)
    page = lists.pages[there]
    known = np.sort(np.array(list(truth.known), np.int32))
    counts = np.unique(page[page >= 0], return_counts=True)[1]
    most = np.sort(counts)[::-1][: max(1, round(HUBS * known.size))]
    return {
        "judged": _share(np.isin(page, known)),
        "hosts": _hosts(store, row, page),
        "unlinked": None if truth.words else _share(~_linked(store, np.array(truth.asked)[row], page)),
        "unseen": _share(~np.isin(known, page)),
        "hubs": float(most.sum() / page.size) if page.size else None,
    }


def _hosts(store: Store, row: Longs, page: Ints) -> float | None:
    """The mean number of different hosts; None if no result has one, as where pages are identifiers."""
    met = np.unique(page[page >= 0])
    names, number = np.unique(np.array(["", *store.values("host", met)], str), return_inverse=True)
    host = np.zeros(page.size, np.int64)
    host[page >= 0] = number[1:][np.searchsorted(met, page[page >= 0])]  # "" sorts first: it has number 0
    pairs = np.unique(row[host > 0] * names.size + host[host > 0])
    return float(pairs.size / np.unique(row).size) if pairs.size else None


def _linked(store: Store, source: Ints, target: Ints) -> npt.NDArray[np.bool_]:
    """Whether there is a link from each source to each target."""
    pages, first = np.unique(source, return_inverse=True)
    found = np.zeros(source.size, bool)
    order = np.argsort(first, kind="stable")
    bounds = np.searchsorted(first[order], np.arange(pages.size + 1))
    for number, page in enumerate(pages.tolist()):
        places = order[bounds[number] : bounds[number + 1]]
        found[places] = np.isin(target[places], store.arrays.targets(page))
    return found


def _share(flags: npt.NDArray[np.bool_] | Sequence[bool]) -> float | None:
    return float(np.mean(flags)) if len(flags) else None
