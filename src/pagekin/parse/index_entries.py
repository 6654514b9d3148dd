"""Finds the entries of indexes: of a back-of-the-book index, and of lists with a one-line description of each page.

A page is an *index* if a heading calls it so (`NAMES`) and its entries are in alphabetical order. Of an entry that has
words before its first link, these are its wording (PostgreSQL: "cursor, <a>Declaring Cursors</a>"), else the link's
(Sphinx: "<a>abs() (built-in function)</a>, <a>[1]</a>"); the entries that it stands below come first. If a description
follows (javadoc), that is its wording.

Any page may have *summaries*: a link, and what it leads to in a few words, as `<dt>` and `<dd>`, as two cells of a row,
or with a dash between them ("<a>git-add</a> - Add file contents to the index").
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pagekin.model import Capture
from pagekin.parse.cutting import cut_out
from pagekin.parse.furniture import within_furniture
from pagekin.parse.html import Elements, elements
from pagekin.parse.walk import BREAKS, HIDDEN, fold

NAMES = (
    r"(?:(?:general|concept|function|functions|variable|command|option|keyword|key|module|python module|global module|"
    r"type|symbol|class|subject|alphabetical|api|graphics properties|operator|directive|name|term|topic)s? )?index"
    r"|index g[ée]n[ée]ral|index alphab[ée]tique|stichwortverzeichnis|stichwortindex|sachregister|register"
    r"|[íi]ndice|[íi]ndice anal[íi]tico|[íi]ndice alfab[ée]tico|[íi]ndice remissivo|trefwoordenregister|skorowidz"
    r"|предметный указатель|алфавитный указатель|索引|総合索引|总索引|總索引"
)
LEAST_ENTRIES = 3  # an index of the words with Q
IN_ORDER = 0.75  # of the entries of an index come after the one before them; a list of links by topic has half
LEAST_SUMMARIES = 5  # of a list
WORDS = range(3, 31)  # of a description; fewer are a name, more are a paragraph
NAME_WORDS = 8  # of what is described: "git-add(1)", "operator= (public member function)"
OPENING = 300  # characters after the first heading: about two sentences

_INDEX = re.compile(rf"(?:\w\W+)?(?:{NAMES})(?:\W+\w{{1,7}})?\W*", re.IGNORECASE)  # "A-Index", "Index – A", "Index (C)"
_DASH = re.compile(r"[\s\xa0]*(?:[-–—:：]|--)[\s\xa0]+")
_LOCATOR = re.compile(r"\W*\d*\W*")  # [1]
_SEE = re.compile(r"\W*see\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?。])\s")
_MARK = re.compile(r"\s*\([^()]*\)\s*$")  # cppreference's "(function template)"
_NESTED = {"ul", "ol", "dl", "table"}
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Entry:
    """A wording, and the addresses that it leads to."""

    wording: str
    targets: tuple[str, ...]


@dataclass(frozen=True)
class Listing:
    """What a page lists, and how it begins: its title, and the first words after its first heading."""

    entries: tuple[Entry, ...]
    is_index: bool
    opening: str


def listing(capture: Capture) -> Listing:
    """The entries of a page, if it is an index, else its summaries.

    >>> page = b"<h1>Index</h1><ul><li><a href=d>drone</a><li>hive<ul><li>moving, <a href=m>3</a></ul>"
    >>> found = listing(Capture("http://a.example/", page + b"<li><a href=q>queen</a>"))
    >>> [entry.wording for entry in found.entries]
    ['drone', 'hive moving', 'queen']
    """
    read = elements(capture)
    targets = {node.mem_id: link.target for node, link in read.links}
    title, heading = _names(read.tree)
    if any(map(_is_name, (title, heading))):
        found = [(item, entry) for item in _items(read) if (entry := _entry(item, targets))]
        if len(found) >= LEAST_ENTRIES and _in_order([item for item, _ in found]):
            return Listing(tuple(entry for _, entry in found), True, "")
    summaries = tuple(entry for _, entry in _summaries(read, targets))
    return Listing(summaries, False, f"{title}\n{_beginning(read.tree)}")


def without_entries(capture: Capture, wordings: Mapping[str, object]) -> Capture:
    """The page without the summaries that have one of these wordings."""
    read = elements(capture)
    targets = {node.mem_id: link.target for node, link in read.links}
    cut = [nodes for nodes, entry in _summaries(read, targets) if entry.wording in wordings]
    taken = {node.mem_id for nodes in cut for node in nodes}
    outer = [nodes for nodes in cut if not _within(nodes[0], taken)]
    return cut_out(capture, read.tree, outer) if outer else capture


def stands_in(wording: str, text: str) -> bool:
    """Whether the words of one text stand in another, in a row.

    >>> stands_in("Add file contents", "git-add - add file contents to the index"), stands_in("add to", "adds to")
    (True, False)
    """
    return f" {' '.join(_WORD.findall(wording.casefold()))} " in f" {' '.join(_WORD.findall(text.casefold()))} "


def _names(tree: LexborHTMLParser) -> tuple[str, str]:
    title, heading = tree.css_first("title"), tree.css_first("h1") or tree.css_first("h2")
    return fold(title.text()) if title else "", fold(heading.text()) if heading else ""


def _is_name(text: str) -> bool:
    """Whether a title says that the page is an index; documentations add their own name after a dash or a bar.

    >>> [_is_name(title) for title in ("Index – A", "A-Index (Java SE 17)", "Index — Python docs", "CREATE INDEX")]
    [True, True, True, False]
    """
    return any(_INDEX.fullmatch(part) for part in re.split(r" [—–|:(] ?| - |¶", text)[:1]) or bool(
        _INDEX.fullmatch(text.rstrip("¶# "))
    )


def _items(read: Elements) -> Iterator[LexborNode]:
    """Everything that may hold an entry."""
    if read.tree.body is not None:
        yield from (item for item in read.tree.body.css("li,dt,tr") if not within_furniture(item))


def _pieces(item: LexborNode) -> Iterator[tuple[str, LexborNode | None]]:
    """The texts of an item with the link that they are in, without the lists in it."""
    inside: list[tuple[LexborNode, LexborNode | None]] = [(item, None)]
    while inside:
        node, link = inside.pop()
        if node.is_text_node:
            yield node.text_content or "", link
        elif node is item or not (node.tag in _NESTED or node.tag in HIDDEN):
            link = node if node.tag == "a" else link
            if node.tag in BREAKS:
                yield " ", link
            inside += [(child, link) for child in reversed(list(node.iter(include_text=True)))]


def _head(item: LexborNode) -> str:
    """The words of an item before its first link, or of that link."""
    before, linked, first = "", "", None
    for text, link in _pieces(item):
        if link is not None and first is None:
            first = link
        if first is None:
            before += text
        elif link is not None and link.mem_id == first.mem_id:
            linked += text
        elif linked:
            break
    before = fold(before).strip(" ,;:([")
    return before if _WORD.search(before) else fold(linked)


def _links(item: LexborNode, targets: Mapping[int, str]) -> list[str]:
    found = dict.fromkeys(link.mem_id for _, link in _pieces(item) if link is not None)
    return [targets[at] for at in found if at in targets]


def _entry(item: LexborNode, targets: Mapping[int, str]) -> Entry | None:
    """The entry of an index that an item holds."""
    leads = _links(item, targets)
    head = _head(item)
    if not leads or _LOCATOR.fullmatch(head) or _SEE.match(head):
        return None
    if described := _in_dd(item):
        return Entry(described, (leads[0],))
    above = _heads_above(item)
    if above and head.startswith("("):  # Sphinx has "(in module cmath)" below "acos() (in module math)"
        above[-1] = _MARK.sub("", above[-1])
    return Entry(fold(" ".join([*above, head])), tuple(dict.fromkeys(leads)))


def _heads_above(item: LexborNode) -> list[str]:
    """The heads of the entries that an item stands below, outermost first."""
    found: list[str] = []
    above = item.parent
    while above is not None:
        if above.tag == "li":
            found.append(_head(above))
        elif above.tag == "dd" and (term := _term_of(above)) is not None:
            found.append(_head(term))
        above = above.parent
    return [head for head in reversed(found) if len(head.split()) <= NAME_WORDS]


def _term_of(dd: LexborNode) -> LexborNode | None:
    before = dd.prev
    while before is not None and before.tag != "dt":
        before = before.prev
    return before


def _in_order(items: list[LexborNode]) -> bool:
    """Whether most entries come after the one before them, in the alphabet."""
    heads = [_WORD.findall(_head(item).casefold()) for item in items if not _heads_above(item)]
    steps = list(pairwise(heads))
    return sum(one <= other for one, other in steps) >= IN_ORDER * len(steps)


def _summaries(read: Elements, targets: Mapping[int, str]) -> list[tuple[list[LexborNode], Entry]]:
    """The summaries on a page: what to cut out, and the entry."""
    found = []
    for item in _items(read):
        leads = _links(item, targets) if not _defines(item) else []
        if leads and (described := _description(item)):
            nodes = [item, *_descriptions(item)] if item.tag == "dt" else [item]
            found.append((nodes, Entry(described, (leads[0],))))
    return found


def _defines(item: LexborNode) -> bool:
    """Whether something is defined here rather than listed: Sphinx's `<dt class="sig" id="PyObject_Print">`."""
    return item.tag == "dt" and bool(item.attributes.get("id"))


