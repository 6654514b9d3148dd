"""The tables of `Rows`: columns as the model says, and positions as a dictionary would count them."""

from collections import Counter

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from pagekin.acquire.tables import Positions, links_of, terms_of
from pagekin.model import Term


@given(st.lists(st.lists(st.sampled_from("abcdé"))))
def test_positions_are_what_a_dictionary_counts(parts: list[list[str]]) -> None:
    positions, seen = Positions(), Counter[str]()
    for part in parts:
        expected = []
        for source in part:
            expected.append(seen[source])
            seen[source] += 1
        assert positions.next(pa.array(part, pa.string()).dictionary_encode()).tolist() == expected


def test_links() -> None:
    links = links_of([("a", "b"), ("c", "b"), ("a", "b")])
    assert links.schema.names == ["source", "target", "position"]
    assert links.schema.types == [pa.string(), pa.string(), pa.int32()]
    assert [tuple(link.values()) for link in links.to_pylist()] == [("a", "b", 0), ("c", "b", 0), ("a", "b", 1)]


def test_terms() -> None:
    terms = terms_of([("a", Term("bee", "Bees", body=2)), ("a", Term("hive", "hive", title=1))])
    assert terms.schema.types == [pa.string()] * 3 + [pa.int32()] * 2
    assert [tuple(term.values()) for term in terms.to_pylist()] == [
        ("a", "bee", "Bees", 2, 0),
        ("a", "hive", "hive", 0, 1),
    ]


def test_no_rows_have_the_same_columns() -> None:
    assert links_of([]).schema == links_of([("a", "b")]).schema
    assert terms_of([]).schema == terms_of([("a", Term("b", "b"))]).schema
