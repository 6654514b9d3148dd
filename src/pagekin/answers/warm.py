"""Compile every kernel in advance, so that no question has to wait for it: `python -m pagekin.answers.warm`."""

import tempfile
from pathlib import Path

from pagekin import demo
from pagekin.answers.collection import Collection
from pagekin.methods import REGISTRY


def warm() -> None:
    """Ask every method and the search one question about the demo web; numba caches the compiled kernels on disk."""
    with tempfile.TemporaryDirectory() as folder:
        demo.write(Path(folder) / "web")
        collection = Collection(Path(folder) / "demo.kin")
        collection.add(Path(folder) / "web")
        collection.build(all=True)
        for name in REGISTRY:
            collection.related(min(demo.truth().core), method=name, why=True)
        collection.related(min(demo.truth().core), method="assisted(alpha=0.25)")
        collection.bridges()
        collection.search("bees", by="tf-idf")
        collection.search("beees")
        collection.export("related", Path(folder) / "related.jsonl")


if __name__ == "__main__":
    warm()
