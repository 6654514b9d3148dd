"""Strings of single rows are what Arrow says, for every kind of column that a collection has."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagekin.collection.strings import reader

TEXTS = st.lists(st.none() | st.text(max_size=5), max_size=20)
TYPES = [
    pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string()), pa.dictionary(pa.int8(), pa.large_string()),
]  # fmt: skip


def whole(column):
    return [value or "" for value in column.to_pylist()]


def read(column):
    found = reader(column)
    return [found(row) for row in range(len(column))]


@pytest.mark.parametrize("kind", TYPES, ids=str)
@given(chunks=st.lists(TEXTS, max_size=4))
def test_as_arrow_says(kind, chunks):
    column = pa.chunked_array([pa.array(chunk, kind) for chunk in chunks], kind)
    assert read(column) == whole(column)


@pytest.mark.parametrize("kind", TYPES, ids=str)
@given(texts=TEXTS, first=st.integers(0, 20), size=st.integers(0, 20))
def test_a_slice_begins_where_it_says(kind, texts, first, size):
    column = pa.chunked_array([pa.array(texts, kind)], kind).slice(first, size)
    assert read(column) == whole(column)


def test_of_a_file(tmp_path):
    """Several batches, mapped, as the graph's strings are."""
    texts = [f"http://a.example/{n}?ü" * (n % 7) for n in range(100)]
    table = pa.table({"url": texts, "host": pa.array([text[:12] for text in texts]).dictionary_encode()})
    with pa.ipc.new_file(tmp_path / "a.arrow", table.schema) as file:
        file.write_table(table, max_chunksize=30)
    mapped = pa.ipc.open_file(pa.memory_map(str(tmp_path / "a.arrow"))).read_all()
    assert mapped["url"].num_chunks == 4
    assert read(mapped["url"]) == texts
    assert read(mapped["host"]) == [text[:12] for text in texts]


def test_numbers_are_no_texts():
    with pytest.raises(TypeError, match="int64 has no texts"):
        reader(pa.chunked_array([[1, 2]]))
