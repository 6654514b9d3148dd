"""Reads graph files: GEXF (Gephi), GraphML (igraph, NetworkX, yEd) and Pajek, as `export graph` writes them.

A node is the page that its attribute `url` names, else its id or label if that is an address, else its id. An edge
without direction is a link both ways. XML is read as a stream by expat; a file with a DOCTYPE is refused, so there are
no entities, and nothing is fetched.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

import pyarrow as pa

from pagekin.acquire.capture import spelled
from pagekin.acquire.tables import Positions
from pagekin.acquire.text import blocks, decoded, unpacked
from pagekin.errors import SourceError
from pagekin.failures import size
from pagekin.model import Item, Rows, Skipped
from pagekin.url import SCHEMES, canonical

MOST_NODES = 20_000_000  # their names are held in memory, 200 bytes each
MOST_BYTES = 1 << 34  # unpacked
LONGEST = 1 << 20  # bytes of one tag, or of one text
DEEPEST = 100  # elements in each other: graphs are flat, but for those of yEd
BATCH = 250_000  # rows handed on at once

ADDRESSES = ("url", "uri", "href", "address", "website", "link")  # attributes that name a page
# `(?>…)` and `*+` never go back: else n comments could be cut into comments in 2ⁿ ways.
_ROOT = re.compile(rb"\s*+(?:<\?xml[^>]*+>\s*+)?(?:(?><!--.*?-->)\s*+)*+<(?:\w+:)?(gexf|graphml)\b", re.DOTALL)
_PAJEK = re.compile(rb"\s*(?:%[^\n]*\n\s*)*\*(?:vertices|network)\b", re.IGNORECASE)
_VERTEX = re.compile(r'\s*(\d+)(?:\s+(?:"((?:[^"\\]|\\.)*)"|(\S+)))?')
_ESCAPED = re.compile(r"\\(.)")


def recognises(path: Path, head: bytes) -> bool:
    """Whether this is GEXF, GraphML or Pajek, by its first bytes."""
    return bool(_ROOT.match(head) or _PAJEK.match(head))


class Node(NamedTuple):
    """A node: what the file calls it, and what it says about it."""

    id: str
    label: str = ""
    said: dict[str, str] = {}  # noqa: RUF012 - never changed

    @property
    def name(self) -> str | None:
        """The page that it stands for, in canonical form."""
        given = [*(self.said.get(name, "") for name in ADDRESSES), self.id, self.label]
        return canonical(
            next((text for text in given if text.lower().startswith(SCHEMES)), self.said.get("url") or self.id)
        )

    @property
    def title(self) -> str:
        title = self.said.get("title", self.label)
        return "" if canonical(title) == self.name else title


class Edge(NamedTuple):
    source: str
    target: str
    directed: bool = True


Part = Node | Edge | Skipped


def read(path: Path) -> Iterator[Item]:
    """The pages and links of a graph file; edges to nodes that are not there are reported."""
    with path.open("rb") as file:
        is_pajek = file.read(1) == b"*"
    names: dict[str, str] = {}
    positions, pages, links = Positions(), [], []
    for part in _pajek(path) if is_pajek or not _is_xml(path) else _xml(path):
        if isinstance(part, Skipped):
            yield part
        elif isinstance(part, Node):
            if len(names) >= MOST_NODES:
                yield Skipped(spelled(path.name), f"more than {MOST_NODES:,} nodes; the rest is left out")
                break
            if (name := part.name) is None:
                yield Skipped(f"{spelled(path.name)}: {part.id[:200]}", "not an address")
                continue
            names[part.id] = name
            pages.append((name, part.title, part.said.get("class", "")))
        elif part.source not in names or part.target not in names:
            yield Skipped(f"{spelled(path.name)}: {part.source[:80]} → {part.target[:80]}", "an edge without its nodes")
        else:
            ends = names[part.source], names[part.target]
            links += [ends] if part.directed else [ends, ends[::-1]]
        if len(pages) + len(links) >= BATCH:
            yield _rows(pages, links, positions)
            pages, links = [], []
    yield _rows(pages, links, positions)


def _rows(pages: list[tuple[str, str, str]], links: list[tuple[str, str]], positions: Positions) -> Rows:
    source, target = (pa.array([link[end] for link in links], pa.string()) for end in (0, 1))
    at = pa.array(positions.next(source.dictionary_encode()), pa.int32())
    url, title, label = (pa.array([page[field] for page in pages], pa.string()) for field in (0, 1, 2))
    known = pa.table({"url": url, "title": title, "label": label})
    return Rows(links=pa.table({"source": source, "target": target, "position": at}), pages=known)


def _is_xml(path: Path) -> bool:
    return next(unpacked(path), b"").lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<")


def _xml(path: Path) -> Iterator[Part]:
    reader, taken = _Reader(), 0
    try:
        for piece in unpacked(path):
            taken += len(piece)
            reader.parser.Parse(piece)
            yield from reader.found
            reader.found.clear()
            if taken > MOST_BYTES:
                raise OSError(f"more than {size(MOST_BYTES)} unpacked")
            if taken - reader.parser.CurrentByteIndex > LONGEST:
                raise OSError(f"a tag of more than {size(LONGEST)}")
        reader.parser.Parse(b"", True)
    except (expat.ExpatError, OSError) as error:
        yield from reader.found
        yield Skipped(spelled(path.name), f"damaged, the rest is lost: {error}")
    except _Forbidden as error:
        raise SourceError(f"{spelled(path)} {error}") from None


class _Forbidden(Exception):  # noqa: N818 - not an error of ours, but of whoever wrote the file
    """Something that no graph needs, and that can be used to harm."""


class _Reader:
    """Collects nodes and edges from the events of an XML parser; GEXF and GraphML differ little."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text
        self.parser.StartDoctypeDeclHandler = self.refuse
        self.parser.EntityDeclHandler = self.refuse
        self.found: list[Part] = []
        self.titles: dict[str, str] = {}  # id of an attribute of nodes → its name
        self.directed, self.depth = True, 0
        self.nodes: list[Node] = []  # those that are open: yEd has nodes in nodes
        self.key: str | None = None  # the attribute whose text comes next
        self.words: list[str] = []
        self.length = 0  # of the words

    def refuse(self, *_: object) -> None:
        raise _Forbidden("has a DOCTYPE, which is not read; remove it")

    def start(self, tag: str, given: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise _Forbidden(f"has elements nested more than {DEEPEST} deep")
        match tag.rpartition(" ")[2]:
            case "graph":
                kind = given.get("defaultedgetype") or given.get("edgedefault") or "directed"
                self.directed = kind.lower() != "undirected"
            case "attribute" | "key" if given.get("for", "node") in ("node", "all"):
                name = given.get("title") or given.get("attr.name") or given.get("id", "")
                self.titles[given.get("id", "")] = name.lower()
            case "node":
                self.nodes.append(Node(given.get("id", ""), given.get("label", ""), {}))
            case "attvalue" if self.nodes:
                key = given.get("for") or given.get("id") or ""
                self.nodes[-1].said[self.titles.get(key, key)] = given.get("value", "")
            case "data" if self.nodes:
                self.key, self.words, self.length = given.get("key", ""), [], 0
            case "edge":
                kind = given.get("type", "").lower() or given.get("directed", "").lower()
                directed = {"undirected": False, "false": False, "directed": True, "true": True}.get(
                    kind, self.directed
                )
                self.found.append(Edge(given.get("source", ""), given.get("target", ""), directed))

    def end(self, tag: str) -> None:
        self.depth -= 1
        match tag.rpartition(" ")[2]:
            case "node":
                node = self.nodes.pop()
                self.found.append(node._replace(label=node.label or node.said.get("label", "")))
            case "data" if self.nodes and self.key is not None:
                self.nodes[-1].said[self.titles.get(self.key, self.key)] = "".join(self.words).strip()
                self.key = None

    def text(self, text: str) -> None:
        if self.key is not None:
            self.words.append(text)
            self.length += len(text)
            if self.length > LONGEST:
                raise _Forbidden(f"has a text of more than {size(LONGEST)}")


def _pajek(path: Path) -> Iterator[Part]:
    section, number = "", 0
    for block in blocks(path):
        if isinstance(block, Skipped):
            yield block
            continue
        for line in map(decoded, block.splitlines()):
            number += 1
            if line.startswith("*"):
                section = line[1:].split(None, 1)[0].lower() if line[1:].strip() else ""
                if section not in ("vertices", "arcs", "edges", "arcslist", "edgeslist", "network"):
                    yield Skipped(f"{spelled(path.name)}:{number}: {line[:80]}", "a section that is not read")
            elif line.strip() and not line.startswith("%"):
                found = list(_pajek_line(section, line))
                yield from found
                if not found and section in ("vertices", "arcs", "edges", "arcslist", "edgeslist"):
                    yield Skipped(f"{spelled(path.name)}:{number}: {line[:80]}", "not a vertex, arc or edge")


def _pajek_line(section: str, line: str) -> Iterator[Node | Edge]:
    if section == "vertices":
        if vertex := _VERTEX.match(line):
            label = vertex[3] or _ESCAPED.sub(r"\1", vertex[2] or "")
            yield Node(vertex[1], label, {"url": label} if label else {})
        return
    ends, directed = line.split(), section.startswith("arcs")
    if section in ("arcs", "edges") and len(ends) > 1:
        yield Edge(ends[0], ends[1], directed)
    elif section in ("arcslist", "edgeslist"):
        yield from (Edge(ends[0], end, directed) for end in ends[1:])
