"""Graph files: GEXF (Gephi), GraphML (igraph, NetworkX, yEd …) and Pajek, written in pieces, never whole in memory.

Pages are numbered from 1. Edges have a weight, and a direction unless they are similarities. Titles come from
strangers: characters that XML forbids are removed, control characters become references, the rest is escaped.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import BinaryIO, ClassVar, Protocol
from xml.sax.saxutils import escape

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.answers.export.files import iso
from pagekin.collection.store import Store
from pagekin.engine.watch import rows_done
from pagekin.graph.edges import Edges
from pagekin.harmless import clean, percent_encoded, referenced

NODES = 10_000  # pages held as Python objects at one time

# Attribute of a node → the column it comes from. Viewers print `label` beside a node, so that is the title (or the
# address) here, and the label that came with the data is `class`.
ATTRIBUTES = {"url": "url", "title": "title", "host": "host", "class": "label", "fetched": "fetched"}

_NOT_XML = re.compile(
    "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)  # all but the Char of XML 1.0, section 2.2

Node = dict[str, str]  # the attributes that are not empty


class Weighted(Protocol):
    """Rows that can be written as edges: `tables.LinkRows`, `tables.RelatedRows`, `tables.SimilarityRows`."""

    weight: ClassVar[str]  # long or double
    directed: ClassVar[bool]

    def edges(self) -> Iterator[Edges]: ...


class GraphFormat(Protocol):
    """The syntax of a graph file; nodes are numbered from 1."""

    end: ClassVar[str]

    def begin(self, nodes: int, weight: str, directed: bool) -> str: ...

    def between(self, directed: bool) -> str: ...

    def node(self, number: int, node: Node) -> str: ...

    def edge(self, number: int, source: int, target: int, weight: float) -> str: ...


@dataclass(frozen=True)
class GraphFile:
    """How many nodes and edges a graph file has."""

    nodes: int
    edges: int


def write_graph(store: Store, rows: Weighted, file: BinaryIO, ending: str) -> GraphFile:
    """Write all pages and the edges to a file, in the format that the ending names."""
    form, kept = GRAPH_FILES[ending], store.graph.is_page
    number = np.cumsum(kept)
    nodes = int(kept.sum())
    written = 0
    file.write(form.begin(nodes, rows.weight, rows.directed).encode())
    file.writelines(map(str.encode, map(form.node, count(1), _nodes(store, kept))))
    file.write(form.between(rows.directed).encode())
    for source, target, weight in rows.edges():
        ends = number[source].tolist(), number[target].tolist()
        file.writelines(map(str.encode, map(form.edge, count(written), *ends, weight.tolist())))
        written += source.size
        rows_done(written, None, "writing edges")
    file.write(form.end.encode())
    return GraphFile(nodes, written)


def _nodes(store: Store, kept: npt.NDArray[np.bool_]) -> Iterator[Node]:
    pages = store.graph.pages.select(list(ATTRIBUTES.values())).rename_columns(list(ATTRIBUTES))
    for start in range(0, store.size, NODES):
        rows = pages.slice(start, NODES).filter(pa.array(kept[start : start + NODES]))
        rows = rows.set_column(rows.num_columns - 1, "fetched", iso(rows["fetched"]))
        for row in rows.to_pylist():
            yield {name: value for name, value in row.items() if value}


def xml(text: str) -> str:
    """Escape text for an element or a quoted attribute. Line ends become references, or parsers would make them spaces.

    >>> xml('a\\x00<b> & "c"\\n')
    'a&lt;b&gt; &amp; &quot;c&quot;&#10;'
    """
    escaped = escape(_NOT_XML.sub("", text), {'"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"})
    return referenced(escaped)


def _shown(node: Node) -> str:
    return xml(clean(node.get("title", "")) or clean(node["url"]))


class Gexf:
    """GEXF (https://gexf.net), in the version that every reader supports."""

    end: ClassVar[str] = "</edges>\n</graph>\n</gexf>\n"

    def begin(self, nodes: int, weight: str, directed: bool) -> str:
        named = "".join(f'<attribute id="{name}" title="{name}" type="string"/>\n' for name in ATTRIBUTES)
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">\n'
            f'<graph mode="static" defaultedgetype="{"directed" if directed else "undirected"}">\n'
            f'<attributes class="node">\n{named}</attributes>\n<nodes>\n'
        )

    def between(self, directed: bool) -> str:
        return "</nodes>\n<edges>\n"

    def node(self, number: int, node: Node) -> str:
        said = "".join(f'<attvalue for="{name}" value="{xml(value)}"/>' for name, value in node.items())
        return f'<node id="{number}" label="{_shown(node)}"><attvalues>{said}</attvalues></node>\n'

    def edge(self, number: int, source: int, target: int, weight: float) -> str:
        return f'<edge id="{number}" source="{source}" target="{target}" weight="{weight}"/>\n'


class GraphML:
    """GraphML (http://graphml.graphdrawing.org)."""

    end: ClassVar[str] = "</graph>\n</graphml>\n"

    def begin(self, nodes: int, weight: str, directed: bool) -> str:
        named = "".join(
            f'<key id="{name}" for="node" attr.name="{name}" attr.type="string"/>\n' for name in ("label", *ATTRIBUTES)
        )
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
            f'{named}<key id="weight" for="edge" attr.name="weight" attr.type="{weight}"/>\n'
            f'<graph edgedefault="{"directed" if directed else "undirected"}">\n'
        )

    def between(self, directed: bool) -> str:
        return ""

    def node(self, number: int, node: Node) -> str:
        said = "".join(f'<data key="{name}">{xml(value)}</data>' for name, value in node.items())
        return f'<node id="{number}"><data key="label">{_shown(node)}</data>{said}</node>\n'

    def edge(self, number: int, source: int, target: int, weight: float) -> str:
        return f'<edge source="{source}" target="{target}"><data key="weight">{weight}</data></edge>\n'


class Pajek:
    """Pajek's .net. A vertex has one text, here its address; quotes and backslashes are escaped as in igraph."""

    end: ClassVar[str] = ""

    def begin(self, nodes: int, weight: str, directed: bool) -> str:
        return f"*Vertices {nodes}\n"

    def between(self, directed: bool) -> str:
        return "*Arcs\n" if directed else "*Edges\n"

    def node(self, number: int, node: Node) -> str:
        url = node["url"].replace("\\", "\\\\").replace('"', '\\"')
        return f'{number} "{percent_encoded(url)}"\n'  # only identifiers have control characters; a line is a vertex

    def edge(self, number: int, source: int, target: int, weight: float) -> str:
        return f"{source} {target} {weight}\n"


GRAPH_FILES: dict[str, GraphFormat] = {".gexf": Gexf(), ".graphml": GraphML(), ".net": Pajek()}