def _descriptions(dt: LexborNode) -> Iterator[LexborNode]:
    node = dt.next
    while node is not None and node.tag != "dt":
        yield node
        node = node.next


def _description(item: LexborNode) -> str | None:
    """What an item says about its first link: its row's last cell, its `<dd>`, or what follows a dash."""
    if item.tag == "tr":
        cells = [cell for cell in item.iter() if cell.tag in ("td", "th")]
        if len(cells) < 2 or not _names_link(_whole(cells[0])):
            return None
        return _short("".join(text for text, _ in _pieces(cells[-1])))
    texts = _whole(item)
    return (_in_dd(item) if _names_link(texts) else None) or _after_dash(texts)


def _in_dd(item: LexborNode) -> str | None:
    """The description in the `<dd>` of a `<dt>`."""
    dd = next((node for node in _descriptions(item) if node.tag == "dd"), None) if item.tag == "dt" else None
    return None if dd is None else _short("".join(text for text, _ in _pieces(dd)))


def _whole(item: LexborNode) -> list[tuple[str, bool]]:
    """The texts of an item, and whether each is linked."""
    return [(text, link is not None and bool(link.attributes.get("href"))) for text, link in _pieces(item)]


def _names_link(texts: list[tuple[str, bool]]) -> bool:
    """Whether a text begins with a link, and is no longer than a name."""
    first = next((linked for text, linked in texts if _WORD.search(text)), False)
    return first and len(fold("".join(text for text, _ in texts)).split()) <= NAME_WORDS


