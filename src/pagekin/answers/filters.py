"""Filters that work with every method: which results of a ranking to show."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.methods.narrowed import only_fetched
from pagekin.wording import option


@dataclass(frozen=True)
class Filters:
    """Which results to leave out. The pages asked about are always left out.

    Identifiers that are not URLs have no host and no site, so filters by host or site let them pass.
    """

    other_sites: bool = False  # only pages on other sites than the pages asked about
    unlinked: bool = False  # only pages without a link to or from the pages asked about
    per_host: int | None = None  # at most this many of one host
    picked: bool = False  # never two pages of one host in a row (paper 5)
    exclude: str | tuple[str, ...] = ()  # leave out addresses that match this regex, or any of several
    min_score: float | None = None
    fetched: bool | None = None  # only fetched pages; None: if a page asked about was fetched; False: all pages
    fold: bool = True  # list copies and translations of a result under it, not as further results

    def __post_init__(self) -> None:
        if self.per_host is not None and self.per_host < 1:
            raise UsageError(f"{option('per_host')} must be at least 1, not {self.per_host}")
        if self.min_score is not None and math.isnan(self.min_score):
            raise UsageError(f"{option('min_score')} must be a number, not nan")
        for pattern in self.patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                raise UsageError(
                    f"{option('exclude')} takes regular expressions; '{pattern}' is not one: {error}"
                ) from None

    @property
    def patterns(self) -> tuple[str, ...]:
        """`exclude` as a tuple, even if it was given as one text."""
        return (self.exclude,) if isinstance(self.exclude, str) else tuple(self.exclude)

    def __bool__(self) -> bool:
        return self != Filters()


def narrows(store: Store, seeds: Sequence[int], filters: Filters) -> bool:
    """Whether only fetched pages are wanted, and there are others."""
    return only_fetched(store, seeds, filters.fetched) and not store.all_fetched


class Sieve:
    """Filters applied to one ranking: call `lets_pass` for each page, best first."""

    def __init__(self, store: Store, filters: Filters, seeds: Sequence[int]) -> None:
        self.store, self.filters = store, filters
        self.sites = {store.value("site", seed) for seed in seeds} - {""} if filters.other_sites else set()
        self.patterns = [re.compile(pattern) for pattern in filters.patterns]
        self.linked = (
            {page for seed in seeds for page in store.arrays.linked(seed).tolist()} if filters.unlinked else set()
        )
        self.hosts: Counter[str] = Counter()
        self.last_host: str | None = None
        self.only_fetched = narrows(store, seeds, filters)

    def lets_pass(self, page: int, score: float) -> bool:
        wanted = self.filters
        if self.only_fetched and not self.store.fetched[page]:
            return False
        if wanted.min_score is not None and score < wanted.min_score:
            return False
        if wanted.unlinked and page in self.linked:
            return False
        if self.sites and self.store.value("site", page) in self.sites:
            return False
        if any(pattern.search(self.store.url(page)) for pattern in self.patterns):
            return False
        host = self.store.value("host", page)
        if not host:  # identifiers and files have no host
            self.last_host = None
            return True
        if wanted.picked and host == self.last_host:
            return False
        if wanted.per_host is not None and self.hosts[host] >= wanted.per_host:
            return False
        self.hosts[host] += 1
        self.last_host = host
        return True
