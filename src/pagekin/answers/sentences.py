"""Evidence as sentences: each reason for a result in plain words, for tables and web pages."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

MOST = 3  # reasons of one kind that are spelled out; the rest are only counted
NOT_SHOWN = {"base-set"}  # the same for every result of an answer, and its note already says most of it


def sentences(reasons: Iterable[Mapping[str, Any]]) -> list[str]:
    """Evidence as lines of text, one for each reason: the first few of each kind, then how many more there are.

    >>> hub = {"kind": "cited-by", "page": "http://hub.example/", "anchors": ["Bees", "Hives"], "of": 12}
    >>> sentences([hub, hub, hub, hub])[2:]
    ['http://hub.example/ links to both as “Bees” and “Hives”', '… and 9 more like this']
    """
    lines = []
    said = (reason for reason in reasons if reason["kind"] not in NOT_SHOWN)
    for (kind, seed), group in groupby(said, key=lambda reason: (reason["kind"], reason.get("seed"))):
        same = list(group)
        about = f" (for {seed})" if seed else ""
        lines += [_SENTENCES.get(kind, _other)(reason) + _role(reason) + about for reason in same[:MOST]]
        more = same[0].get("of", len(same)) - min(len(same), MOST)
        lines += [f"… and {more:,} more like this"] if more > 0 else []
    return lines


def _anchors(reason: Mapping[str, Any]) -> str:
    named = dict.fromkeys(f"“{anchor}”" for anchor in reason.get("anchors", ()) if anchor)
    return f" as {' and '.join(named)}" if named else ""


def _role(reason: Mapping[str, Any]) -> str:
    """That a link is no author's choice, which only methods that see all links have to say."""
    return f" ({reason['role']})" if "role" in reason else ""


def _direct(reason: Mapping[str, Any]) -> str:
    weight = f" (weight {reason['weight']:.3g})" if "weight" in reason else ""
    return f"{reason['from']} links to {reason['to']}{_anchors(reason)}{weight}"


def _cited_by(reason: Mapping[str, Any]) -> str:
    weight = f" (weight {reason['weight']:.3g})" if "weight" in reason else ""
    near = " side by side" if reason.get("beside") else ""
    return f"{reason['page']} links to both{near}{_anchors(reason)}{weight}"


def _cites(reason: Mapping[str, Any]) -> str:
    return f"both link to {reason['page']}{_anchors(reason)}"


def _walk(reason: Mapping[str, Any]) -> str:
    if "steps" in reason:  # simrank
        return f"both are {reason['steps']} clicks away from {reason['page']}"
    if "share" in reason:  # the method walk, whose steps follow links in either direction
        return (
            f"{reason['share']:.0%} of the random walk arrives by way of {' – '.join(reason['path'])}{_anchors(reason)}"
        )
    return f"two clicks: {' → '.join(reason['path'])}{_anchors(reason)}"


def _merge(reason: Mapping[str, Any]) -> str:
    """One merge of the hierarchy: the last brought the two pages together, the others led up to it."""
    one, other = (f"{size:,} page{'s' * (size > 1)}" for size in reason["sizes"])
    ends = reason.get("strongest")
    alike = f"; most similar across: {ends[0]} and {ends[1]} ({reason['similarity']:.3g})" if ends else ""
    said = f"clusters of {one} and {other} merged at height {reason['height']:.4g}{alike}"
    return f"came together when {said}" if "distance" in reason else f"before that, {said}"


def _hub(reason: Mapping[str, Any]) -> str:
    links = "links to both" if reason["both"] else "links to it"
    return f"the hub {reason['page']} {links}{_anchors(reason)} ({_score(reason)})"


def _authority(reason: Mapping[str, Any]) -> str:
    links = "both link to" if reason["both"] else "it links to"
    return f"{links} the authority {reason['page']}{_anchors(reason)} ({_score(reason)})"


def _score(reason: Mapping[str, Any]) -> str:
    weights = " and ".join(f"{weight:.3g}" for weight in reason["weights"] if weight is not None)
    return f"score {reason['score']:.4g}, link weight {weights}"


def _distance(reason: Mapping[str, Any]) -> str:
    return (
        f"distance {reason['distance']}: {reason['targets']} of the pages they link to and {reason['citers']} of the "
        "pages that link to them are not shared"
    )


def _block(reason: Mapping[str, Any]) -> str:
    share = f"; {reason['site']} contributes {reason['share']:.0%} of the score" if reason.get("site") else ""
    return f"linked together in block {reason['block']} of {reason['page']}{_anchors(reason)}{share}"


def _keywords(reason: Mapping[str, Any]) -> str:
    one, other = reason["words"]
    if one == other:
        return f"both are about “{one}”"
    return f"the keywords “{one}” and “{other}” are related ({reason['relevance']:.2g})"


def _linked_pages(reason: Mapping[str, Any]) -> str:
    one, other = reason["pages"]
    if one == other:
        return f"both link to {one}" if reason["links"] == "to" else f"both are linked from {one}"
    verb = "links to" if reason["links"] == "to" else "is linked from"
    return f"one {verb} {one}, the other {verb} {other}, and those two pages are similar ({reason['similarity']:.2g})"


def _part(reason: Mapping[str, Any]) -> str:
    """How much words or links contribute to a fused score; for words, which."""
    words = ", ".join(reason.get("words", ()))
    return f"{reason['part']} {reason['share']:.0%}{': ' + words if words else ''}"


def _other(reason: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in reason.items())


_SENTENCES = {
    "direct": _direct,
    "cited-by": _cited_by,
    "cites": _cites,
    "walk": _walk,
    "hub": _hub,
    "authority": _authority,
    "distance": _distance,
    "merge": _merge,
    "block": _block,
    "keywords": _keywords,
    "linked-pages": _linked_pages,
    "part": _part,
}
