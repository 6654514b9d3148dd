"""Finds the page that a user typed: by canonical form, alias or likely variant; else suggests the nearest addresses."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pyarrow.compute as pc

from pagekin.collection.store import Store
from pagekin.errors import UnknownPageError, UsageError
from pagekin.url import canonical, host, page_id, variants

NEAREST = 5
MOST_COMPARED = 500  # addresses whose spelling is compared in full: a few milliseconds


@dataclass(frozen=True)
class Found:
    """A page, and a note if it was not found under exactly the address that was asked for."""

    page: int
    note: str | None = None


def find(store: Store, text: str) -> Found | None:
    """The page that a text means, or None if there is none."""
    asked = canonical(text)
    if asked is None:
        return None
    for address in chain((asked,), variants(asked)):  # variants are only worked out if the first is not found
        page = store.number(page_id(address))
        if page is None or store.url(page) != address:
            continue
        end = store.graph.folded.get(page, page)
        if end != page:
            return Found(end, f"{text} leads to {store.url(end)}")
        return Found(page, None if address == asked else f"{text} was found as {address}")
    return None


def known(store: Store, text: str) -> Found:
    """The page that a text means; if there is none, an `UnknownPageError` suggests the nearest addresses."""
    found = find(store, text)
    if found is None:
        raise UnknownPageError([text], nearest(store, text))
    return found


def stop_list(store: Store, file: str) -> list[int]:
    """The pages in a stop list, ascending: a file with one address per line; lines that begin with # are comments."""
    found = (find(store, address) for address in addresses(Path(file), "the stop list"))
    return sorted({each.page for each in found if each is not None})


def addresses(path: Path, what: str = "the visit") -> list[str]:
    """The addresses in a file, one per line; lines that begin with # are comments."""
    try:
        lines = path.read_text("utf-8").splitlines() if path.is_file() else None  # a device would never end
    except (OSError, UnicodeDecodeError):
        lines = None
    if lines is None:
        raise UsageError(f"cannot read {what} '{path}'; expected a UTF-8 file with one address per line")
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def nearest(store: Store, text: str, most: int = NEAREST) -> list[str]:
    """The addresses in the collection most like one that is not: on its host if there are any, else by words in it."""
    asked = canonical(text) or text.encode("utf-8", "replace").decode()
    pool = next((pool for pool in _pools(store, asked) if pool), [])
    pool.sort(key=lambda url: (-_common(url, asked), len(url), url))
    return difflib.get_close_matches(asked, pool[:MOST_COMPARED], most, cutoff=0.3)


def _pools(store: Store, asked: str) -> Iterator[list[str]]:
    """Addresses worth comparing, the best guess first."""
    urls = store.graph.pages["url"]
    name = host(asked) or asked
    words = [
        name.removeprefix("www."),
        max(name.partition(":")[0].split("."), key=len),
        asked.rstrip("/").rpartition("/")[2],
    ]
    for word in filter(None, words):
        yield urls.filter(pc.match_substring(urls, word, ignore_case=True)).to_pylist()
    yield urls.slice(0, MOST_COMPARED).to_pylist()


def _common(a: str, b: str) -> int:
    """The length of the common prefix."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
