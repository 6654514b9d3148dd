"""What `add` and `crawl` say about pages whose words could not be cut: the segmenter of their language is an extra."""

from pathlib import Path

import pyarrow.compute as pc

from pagekin.collection.store import Store
from pagekin.parse.segmenters import PAIRS, segmenters

NAMES = {"ja": "Japanese", "zh": "Chinese"}


def uncut(path: Path) -> tuple[str, ...]:
    """A sentence for each language of the pages that is cut into pairs of characters, for want of an extra."""
    store = Store(path)
    missing = sorted(language for language, name in store.manifest.segmenters.items() if name == PAIRS)
    if not missing:
        return ()
    counts = pc.value_counts(store.graph.pages["language"]).to_pylist()
    said = []
    for language in missing:
        pages = sum(each["counts"] for each in counts if (each["values"] or "").partition("-")[0] == language)
        if pages:
            said.append(_sentence(language, pages))
    return tuple(said)


def _sentence(language: str, pages: int) -> str:
    which = f"{pages:,} pages in {NAMES[language]} are" if pages > 1 else f"1 page in {NAMES[language]} is"
    now = segmenters()[language] != PAIRS  # it came after the collection, which keeps to what it began with
    install = "" if now else f"run: pip install 'pagekin[{language}]', and "
    return f"{which} cut into pairs of characters; to have words instead, {install}make the collection anew"
