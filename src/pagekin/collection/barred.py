"""The addresses that were removed for good: a small file of keyed hashes, listed and verified as an index is.

Nothing else says which addresses these are. So the list does not become stale, and a damaged one is lost.
"""

import json
import secrets
from collections.abc import Iterable
from pathlib import Path

from pagekin.collection.manifest import BARRED
from pagekin.collection.store import Store
from pagekin.collection.writer import Writer
from pagekin.model import Barred
from pagekin.url import canonical, variants

FILE = "hashes.json"
KEY_BYTES = 32


def barred(store: Store) -> Barred:
    """The addresses that are not taken again."""
    held = store.manifest.indexes.get(BARRED)
    return store.memo.get("barred", None, lambda: store.opened(held, _read)) if held else Barred()


def barred_at(path: Path) -> Barred:
    """The same for a collection that need not exist yet."""
    return barred(Store(path)) if path.exists() else Barred()


def _read(folder: Path) -> Barred:
    found = json.loads((folder / FILE).read_text())
    return Barred(bytes.fromhex(found["key"]), frozenset(map(str, found["hashes"])))


def with_more(writer: Writer, urls: Iterable[str]) -> Barred:
    """The list of a collection with some addresses more."""
    held = barred(writer.store()) or Barred(secrets.token_bytes(KEY_BYTES))
    return Barred(held.key, held.hashes | set(map(held.hash, urls)))


def write(folder: Path, found: Barred) -> None:
    """Write the list to a new folder."""
    (folder / FILE).write_text(json.dumps({"key": found.key.hex(), "hashes": sorted(found.hashes)}))


def forget(writer: Writer) -> None:
    """Drop a list that is damaged."""
    indexes = dict(writer.manifest.indexes)
    former = indexes.pop(BARRED)
    writer.commit(indexes=indexes)
    writer.remove(former.path)


def take_again(writer: Writer, urls: Iterable[str]) -> None:
    """Take addresses off the list, spelled as they are on it."""
    held = barred(writer.store())
    left = Barred(held.key, held.hashes - set(map(held.hash, urls)))
    if not left:
        forget(writer)
    else:
        former = writer.manifest.indexes[BARRED]
        made = writer.new_index(BARRED, lambda folder: write(folder, left))
        writer.commit(indexes=writer.manifest.indexes | {BARRED: made})
        writer.remove(former.path)


def listed(held: Barred, text: str) -> str | None:
    """The spelling under which an address is on the list; None if it is not."""
    url = canonical(text)
    return next((each for each in (url, *variants(url)) if each in held), None) if url else None
