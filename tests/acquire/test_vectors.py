"""Files of vectors: every way in which a program may write them, and what is refused."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pagekin.acquire import vectors
from pagekin.acquire.vectors import VectorFile, table_of
from pagekin.errors import SourceError
from tests.vector_files import vector_file

ROWS = [("http://a.example/", [1, 2, 3]), ("http://b.example/", [4, 5, 6])]


def read(path):
    """All addresses and lengths, and the numbers, which are three for each."""
    source = VectorFile(path)
    found = [(url, int(size)) for urls, sizes in source.addresses() for url, size in zip(urls, sizes, strict=True)]
    return found, np.concatenate([table_of(each, 3) for each in source.numbers()])


@pytest.mark.parametrize("number", [pa.float16(), pa.float32(), pa.float64(), pa.int8(), pa.int64(), pa.uint32()])
@pytest.mark.parametrize("kind", [pa.list_, pa.large_list, lambda number: pa.list_(number, 3)])
def test_numbers_and_lists_of_every_kind(tmp_path, number, kind):
    numbers = [np.float16(value) for value in (1, 2, 3)] if number == pa.float16() else [1, 2, 3]
    found, table = read(vector_file(tmp_path / "v.parquet", [("http://a.example/", numbers)], kind(number)))
    assert found == [("http://a.example/", 3)]
    assert table.tolist() == [[1, 2, 3]]
    assert table.dtype == np.float32


def test_addresses_of_every_kind_and_other_columns(tmp_path):
    urls = pa.array([url for url, _ in ROWS])
    for kind in (pa.large_string(), pa.dictionary(pa.int32(), pa.string())):
        columns = {"vector": [vector for _, vector in ROWS], "more": [1, 2], "url": urls.cast(kind)}
        pq.write_table(pa.table(columns), tmp_path / "v.parquet")
        assert read(tmp_path / "v.parquet")[0] == [(url, 3) for url, _ in ROWS]


def test_rows_without_address_or_vector_are_there(tmp_path):
    path = vector_file(tmp_path / "v.parquet", [(None, [1.0]), ("http://a.example/", None), ("http://b.example/", [])])
    ((urls, sizes),) = VectorFile(path).addresses()
    assert urls == [None, "http://a.example/", "http://b.example/"]
    assert sizes.tolist() == [1, 0, 0]
    fixed = vector_file(tmp_path / "f.parquet", [("http://a.example/", None), *ROWS], pa.list_(pa.float32(), 3))
    assert [size for _, sizes in VectorFile(fixed).addresses() for size in sizes.tolist()] == [0, 3, 3]


def test_what_is_missing_or_too_large_is_not_finite():
    assert np.isnan(table_of(pa.array([[1.0, None]]), 2)[0, 1])
    assert np.isinf(table_of(pa.array([[1e300, 1.0]]), 2)[0, 0])


def test_it_is_read_in_small_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(vectors, "MOST_NUMBERS", 6)
    rows = [(f"http://{i}.example/", [i, i, i]) for i in range(7)]
    source = VectorFile(vector_file(tmp_path / "v.parquet", rows))
    assert [len(urls) for urls, _ in source.addresses()] == [2, 2, 2, 1]
    assert [len(each) for each in source.numbers()] == [2, 2, 2, 1]


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ({"page": ["a"], "vector": [[1.0]]}, "found page (string), vector (list"),
        ({"url": ["a"], "vector": ["1 2"]}, "vector (string)"),
        ({"url": [1], "vector": [[1.0]]}, "url (int64)"),
        ({"url": ["a"], "vector": [["x"]]}, "vector (list<"),
        ({"url": ["a"]}, "found url (string)"),
    ],
)
def test_other_columns_are_refused_with_what_was_found(tmp_path, columns, found):
    pq.write_table(pa.table(columns), tmp_path / "v.parquet")
    with pytest.raises(SourceError) as error:
        read(tmp_path / "v.parquet")
    assert vectors.EXPECTED in str(error.value)
    assert found in str(error.value)


def test_files_that_are_none_are_refused(tmp_path):
    (tmp_path / "text.parquet").write_text("url,vector\na,1\n")
    whole = vector_file(tmp_path / "v.parquet", [(f"http://{i}.example/", [i] * 50) for i in range(500)]).read_bytes()
    (tmp_path / "short.parquet").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "torn.parquet").write_bytes(whole[:500] + b"\xff" * 400 + whole[900:])
    for name in ("text", "short", "torn", "none"):
        with pytest.raises(SourceError, match=rf"{name}\.parquet"):
            read_all(tmp_path / f"{name}.parquet")


def read_all(path):
    source = VectorFile(path)
    return [*source.addresses(), *source.numbers()]


def test_vectors_of_absurd_length_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(vectors, "LONGEST", 2)
    with pytest.raises(SourceError, match="more than 2 numbers"):
        read_all(vector_file(tmp_path / "v.parquet", ROWS))
