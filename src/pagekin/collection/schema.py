"""The schemas of the tables of a collection.

`id`, `source`, `target`, `page` are `url.page_id` of a canonical URL. Every address that a part mentions has a row in
that part's `pages`, so a part can be read on its own.
"""

from typing import Any

import pyarrow as pa

from pagekin.model import ALONE

# 1: no checksums of indexes, and parts without a description of their own; 2: nothing to tell roles of links by; 3: no
# vectors of one's own, no tuned weights; 4: the role of a link is a column of links.arrow, not a file of its own
FORMAT_VERSION = 5

PAGES = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False),
        pa.field("url", pa.string(), nullable=False),
        pa.field("host", pa.string(), nullable=False),
        pa.field("site", pa.string(), nullable=False),
        pa.field("title", pa.string(), nullable=False),
        pa.field("summary", pa.string(), nullable=False),
        pa.field("language", pa.string(), nullable=False),
        pa.field("status", pa.int16()),
        pa.field("content_type", pa.string()),
        pa.field("fetched", pa.timestamp("ms", "UTC")),  # null: known, never fetched
        pa.field("digest", pa.string()),
        pa.field("etag", pa.string()),
        pa.field("last_modified", pa.string()),
        pa.field("origin", pa.string()),
        pa.field("label", pa.string()),
        pa.field("parser", pa.int16()),  # `model.PARSER` of whoever read it; null: never fetched, or before format 3
    ]
)
TEXT = pa.schema([pa.field("page", pa.int64(), nullable=False), pa.field("text", pa.string(), nullable=False)])
BLOCKS = pa.schema(
    [
        pa.field("page", pa.int64(), nullable=False),
        pa.field("block", pa.int32(), nullable=False),
        pa.field("label", pa.string(), nullable=False),
        pa.field("links", pa.int32(), nullable=False),
    ]
)
LINKS = pa.schema(
    [
        pa.field("source", pa.int64(), nullable=False),
        pa.field("target", pa.int64(), nullable=False),
        pa.field("block", pa.int32(), nullable=False),
        pa.field("position", pa.int32(), nullable=False),
        pa.field("anchor", pa.string(), nullable=False),
        pa.field("rel", pa.string(), nullable=False),
        pa.field("region", pa.string(), nullable=False),  # "": not known
        pa.field("stretch", pa.int32(), nullable=False),
    ]
)
TERMS = pa.schema(
    [
        pa.field("page", pa.int64(), nullable=False),
        pa.field("term", pa.string(), nullable=False),
        pa.field("surface", pa.string(), nullable=False),
        pa.field("body", pa.int32(), nullable=False),
        pa.field("title", pa.int32(), nullable=False),
        pa.field("headings", pa.int32(), nullable=False),
    ]
)
STRETCHES = pa.schema(
    [
        pa.field("page", pa.int64(), nullable=False),
        pa.field("print", pa.int32(), nullable=False),
        pa.field("heading", pa.bool_(), nullable=False),
    ]
)
ALIASES = pa.schema(
    [
        pa.field("alias", pa.string(), nullable=False),
        pa.field("page", pa.int64(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
    ]
)
# What pages say with `hreflang`. A target needs no row in `pages`: it counts only if it was fetched.
ALTERNATES = pa.schema(
    [
        pa.field("page", pa.int64(), nullable=False),
        pa.field("language", pa.string(), nullable=False),
        pa.field("target", pa.int64(), nullable=False),
    ]
)
# Vectors that users bring (`vectors`). A page may have several; those of another part than its text count too.
VECTORS = pa.schema(
    [
        pa.field("page", pa.int64(), nullable=False),
        pa.field("added", pa.timestamp("ms", "UTC"), nullable=False),
        pa.field("length", pa.int32(), nullable=False),
        pa.field("print", pa.int64(), nullable=False),  # a fingerprint of the vector
        pa.field("vector", pa.binary(), nullable=False),  # `length` numbers: float32, little-endian
    ]
)

SCHEMAS = {
    "pages": PAGES,
    "text": TEXT,
    "blocks": BLOCKS,
    "links": LINKS,
    "terms": TERMS,
    "compounds": TERMS,
    "stretches": STRETCHES,
    "alternates": ALTERNATES,
    "vectors": VECTORS,
    "aliases": ALIASES,
}
# Columns whose values hardly repeat: a dictionary of them is written, and read again, in vain.
DIFFERENT = frozenset(
    ("id", "url", "digest", "etag", "last_modified", "origin", "page", "text", "source", "target", "print", "vector")
)
OWNER = {name: "page" for name in SCHEMAS if name != "aliases"} | {"pages": "id", "links": "source"}
# Tables and columns that have come after format 2, and what the columns hold in parts that were written before.
ADDED_TABLES = frozenset(("compounds", "stretches", "alternates", "vectors"))
_ADDED = {"parser": None, "region": "", "stretch": ALONE, "headings": 0}

Tables = dict[str, pa.Table]


def empty() -> Tables:
    """The tables, without rows."""
    return {name: schema.empty_table() for name, schema in SCHEMAS.items()}


def table(name: str, columns: dict[str, Any]) -> pa.Table:
    """Make a table of the schema from columns; a missing column becomes null, or empty if null is not allowed.

    >>> table("text", {"page": [1]}).to_pylist()
    [{'page': 1, 'text': ''}]
    """
    schema = SCHEMAS[name]
    rows = len(next(iter(columns.values()))) if columns else 0
    arrays = []
    for field in schema:
        values = columns.get(field.name)
        if values is None:
            blank = None if field.nullable else ("" if pa.types.is_string(field.type) else 0)
            values = pa.repeat(pa.scalar(blank, field.type), rows)
        if isinstance(values, pa.ChunkedArray):
            values = values.combine_chunks()
        if isinstance(values, pa.Array) and values.null_count and not field.nullable:
            values = values.fill_null("" if pa.types.is_string(field.type) else 0)
        arrays.append(values.cast(field.type) if isinstance(values, pa.Array) else pa.array(values, field.type))
    return pa.Table.from_arrays(arrays, schema=schema)


def upgraded(name: str, rows: pa.Table) -> pa.Table:
    """Rows of a table as an earlier version wrote them, with the columns that have come since.

    >>> before = pa.table({"page": [1], "term": ["bee"], "surface": ["bees"], "body": [2], "title": [0]})
    >>> upgraded("terms", before)["headings"].to_pylist()
    [0]
    """
    for field in SCHEMAS[name]:
        if field.name in _ADDED and field.name not in rows.column_names:
            value = pa.scalar(_ADDED[field.name], field.type)
            rows = rows.append_column(field, pa.repeat(value, rows.num_rows))
    return rows


def is_known(name: str, schema: pa.Schema) -> bool:
    """Whether a file has the columns of a table, as this version or an earlier one writes them."""
    own = SCHEMAS[name]
    return bool(schema.equals(own) or schema.equals(pa.schema([each for each in own if each.name not in _ADDED])))
