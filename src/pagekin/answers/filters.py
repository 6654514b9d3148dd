"""Filters that hold for every method: what of a ranking a person wants to see."""

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.wording import option


@dataclass(frozen=True)
class Filters:
    """Which results to leave out. The pages asked about are always left out.

    Identifiers that are no URLs have no host and no site: what goes by those lets them pass.
    """

    other_sites: bool = False  # only pages of other sites than those asked about
    unlinked: bool = False  # only pages without a link to or from those asked about
    per_host: int | None = None  # at most so many of one host
    picked: bool = False  # never two of one host next to each other (paper 5)
    exclude: str | tuple[str, ...] = ()  # addresses in which this regular expression is found, or one of several
    min_score: float | None = None

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
                    f"{option('exclude')} takes regular expressions; '{pattern}' is none: {error}"
                ) from None

    @property
    def patterns(self) -> tuple[str, ...]:
        """The expressions to leave out, however they were given."""
        return (self.exclude,) if isinstance(self.exclude, str) else tuple(self.exclude)

    def __bool__(self) -> bool:
        return self != Filters()


class Sieve:
    """Filters at work on one ranking: `lets_pass` is asked page by page, best first."""

    def __init__(self, store: Store, filters: Filters, seeds: Iterable[int]) -> None:
        self.store, self.filters = store, filters
        self.sites = {store.value("site", seed) for seed in seeds} - {""} if filters.other_sites else set()
        self.patterns = [re.compile(pattern) for pattern in filters.patterns]
        self.linked = {int(page) for seed in seeds for page in store.arrays.linked(seed)}
        self.hosts: Counter[str] = Counter()
        self.last_host: str | None = None

    def lets_pass(self, page: int, score: float) -> bool:
        wanted = self.filters
        if wanted.min_score is not None and score < wanted.min_score:
            return False
        if wanted.unlinked and page in self.linked:
            return False
        if self.sites and self.store.value("site", page) in self.sites:
            return False
        if any(pattern.search(self.store.url(page)) for pattern in self.patterns):
            return False
        host = self.store.value("host", page)
        if not host:  # identifiers and files are of no host in particular
            self.last_host = None
            return True
        if wanted.picked and host == self.last_host:
            return False
        if wanted.per_host is not None and self.hosts[host] >= wanted.per_host:
            return False
        self.hosts[host] += 1
        self.last_host = host
        return True