def _after_dash(texts: list[tuple[str, bool]]) -> str | None:
    """What follows a link and a dash."""
    at = next((i for i, (text, _) in enumerate(texts) if _WORD.search(text)), len(texts))
    if at == len(texts) or not texts[at][1]:
        return None
    while at < len(texts) and texts[at][1]:
        at += 1
    rest = "".join(text for text, _ in texts[at:])
    dash = _DASH.match(rest)
    return _short(rest[dash.end() :]) if dash else None


def _short(text: str) -> str | None:
    """The first sentence of a description, if it is neither a name nor a paragraph."""
    sentence = _MARK.sub("", _SENTENCE_END.split(fold(text), maxsplit=1)[0]).strip(" .")
    return sentence if len(sentence.split()) in WORDS else None


def _beginning(tree: LexborHTMLParser) -> str:
    """How the content of a page begins: the text from its first heading on, and its first paragraph.

    They may be far from each other: javadoc has a class's ancestors between them.
    """
    text = fold(tree.body.text(separator=" ")) if tree.body is not None else ""
    _, heading = _names(tree)
    at = max(text.find(heading), 0) if heading else 0
    paragraphs = (fold(node.text()) for node in tree.css("p,div.block") if not within_furniture(node))
    first = next((text for text in paragraphs if len(text.split()) >= WORDS.start), "")
    return f"{text[at : at + len(heading) + OPENING]}\n{first[:OPENING]}"


def _within(node: LexborNode, taken: set[int]) -> bool:
    above = node.parent
    while above is not None and above.mem_id not in taken:
        above = above.parent
    return above is not None
