"""A page before it is HTML: paragraphs and link lists made of pieces, each piece a text or a link."""

from collections.abc import Iterator
from dataclasses import dataclass

from pagekin.demo.data import Host


@dataclass(frozen=True)
class Link:
    """`<a href="TARGET#FRAGMENT" rel="REL" hreflang="LANG">TEXT</a>`; `target` is a canonical address."""

    target: str
    text: str
    fragment: str = ""
    rel: str = ""
    lang: str = ""


Pieces = tuple[str | Link, ...]


@dataclass(frozen=True)
class Paragraph:
    """Running text; `mark` is a place that fragments can name."""

    pieces: Pieces
    mark: str = ""


@dataclass(frozen=True)
class Links:
    """A heading and a list of links: what should come out as one block."""

    heading: str
    items: tuple[Pieces, ...]


@dataclass(frozen=True)
class Beside:
    """Two lists in one table row."""

    left: Links
    right: Links


Part = Paragraph | Links | Beside


@dataclass(frozen=True)
class Page:
    """A page of the demo web; `kind` says why it is there, `topic` what it is about, if anything."""

    url: str
    kind: str
    host: Host
    title: str
    parts: tuple[Part, ...]
    topic: str = ""
    lang: str = ""
    byline: str = ""
    base: str = ""
    absolute: bool = False  # every link written in full, so that a copy elsewhere has the same links
    noindex: bool = False
    latin1: bool = False
    bare: bool = False  # without its site's header and footer

    @property
    def label(self) -> str:
        return self.topic or self.kind

    @property
    def language(self) -> str:
        return self.lang or self.host.lang


def lists(page: Page) -> Iterator[Links]:
    """The link lists of a page in the order of its HTML."""
    for part in page.parts:
        if isinstance(part, Beside):
            yield part.left
            yield part.right
        elif isinstance(part, Links):
            yield part


def links(page: Page) -> Iterator[Link]:
    """The links of a page's own content, without those of its site's template."""
    for part in page.parts:
        if isinstance(part, Paragraph):
            yield from (piece for piece in part.pieces if isinstance(piece, Link))
    for block in lists(page):
        yield from targets(block)


def targets(block: Links) -> Iterator[Link]:
    """The links of one list, in order."""
    for item in block.items:
        yield from (piece for piece in item if isinstance(piece, Link))
