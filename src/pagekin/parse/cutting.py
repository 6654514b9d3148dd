"""A page without some of its elements: everything else is parsed as before."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pagekin.model import Capture


def cut_out(capture: Capture, tree: LexborHTMLParser, groups: Iterable[Sequence[LexborNode]]) -> Capture:
    """The page without these groups of neighbours, none of which is within another; its tree is used up.

    What stood on both sides of a group stays two words.

    >>> tree = LexborHTMLParser("<p>One<i>two</i>three")
    >>> cut_out(Capture("http://a.example/", b""), tree, [tree.css("i")]).body
    b'<html><head></head><body><p>One three</p></body></html>'
    """
    for nodes in groups:
        nodes[0].insert_before(" ")
        for node in nodes:
            node.decompose()
    body = (tree.html or "").encode("utf-8", "replace")
    return replace(capture, body=body, content_type="text/html; charset=utf-8")
