"""What a person may be typing, from its beginning: words, titles and addresses of the collection."""

from typing import NamedTuple

import pyarrow as pa

from pagekin.collection.store import Store
from pagekin.index.base import opened
from pagekin.index.completions import KINDS, Completions, CompletionsHeld, Kind


class Completion(NamedTuple):
    """One way to go on."""

    text: str
    kind: Kind
    score: float
    url: str | None  # of the page; none for a word


def completions(store: Store, prefix: str, k: int) -> list[Completion]:
    """The best completions, best first. A page is there once: by its title, if that has the prefix."""
    held: CompletionsHeld = opened(store, Completions())
    found = held.starting(prefix, 2 * k)  # a page may be found by its title and by its address
    rows = held.shown.take(pa.array([entry for entry, _ in found], pa.int64())).to_pylist()
    titles = {row["page"]: row["text"] for row in rows if KINDS[row["kind"]] == "title"}
    best: dict[tuple[str, int | None], Completion] = {}
    for (_, score), row in zip(found, rows, strict=True):
        text, kind, page = row["text"], KINDS[row["kind"]], row["page"]
        number = None if page is None else store.number(page)
        if page is not None and number is None:  # removed since
            continue
        if page in titles:
            text, kind = titles[page], "title"
        url = None if number is None else store.url(number)
        best.setdefault((text if page is None else "", page), Completion(text, kind, score, url))
    return list(best.values())[:k]
