"""Whether Spark can be run here, and comparing what two engines made."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import numpy as np

from pagekin.collection.arrow_files import mapped
from pagekin.collection.store import Store
from pagekin.engine.session import check_java
from pagekin.errors import PagekinError

# Java compiles less well and sooner: what the tests do once is not worth more.
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"
SINGLE = {"v", "y", "scale", "basis", "mean", "length", "title_length"}  # vectors of float32


def missing() -> str | None:
    """Why Spark cannot run here, if it cannot."""
    try:
        check_java()
    except PagekinError as error:
        return str(error)
    return None


# What is kept for the next build depends on the names of parts, which are random, and on how the work was divided.
KEPT = ("prints.npy", "words.npy")


def differences(one: Path, other: Path, names: Iterable[str]) -> list[str]:
    """The files in which indexes of two collections differ: numbers and texts exactly, scores to 1e-9, vectors to 1e-5.

    The order of two scores closer than that may differ, so lists are compared as scores in order, and pages by score.
    """
    a, b, found = Store(one), Store(other), []
    for name in names:
        mine, theirs = (store.path / store.manifest.indexes[name].path for store in (a, b))
        files = {file.name for file in mine.iterdir()}
        if files != {file.name for file in theirs.iterdir()}:
            found.append(f"{name}: files")
            continue
        texts = sorted(file for file in files if file.endswith(".arrow"))
        found += [f"{name}: {file}" for file in texts if not mapped(mine / file).equals(mapped(theirs / file))]
        scored = np.load(mine / "scores.npy") if "scores.npy" in files else None
        for file in sorted(file for file in files if file.endswith(".npy") and file not in KEPT):
            left, right = np.load(mine / file), np.load(theirs / file)
            if left.shape != right.shape or left.dtype != right.dtype:
                found.append(f"{name}: shape of {file}")
            elif left.dtype.kind == "f":
                near = 1e-5 if left.dtype == np.float32 else 1e-9
                if not np.allclose(left, right, rtol=near, atol=near):
                    found.append(f"{name}: {file}")
            elif file == "related.npy" and scored is not None:
                with suppress(AssertionError):
                    assert np.array_equal(left, right)
                    continue
                found += _moved(name, left, right, scored)
            elif not np.array_equal(left, right):
                found.append(f"{name}: {file}")
    return found


def _moved(name: str, left: np.ndarray, right: np.ndarray, scores: np.ndarray) -> list[str]:
    """Pages at other places, unless the scores there are closer than 1e-9."""
    at = np.flatnonzero(left != right)
    beside = np.minimum(
        np.abs(scores[at] - scores[np.maximum(at - 1, 0)]) + (at == 0),
        np.abs(scores[at] - scores[np.minimum(at + 1, scores.size - 1)]) + (at == scores.size - 1),
    )
    return [f"{name}: {np.count_nonzero(beside > 1e-9)} related pages"] if (beside > 1e-9).any() else []
