"""Mends the rows of a part: what is malformed or inconsistent is corrected, or dropped and counted (paper 5, 3.1)."""

from collections import Counter

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.page_order import in_page_order
from pagekin.collection.schema import OWNER, Tables, table
from pagekin.collection.vectors import is_sound
from pagekin.model import ALONE
from pagekin.url import canonical, host, page_id, site


def mend(tables: Tables, icann_only: bool = False) -> tuple[Tables, Counter[str]]:
    """The tables without inconsistent rows, and counts of what was found, by kind."""
    found: Counter[str] = Counter()
    pages, renamed = _mended_pages(tables["pages"], icann_only, found)
    known = pages["id"].to_numpy()
    made = {"pages": pages}
    for name, owner in OWNER.items():
        if name != "pages":
            rows = tables[name]
            for column in (owner, "target") if "target" in rows.column_names else (owner,):
                rows = _renamed(rows, column, renamed)
            made[name] = in_page_order(name, _sound(name, rows, known, found))
    aliases = _renamed(tables["aliases"], "page", renamed)
    made["aliases"] = aliases.filter(pa.array(np.isin(aliases["page"].to_numpy(), known)))
    found["aliases of unknown pages dropped"] += aliases.num_rows - made["aliases"].num_rows
    return made, +found


def _mended_pages(pages: pa.Table, icann_only: bool, found: Counter[str]) -> tuple[pa.Table, dict[int, int]]:
    """The pages with canonical addresses, and with ids, hosts and sites that match them; and old id → new id."""
    rows: dict[int, dict[str, object]] = {}
    renamed: dict[int, int] = {}
    for row in pages.to_pylist():
        url = canonical(row["url"])
        if url is None:
            found["pages without a valid address dropped"] += 1
            continue
        number = page_id(url)
        if url != row["url"]:
            found["addresses put into canonical form"] += 1
        elif number != row["id"]:
            found["ids that did not match their address corrected"] += 1
        where = host(url)
        if (row["host"], row["site"]) != (where, site(where, icann_only)) and url == row["url"]:
            found["hosts and sites that did not match their address corrected"] += 1
        if number != row["id"]:
            renamed[row["id"]] = number
        row |= {"id": number, "url": url, "host": where, "site": site(where, icann_only)}
        if number in rows:
            found["duplicate pages merged"] += 1
            if row["fetched"] is None:
                continue
        rows[number] = row
    ordered = [rows[number] for number in sorted(rows)]
    return table("pages", {name: [row[name] for row in ordered] for name in pages.column_names}), renamed


def _renamed(rows: pa.Table, column: str, renamed: dict[int, int]) -> pa.Table:
    if not renamed or not rows.num_rows:
        return rows
    values = [renamed.get(value, value) for value in rows[column].to_pylist()]
    at = rows.column_names.index(column)
    return rows.set_column(at, rows.schema.field(column), pa.array(values, pa.int64()))


def _sound(name: str, rows: pa.Table, known: npt.NDArray[np.int64], found: Counter[str]) -> pa.Table:
    """Only the rows whose pages exist and whose numbers are possible."""
    keep = np.isin(rows[OWNER[name]].to_numpy(), known)
    if name == "links":
        keep &= np.isin(rows["target"].to_numpy(), known)
    found[f"{name} of unknown pages dropped"] += int((~keep).sum())
    for column in ("block", "position", "body", "title", "headings", "links"):
        if column in rows.column_names and pa.types.is_integer(rows.schema.field(column).type):
            least = ALONE if (name, column) == ("links", "block") else 0
            negative = pc.less(rows[column], least).to_numpy(zero_copy_only=False)
            found[f"{name} with a negative {column} dropped"] += int((negative & keep).sum())
            keep &= ~negative
    if name == "vectors":
        sound = is_sound(rows)
        found["vectors of the wrong length, of zeros, or not finite dropped"] += int((keep & ~sound).sum())
        keep &= sound
    return rows.filter(pa.array(keep)) if not keep.all() else rows
