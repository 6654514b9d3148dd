"""What is in a collection, in numbers: `info`, and paper 5's Table 1."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc

from pagekin.collection.store import Store

MOST_FREQUENT = 10


def describe(store: Store) -> dict[str, Any]:
    """Counts, sizes, what is built and what is stale."""
    graph = store.graph
    own = graph.is_page
    pages = graph.pages if own.all() else graph.pages.filter(own)
    n = pages.num_rows
    fetched = n - pages["fetched"].null_count
    out_degree, in_degree = np.diff(graph.arrays.out_start), np.diff(graph.arrays.in_start)
    return {
        "collection": str(store.path),
        "version": store.manifest.version,
        "pages": n,
        "fetched": fetched,
        "links": graph.links.num_rows,
        "linked_pairs": graph.arrays.links,
        "hosts": len(pc.value_counts(pages["host"])) if n else 0,
        "sites": len(pc.value_counts(pages["site"])) if n else 0,
        "aliases": int((~own).sum()),
        "mean_out_links": round(graph.arrays.links / fetched, 2)
        if fetched
        else round(graph.arrays.links / max(n, 1), 2),
        "mean_in_links": round(graph.arrays.links / max(n, 1), 2),
        "without_out_links": int((out_degree[own] == 0).sum()),
        "without_in_links": int((in_degree[own] == 0).sum()),
        "with_text": sum(rows.num_rows for rows in store.rows("text", ["page"])),
        "languages": _frequent(pages["language"]),
        "labels": _frequent(pages["label"]),
        "frequent_hosts": _frequent(pages["host"]),
        "parts": len(store.manifest.parts),
        "bytes": {"parts": _size(store.path / "parts"), "indexes": _size(store.path / "index")},
        "built": sorted(store.manifest.indexes),
        "stale": store.stale(),
        "private_suffixes": not store.manifest.icann_only,
    }


def _frequent(column: Any) -> dict[str, int]:
    """The most frequent values of a column that are not empty, with their counts."""
    counts = {row["values"]: row["counts"] for row in pc.value_counts(column).to_pylist()} if len(column) else {}
    ranked = sorted(((-count, value) for value, count in counts.items() if value))
    return {value: -count for count, value in ranked[:MOST_FREQUENT]}


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
