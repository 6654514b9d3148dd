"""`build`: fold new parts into the graph, compact small ones, and make the indexes that methods need."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from pagekin.collection.compact import compact
from pagekin.collection.store import GRAPH, Store, writing
from pagekin.errors import unknown
from pagekin.methods import method

INDEXES = (GRAPH,)


def build(path: Path, indexes: Sequence[str] = (), methods: Sequence[str] = ()) -> Iterator[str]:
    """Make what was asked for, or everything; yields a sentence for each thing done."""
    for name in indexes:
        if name not in INDEXES:
            raise unknown("index", name, INDEXES)
    asked = [method(written) for written in methods]
    Store(path)  # a collection that is not there is an error, not a new collection
    with writing(path) as writer:
        gone = compact(writer)
        if gone:
            yield f"compacted {gone + len(writer.manifest.parts)} parts to {len(writer.manifest.parts)}"
        writer.fold()
        yield f"graph: {writer.store().arrays.size:,} pages, {writer.store().arrays.links:,} links"
        for each in asked:
            if each.index is None:
                yield f"{each!r} needs only the graph"
