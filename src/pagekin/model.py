"""The data that one stage hands to the next, as small frozen dataclasses, and the protocols between stages.

    <a href="../hive/#queen" rel="nofollow">The hive</a>      on http://bees.example/keep/, third link of the page

is `Link(target="http://bees.example/hive/", anchor="The hive", position=2, block=0, rel="nofollow")`.
"""

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from array import array

    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Capture:
    """The bytes of one page as they came in, before parsing."""

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
    robots: str | None = None  # the parts of the HTTP X-Robots-Tag header that apply to us


PARSER = 1  # what the parser finds in a page; pages that an earlier one read lack what it did not keep
DEFAULT_METHOD = "fused"  # for a question that names none
ALONE = -1  # the block number of a link that is in no block


class Link(NamedTuple):  # a tuple is made four times faster, and a page has dozens of links and hundreds of terms
    """One hyperlink on a page."""

    target: str  # canonical URL
    anchor: str = ""  # its text, else the image's alt text, else its title attribute
    position: int = 0  # its place among the page's links, from 0
    block: int = 0  # or ALONE
    rel: str = ""
    region: str = ""  # where it stands: text, list, links, or what the page calls it (`parse.furniture`); "": not known
    stretch: int = ALONE  # the stretch of text that it is in, or ALONE


@dataclass(frozen=True, slots=True)
class Block:
    """Links of one page that belong together. The label (navigation, list, footer …) is a remark and removes none."""

    number: int
    links: int
    label: str = ""


class Term(NamedTuple):
    """A stem on a page, with its most common spelling and its counts: in the text, in the title, and how many of those
    in the text are in headings."""

    term: str
    surface: str
    body: int = 0
    title: int = 0
    headings: int = 0


class Stretch(NamedTuple):
    """A line of a page's text, that of one box: its fingerprint, and whether it is a heading."""

    print: int
    heading: bool = False


class Alternate(NamedTuple):
    """A page that this one names as the same in another language: `<link rel=alternate hreflang=de href=…>`."""

    language: str  # as named, in lower case: de, pt-br, x-default
    target: str  # canonical URL


@dataclass(frozen=True, slots=True)
class Page:
    """What the parser found in a capture."""

    title: str = ""
    summary: str = ""
    language: str = ""
    text: str = ""  # a line for each box with text of its own
    links: tuple[Link, ...] = ()
    blocks: tuple[Block, ...] = ()
    terms: tuple[Term, ...] = ()
    compounds: tuple[Term, ...] = ()  # write-ahead, sqlite3_prepare, and the parts of CamelCase
    stretches: tuple[Stretch, ...] = ()  # one for each line of the text
    dropped: int = 0  # links whose reference is not an address
    unindexed: bool = False  # it says noindex, which was respected: it has no text and no terms
    canonical: str | None = None  # its declared canonical address, if that is another address on the same site
    alternates: tuple[Alternate, ...] = ()


@dataclass(frozen=True, slots=True)
class Rows:
    """Pages and links from a table: known, but never fetched. Names are canonical URLs or identifiers.

    links: source, target (texts, or dictionaries of them); optional anchor, position (the link's place among its
           source's links, in file order)
    pages: url; optional title, label, text, summary, language
    terms: url, term, surface, body, title
    """

    links: "pa.Table | None" = None
    pages: "pa.Table | None" = None
    terms: "pa.Table | None" = None


@dataclass(frozen=True, slots=True)
class Redirect:
    """An address that leads to another, both canonical."""

    alias: str
    target: str
    kind: str = "redirect"  # or "refresh", "canonical"


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that was not taken in. `where` tells the user what it was; `why` is a short reason, counted by kind."""

    where: str
    why: str


@dataclass(frozen=True, slots=True)
class Missing:
    """An address that was requested but is not a page: a 404, a picture."""

    url: str
    status: int
    content_type: str | None = None


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A page that its server says has not changed (304) since the version with this ETag and Last-Modified."""

    url: str
    fetched: int  # when it said so, in Unix seconds
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A request to commit everything before it; by the time the next item is asked for, that is done."""

    fold: bool = False  # and to write the graph of it: whoever asks has questions about all that is held


Item = Capture | Rows | Redirect | Skipped | Missing | Confirmed | Checkpoint


@dataclass(frozen=True)
class Barred:
    """Addresses that were removed for good: neither `add` nor `crawl` takes them again.

    Only keyed hashes are kept, so that the list does not say what it is about to whoever happens to read it. Whoever
    has both the list and an address can tell whether it is listed; nothing that still works could prevent that.
    """

    key: bytes = b""
    hashes: frozenset[str] = frozenset()

    def hash(self, url: str) -> str:
        return blake2b(url.encode("utf-8", "surrogatepass"), key=self.key, digest_size=16).hexdigest()

    def __contains__(self, url: str) -> bool:
        return bool(self.hashes) and self.hash(url) in self.hashes

    def __bool__(self) -> bool:
        return bool(self.hashes)


REMOVED = "removed for good"  # why a barred address is not taken


class Visit(NamedTuple):
    """An address that a crawl will request, `depth` links from where it started."""

    url: str
    depth: int = 0
    etag: str | None = None  # of the version in the collection
    last_modified: str | None = None
    hops: int = 0  # redirects that led here
    tries: int = 0  # failed requests so far
    written: str | None = None  # the spelling that the server insists on


@dataclass(frozen=True)
class Plan:
    """What a crawl still has to do, given what is in the collection."""

    visits: tuple[Visit, ...]  # by depth
    near: tuple[str, ...]  # addresses within reach that need no visit
    settled: "array[int]"  # ids of all addresses, near or far, that need no visit; ascending


class Held(Protocol):
    """What a crawl needs to know from the collection that it feeds."""

    def plan(self, begin: Mapping[str, int], allows: Callable[[str], bool], tried: AbstractSet[int]) -> Plan:
        """Plan visits to the known addresses within reach that are not held, starting from `begin` (address → depth)
        and going only over addresses that `allows` accepts; ids in `tried` count as settled."""
        ...

    def home(self, url: str) -> str:
        """Where an address leads now: to itself, unless it is known to have moved."""
        ...


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason for a result. `detail` is what the method really used: pages, anchors, a gap, a height."""

    kind: str
    detail: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, **self.detail}
