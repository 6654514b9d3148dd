"""A small cache for recent results that are likely to be needed again: for evidence, for another α, an opened index.

A `Memo` belongs to one state of a collection (`Store.memo`) or to something made from it, and is discarded with it.
Results are kept by kind, under a key with everything they depend on; only the last few of each kind are kept.
"""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

T = TypeVar("T")

KEPT = 8  # results of one kind: a question has one seed or a few


class Memo:
    """The last few results of each kind. Threads that ask at once may compute the same result twice; that does no harm.

    >>> memo = Memo()
    >>> memo.get("square", 3, lambda: 9), memo.get("square", 3, lambda: 0), memo.held("square", 4)
    (9, 9, None)
    """

    def __init__(self) -> None:
        self._kinds: dict[str, dict[Hashable, Any]] = {}
        self._lock = Lock()

    def get(self, kind: str, key: Hashable, work: Callable[[], T], most: int = KEPT) -> T:
        """The result under a key, computed by `work` if it is not held; the last `most` of this kind are kept."""
        with self._lock:
            held = self._kinds.setdefault(kind, {})
            if key in held:
                held[key] = held.pop(key)  # move it to the end: the oldest are dropped first
                return held[key]  # type: ignore[no-any-return]
        found = work()
        with self._lock:
            held[key] = found
            for oldest in list(held)[:-most]:
                del held[oldest]
        return found

    def held(self, kind: str, key: Hashable) -> Any | None:
        """The result under a key if it is held, else None."""
        with self._lock:
            return self._kinds.get(kind, {}).get(key)
