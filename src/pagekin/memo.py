"""What was worked out lately and will be asked for again: the evidence of an answer, another α, an opened index.

A `Memo` belongs to one state of a collection (`Store.memo`) or to something made from it, and goes with that. Results
are kept by kind, under a key that names everything they depend on; of each kind only the last few stay.
"""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

T = TypeVar("T")

KEPT = 8  # results of one kind: a question has one seed, or a few


class Memo:
    """The last few results of each kind. Threads that ask at once may work the same thing out twice: no harm.

    >>> memo = Memo()
    >>> memo.get("square", 3, lambda: 9), memo.get("square", 3, lambda: 0), memo.held("square", 4)
    (9, 9, None)
    """

    def __init__(self) -> None:
        self._kinds: dict[str, dict[Hashable, Any]] = {}
        self._lock = Lock()

    def get(self, kind: str, key: Hashable, work: Callable[[], T], most: int = KEPT) -> T:
        """The result under a key, worked out where it is not at hand; `most` of this kind stay."""
        with self._lock:
            held = self._kinds.setdefault(kind, {})
            if key in held:
                held[key] = held.pop(key)  # the last used stays longest
                return held[key]  # type: ignore[no-any-return]
        found = work()
        with self._lock:
            held[key] = found
            for oldest in list(held)[:-most]:
                del held[oldest]
        return found

    def held(self, kind: str, key: Hashable) -> Any | None:
        """The result under a key, if it is at hand."""
        with self._lock:
            return self._kinds.get(kind, {}).get(key)
