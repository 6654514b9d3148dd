"""The nouns, as small frozen dataclasses, and the protocols by which one stage hands them to the next.

    <a href="../hive/#queen" rel="nofollow">The hive</a>      on http://bees.example/keep/, third link of the page

is `Link(target="http://bees.example/hive/", anchor="The hive", position=2, block=0, rel="nofollow")`.
"""

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from array import array

    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Capture:
    """The bytes of one page as they came in, before anybody has read them."""

    url: str  # canonical
    body: bytes
    content_type: str | None = None  # the HTTP header, with its charset
    language: str | None = None  # the HTTP Content-Language header
    status: int | None = 200
    fetched: int = 0  # Unix seconds
    etag: str | None = None
    last_modified: str | None = None
    origin: str | None = None  # where the bytes are: "ARCHIVE#OFFSET" or a file
    label: str | None = None  # a class that came with the data
    robots: str | None = None  # the HTTP X-Robots-Tag header, as far as it is for us


DEFAULT_METHOD = "amsler"  # of a question that names none
ALONE = -1  # the block of a link that stands with no other: it belongs to none


class Link(NamedTuple):  # a page has dozens, and hundreds of terms: tuples are made four times faster
    """One hyperlink, as it stands on its page."""

    target: str  # canonical URL
    anchor: str = ""  # text, else the image's alt, else the title attribute
    position: int = 0  # counts the page's links from 0
    block: int = 0  # or ALONE
    rel: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """Links of one page that belong together; a label is a remark (navigation, list, footer …), never a deletion."""

    number: int
    links: int
    label: str = ""


class Term(NamedTuple):
    """A stem on a page with its commonest surface form; body and title are counted apart."""

    term: str
    surface: str
    body: int = 0
    title: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """What the parser found in a capture."""

    title: str = ""
    summary: str = ""
    language: str = ""
    text: str = ""
    links: tuple[Link, ...] = ()
    blocks: tuple[Block, ...] = ()
    terms: tuple[Term, ...] = ()
    dropped: int = 0  # links whose reference was no address at all
    canonical: str | None = None  # the address it calls its own, if that is another one of its site


@dataclass(frozen=True, slots=True)
class Rows:
    """Pages and links that came as a table: known, never fetched. Names are canonical URLs or identifiers.

    links: source, target; optional anchor, position (the link's place among its source's links, in file order)
    pages: url; optional title, label, text, summary, language
    terms: url, term, surface, body, title
    """

    links: "pa.Table | None" = None
    pages: "pa.Table | None" = None
    terms: "pa.Table | None" = None


@dataclass(frozen=True, slots=True)
class Redirect:
    """One address that led to another, both canonical."""

    alias: str
    target: str
    kind: str = "redirect"  # or "canonical"


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that was not taken in, and why; `where` is for a person, `why` is a short class that is counted."""

    where: str
    why: str


@dataclass(frozen=True, slots=True)
class Missing:
    """An address that was asked for and answered with something that is no page: a 404, a picture."""

    url: str
    status: int
    content_type: str | None = None


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Everything before this is to be committed; when the item behind it is asked for, it has been."""


Item = Capture | Rows | Redirect | Skipped | Missing | Checkpoint


class Source(Protocol):
    """Whatever pages come from: a reader of `acquire`, a crawl, a test's list."""

    def __iter__(self) -> Iterator[Item]: ...


class Visit(NamedTuple):
    """An address that a crawl will ask for, `depth` links from where it began."""

    url: str
    depth: int = 0
    etag: str | None = None  # of the version that is held
    last_modified: str | None = None
    hops: int = 0  # redirects that led here
    tries: int = 0  # that failed
    written: str | None = None  # the spelling that its server insists on


@dataclass(frozen=True)
class Plan:
    """What there is to do for a crawl, given what is held."""

    visits: tuple[Visit, ...]  # by depth
    near: tuple[str, ...]  # addresses within reach that need no visit
    settled: "array[int]"  # ids of all addresses, near or far, that need no visit; ascending


class Held(Protocol):
    """What a crawl asks of the collection that it feeds."""

    def plan(self, begin: Mapping[str, int], allows: Callable[[str], bool], tried: AbstractSet[int]) -> Plan:
        """What is known, within reach and not held, going from the addresses of `begin` (each with its depth) over
        addresses that `allows` lets pass; ids in `tried` count as settled."""
        ...

    def home(self, url: str) -> str:
        """Where an address leads by now: itself, unless it is known to have moved."""
        ...


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason for a result. `detail` is what the method really used: pages, anchors, a gap, a height."""

    kind: str
    detail: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, **self.detail}
