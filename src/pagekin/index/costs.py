"""About how long an index takes to make and how much disk, from counts alone: for `build` to say before it begins.

A cost is a sum over counts, each with a constant of its own. The constants are processor time (beside other work, a
clock tells little) and bytes, measured on webs of 1,000, 10,000 and 100,000 pages with 100 words and 13 links each.
What of a former index can be reused is not known before: it takes less then.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pagekin.collection.seen import seen_by
from pagekin.collection.store import Store
from pagekin.index.base import Index
from pagekin.kernels import Longs

LARGEST_BLOCK = 80  # links of a block that gives pairs, by default


@dataclass(frozen=True)
class Cost:
    """Seconds, and bytes on disk."""

    seconds: float
    bytes: float

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.seconds + other.seconds, self.bytes + other.bytes)

    def times(self, count: float) -> "Cost":
        return Cost(self.seconds * count, self.bytes * count)


@dataclass(frozen=True)
class Counts:
    """What a state of a collection has."""

    store: Store

    @property
    def start(self) -> int:
        """Whatever there is: modules are loaded, an engine is started."""
        return 1

    @property
    def pages(self) -> int:
        return self.store.size

    @cached_property
    def texts(self) -> int:
        return self._rows("text")

    @cached_property
    def terms(self) -> int:
        return self._rows("terms") + self._rows("compounds")

    @cached_property
    def vectors(self) -> int:
        return self._rows("vectors")

    @property
    def placed(self) -> int:
        """Pages that have vectors: all, if any has words."""
        return self.pages if self.terms else 0

    @property
    def worded(self) -> int:
        """Pages that have words, as nearly as counts tell."""
        return self.texts or min(self.pages, self.terms)

    @property
    def links(self) -> int:
        return self.store.arrays.links

    @cached_property
    def anchored(self) -> int:
        """Links whose anchors are words of the page that they lead to: one that was fetched."""
        return int(np.diff(self.store.arrays.in_start)[self.store.fetched].sum())

    @cached_property
    def cited_together(self) -> int:
        """Pairs of pages that a page links to, over all pages: what co-citation walks over."""
        return _pairs(np.diff(self.store.arrays.out_start))

    @cached_property
    def in_blocks(self) -> int:
        """The same for pages with no more links than a block may have."""
        return _pairs(np.minimum(np.diff(self.store.arrays.out_start), LARGEST_BLOCK))

    def _rows(self, table: str) -> int:
        return sum(part.rows.get(table, 0) for part in self.store.manifest.parts)


def _pairs(sizes: Longs) -> int:
    return int((sizes.astype(np.float64) ** 2).sum())


# For each index the counts that it grows with, and what one of each costs: (seconds, bytes). `text` and `vectors` know
# their seconds.
COSTS: dict[str, dict[str, tuple[float, float]]] = {
    "mirrors": {"start": (0.1, 1e3), "texts": (4e-4, 20), "pages": (2e-6, 0)},
    "inverted": {
        "start": (0.6, 1e4),
        "terms": (1.5e-6, 17),
        "anchored": (2e-5, 20),
        "worded": (4e-5, 15),
        "pages": (2e-6, 45),
    },
    "completions": {"start": (0.1, 1e5), "pages": (4e-5, 400), "links": (2e-6, 0)},
    "subrelevant": {"start": (0.1, 1e3), "pages": (2e-6, 20), "links": (1e-6, 1)},
    "text": {"start": (0, 3e6), "terms": (0, 26), "placed": (0, 1300), "pages": (0, 40)},
    "vectors": {"vectors": (0, 1600)},
    "keywords": {"start": (0.2, 1e4), "terms": (5e-7, 0), "pages": (2e-5, 500), "links": (2e-6, 0)},
    "similarity": {"start": (0.2, 1e3), "cited_together": (6e-8, 7), "links": (1e-6, 8), "pages": (1e-6, 60)},
    "hierarchy": {"start": (0.5, 1e3), "cited_together": (3e-7, 0), "pages": (1e-5, 60)},
    "block-pairs": {"start": (1.5, 1e4), "links": (1.5e-5, 4), "in_blocks": (6e-7, 2), "pages": (1e-5, 300)},
}


def cost(wanted: Index, store: Store) -> Cost | None:
    """What an index costs to make from nothing; None if that does not follow from counts: answers, one by one."""
    rates = COSTS.get(wanted.name)
    if rates is None:
        return None
    seen = seen_by(wanted, store)
    counts, own = Counts(seen), wanted.seconds(seen)
    begin = Cost(own if math.isfinite(own) else 0.0, 0.0)
    return sum((Cost(*rate).times(getattr(counts, name)) for name, rate in rates.items()), begin)
