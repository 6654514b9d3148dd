"""Evidence as sentences, for tables and pages: what a reason says in plain words."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

MOST = 3  # reasons of one kind that are spelled out; the rest are counted
UNSAID = {"base-set"}  # the same for all results of an answer, whose note says the most of it


def sentences(reasons: Iterable[Mapping[str, Any]]) -> list[str]:
    """One line for each reason, of each kind the most telling ones.

    >>> hub = {"kind": "cited-by", "page": "http://hub.example/", "anchors": ["Bees", "Hives"], "of": 12}
    >>> sentences([hub, hub, hub, hub])[2:]
    ['linked together by http://hub.example/ as “Bees” and “Hives”', '… and 9 more like that']
    """
    lines = []
    said = (reason for reason in reasons if reason["kind"] not in UNSAID)
    for (kind, seed), group in groupby(said, key=lambda reason: (reason["kind"], reason.get("seed"))):
        same = list(group)
        about = f" (for {seed})" if seed else ""
        lines += [_SAID.get(kind, _other)(reason) + about for reason in same[:MOST]]
        more = same[0].get("of", len(same)) - min(len(same), MOST)
        lines += [f"… and {more:,} more like that"] if more > 0 else []
    return lines


def _anchors(reason: Mapping[str, Any]) -> str:
    named = [f"“{anchor}”" for anchor in reason.get("anchors", ()) if anchor]
    return f" as {' and '.join(named)}" if named else ""


def _direct(reason: Mapping[str, Any]) -> str:
    weight = f" (weight {reason['weight']:.3g})" if "weight" in reason else ""
    return f"{reason['from']} links to {reason['to']}{_anchors(reason)}{weight}"


def _cited_by(reason: Mapping[str, Any]) -> str:
    weight = f" (weight {reason['weight']:.3g})" if "weight" in reason else ""
    return f"linked together by {reason['page']}{_anchors(reason)}{weight}"


def _cites(reason: Mapping[str, Any]) -> str:
    return f"both link to {reason['page']}{_anchors(reason)}"


def _walk(reason: Mapping[str, Any]) -> str:
    if "steps" in reason:  # of simrank
        return f"{reason['steps']} clicks from {reason['page']} to either"
    if "share" in reason:  # of the method walk, whose steps go either way along a link
        return f"{reason['share']:.0%} of the walk comes by {' – '.join(reason['path'])}{_anchors(reason)}"
    return f"two clicks: {' → '.join(reason['path'])}{_anchors(reason)}"


def _merge(reason: Mapping[str, Any]) -> str:
    """The last merge of the chain says how the two came together, the others what happened on the way."""
    one, other = (f"{size:,} page{'s' * (size > 1)}" for size in reason["sizes"])
    ends = reason.get("strongest")
    alike = f"; most alike across: {ends[0]} and {ends[1]} ({reason['similarity']:.3g})" if ends else ""
    said = f"{one} and {other} joined at height {reason['height']:.4g}{alike}"
    return f"came together when {said}" if "distance" in reason else f"before that {said}"


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
        f"distance {reason['distance']}: {reason['targets']} of the pages they link to and {reason['citers']} of those "
        "that link to them are not shared"
    )


def _block(reason: Mapping[str, Any]) -> str:
    share = f"; {reason['site']} gives {reason['share']:.0%} of the score" if reason.get("site") else ""
    return f"together in block {reason['block']} of {reason['page']}{_anchors(reason)}{share}"


def _keywords(reason: Mapping[str, Any]) -> str:
    one, other = reason["words"]
    if one == other:
        return f"both are about “{one}”"
    return f"“{one}” goes with “{other}” ({reason['relevance']:.2g})"


def _linked_pages(reason: Mapping[str, Any]) -> str:
    one, other = reason["pages"]
    if one == other:
        return f"both link to {one}" if reason["links"] == "to" else f"both are linked from {one}"
    verb = "links to" if reason["links"] == "to" else "is linked from"
    return f"one {verb} {one}, the other {verb} {other}, and those are alike ({reason['similarity']:.2g})"


def _other(reason: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in reason.items())


_SAID = {
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
}
