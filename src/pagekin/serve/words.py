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


def found(row: Mapping[str, Any]) -> list[str]:
    """What to say under a result of a search: its snippet, and where it leads if that is why it is there."""
    lines = [row["snippet"]] if row["snippet"] else []
    lead = row["leads_to"]
    if lead and lead["path"]:
        named = f" by “{lead['anchor']}”" if lead["anchor"] else ""
        between = f" and {lead['path'][1]}" if len(lead["path"]) > 2 else ""
        lines.append(f"leads to {lead['title'] or lead['url']}{named}{between}: {lead['url']}")
    elif lead:
        lines.append(f"near {lead['title'] or lead['url']}: {lead['url']}")
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
    return f"two clicks: {' → '.join(reason['path'])}{_anchors(reason)}"


def _other(reason: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in reason.items())


_SAID = {"direct": _direct, "cited-by": _cited_by, "cites": _cites, "walk": _walk}
