"""Expressions in the SQL of Spark; what they give is compared with DuckDB in test_spark.py, by whole indexes."""

import ibis
import pytest

from pagekin.engine.spark_sql import _PATTERN, sql


def test_an_expression_becomes_sql_of_spark_without_a_connection():
    rows = ibis.table({"a": "int32", "s": "float64", "d": "decimal(18, 17)"}, "rows")
    sums = rows.group_by("a").agg(s=rows.s.max(), d=rows.d.sum())
    place = ibis.row_number().over(group_by=sums.a, order_by=sums.s.desc())
    made = sql(sums.mutate(place=place, half=ibis.literal(0.5)))
    assert "`rows`" in made
    assert "ROW_NUMBER() OVER (PARTITION BY" in made


@pytest.mark.parametrize(("path", "escaped"), [("/a b/c=1", "/a b/c=1"), ("/w [1]/{x}*?", r"/w \[1\]/\{x\}\*\?")])
def test_a_path_is_never_a_pattern(path, escaped):
    assert _PATTERN.sub(r"\\\1", path) == escaped
