"""Counts what is in a collection: `info`, and paper 5's Table 1."""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.answer import Report
from pagekin.collection import tuned
from pagekin.collection.barred import barred
from pagekin.collection.manifest import KEPT
from pagekin.collection.roles import ROLES
from pagekin.collection.store import Store
from pagekin.collection.vectors import standing
from pagekin.failures import size
from pagekin.wording import command

MOST_FREQUENT = 10


@dataclass(frozen=True, repr=False)
class Info(Report):
    """The counts and sizes of a collection, and which indexes are built or stale."""

    collection: str
    version: int
    pages: int
    fetched: int
    links: int
    linked_pairs: int
    hosts: int
    sites: int
    aliases: int
    mean_out_links: float
    mean_in_links: float
    without_out_links: int
    without_in_links: int
    with_text: int
    languages: Mapping[str, int]
    labels: Mapping[str, int]
    frequent_hosts: Mapping[str, int]
    parts: int
    bytes: Mapping[str, int]
    index_bytes: Mapping[str, int]  # what each index takes on disk, the largest first
    built: tuple[str, ...]
    stale: tuple[str, ...]
    private_suffixes: bool
    roles: Mapping[str, int]  # links by role: content, navigation, template
    unread: int  # pages that an earlier version read, which kept nothing to tell roles by
    note: str | None
    folded: str = ""  # what is known of copies and translations, which answers fold
    vectors: Mapping[str, int] = field(default_factory=dict)  # pages that have one of their own, and its length
    tuned: Mapping[str, float] = field(default_factory=dict)  # weights of `fused` that `tune` fitted
    barred: int = 0  # addresses that were removed for good

    def rows(self) -> list[dict[str, str]]:
        """The fields as names and values, for people."""
        return [
            {"what": name.replace("_", " "), "value": _brief(value, in_bytes=name.endswith("bytes"))}
            for name, value in self.as_dict().items()
            if value is not None
        ]

    @property
    def lines(self) -> list[str]:
        return [f"{row['what']}: {row['value']}" for row in self.rows()]


def describe(store: Store) -> Info:
    """Count what is in a collection."""
    graph = store.graph
    own = graph.is_page
    pages = graph.pages if own.all() else graph.pages.filter(own)
    n = pages.num_rows
    fetched = n - pages["fetched"].null_count
    held = standing(store)
    unread = pc.sum(pc.and_(pages["fetched"].is_valid(), pages["parser"].is_null())).as_py() or 0
    out_degree, in_degree = np.diff(graph.arrays.out_start), np.diff(graph.arrays.in_start)
    return Info(
        collection=str(store.path),
        version=store.manifest.version,
        pages=n,
        fetched=fetched,
        links=graph.links.num_rows,
        linked_pairs=graph.arrays.links,
        hosts=len(pc.value_counts(pages["host"])) if n else 0,
        sites=len(pc.value_counts(pages["site"])) if n else 0,
        aliases=int((~own).sum()),
        mean_out_links=round(graph.arrays.links / (fetched or max(n, 1)), 2),
        mean_in_links=round(graph.arrays.links / max(n, 1), 2),
        without_out_links=int((out_degree[own] == 0).sum()),
        without_in_links=int((in_degree[own] == 0).sum()),
        with_text=sum(rows.num_rows for rows in store.rows("text", ["page"])),
        languages=_frequent(pages["language"]),
        labels=_frequent(pages["label"]),
        frequent_hosts=_frequent(pages["host"]),
        parts=len(store.manifest.parts),
        bytes={"parts": _size(store.path / "parts"), "indexes": _size(store.path / "index")},
        index_bytes=_sizes(store),
        built=tuple(sorted(store.manifest.indexes.keys() - KEPT)),
        stale=tuple(store.stale()),
        private_suffixes=not store.manifest.icann_only,
        roles=dict(zip(ROLES, np.bincount(graph.links["role"], minlength=len(ROLES)).tolist(), strict=True)),
        unread=unread,
        note="; ".join(_notes(store, pages, unread)) or None,
        vectors={"pages": held.page.size, "length": held.length} if held.page.size else {},
        tuned=tuned.weights(store),
        barred=len(barred(store).hashes),
    )


def _notes(store: Store, pages: pa.Table, unread: int) -> Iterator[str]:
    if unread:
        yield _renewal(store, pages, unread)
    if unfit := standing(store).unfit:
        yield f"the vectors of {unfit:,} further pages have another length and do not count"


def _renewal(store: Store, pages: pa.Table, unread: int) -> str:
    """What the pages that an earlier version read lack, and how to renew them."""
    origins = pages.filter(pc.and_(pages["fetched"].is_valid(), pages["parser"].is_null()))["origin"]
    files = sorted({origin.rpartition("#")[0] or origin for origin in origins.drop_null().to_pylist()})
    more = f" and {len(files) - 1:,} other files" if len(files) > 1 else ""
    where = f" (they came from {files[0]}{more})" if files else ""
    return (
        f"{unread:,} fetched pages were read by an earlier version, and all their links and words count as content; "
        f"to tell menus and templates apart, add their sources again{where}: {command('add', store.path, 'SOURCE')}"
    )


def _sizes(store: Store) -> dict[str, int]:
    held = {name: sum(size for size, _ in index.files.values()) for name, index in store.manifest.indexes.items()}
    return dict(sorted(held.items(), key=lambda item: (-item[1], item[0])))


def _brief(value: Any, in_bytes: bool = False) -> str:
    if isinstance(value, dict):
        shown = size if in_bytes else "{:,}".format
        return ", ".join(f"{name} {shown(count)}" for name, count in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _frequent(column: Any) -> dict[str, int]:
    """The most frequent non-empty values of a column, with their counts."""
    counts = {row["values"]: row["counts"] for row in pc.value_counts(column).to_pylist()} if len(column) else {}
    ranked = sorted(((-count, value) for value, count in counts.items() if value))
    return {value: -count for count, value in ranked[:MOST_FREQUENT]}


def _size(folder: Path) -> int:
    """The bytes of all files; a writer may remove some while we look."""
    size = 0
    for place, _, names in os.walk(folder):  # which passes over folders that are gone
        for name in names:
            with suppress(FileNotFoundError):
                size += (Path(place) / name).stat().st_size
    return size
