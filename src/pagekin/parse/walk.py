"""One walk over a browser's tree: what it notes of a page on the way, in document order.

The text is what a reader sees. Elements that begin a line or a cell of their own separate words, others do not:
`<b>P</b>ython` is one word, `<td>a</td><td>b</td>` are two. `html` makes a page of the notes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pagekin.parse.scan import CUTS, Before, Scan
from pagekin.parse.style import TAGS

ALTERNATES = 1000  # other languages that a page may name; sites with every language and region name some 200


def _tags(names: str) -> frozenset[str]:
    return frozenset(names.split())


# Elements whose contents nobody reads on the page. <noscript> holds tracking pixels more often than text; <iframe>,
# <noframes> and <noembed> are markup that the parser leaves as text; <annotation> is MathML's TeX source.
HIDDEN = _tags("script style template noscript iframe noframes noembed title datalist annotation annotation-xml rp")
# Everything that browsers do not lay out within a line, and the pictures and controls that separate words.
BREAKS = _tags(
    """address article aside audio blockquote body br button canvas caption center dd details dialog dir div dl dt
    embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 header hgroup hr html iframe img input
    label legend li listing main map marquee menu nav object ol optgroup option p plaintext pre rt search section select
    summary svg table tbody td textarea tfoot th thead tr ul video xmp"""
)
NOTED = _tags("a area base frame h1 html iframe img link meta svg title")
SCANNED = CUTS | TAGS.keys()
# What the walk does at an element, as bits, so that one look-up is enough.
_BREAK, _NOTE, _HIDE, _SCAN = 1, 2, 4, 8
ROLES: dict[str | None, int] = {
    tag: _BREAK * (tag in BREAKS) | _NOTE * (tag in NOTED) | _HIDE * (tag in HIDDEN) | _SCAN * (tag in SCANNED)
    for tag in BREAKS | NOTED | HIDDEN | SCANNED
}
LINK_ROLES = {tag: role & ~_SCAN for tag, role in ROLES.items()}  # for callers that need links but no blocks
# Tags that HTML knows have small numbers that never change, and finding name and role by the number is faster than
# reading the name. The numbers of other tags are addresses in the parser's memory.
_NUMBERED = 1 << 8
_TEXT, _COMMENT = (node.tag_id for node in LexborHTMLParser("<p>x<!---->").css("p")[0].iter(include_text=True))


@dataclass(slots=True)
class Span:
    """A stretch of the noted text."""

    start: int
    end: int = -1  # not known yet


@dataclass(slots=True)
class Anchor(Span):
    """A link as found in the tree."""

    href: str = ""
    rel: str = ""
    name: str = ""  # its name if it has neither text nor picture
    pictures: list[str] = field(default_factory=list)  # their alternative texts
    node: LexborNode | None = None


@dataclass(slots=True)
class Notes:
    """What one walk over a tree found, in document order."""

    text: list[str] = field(default_factory=list)
    scan: Scan = field(init=False)
    anchors: list[Anchor] = field(default_factory=list)
    open: Anchor | None = None  # the <a> that the walk is inside of
    meta: dict[str, list[str]] = field(default_factory=dict)
    language: str | None = None
    base: str | None = None
    canonical: str | None = None
    alternates: list[tuple[str, str]] = field(default_factory=list)  # hreflang and href
    title: str | None = None
    heading: Span | None = None  # the first <h1>
    picture: Span | None = None  # the outermost <svg> that the walk is inside of

    def __post_init__(self) -> None:
        self.scan = Scan(self.text)

    def enter(self, tag: str, node: LexborNode) -> Span | None:
        """Note an element; pass what is returned to `leave` after its children."""
        attributes = node.attributes
        if tag == "a":
            if language := attributes.get("hreflang"):
                self._alternate(language, attributes.get("href"))
            return self._anchor(node, attributes.get("href"), attributes, attributes.get("title"))
        if tag == "img":
            if self.open is not None and (alt := attributes.get("alt")):
                self.open.pictures.append(f" {alt}")
        elif tag == "meta":
            kind, content = attributes.get("name") or attributes.get("property"), attributes.get("content")
            if kind and content:
                self.meta.setdefault(kind.lower(), []).append(content)
        elif tag == "area":
            name = attributes.get("alt") or attributes.get("title")
            return self._anchor(node, attributes.get("href"), attributes, name)
        elif tag in ("frame", "iframe"):
            name = attributes.get("title") or attributes.get("name")
            return self._anchor(node, attributes.get("src"), {"rel": "frame"}, name)
        elif tag == "h1" and self.heading is None:
            self.heading = Span(len(self.text))
            return self.heading
        elif tag == "svg" and self.picture is None:
            self.picture = Span(len(self.text))
            return self.picture
        elif tag == "title" and self.title is None and self.picture is None:  # SVG calls its tooltips <title>
            self.title = node.text()
        elif tag == "base" and self.base is None:
            self.base = attributes.get("href")
        elif tag == "link":  # only in the head: someone who comments could put one into the body
            if self.canonical is None and _has(attributes.get("rel"), "canonical") and _in_head(node):
                self.canonical = attributes.get("href")
            elif (
                (language := attributes.get("hreflang")) and _has(attributes.get("rel"), "alternate") and _in_head(node)
            ):
                self._alternate(language, attributes.get("href"))
        elif tag == "html":
            self.language = attributes.get("lang") or attributes.get("xml:lang")
        return None

    def _anchor(
        self, node: LexborNode, href: str | None, attributes: Mapping[str, str | None], name: str | None
    ) -> Anchor | None:
        href = (href or "").strip()
        if not href or href[0] == "#":
            return None
        if self.open is not None:  # a click on what follows goes to the inner link, so its words are not the outer's
            self.open.end = len(self.text)
        if self.scan.pending:
            self.scan.begin(written=False)
        self.open = Anchor(len(self.text), href=href, rel=attributes.get("rel") or "", name=name or "", node=node)
        self.anchors.append(self.open)
        return self.open

    def _alternate(self, language: str, href: str | None) -> None:
        if href and len(self.alternates) < ALTERNATES:
            self.alternates.append((language, href.strip()))

    def leave(self, span: Span) -> None:
        if span.end < 0:
            span.end = len(self.text)
        if span is self.open:
            self.open = None
        elif span is self.picture:
            self.picture = None

    def words(self, span: Span) -> str:
        return fold(self.text[span.start : span.end])


def _in_head(node: LexborNode) -> bool:
    return node.parent is not None and node.parent.tag == "head"


def _has(rel: str | None, word: str) -> bool:
    return word in (rel or "").lower().split()


_KNOWN: dict[int, tuple[str, int]] = {}  # a tag's number → its name and role, learnt as tags come


def walk(root: LexborNode | None, notes: Notes, roles: Mapping[str | None, int] = ROLES) -> None:
    """Walk a tree from top to bottom, without recursion: hostile pages nest a hundred thousand deep."""
    write, scan = notes.text.append, notes.scan
    looks, tags = scan.by_node, scan.by_tag
    own_looks = bool(looks) or tags is not TAGS
    known = _KNOWN if roles is ROLES else {}
    inside: list[tuple[LexborNode, str, int, Span | None, Before | None]] = []
    node = root
    while node is not None:
        kind = node.tag_id
        if kind == _TEXT:
            piece = node.text_content or ""
            if scan.pending and piece and not piece.isspace():
                scan.begin(written=True)
            write(piece)
        elif kind != _COMMENT:
            if kind in known:
                tag, role = known[kind]
            else:
                tag = node.tag or ""
                role = roles.get(tag, 0)
                if kind < _NUMBERED:
                    known[kind] = tag, role
            if role & _BREAK:
                write(" ")
            scanned = role & _SCAN or (own_looks and (tag in tags or node.mem_id in looks))
            before = scan.enter(tag, node, notes.open is not None) if scanned else None
            span = notes.enter(tag, node) if role & _NOTE else None
            child = None if role & _HIDE else node.first_child
            if child is not None:
                inside.append((node, tag, role, span, before))
                node = child
                continue
            if span is not None:
                notes.leave(span)
            if before is not None:
                scan.leave(tag, before, notes.open is not None)
        while (following := node.next) is None and inside:
            node, tag, role, span, before = inside.pop()
            if role & _BREAK:
                write(" ")
            if span is not None:
                notes.leave(span)
            if before is not None:
                scan.leave(tag, before, notes.open is not None)
        node = following


def fold(text: str | Iterable[str]) -> str:
    """Text with each stretch of white space as one space, and without soft hyphens, which are invisible.

    >>> fold(["The  hive ", "\\n", "of bees"])
    'The hive of bees'
    """
    joined = text if isinstance(text, str) else "".join(text)
    return " ".join(joined.replace("\xad", "").split())


def cut(text: str, limit: int) -> str:
    """At most `limit` characters of a text, ending with a whole word if possible.

    >>> cut("The hive of bees", 12), cut("Beehives", 3)
    ('The hive of', 'Bee')
    """
    if len(text) <= limit:
        return text
    return text[: limit + 1].rpartition(" ")[0] or text[:limit]
