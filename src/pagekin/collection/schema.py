"""The schemas of the seven tables of a collection.

`id`, `source`, `target`, `page` are `url.page_id` of a canonical URL. Every address that a part mentions has a row in
that part's `pages`, so a part can be read on its own.
"""

from typing import Any

import pyarrow as pa

FORMAT_VERSION = 2  # 1: no checksums of indexes, and parts without a description of their own

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
    ]
)
TERMS = pa.schema(
    [
        pa.field("page", pa.int64(), nullable=False),
        pa.field("term", pa.string(), nullable=False),
        pa.field("surface", pa.string(), nullable=False),
        pa.field("body", pa.int32(), nullable=False),
        pa.field("title", pa.int32(), nullable=False),
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

SCHEMAS = {
    "pages": PAGES, "text": TEXT, "blocks": BLOCKS, "links": LINKS, "terms": TERMS, "alternates": ALTERNATES,
    "aliases": ALIASES,
}  # fmt: skip
OWNER = {"pages": "id", "text": "page", "blocks": "page", "links": "source", "terms": "page", "alternates": "page"}

Tables = dict[str, pa.Table]


def empty() -> Tables:
    """All tables, without rows."""
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
