"""What was worked out for a page lately: `why` is asked, result by result, about the page that was just answered."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from pagekin.collection.store import Store

T = TypeVar("T")

KEPT = 8  # of each collection: a question has one seed, or a few


class Recent(Generic[T]):
    """The last few results for each open collection; they go with it. Threads may work the same thing out twice."""

    def __init__(self) -> None:
        self._of: WeakKeyDictionary[Store, dict[Hashable, T]] = WeakKeyDictionary()
        self._lock = Lock()

    def get(self, store: Store, key: Hashable, work: Callable[[], T]) -> T:
        """The result under `key`, worked out where it is not at hand."""
        with self._lock:
            held = self._of.setdefault(store, {})
            found = held.get(key)
        if found is None:
            found = work()
            with self._lock:
                held[key] = found
                for oldest in list(held)[:-KEPT]:
                    del held[oldest]
        return found
