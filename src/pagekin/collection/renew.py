"""Renews the age of pages that their server says have not changed (304), by adding their rows again with a later time.

All rows of a fetched page come from the part with its latest capture, and a 304 is one, with the content of the last.
So nothing else needs to know of it: neither the merging of parts nor compaction.
"""

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.page_order import in_page_order
from pagekin.collection.schema import OWNER, PAGES, SCHEMAS, Tables, table
from pagekin.collection.store import Store
from pagekin.kernels.numbers import number_in
from pagekin.model import Confirmed
from pagekin.url import page_id


def renewed(store: Store, confirmed: Iterable[Confirmed]) -> Iterator[Tables]:
    """The rows of these pages with their new times, for each part that holds some of them."""
    by_part: dict[int, dict[int, int]] = {}  # part → page id → Unix seconds
    for each in confirmed:
        if (part := _part(store, each)) is not None:
            by_part.setdefault(part, {})[page_id(each.url)] = each.fetched
    for part, times in by_part.items():
        yield _rows(store, part, times)


def _part(store: Store, confirmed: Confirmed) -> int | None:
    """The part that holds a page, if it holds the very version that was confirmed, and all of it."""
    page = number_in(store.state.ids, page_id(confirmed.url))
    if page is None:
        return None
    held = {name: store.state.pages[name][page].as_py() for name in ("url", "etag", "last_modified", "digest", "part")}
    fetched = store.state.pages["fetched"][page].value
    asked = {"url": confirmed.url, "etag": confirmed.etag, "last_modified": confirmed.last_modified}
    if fetched is None or fetched >= confirmed.fetched * 1000 or held["digest"] is None or held | asked != held:
        return None
    return int(held["part"])


def _rows(store: Store, index: int, times: dict[int, int]) -> Tables:
    part, ids = store.manifest.parts[index], sorted(times)
    made = {name: store.table(part, name, pages=ids) for name in OWNER if name != "pages"}
    pages = store.table(part, "pages")
    own = pages.filter(pc.is_in(pages["id"], pa.array(ids, pa.int64())))
    fetched = pa.array([times[number] * 1000 for number in own["id"].to_pylist()], pa.int64())
    at = PAGES.get_field_index("fetched")
    own = own.set_column(at, PAGES.field("fetched"), fetched.cast(PAGES.field("fetched").type))
    targets = np.setdiff1d(made["links"]["target"].to_numpy(), np.array(ids, np.int64))
    others = pages.filter(pc.is_in(pages["id"], pa.array(targets)))
    bare = table("pages", {name: others[name] for name in ("id", "url", "host", "site")})
    made["pages"] = in_page_order("pages", pa.concat_tables([own, bare]))
    return made | {"aliases": SCHEMAS["aliases"].empty_table()}
