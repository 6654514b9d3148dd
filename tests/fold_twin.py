"""Parts merged into one state by the words of `collection.snapshot` and `collection.roots`, row by row.

The slow twin of `fold`: it shares nothing with them but the types of what goes in and comes out."""

from collections import defaultdict
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin.collection.roles import Stretches
from pagekin.collection.schema import LINKS, PAGES, SCHEMAS
from pagekin.collection.snapshot import UNITED, Contribution, Snapshot
from pagekin.url import host, page_id, site

SAID = ("title", "summary", "language", "label")
Row = dict[str, Any]


def merged(contributions: list[Contribution]) -> Snapshot:
    """Merge all contributions into one state, which does not depend on their order."""
    said = [dict(row, part=part) for c in contributions for row, part in zip(c.pages.to_pylist(), c.parts, strict=True)]
    pages, refused = [], set[str]()
    for rows in _by_id(said + _roots(said)):
        address = min(row["url"] for row in rows)
        refused |= {row["url"] for row in rows} - {address}
        pages.append(_page([row for row in rows if row["url"] == address]))
    schema = pa.schema([*PAGES, ("part", pa.int32())])
    number = {(row["id"], row["url"]): at for at, row in enumerate(pages)}
    return Snapshot(
        np.array([row["id"] for row in pages], np.int64), pa.Table.from_pylist(pages, schema),
        _links(contributions, pages, number), _aliases(contributions), _stretches(contributions, pages, number),
        tuple(sorted(refused)),
    )  # fmt: skip


def _by_id(rows: list[Row]) -> list[list[Row]]:
    found = defaultdict(list)
    for row in rows:
        found[row["id"]].append(row)
    return [found[number] for number in sorted(found)]


def _roots(rows: list[Row]) -> list[Row]:
    """A row that says nothing for the root of each host with an address that has a query string."""
    dynamic = [row["url"] for row in rows if row["url"].startswith("http") and "?" in row["url"]]
    roots = sorted({"/".join(url.split("/")[:3]) + "/" for url in dynamic})
    empty = {each.name: None if each.nullable else "" for each in PAGES}
    return [
        empty | {"id": page_id(root), "url": root, "host": host(root), "site": site(host(root)), "part": UNITED}
        for root in roots
    ]


def _page(rows: list[Row]) -> Row:
    """The latest capture; of a page that was never fetched, the smallest of all that is said."""
    # Sorted by the least important first; each sort keeps the order of equals, and what is missing comes last.
    for name, largest_first in (
        ("part", False), ("content_type", False), ("status", True), ("origin", False), ("parser", True),
        ("digest", True), ("fetched", True),
    ):  # fmt: skip
        there = sorted((row for row in rows if row[name] is not None), key=itemgetter(name), reverse=largest_first)
        rows = there + [row for row in rows if row[name] is None]
    best = dict(rows[0])
    if best["fetched"] is None:
        best["part"] = UNITED
        for name in SAID:
            best[name] = min((row[name] for row in rows if row[name]), default=best[name])
    return best


def _links(contributions: list[Contribution], pages: list[Row], number: dict[tuple[int, str], int]) -> pa.Table:
    """The links that count, by source: those of the part that won, or of all parts, each once."""
    of_source: dict[int, list[Row]] = defaultdict(list)
    for each in contributions:
        named = {row["id"]: (row["url"], part) for row, part in zip(each.pages.to_pylist(), each.parts, strict=True)}
        for link in each.links.to_pylist():
            (url, part), (other, _) = named[link["source"]], named[link["target"]]
            source, target = number.get((link["source"], url)), number.get((link["target"], other))
            if source is not None and target is not None and pages[source]["part"] in (UNITED, part):
                of_source[source].append(link | {"source": source, "target": target})
    rows = []
    for source in sorted(of_source):
        links = of_source[source]
        if pages[source]["part"] == UNITED:
            first = {}
            for link in sorted(links, key=lambda link: link["position"]):
                first.setdefault((link["target"], link["anchor"]), link)
            links = sorted(first.values(), key=lambda link: (link["position"], link["target"], link["anchor"]))
        rows += links
    ends = {"source": pa.int32(), "target": pa.int32()}
    return pa.Table.from_pylist(rows, pa.schema([each.with_type(ends.get(each.name, each.type)) for each in LINKS]))


def _stretches(contributions: list[Contribution], pages: list[Row], number: dict[tuple[int, str], int]) -> Stretches:
    """The stretches of each page's winning part."""
    of_page: dict[int, list[Row]] = defaultdict(list)
    for each in contributions:
        named = {row["id"]: (row["url"], part) for row, part in zip(each.pages.to_pylist(), each.parts, strict=True)}
        for row in each.stretches.to_pylist():
            url, part = named[row["page"]]
            page = number.get((row["page"], url))
            if page is not None and pages[page]["part"] == part:
                of_page[page].append(row)
    rows = [row for page in sorted(of_page) for row in of_page[page]]
    start = np.cumsum([0, *(len(of_page[page]) for page in range(len(pages)))])
    return Stretches(
        start, np.array([row["print"] for row in rows], np.int32), np.array([row["heading"] for row in rows], bool)
    )


def _aliases(contributions: list[Contribution]) -> pa.Table:
    """Each alias once: of several targets, the one with the smallest id."""
    rows = {(row["alias"], row["page"], row["kind"]) for each in contributions for row in each.aliases.to_pylist()}
    first: dict[str, tuple[int, str]] = {}
    for alias, page, kind in sorted(rows):
        first.setdefault(alias, (page, kind))
    made = [{"alias": alias, "page": page, "kind": kind} for alias, (page, kind) in first.items()]
    return pa.Table.from_pylist(made, SCHEMAS["aliases"])
