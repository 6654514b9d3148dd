"""Evidence as sentences, for tables and pages: what a reason says in plain words."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

MOST = 3  # reasons of one kind that are spelled out; the rest are counted


def sentences(reasons: Iterable[Mapping[str, Any]]) -> list[str]:
    """One line for each reason, of each kind the most telling ones.

    >>> hub = {"kind": "cited-by", "page": "http://hub.example/", "anchors": ["Bees", "Hives"], "of": 12}
    >>> sentences([hub, hub, hub, hub])[2:]
    ['linked together by http://hub.example/ as “Bees” and “Hives”', '… and 9 more like that']
    """
    lines = []
    for (kind, seed), group in groupby(reasons, key=lambda reason: (reason["kind"], reason.get("seed"))):
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
    return f"{reason['from']} links to {reason['to']}{_anchors(reason)}"


def _cited_by(reason: Mapping[str, Any]) -> str:
    return f"linked together by {reason['page']}{_anchors(reason)}"


def _cites(reason: Mapping[str, Any]) -> str:
    return f"both link to {reason['page']}{_anchors(reason)}"


def _walk(reason: Mapping[str, Any]) -> str:
    if "steps" in reason:
        return f"{reason['steps']} clicks from {reason['page']} to either"
    return f"two clicks: {' → '.join(reason['path'])}{_anchors(reason)}"


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
    "keywords": _keywords,
    "linked-pages": _linked_pages,
}
