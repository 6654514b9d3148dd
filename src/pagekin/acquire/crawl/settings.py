"""The settings of a crawl, and the job that a child process is given."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pagekin.acquire.http import MAX_BYTES
from pagekin.model import Barred, Plan
from pagekin.version import VERSION

WHY = "finds pages related to a page from their links; obeys robots.txt as pagekin"
STOP = "stop"  # tells a child to end after the pages in hand
EVERYWHERE = ("0.0.0.0/0", "::/0")


@dataclass(frozen=True)
class Settings:
    """How to crawl. The defaults are those of a polite guest."""

    starts: tuple[str, ...]  # canonical addresses
    written: Mapping[str, str] = field(default_factory=dict)  # how the user wrote those that are written otherwise
    others: Mapping[str, str] = field(default_factory=dict)  # a second spelling of a start, which the user gave, too
    lists: tuple[str, ...] = ()  # sitemaps; what they list is a start
    radius: int = 2
    rate: float = 1.0  # requests a second to one host; 0: as fast as it answers
    at_once: int = 1  # requests at a time to one host
    hosts_at_once: int = 32  # requests at a time to all hosts together
    max_pages: int | None = None
    across: bool = False  # leave the sites of the start addresses
    include: tuple[str, ...] = ()  # regular expressions
    exclude: tuple[str, ...] = ()
    any_type: bool = False  # also ask for what is not HTML by its ending
    per_pattern: int = 5_000  # addresses that differ only in numbers and values
    sitemaps: bool = False
    timeout: float = 30.0  # seconds for one response, from connecting to its last byte
    max_bytes: int = MAX_BYTES  # of one response, as sent
    private: tuple[str, ...] = ()  # networks that may be connected to although they are not public
    resolve: tuple[tuple[str, str, int | None], ...] = ()  # host, address, port
    contact: str | None = None  # where the owner of a site can complain
    warc: Path | None = None  # keep what came over the wire here
    spool: Path = Path("spool")  # without `warc`, it stays here until it is committed
    barred: Barred = field(default_factory=Barred)  # addresses that were removed for good
    part_pages: int = 1_000  # commit after this many pages
    part_seconds: float = 30.0  # or after this long

    @property
    def interval(self) -> float:
        """Seconds between two requests to one host."""
        return 1 / self.rate if self.rate else 0.0

    @property
    def agent(self) -> str:
        """The User-Agent header: who asks, and why."""
        return f"pagekin/{VERSION} ({WHY}{f'; +{self.contact}' if self.contact else ''})"


@dataclass(frozen=True)
class Job:
    """What a child process is given to do."""

    settings: Settings
    plan: Plan
    sites: tuple[str, ...]  # of the start addresses, and of where they moved
