"""Small collections for tests: from edges, from captures, from random graphs."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.model import Capture, Item, Rows

Edge = tuple[str, str] | tuple[str, str, str]


def edges(*pairs: Edge) -> Rows:
    """Links as a table brings them; a third member is the anchor."""
    return Rows(
        links=pa.table(
            {
                "source": pa.array([pair[0] for pair in pairs], pa.string()),
                "target": pa.array([pair[1] for pair in pairs], pa.string()),
                "anchor": pa.array([pair[2] if len(pair) > 2 else "" for pair in pairs], pa.string()),
            }
        )
    )


def page(
    url: str, *targets: str, fetched: int = 1_000, title: str = "", words: str = "", origin: str = "test"
) -> Capture:
    """A fetched page with links; each anchor is its target's last path element."""
    links = "".join(f'<li><a href="{target}">{target.rstrip("/").rpartition("/")[2]}</a>' for target in targets)
    html = f"<title>{title or url}</title><p>{words}</p><ul>{links}</ul>"
    return Capture(url, html.encode(), "text/html; charset=utf-8", fetched=fetched, origin=origin)


def collection(path: Path, *items: Item, **settings: Any) -> Store:
    """A collection of these items."""
    ingest(path, [list(items)], **settings)
    return Store(path)


def from_edges(path: Path, pairs: Iterable[Edge]) -> Store:
    return collection(path, edges(*pairs))


def random_pairs(seed: int, n: int, m: int) -> list[tuple[int, int]]:
    """m random links among n pages, some pages much more popular than others, repetitions and self-links included."""
    rng = np.random.default_rng(seed)
    popular = (n * rng.random(m) ** 2).astype(int)
    return list(zip(rng.integers(0, n, m).tolist(), popular.tolist(), strict=True))


def of_words(path: Path, words: dict[str, str], pairs: Iterable[Edge] = ()) -> Store:
    """Pages that a table gives words to (`{"a": "bee hive"}`, repeated ones counted), and links."""
    counts = [
        (url, word, text.split().count(word)) for url, text in words.items() for word in dict.fromkeys(text.split())
    ]
    names = pa.array([word for _, word, _ in counts], pa.string())
    terms = {
        "url": pa.array([url for url, _, _ in counts], pa.string()), "term": names, "surface": names,
        "body": pa.array([count for _, _, count in counts], pa.int32()),
        "title": pa.array([0] * len(counts), pa.int32()),
    }  # fmt: skip
    rows = Rows(links=edges(*pairs).links, pages=pa.table({"url": pa.array(list(words))}), terms=pa.table(terms))
    return collection(path, rows)


def random_words(seed: int, pages: int, words: int, most: int) -> dict[str, str]:
    """Random pages of up to `most` different words, some of them much more frequent than others; some have none."""
    rng = np.random.default_rng(seed)
    drawn = (words * rng.random((pages, most)) ** 2).astype(int)
    sizes = rng.integers(0, most + 1, pages)
    return {
        f"p{page}": " ".join(f"w{word}" for word in dict.fromkeys(row[:size].tolist()))
        for page, (row, size) in enumerate(zip(drawn, sizes.tolist(), strict=True))
    }


def ring_of_groups(path: Path, pages: int, seed: int = 4) -> Store:
    """One component of so many cited pages: groups of ten, each with four hubs that also name a page of the next."""
    rng, links, groups = np.random.default_rng(seed), [], pages // 10
    for group in range(groups):
        inside, following = [f"p{group * 10 + i}" for i in range(10)], f"p{(group + 1) % groups * 10}"
        for hub in range(4):
            named = [*rng.permutation(inside)[:7].tolist(), following]
            links += [(f"hub{group}.{hub}", page) for page in named]
    return from_edges(path, links)
