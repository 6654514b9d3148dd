"""Filters that work with every method, for one question, several methods or all pages: which results to show."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Literal

from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.methods.narrowed import only_fetched
from pagekin.wording import option


@dataclass(frozen=True)
class Filters:
    """Which results to leave out. The pages asked about are always left out.

    Identifiers that are not URLs have no host and no site, so filters by host and by other sites let them pass. A page
    whose site or language is not known is not on the same site, nor in the same language; if nothing is known of the
    pages asked about, these two leave out nothing.
    """

    other_sites: bool = False  # only pages on other sites than the pages asked about
    unlinked: bool = False  # only pages without a link to or from the pages asked about
    per_host: int | None = None  # at most this many of one host
    picked: bool = False  # never two pages of one host in a row (paper 5)
    exclude: str | tuple[str, ...] = ()  # leave out addresses that match this regex, or any of several
    min_score: float | None = None
    fetched: bool | None = None  # only fetched pages; None: if a page asked about was fetched; False: all pages
    fold: bool = True  # list copies and translations of a result under it, not as further results
    same_site: bool = False  # only pages on the sites of the pages asked about
    same_language: bool = False  # only pages in the languages of the pages asked about
    include: str | tuple[str, ...] = ()  # only addresses that match this regex, or any of several

    def __post_init__(self) -> None:
        if self.per_host is not None and self.per_host < 1:
            raise UsageError(f"{option('per_host')} must be at least 1, not {self.per_host}")
        if self.min_score is not None and math.isnan(self.min_score):
            raise UsageError(f"{option('min_score')} must be a number, not nan")
        if self.same_site and self.other_sites:
            raise UsageError(f"{option('same_site')} and {option('other_sites')} leave nothing; give one of them")
        self.patterns("include")
        self.patterns("exclude")

    def patterns(self, name: Literal["include", "exclude"]) -> list[re.Pattern[str]]:
        """The regular expressions of a filter, also if it was given as one text."""
        given = getattr(self, name)
        try:
            return [re.compile(pattern) for pattern in ((given,) if isinstance(given, str) else given)]
        except re.error as error:
            raise UsageError(
                f"{option(name)} takes regular expressions; '{error.pattern!s}' is not one: {error}"
            ) from None

    def __bool__(self) -> bool:
        return self != NO_FILTERS

    @cached_property
    def plain(self) -> bool:
        """Whether only `fetched` and `fold` are set, if anything: that is answered for all pages at once."""
        return not replace(self, fetched=None, fold=True)


NO_FILTERS = Filters()


class Facts:
    """What filters want to know of pages, each looked up once: a page may be a result of many others."""

    def __init__(self, store: Store, filters: Filters) -> None:
        self.store = store
        self.include, self.exclude = filters.patterns("include"), filters.patterns("exclude")
        self.value = cache(store.value)
        self.fits = cache(self._fits)

    def language(self, page: int) -> str:
        return self.value("language", page).partition("-")[0].lower()

    def _fits(self, page: int) -> bool:
        """Whether the patterns let a page's address pass."""
        url = self.store.url(page)
        if self.include and not any(pattern.search(url) for pattern in self.include):
            return False
        return not any(pattern.search(url) for pattern in self.exclude)


def narrows(store: Store, seeds: Sequence[int], filters: Filters) -> bool:
    """Whether only fetched pages are wanted, and there are others."""
    return only_fetched(store, seeds, filters.fetched) and not store.all_fetched


class Sieve:
    """Filters applied to one ranking: call `lets_pass` for each page, best first."""

    def __init__(self, store: Store, filters: Filters, seeds: Sequence[int], facts: Facts | None = None) -> None:
        self.store, self.filters, self._facts = store, filters, facts
        by_site = filters.other_sites or filters.same_site
        self.sites = {self.facts.value("site", seed) for seed in seeds} - {""} if by_site else set()
        self.languages = {self.facts.language(seed) for seed in seeds} - {""} if filters.same_language else set()
        self.linked = (
            {page for seed in seeds for page in store.arrays.linked(seed).tolist()} if filters.unlinked else set()
        )
        self.by_address = bool(filters.include or filters.exclude)
        self.by_host = filters.picked or filters.per_host is not None
        self.hosts: Counter[str] = Counter()
        self.last_host: str | None = None
        self.only_fetched = narrows(store, seeds, filters)

    @cached_property
    def facts(self) -> Facts:
        return self._facts or Facts(self.store, self.filters)

    def lets_pass(self, page: int, score: float) -> bool:
        wanted = self.filters
        if self.only_fetched and not self.store.fetched[page]:
            return False
        if wanted.min_score is not None and score < wanted.min_score:
            return False
        if wanted.unlinked and page in self.linked:
            return False
        if self.sites and (self.facts.value("site", page) in self.sites) != wanted.same_site:
            return False
        if self.languages and self.facts.language(page) not in self.languages:
            return False
        if self.by_address and not self.facts.fits(page):
            return False
        if not self.by_host:
            return True
        host = self.facts.value("host", page)
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
