"""`mirrors`: groups of pages that are copies of each other, the first in page order first."""

from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

import numpy as np

from pagekin.answer import Answer, Row
from pagekin.collection.store import Store
from pagekin.index.mirrors.by_text import LEAST_BYTES
from pagekin.index.mirrors.kin import is_complete, known, relatives
from pagekin.wording import command


@dataclass(frozen=True)
class Copies(Row):
    """A group of pages that have the same text."""

    urls: tuple[str, ...]
    citers: float | None  # the share of the pages linking to one of them that link to all; None if nobody does


@dataclass(frozen=True, repr=False)
class Mirrors(Answer[Copies]):
    """Groups of copies."""

    shown: ClassVar[tuple[str, ...]] = ("urls", "citers")


def mirrors(store: Store) -> Mirrors:
    """Pages that are copies of each other, as every method folds them."""
    kin = relatives(store)
    rows = []
    for ids in kin.kin.classes() if kin else ():
        numbers = [store.number(each) for each in ids.tolist()]
        pages = [page for page in numbers if page is not None]
        if kin and len(pages) > 1 and kin.mirrors(pages[0]):
            rows.append(Copies(tuple(map(store.url, pages)), _common_citers(store, pages)))
    return Mirrors(note=_note(store, bool(rows)), results=tuple(rows))


def _common_citers(store: Store, pages: list[int]) -> float | None:
    """Further evidence, by which nothing is decided: copies that are linked from the same pages."""
    citers = [store.arrays.citers(page) for page in pages]
    every = reduce(np.union1d, citers).size
    return reduce(np.intersect1d, citers).size / every if every else None


def _note(store: Store, found: bool) -> str | None:
    said = []
    if not store.fetched.any():
        said.append("no page was fetched; without their text, copies cannot be recognised")
    elif not sum(part.rows["text"] for part in store.manifest.parts):
        again = command("add", store.path, "PATH")
        said.append(f"no page has its text, so copies cannot be recognised; to keep it, add the pages with it: {again}")
    elif not found:
        said.append(f"no two fetched pages have the same text of {LEAST_BYTES} bytes or more")
    if not is_complete(store):
        said.append(f"found are {known(store)}")
    return "; ".join(said) or None
