"""`blocks`: the links of a page, block by block, and the page itself with each block outlined."""

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import ClassVar

from selectolax.lexbor import LexborHTMLParser

from pagekin.acquire.origin import fetch
from pagekin.answer import Answer, PageName, Row, html_note, html_table
from pagekin.answers.export.files import whole
from pagekin.collection.lookup import known
from pagekin.collection.roles import ROLES
from pagekin.collection.store import Store
from pagekin.collection.tabulate import digest
from pagekin.errors import SourceError
from pagekin.harmless import clean
from pagekin.model import ALONE, Capture
from pagekin.parse.html import Elements, elements
from pagekin.wording import option

# Elements that could run code, load frames or redirect the reader. The policy below forbids the same once more.
_ACTIVE = "script,noscript,object,embed,applet,iframe,frame,frameset,base,template,meta[http-equiv],meta[charset]"
_POLICY = "default-src 'none'; img-src * data:; style-src * 'unsafe-inline'; font-src *; form-action 'none'"
_ADDRESSES = ("href", "src", "action", "formaction", "xlink:href", "data", "srcdoc", "background", "poster")
_GOLDEN_ANGLE = 137.508  # consecutive blocks get colours far apart on the colour wheel


@dataclass(frozen=True)
class BlockLink(Row):
    """A link in a block."""

    url: str
    anchor: str
    position: int
    role: str  # content, navigation or template


@dataclass(frozen=True)
class BlockOfLinks(Row):
    """One block of a page: links that stand together. Links that stand alone are the last row, block -1."""

    block: int
    label: str
    links: tuple[BlockLink, ...]


@dataclass(frozen=True, repr=False)
class Blocks(Answer[BlockOfLinks]):
    """The links of a page, block by block."""

    shown: ClassVar[tuple[str, ...]] = ("block", "label", "links")

    def as_lines(self) -> list[str]:
        lines = []
        for row in self.results:
            lines.append(f"{row.block}  {clean(row.label)}  {len(row.links)}")
            lines += [f"      {link.role}  {clean(link.anchor)}  {clean(link.url)}" for link in row.links]
        return [*lines, *([clean(self.note)] if self.note else [])]

    def _repr_html_(self) -> str:
        rows = [{"block": row.block, "label": row.label, **link.as_dict()} for row in self for link in row.links]
        return html_table(("block", "label", "role", "anchor", "url"), rows) + html_note(self.note)


def blocks(store: Store, asked: str) -> Blocks:
    """The blocks of a page, in document order."""
    found = known(store, asked)
    page, labels = found.page, store.labels(found.page)
    held: dict[int, list[BlockLink]] = {}
    for link in store.links_of(page).to_pylist():
        held.setdefault(link["block"], []).append(
            BlockLink(store.url(link["target"]), link["anchor"], link["position"], ROLES[link["role"]])
        )
    rows = [
        BlockOfLinks(number, "alone" if number == ALONE else labels.get(number, "table"), tuple(links))
        for number, links in sorted(held.items(), key=lambda item: (item[0] == ALONE, item[0]))
    ]
    notes = [found.note] if found.note else []
    if not rows:
        fetched = store.graph.pages["fetched"][page].as_py() is not None
        notes.append(
            "the page has no links" if fetched else "the page was never fetched, so its links are unknown; add it"
        )
    return Blocks((PageName(store.url(page), store.title(page)),), "; ".join(notes) or None, tuple(rows))


def write_html(store: Store, asked: str, path: Path) -> None:
    """Write the page with its blocks outlined."""
    found = known(store, asked)
    url, origin = store.url(found.page), store.value("origin", found.page)
    capture = fetch(origin) if origin else None
    if capture is None:
        where = f"it was in {origin}" if origin else "no copy was kept"
        raise SourceError(
            f"the HTML of {url} is gone: {where}; add the file or archive again, or crawl with {option('warc')}"
        )
    held = store.value("digest", found.page)
    if held and digest(capture.body) != held:
        raise SourceError(f"{origin} has changed since {url} was added; add it again")
    with whole(path) as beside:
        beside.write_text(outlined(capture, url), encoding="utf-8")


def outlined(capture: Capture, url: str) -> str:
    """The HTML of a page without active content, each link outlined in the colour of its block, with a legend."""
    capture = Capture(url, capture.body, capture.content_type)
    found = elements(capture)
    for node, link in found.links:
        style = node.attributes.get("style") or ""
        shown = "1px dotted #888" if link.block == ALONE else f"3px solid {_colour(link.block)}"
        node.attrs["style"] = f"{style};outline:{shown};outline-offset:1px"
        node.attrs["title"] = "in no block" if link.block == ALONE else f"block {link.block}"
    _disarm(found.tree)
    tree = found.tree
    head = tree.head.inner_html if tree.head is not None else ""
    body = tree.body.html if tree.body is not None else "<body></body>"
    return (
        '<!doctype html>\n<html><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}"><base href="{escape(found.base)}">'
        f"{head}</head>{body}{_legend(found)}</html>\n"
    )


def _disarm(tree: LexborHTMLParser) -> None:
    for node in tree.css(_ACTIVE):
        if node.parent is not None:
            node.decompose()
    for node in tree.css("*"):
        for name, value in node.attributes.items():
            text = "".join((value or "").split()).lower()
            if (
                name.startswith("on")
                or name in ("srcdoc", "ping")
                or (name in _ADDRESSES and text.startswith(_SCRIPT_SCHEMES))
            ):
                del node.attrs[name]


_SCRIPT_SCHEMES = ("javascript:", "vbscript:", "data:text/html")


def _legend(found: Elements) -> str:
    rows = [
        f'<div><span style="display:inline-block;width:1em;height:1em;background:{_colour(block.number)}"></span> '
        f"{block.number} {escape(block.label)}, {block.links} links</div>"
        for block in found.blocks
    ]
    alone = sum(link.block == ALONE for _, link in found.links)
    rows.append(f"<div>dotted: {alone} in no block</div>")
    style = (
        "position:fixed;top:8px;right:8px;max-height:90vh;overflow:auto;z-index:2147483647;background:#fff;color:#000;"
        "border:1px solid #000;padding:8px;font:14px sans-serif;text-align:left"
    )
    return f'<div style="{style}"><b>Blocks</b>{"".join(rows)}</div>'


def _colour(block: int) -> str:
    return f"hsl({block * _GOLDEN_ANGLE % 360:.0f},75%,42%)"
