"""The settings of block co-citation, declared once for the index and for the method."""

from dataclasses import dataclass
from typing import Literal

from pagekin.collection.seen import SeesLinks
from pagekin.errors import UsageError
from pagekin.graph.page_weights import Weight

Scope = Literal["web", "site"]
Dynamic = Literal["host", "keep"]
Folding = Literal["fold", "keep"]

LARGEST_SITE = 1_000_000  # the largest N, so that it fits the decimals that are summed


@dataclass(frozen=True, repr=False)
class PairRule(SeesLinks):
    """Which links make pairs, and how much a pair counts (paper 3; its letters are in the comments)."""

    scope: Scope | None = "web"  # web: the citing page and the two pages are on three sites; site: on one
    dynamic: Dynamic = "host"  # links with a query string count for their host's root; keep: for themselves
    weight: Weight = "none"  # how much a citing page counts
    mirrors: Folding = "fold"  # pages with the same text count as one
    max_links: int = 80  # S: a block with more links is left out
    near: int = 8  # λ: links at most so far apart are equally near
    max_repeats: int = 9  # r: pairs that count from one citing site with one anchor of the other page
    max_site: float = 10.0  # N: the most that one citing site may give
    min_score: float = 0.0  # T: results below it are left out
    keep: int = 15  # M: results kept per page

    @property
    def block_sizes(self) -> tuple[int, int]:
        """The least and the greatest number of links in a block that counts: a single link is no block."""
        return 2, self.max_links

    def __post_init__(self) -> None:
        least = {"max_links": 2, "near": 0, "max_repeats": 1, "keep": 1}
        for name, value in least.items():
            if getattr(self, name) < value:
                raise UsageError(f"{name} must be at least {value}, not {getattr(self, name)}")
        if not 0 < self.max_site <= LARGEST_SITE:
            raise UsageError(f"max_site must be greater than 0 and at most {LARGEST_SITE:,}, not {self.max_site}")
        if not self.min_score >= 0:
            raise UsageError(f"min_score must be at least 0, not {self.min_score}")
