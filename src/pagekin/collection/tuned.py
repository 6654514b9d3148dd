"""The weights of `fused` that `tune` fitted to a user's judgements: a small file, listed and verified as an index is.

Nothing but those judgements can make it again. So it does not become stale when pages are added, and a damaged one is
lost.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from pagekin.collection.manifest import TUNED
from pagekin.collection.store import Store
from pagekin.collection.writer import Writer

FILE = "weights.json"


def weights(store: Store) -> dict[str, float]:
    """Part → weight; empty if nothing is tuned."""
    held = store.manifest.indexes.get(TUNED)
    return store.memo.get("tuned", None, lambda: store.opened(held, _read)) if held else {}


def _read(folder: Path) -> dict[str, float]:
    return {str(part): float(weight) for part, weight in json.loads((folder / FILE).read_text()).items()}


def keep(writer: Writer, found: Mapping[str, float]) -> None:
    """Keep weights in the place of former ones, which go at once, or a lost manifest would bring them back."""
    former = writer.manifest.indexes.get(TUNED)
    writer.derive(TUNED, lambda folder: _write(folder, found))
    if former:
        writer.remove(former.path)


def _write(folder: Path, found: Mapping[str, float]) -> None:
    (folder / FILE).write_text(json.dumps(dict(found)))


def forget(writer: Writer) -> bool:
    """Remove the weights; returns whether there were any."""
    indexes = dict(writer.manifest.indexes)
    former = indexes.pop(TUNED, None)
    if former is None:
        return False
    writer.commit(indexes=indexes)
    writer.remove(former.path)
    return True
