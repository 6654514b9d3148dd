"""Mirrors among pages with nearly the same links: similarity over 0.95, both fetched, and texts that agree (paper 1).

The caller compares the links and passes the pairs; here their texts decide.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from pagekin.collection.store import Store
from pagekin.index.mirrors.shingles import RESEMBLANCE, texts_of
from pagekin.kernels import Ints, frozen

PairBlocks = Iterable[tuple[int, Ints, Ints]]  # blocks of rows: the number of the first, the length of each, the rows

OVER = 0.95  # two pages may be mirrors if the similarity of their links is over this


def may_be(store: Store, pages: Ints, alike: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which of some pages may have a mirror: those that were fetched and are `alike` another page by links."""
    fetched = store.graph.pages["fetched"].is_valid().to_numpy(zero_copy_only=False)[pages]
    return np.asarray(alike & fetched)


def first_mirrors(store: Store, pages: Ints, maybe: npt.NDArray[np.bool_], pairs: PairBlocks) -> Ints:
    """For each of some pages, the place of the first page in its class of mirrors; its own place if it has none."""
    from pagekin.kernels.shingles import unite

    first = np.arange(pages.size, dtype=np.int32)
    if not maybe.any():
        return first
    wanted = np.zeros(store.size, np.bool_)
    wanted[pages[maybe]] = True
    texts = texts_of(store, wanted)
    spans = frozen(texts.start[pages]), frozen(texts.start[pages + 1])
    for row, lengths, others in pairs:
        digest, hashes = frozen(texts.digest[pages]), frozen(texts.hashes)
        unite(first, row, lengths, others, digest, *spans, hashes, RESEMBLANCE)
    for page in range(first.size):  # a parent comes before its child, so one step reaches the first
        first[page] = first[first[page]]
    return first
