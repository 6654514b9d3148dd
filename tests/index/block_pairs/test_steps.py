"""The relational steps are expressions of no engine: each becomes SQL for DuckDB and for Spark.

What they compute is held against the twin of test_index.py, and for the evidence against block_twin.py.
"""

from types import SimpleNamespace

import ibis
import pytest

from pagekin.index.block_pairs.index import BlockPairs
from pagekin.index.block_pairs.steps import (
    aimed,
    both_ways,
    bounded,
    capped,
    filtered,
    first_in_block,
    given,
    holding_by_site,
    in_blocks,
    marked,
    once,
    pairs,
    sharing,
    summed,
    template,
    without_copies,
    worded,
)

WHOLE = dict.fromkeys(("block", "anchor", "words", "random"), "int64")
LINKS = ibis.table({"source": "int32", "position": "int32", "target": "int32", **WHOLE}, "links").drop("random")
PAGES = ibis.table(
    {"page": "int32", "site": "int32", "weight": "float64", "bare": "boolean", "stands": "int32", "at": "int32"}
    | {"random": "int64"},
    "pages",
)
_AS_SPARK = SimpleNamespace(treat_nan_as_null=False)
WORDS = ibis.table({"words": "int64", "word": "int64"}, "words")


@pytest.mark.parametrize("dialect", ["duckdb", "pyspark"])
@pytest.mark.parametrize("scope", ["web", "site"])
def test_every_step_is_sql_for_every_engine(dialect, scope, monkeypatch):
    # What Ibis sets itself when Spark is installed.
    monkeypatch.setattr("ibis.backends.sql.compilers.pyspark.options", SimpleNamespace(pyspark=_AS_SPARK))
    rule = BlockPairs(scope=scope)
    repeated = template(LINKS, PAGES, rule)
    kept = filtered(first_in_block(aimed(in_blocks(LINKS, rule), PAGES)), PAGES, repeated, rule)
    rows = without_copies(marked(kept), rule)
    own = rows.filter(rows.target == 1).view()
    found = once(pairs(rows, sharing(worded(rows, WORDS)), WORDS, rule))
    ways = both_ways(found)
    sums = summed(ways)
    for step in (
        repeated,
        kept,
        rows,
        found,
        ways,
        sums,
        holding_by_site(kept),
        pairs(rows, sharing(worded(rows, WORDS), worded(own, WORDS)), WORDS, rule, own),
        bounded(given(capped(sums, ways, rule)), rule),
    ):
        assert ibis.to_sql(step, dialect=dialect).startswith(("SELECT", "WITH"))
