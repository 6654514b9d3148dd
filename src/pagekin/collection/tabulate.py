"""Turns parsed pages, ready-made rows and redirects into the tables of one part, not yet written.

Every table is sorted by page, so that a reader finds one page's rows without reading the others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.page_order import in_page_order, once
from pagekin.collection.schema import ALIASES, SCHEMAS, Tables, table
from pagekin.engine.addresses import hosts
from pagekin.engine.addresses import ids as ids_of
from pagekin.model import ALONE, PARSER, Capture, Missing, Page, Redirect, Rows
from pagekin.parse.listed import unlisted
from pagekin.url import host, page_id, site


def digest(body: bytes) -> str:
    """The hash by which two captures of a page are compared; a list of ours in it makes no difference."""
    return blake2b(unlisted(body), digest_size=16).hexdigest()


class _CollisionError(Exception):
    """Two addresses have the same id; the lexically larger one is refused."""

    def __init__(self, larger: str) -> None:
        self.larger = larger


@dataclass
class _Addresses:
    """Every address a part mentions, with its id; refuses those whose id belongs to a smaller address."""

    refused: set[str]
    ids: dict[str, int] = field(default_factory=dict)
    urls: dict[int, str] = field(default_factory=dict)

    def id(self, url: str) -> int | None:
        known = self.ids.get(url)
        if known is not None:
            return known
        if url in self.refused:
            return None
        number = page_id(url)
        other = self.urls.setdefault(number, url)
        if other != url:
            raise _CollisionError(max(url, other))
        self.ids[url] = number
        return number

    def all(self, urls: list[str]) -> list[int | None]:
        """The ids of many addresses; most are known already."""
        known = self.ids
        return [known[url] if url in known else self.id(url) for url in urls]


def tabulate(
    pages: Iterable[tuple[Capture, Page]] = (),
    rows: Iterable[Rows] = (),
    redirects: Iterable[Redirect] = (),
    missing: Iterable[Missing] = (),
    *,
    icann_only: bool = False,
    text: bool = True,
) -> tuple[Tables, set[str]]:
    """The tables, and the addresses that were refused because their id was taken."""
    parsed, ready, moved, absent = list(pages), list(rows), list(redirects), list(missing)
    refused: set[str] = set()
    while True:
        try:
            part = _Part(_Addresses(refused), icann_only, text)
            for capture, page in parsed:
                part.add_page(capture, page)
            for batch in ready:
                part.add_rows(batch)
            for redirect in moved:
                part.add_redirect(redirect)
            for each in absent:
                part.add_missing(each)
            return part.tables(), refused
        except _CollisionError as collision:
            refused.add(collision.larger)


class _Part:
    """A part in the making: columns that grow row by row (parsed pages) and whole tables (rows), joined at the end."""

    def __init__(self, addresses: _Addresses, icann_only: bool, text: bool) -> None:
        self.addresses, self.icann_only, self.text = addresses, icann_only, text
        self.columns: dict[str, dict[str, list[Any]]] = {
            name: {column: [] for column in schema.names} for name, schema in SCHEMAS.items()
        }
        self.whole: dict[str, list[pa.Table]] = {name: [] for name in SCHEMAS}
        self.described: set[int] = set()  # pages with a row of their own, beyond their address
        self.mentioned: list[tuple[npt.NDArray[np.int64], pa.Array]] = []  # ids and addresses, in tables

    def _append(self, name: str, **values: Any) -> None:
        for column, store in self.columns[name].items():
            store.append(values.get(column))

    def _extend(self, name: str, items: Sequence[Any], **values: list[Any]) -> None:
        """Append many rows at once: the columns given, and the items' fields for the others."""
        if items:
            values = dict(zip(items[0]._fields, map(list, zip(*items, strict=True)), strict=True)) | values
            for column, store in self.columns[name].items():
                store += values[column]

    def add_page(self, capture: Capture, page: Page) -> None:
        number = self.addresses.id(capture.url)
        if number is None:
            return
        self.described.add(number)
        where = host(capture.url)
        self._append(
            "pages",
            id=number, url=capture.url, host=where, site=site(where, self.icann_only),
            title=page.title, summary=page.summary, language=page.language,
            status=capture.status, content_type=capture.content_type, fetched=capture.fetched * 1000,
            digest=digest(capture.body), etag=capture.etag, last_modified=capture.last_modified,
            origin=capture.origin, label=capture.label, parser=PARSER,
        )  # fmt: skip
        if self.text and page.text:
            self._append("text", page=number, text=page.text)
        for block in page.blocks:
            self._append("blocks", page=number, block=block.number, label=block.label, links=block.links)
        for name, items in (("terms", page.terms), ("compounds", page.compounds), ("stretches", page.stretches)):
            self._extend(name, items, page=[number] * len(items))
        named = [page_id(each.target) for each in page.alternates]
        self._extend("alternates", page.alternates, page=[number] * len(named), target=named)
        targets = self.addresses.all([link.target for link in page.links])
        links = page.links
        if None in targets:
            links = tuple(link for link, target in zip(links, targets, strict=True) if target is not None)
            targets = [target for target in targets if target is not None]
        self._extend("links", links, source=[number] * len(links), target=targets)
        if page.canonical:
            self.add_redirect(Redirect(capture.url, page.canonical, "canonical"))

    def add_rows(self, rows: Rows) -> None:
        if rows.links is not None:
            self.whole["links"].append(self._table_links(rows.links))
        if rows.pages is not None:
            self._table_pages(rows.pages)
        if rows.terms is not None:
            columns = {name: rows.terms[name] for name in ("term", "surface", "body", "title")}
            terms = table("terms", {"page": self._ids(rows.terms["url"]), **columns})
            self.whole["terms"].append(terms.filter(pc.is_valid(self._ids(rows.terms["url"]))))

    def _ids(self, urls: pa.ChunkedArray) -> pa.Array:
        """The ids of a column of addresses, null for a refused one; each distinct address is hashed once."""
        encoded = urls.combine_chunks().dictionary_encode()
        if isinstance(encoded, pa.ChunkedArray):
            encoded = encoded.combine_chunks()
        found, names = ids_of(encoded.dictionary), encoded.dictionary.cast(pa.large_string())
        refused = pc.is_in(names, value_set=pa.array(sorted(self.addresses.refused), pa.large_string()))
        taken = ~refused.to_numpy(zero_copy_only=False)
        self.mentioned.append((found[taken], names.filter(pa.array(taken))))
        return pa.array(found, mask=~taken).take(encoded.indices)

    def _table_links(self, links: pa.Table) -> pa.Table:
        """The links of a table, in one block per source, in file order."""
        source, target = self._ids(links["source"]), self._ids(links["target"])
        made = table(
            "links",
            {
                "source": source.fill_null(0),
                "target": target.fill_null(0),
                "anchor": links["anchor"] if "anchor" in links.column_names else None,
                "position": links["position"] if "position" in links.column_names else _places(source),
                "stretch": pa.repeat(pa.scalar(ALONE, pa.int32()), links.num_rows),
            },
        )
        if not source.null_count and not target.null_count:
            return made
        return made.filter(pc.and_(pc.is_valid(source), pc.is_valid(target)))

    def _table_pages(self, pages: pa.Table) -> None:
        have = set(pages.column_names)
        urls = pages["url"].to_pylist()
        extra = {name: pages[name].to_pylist() for name in ("title", "label", "summary", "language") if name in have}
        texts = pages["text"].to_pylist() if "text" in have and self.text else [None] * len(urls)
        for i, url in enumerate(urls):
            number = self.addresses.id(url)
            if number is None or number in self.described:
                continue
            self.described.add(number)
            where = host(url)
            blank = {"title": "", "summary": "", "language": ""}
            row = blank | {name: values[i] for name, values in extra.items() if values[i] is not None}
            self._append("pages", id=number, url=url, host=where, site=site(where, self.icann_only), **row)
            if texts[i]:
                self._append("text", page=number, text=texts[i])

    def add_redirect(self, redirect: Redirect) -> None:
        alias, target = self.addresses.id(redirect.alias), self.addresses.id(redirect.target)
        if alias is not None and target is not None and alias != target:
            self._append("aliases", alias=redirect.alias, page=target, kind=redirect.kind)

    def add_missing(self, missing: Missing) -> None:
        number = self.addresses.id(missing.url)
        if number is None or number in self.described:
            return
        self.described.add(number)
        where = host(missing.url)
        self._append(
            "pages",
            id=number, url=missing.url, host=where, site=site(where, self.icann_only),
            title="", summary="", language="", status=missing.status, content_type=missing.content_type,
        )  # fmt: skip

    def tables(self) -> Tables:
        self.whole["pages"].append(self._addresses_alone())
        self.mentioned.clear()
        if self.whole["links"]:
            self.whole["links"] = [once(pa.concat_tables(self.whole["links"]))]
        made = {}
        for name, schema in SCHEMAS.items():
            grown = table(name, self.columns[name])
            some = [rows for rows in (grown, *self.whole[name]) if rows.num_rows] or [grown]  # one is not copied
            made[name] = in_page_order(name, pa.concat_tables(some).cast(schema))
        made["aliases"] = pa.Table.from_pylist(
            [dict(row) for row in sorted({tuple(row.items()) for row in made["aliases"].to_pylist()})], schema=ALIASES
        )
        return made

    def _addresses_alone(self) -> pa.Table:
        """Rows for the addresses about which nothing else is known: most rows of a part."""
        ids, urls = self._every_address()
        alone = ~np.isin(ids, np.array(list(self.described), np.int64))
        ids, urls = ids[alone], urls.filter(pa.array(alone))
        where = hosts(urls).dictionary_encode()
        names = where.dictionary.to_pylist()
        sites = pa.array([site(name, self.icann_only) for name in names], pa.string())
        columns = {"id": ids, "url": urls, "host": where.dictionary_decode(), "site": sites.take(where.indices)}
        return table("pages", {name: pa.array(values) for name, values in columns.items()})

    def _every_address(self) -> tuple[npt.NDArray[np.int64], pa.Array]:
        """The ids that the part mentions, ascending, and their addresses; a collision, if two share one."""
        known = self.addresses.ids
        mentioned = [
            (np.array(list(known.values()), np.int64), pa.array(list(known), pa.large_string())),
            *self.mentioned,
        ]
        ids = np.concatenate([some for some, _ in mentioned])
        urls = pa.concat_arrays([some for _, some in mentioned])
        order = np.argsort(ids)
        again = np.flatnonzero(ids[order][1:] == ids[order][:-1])
        one, other = (urls.take(pa.array(order[at])) for at in (again, again + 1))
        differ = pc.not_equal(one, other)
        if differ.true_count:
            raise _CollisionError(max(pair.filter(differ)[0].as_py() for pair in (one, other)))
        first = np.delete(order, again + 1)
        return ids[first], urls.take(pa.array(first))


def _places(source: pa.Array) -> pa.Array:
    """The place of each row among the rows of its source, in file order."""
    ids = source.fill_null(0).to_numpy()
    order = np.argsort(ids, kind="stable")
    ordered = ids[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    lengths = np.diff(np.append(starts, ordered.size))
    places = np.empty(ids.size, np.int32)
    places[order] = np.arange(ids.size) - np.repeat(starts, lengths)
    return pa.array(places)
