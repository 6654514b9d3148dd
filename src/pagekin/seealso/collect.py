"""Makes or renews the collection of a folder, `FOLDER.kin` beside it, and reads its pages on the way.

A page whose bytes, without our list, are those that the collection has is not parsed again, whatever its time: a
generator writes every file anew, and so do we. What the folder no longer has, or has at another address, goes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pagekin.acquire.capture import place as spelled_path
from pagekin.acquire.refresh import KIND
from pagekin.answers.add import reading
from pagekin.answers.progress import Tell
from pagekin.collection.ingest import ingest
from pagekin.collection.removal import remove
from pagekin.collection.store import Store
from pagekin.collection.tabulate import digest
from pagekin.collection.writer import writing
from pagekin.model import PARSER, Capture, Item, Redirect, Skipped
from pagekin.seealso.leaves import Leaves

AWAY = "sends its readers elsewhere"


@dataclass(frozen=True)
class Held:
    """What a collection has of a page."""

    digest: str
    parser: int
    fetched: int  # Unix seconds


@dataclass
class Changed:
    """The items of a folder that a collection has not; every page is looked at on the way."""

    leaves: Leaves
    held: dict[str, Held]
    pages: int = 0

    def __iter__(self) -> Iterator[Item]:
        for item in self.leaves.folder:
            match item:
                case Capture():
                    now = digest(item.body)
                    if self.leaves.add(item, now) and (new := self._new(item, now)):
                        self.pages += 1
                        yield new
                case Skipped():
                    self._leave_out(self.leaves.paths.get(item.where), item.where, item.why)
                case Redirect():
                    if item.kind == KIND:
                        self._leave_out(self.leaves.by_address.get(item.alias), item.alias, AWAY)
                    yield item
        yield from self.leaves.aliases()

    def _new(self, page: Capture, now: str) -> Capture | None:
        """The page, if the collection has another version of it or none. What is in the folder is the latest."""
        held = self.held.get(page.url)
        if held is None:
            return page
        if (held.digest, held.parser) == (now, PARSER):
            return None
        return replace(page, fetched=max(page.fetched, held.fetched + 1))

    def _leave_out(self, path: Path | None, where: str, why: str) -> None:
        self.leaves.left_out[self.leaves.inside(path) if path else where] = why


def collect(kin: Path, leaves: Leaves, tell: Tell) -> int:
    """Bring a collection up to date with a folder; returns how many pages were parsed."""
    source = Changed(leaves, _held(Store(kin)) if kin.exists() else {})
    ingest(kin, [source], progress=reading(tell, None))
    if kin.exists():
        _remove_gone(kin, leaves)
    return source.pages


def _held(store: Store) -> dict[str, Held]:
    pages = store.state.pages.select(["url", "digest", "parser", "fetched"])
    rows = zip(*(pages[name].to_pylist() for name in ("url", "digest", "parser")), pages["fetched"], strict=True)
    return {
        url: Held(digest or "", parser or 0, fetched.value // 1000)
        for url, digest, parser, fetched in rows
        if fetched.value is not None
    }


def _remove_gone(kin: Path, leaves: Leaves) -> None:
    """Remove pages that came from the folder, or from its address, and are not in it now."""
    top = spelled_path(leaves.folder.top).rstrip("/") + "/"
    tops = (*leaves.folder.bases.values(),)
    with writing(kin) as writer:
        store = writer.store()
        pages = store.graph.pages
        rows = zip(pages["url"].to_pylist(), pages["origin"].to_pylist(), store.fetched.tolist(), strict=True)
        gone = [
            number
            for number, (url, origin, fetched) in enumerate(rows)
            if fetched and url not in leaves.by_url and (url.startswith(tops) or (origin or "").startswith(top))
        ]
        if gone:
            remove(writer, np.array(gone, np.int32), and_status=False)
            writer.fold()
