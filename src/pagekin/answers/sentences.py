"""One reason for a result as a sentence in plain words, for tables and web pages."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from pagekin.harmless import clean

Reason = Mapping[str, Any]
Naming = Callable[[str, str], str]  # what to call a page, by its address and title

Name = Callable[[str], str]  # likewise, by its address alone, within one reason

TITLE = 60  # characters of a title that name a page; the rest is cut


def address(url: str, _title: str) -> str:
    """A page by its address, for what will be a link."""
    return url


def sentence(reason: Reason, naming: Naming = address) -> str:
    """A reason in words; pages are named by their addresses unless said otherwise.

    >>> sentence({"kind": "cited-by", "page": "http://hub.example/", "anchors": ["Bees", "Hives"]})
    'http://hub.example/ links to both as “Bees” and “Hives”'
    """
    titles = _titles(reason)
    said = _SENTENCES.get(reason["kind"], _other)(reason, lambda url: naming(url, titles.get(url, "")))
    return said + role(reason) + (f" (for {naming(reason['seed'], '')})" if reason.get("seed") else "")


def by_title(near: str, known: Mapping[str, str]) -> Naming:
    """Pages by title, with their address: its path alone on the same host as `near`. `known` ones are called by name.

    >>> call = by_title("http://a.example/x", {"http://a.example/x": "this page"})
    >>> call("http://a.example/hub.html", "The hub"), call("http://a.example/x", "X"), call("http://b.example/", "")
    ('The hub (/hub.html)', 'this page', 'http://b.example/')
    """
    here = urlsplit(near)[:2]

    def naming(url: str, title: str) -> str:
        if url in known:
            return known[url]
        there = urlsplit(url)
        short = url if there[:2] != here else there._replace(scheme="", netloc="").geturl() or "/"
        title = " ".join(clean(title).split())
        cut = title if len(title) <= TITLE else title[: TITLE - 1].rstrip() + "…"
        return f"{cut} ({short})" if cut else url

    return naming


def _titles(reason: Reason) -> dict[str, str]:
    """The titles that a reason has for the addresses in it."""
    found = {reason["page"]: reason.get("title", "")} if "page" in reason else {}
    for name in ("pages", "path", "strongest"):
        found |= dict(zip(reason.get(name, ()), reason.get("titles", ()), strict=False))
    return found


def _anchors(reason: Reason) -> str:
    named = dict.fromkeys(f"“{anchor}”" for anchor in reason.get("anchors", ()) if anchor)
    return f" as {' and '.join(named)}" if named else ""


def role(reason: Reason) -> str:
    """That a link is no author's choice, which only methods that see all links have to say."""
    return f" ({reason['role']})" if "role" in reason else ""


def _direct(reason: Reason, name: Name) -> str:
    weight = f" (weight {reason['weight']:.3g})" if "weight" in reason else ""
    return f"{name(reason['from'])} links to {name(reason['to'])}{_anchors(reason)}{weight}"


def _cited_by(reason: Reason, name: Name) -> str:
    weight = f" (weight {reason['weight']:.3g})" if "weight" in reason else ""
    near = " side by side" if reason.get("beside") else ""
    return f"{name(reason['page'])} links to both{near}{_anchors(reason)}{weight}"


def _cites(reason: Reason, name: Name) -> str:
    return f"both link to {name(reason['page'])}{_anchors(reason)}"


def _walk(reason: Reason, name: Name) -> str:
    if "steps" in reason:  # simrank
        return f"both are {reason['steps']} clicks away from {name(reason['page'])}"
    if "share" in reason:  # the method walk, whose steps follow links in either direction
        way = " – ".join(map(name, reason["path"]))
        return f"{reason['share']:.0%} of the random walk arrives by way of {way}{_anchors(reason)}"
    return f"two clicks: {' → '.join(map(name, reason['path']))}{_anchors(reason)}"


def _merge(reason: Reason, name: Name) -> str:
    """One merge of the hierarchy: the last brought the two pages together, the others led up to it."""
    one, other = (f"{size:,} page{'s' * (size > 1)}" for size in reason["sizes"])
    ends = reason.get("strongest")
    alike = f"; most similar across: {name(ends[0])} and {name(ends[1])} ({reason['similarity']:.3g})" if ends else ""
    said = f"clusters of {one} and {other} merged at height {reason['height']:.4g}{alike}"
    return f"came together when {said}" if "distance" in reason else f"before that, {said}"


def _hub(reason: Reason, name: Name) -> str:
    links = "links to both" if reason["both"] else "links to it"
    return f"the hub {name(reason['page'])} {links}{_anchors(reason)} ({_score(reason)})"


def _authority(reason: Reason, name: Name) -> str:
    links = "both link to" if reason["both"] else "it links to"
    return f"{links} the authority {name(reason['page'])}{_anchors(reason)} ({_score(reason)})"


def _score(reason: Reason) -> str:
    weights = " and ".join(f"{weight:.3g}" for weight in reason["weights"] if weight is not None)
    return f"score {reason['score']:.4g}, link weight {weights}"


def _distance(reason: Reason, _: Name) -> str:
    return (
        f"distance {reason['distance']}: {reason['targets']} of the pages they link to and {reason['citers']} of the "
        "pages that link to them are not shared"
    )


def _block(reason: Reason, name: Name) -> str:
    share = f"; {reason['site']} contributes {reason['share']:.0%} of the score" if reason.get("site") else ""
    return f"linked together in block {reason['block']} of {name(reason['page'])}{_anchors(reason)}{share}"


def _keywords(reason: Reason, _: Name) -> str:
    one, other = reason["words"]
    if one == other:
        return f"both are about “{one}”"
    return f"the keywords “{one}” and “{other}” are related ({reason['relevance']:.2g})"


def _linked_pages(reason: Reason, name: Name) -> str:
    one, other = map(name, reason["pages"])
    if one == other:
        same = f"both link to {one}" if reason["links"] == "to" else f"both are linked from {one}"
        return same + _anchors(reason)
    verb = "links to" if reason["links"] == "to" else "is linked from"
    return f"one {verb} {one}, the other {verb} {other}, and those two pages are similar ({reason['similarity']:.2g})"


def _part(reason: Reason, _: Name) -> str:
    """How much words or links contribute to a fused score; for words, which."""
    words = ", ".join(reason.get("words", ()))
    return f"{reason['part']} {reason['share']:.0%}{': ' + words if words else ''}"


def _other(reason: Reason, _: Name) -> str:
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
