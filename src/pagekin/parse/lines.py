"""The lines that a reader sees in a page's tree: what stands in one line, what follows a node, what leads away."""

from collections.abc import Callable, Iterable, Iterator

from selectolax.lexbor import LexborNode

from pagekin.parse.walk import BREAKS, fold


def text_up_to(node: LexborNode, most: int) -> str:
    """The text of an element, or more than `most` characters of it: a whole page need not be read for a label."""
    pieces, length = [], 0
    for inner in node.traverse(include_text=True):
        if inner.is_text_node:
            pieces.append(inner.text_content or "")
            length += len(pieces[-1].strip())
            if length > most:
                break
    return fold(pieces)


def text_of(node: LexborNode) -> str:
    """The text of an element, or of a text."""
    return (node.text_content or "") if node.is_text_node else (node.text() if is_element(node) else "")


def is_element(node: LexborNode) -> bool:
    """Whether a node is an element: no text, no comment, no doctype."""
    return not (node.tag or "-").startswith(("-", "!"))


def is_inline(node: LexborNode) -> bool:
    """Whether a node stands in a line with what is beside it."""
    return node.is_text_node or (is_element(node) and node.tag not in BREAKS and node.tag not in ("html", "body"))


def is_blank(node: LexborNode) -> bool:
    """Whether a reader sees nothing of a node."""
    if node.is_text_node:
        return not (node.text_content or "").strip()
    return not is_element(node) or (node.tag not in ("img", "br", "hr") and not node.text().strip())


def line_of(node: LexborNode) -> tuple[LexborNode, LexborNode | None]:
    """The outermost element that a text opens within its line, and the element that holds the line."""
    while True:
        parent = node.parent
        if parent is None or not is_inline(parent):
            return node, parent
        if not opens_line(node):
            return node, None
        node = parent


def opens_line(node: LexborNode) -> bool:
    """Whether nothing stands before a node in its line."""
    before = node.prev
    while before is not None and is_blank(before) and before.tag != "br":
        before = before.prev
    return before is None or not is_inline(before) or before.tag == "br"


def line_from(first: LexborNode, whole: bool = False) -> tuple[list[LexborNode], LexborNode | None]:
    """The nodes of a line, and what comes after it; `whole`: a line that may be broken, up to an empty line."""
    nodes: list[LexborNode] = []
    node: LexborNode | None = first
    while node is not None:
        if node.tag == "br" and not (whole and node.next is not None and not _empty_line(node)):
            return nodes, node.next
        if node.tag != "br" and not is_inline(node):
            return nodes, node
        nodes.append(node)
        node = node.next
    return nodes, None


def _empty_line(br: LexborNode) -> bool:
    following = br.next
    while following is not None and is_blank(following) and following.tag != "br":
        following = following.next
    return following is None or following.tag == "br"


def nodes_after(node: LexborNode, ends: Callable[[LexborNode], bool] = lambda node: False) -> Iterator[LexborNode]:
    """What follows a node in its element, up to an element that ends it."""
    following = node.next
    while following is not None and not (is_element(following) and ends(following)):
        yield following
        following = following.next


def leads_away(nodes: Iterable[LexborNode]) -> bool:
    """Whether there is a link to another page."""
    return any(True for node in nodes if is_element(node) for link in anchors(node) if is_away(link))


def is_away(link: LexborNode) -> bool:
    """Whether a link leads to another page."""
    href = (link.attributes.get("href") or "").strip()
    return bool(href) and not href.startswith("#")


def anchors(node: LexborNode) -> list[LexborNode]:
    """The links of an element, itself among them."""
    return ([node] if node.tag in ("a", "area") else []) + node.css("a,area")
