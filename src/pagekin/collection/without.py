"""The rows of a part without those of some pages.

All that is a page's own goes: its row, text, terms, blocks, links, vectors, what it says of other addresses. What other
pages say of it, its address and the anchors of their links, stays, unless that is to go too. Addresses that only these
pages linked to go with them.
"""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.schema import OWNER, PAGES, Tables, table
from pagekin.kernels import Longs
from pagekin.url import page_id

ADDRESS = ("id", "url", "host", "site")
# What a row of `pages` says beyond the address. The status alone says only that the address was asked for in vain.
SAID = ("title", "summary", "language", "label", "fetched")


NOBODY = np.empty(0, np.int64)


def without(
    tables: Tables, gone: Longs, and_links: bool = False, asked: Longs = NOBODY, superseded: Longs = NOBODY
) -> Tables | None:
    """The tables without the pages whose ids are `gone`; None if nothing in them is of these pages.

    `and_links`: nor what other pages say of them. `asked`: those of them of which it stays known that a crawl asked for
    them in vain. `superseded`: pages with a later capture in another part, so that what this one says does not count:
    it goes too, since it may name pages that are gone.
    """
    if not np.isin(tables["pages"]["id"].to_numpy(), gone).any():
        return None
    every = np.union1d(gone, superseded)
    made = {
        name: _without(tables[name], owner, gone if name == "vectors" else every)
        for name, owner in OWNER.items()
        if name != "pages"
    }
    aliases = _of(tables["aliases"], gone)
    made["aliases"] = tables["aliases"].filter(pa.array(~aliases))
    lost = np.concatenate(
        [
            _column(tables["links"], "target")[np.isin(_column(tables["links"], "source"), every)],
            _column(tables["aliases"], "page")[aliases],
        ]
    )
    if and_links:
        made["blocks"] = _recounted(made["blocks"], made["links"], gone)
        for name, column in (("links", "target"), ("alternates", "target"), ("aliases", "page")):
            made[name] = _without(made[name], column, gone)
    made["pages"] = _pages(tables["pages"], every, lost, np.concatenate(list(_mentioned(made))), asked)
    same = all(made[name].num_rows == rows.num_rows for name, rows in tables.items())
    return None if same and made["pages"].equals(tables["pages"]) else {name: made[name] for name in tables}


def is_bare(pages: pa.Table) -> npt.NDArray[np.bool_]:
    """Which rows of `pages` say nothing but an address, and perhaps that it was asked for in vain."""
    bare = np.ones(pages.num_rows, bool)
    for name in SAID:
        said = pc.is_valid(pages[name]) if PAGES.field(name).nullable else pc.not_equal(pages[name].cast("string"), "")
        bare &= ~said.to_numpy(zero_copy_only=False).astype(bool)
    return bare


def _pages(pages: pa.Table, every: Longs, lost: Longs, mentioned: Longs, asked: Longs) -> pa.Table:
    """The rows of other pages, without those that nothing leads to any more; and bare ones of pages still mentioned."""
    ids, bare = pages["id"].to_numpy(), is_bare(pages)
    own, held = np.isin(ids, every), np.isin(ids, mentioned)
    in_vain = bare & pages["status"].is_valid().to_numpy(zero_copy_only=False)
    stays = (~own & (held | ~bare | ~np.isin(ids, lost))) | (in_vain & np.isin(ids, asked))
    emptied = pages.filter(pa.array(own & held & ~stays))
    rows = [pages.filter(pa.array(stays)), table("pages", {name: emptied[name] for name in ADDRESS})]
    return pa.concat_tables(rows).sort_by("id").combine_chunks()


def _mentioned(tables: Tables) -> Iterator[Longs]:
    """The ids that need a row in `pages`."""
    yield from (_column(tables[name], owner) for name, owner in OWNER.items() if name != "pages")
    yield _column(tables["links"], "target")
    yield _column(tables["aliases"], "page")
    yield _alias_ids(tables["aliases"])


def _recounted(blocks: pa.Table, links: pa.Table, gone: Longs) -> pa.Table:
    """The blocks of other pages without the links to these; a block that had no others goes."""
    going = links.filter(pa.array(np.isin(_column(links, "target"), gone)))
    fewer = Counter(zip(going["source"].to_pylist(), going["block"].to_pylist(), strict=True))
    if not fewer:
        return blocks
    keys = zip(blocks["page"].to_pylist(), blocks["block"].to_pylist(), strict=True)
    left = blocks["links"].to_numpy() - np.array([fewer[key] for key in keys], np.int32)
    at = blocks.column_names.index("links")
    recounted = blocks.set_column(at, blocks.schema.field("links"), pa.array(left, pa.int32()))
    return recounted.filter(pa.array((left > 0) | (left == blocks["links"].to_numpy())))


def _of(aliases: pa.Table, gone: Longs) -> npt.NDArray[np.bool_]:
    return np.isin(_alias_ids(aliases), gone)


def _alias_ids(aliases: pa.Table) -> Longs:
    return np.array(list(map(page_id, aliases["alias"].to_pylist())), np.int64)


def _without(rows: pa.Table, column: str, gone: Longs) -> pa.Table:
    return rows.filter(pa.array(~np.isin(_column(rows, column), gone)))


def _column(rows: pa.Table, name: str) -> Longs:
    return rows[name].to_numpy()  # type: ignore[no-any-return]
