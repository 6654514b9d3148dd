"""Find the pages that the names in a table mean, all at once.

A name means what it means in a question (`collection.lookup.find`: an address, a likely variant of one, an identifier).
If that finds nothing, a bare name means the page whose path ends with it, `http://planetmath.org/NAME`, if there is
only one: among the fetched pages, or else among all pages.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.lookup import find
from pagekin.collection.store import Store
from pagekin.url import canonical

_LAST = r"^[a-z]+://[^/?]+/(?:[^?]*/)?(?P<name>[^/?]+)/?$"  # the last element of a path


def pages_named(store: Store, names: Iterable[str]) -> dict[str, int]:
    """Name → the page it means; names that mean no page are left out."""
    distinct = dict.fromkeys(names)
    pages = {name: found.page for name in distinct if (found := find(store, name))}
    spelled = {name: _as_element(name) for name in distinct if name not in pages}
    ending = _by_last_element(store, [element for element in spelled.values() if element])
    return pages | {name: ending[element] for name, element in spelled.items() if element in ending}


def _as_element(name: str) -> str | None:
    """A bare name as an element of a canonical path; None if it cannot be one.

    >>> _as_element("Gödel"), _as_element("C#"), _as_element("a/b")
    ('G%C3%B6del', 'C%23', None)
    """
    address = canonical("http://x.example/" + name.replace("#", "%23").replace("?", "%3F"))
    element = (address or "").removeprefix("http://x.example/")
    return element if element and "/" not in element else None


def _by_last_element(store: Store, names: Sequence[str]) -> dict[str, int]:
    """Name → the only page whose path ends with it. One pass over all addresses, in Arrow."""
    if not names:
        return {}
    pages, page_of = store.graph.pages, store.graph.page_of
    last = pc.struct_field(pc.extract_regex(pages["url"], _LAST), "name")
    rows = np.flatnonzero(pc.is_in(last, pa.array(names)).to_numpy())
    found: dict[str, set[int]] = {}
    for row in rows.tolist():
        found.setdefault(last[row].as_py(), set()).add(int(page_of[row]))
    fetched = pc.is_valid(pages["fetched"]).to_numpy()
    best = {name: {page for page in meant if fetched[page]} or meant for name, meant in found.items()}
    return {name: meant.pop() for name, meant in best.items() if len(meant) == 1}
