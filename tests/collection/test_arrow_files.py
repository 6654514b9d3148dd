"""Files that are written piece by piece hold what was put in, in batches of their own size."""

import pyarrow as pa
import pytest

from pagekin.collection import arrow_files
from pagekin.collection.arrow_files import Batches, Codes, mapped

ROWS = pa.schema([("number", pa.int32()), ("text", pa.int32())])


def test_texts_get_numbers_in_the_order_in_which_they_come():
    codes = Codes()
    codes.learn(pa.array(["nav", "nav", None]))
    plain = codes.of(pa.chunked_array([["b", "nav", None], ["c", "b"]], pa.string()))
    coded = codes.of(pa.chunked_array([pa.array(["c", "d", None]).dictionary_encode()]))
    assert codes.values.to_pylist() == ["nav", "b", "c", "d"]
    assert plain.to_pylist() == [1, 0, None, 2, 1] and coded.to_pylist() == [2, 3, None]


def test_a_slice_of_a_dictionary_brings_only_its_own_texts():
    codes = Codes()
    whole = pa.array(["a", "b", "c", "d"]).dictionary_encode()
    assert codes.of(pa.chunked_array([whole.slice(2, 1)])).to_pylist() == [0]
    assert codes.values.to_pylist() == ["c"]


@pytest.mark.parametrize("pieces", [[], [0], [3], [1, 1, 1, 1, 1, 1], [9], [2, 7, 1, 4]])
def test_batches_have_the_same_size_whatever_comes(tmp_path, monkeypatch, pieces):
    monkeypatch.setattr(arrow_files, "BATCH_ROWS", 4)
    texts, put = pa.array(["x", "y", "z"], pa.large_string()), []
    with Batches(tmp_path / "t.arrow", ROWS, {"text": texts}) as file:
        for size in pieces:
            rows = [{"number": len(put) + n, "text": None if n == 5 else (len(put) + n) % 3} for n in range(size)]
            file.write(pa.Table.from_pylist(rows, ROWS))
            put += rows
    found = mapped(tmp_path / "t.arrow")
    expected = [
        {"number": each["number"], "text": None if each["text"] is None else "xyz"[each["text"]]} for each in put
    ]
    assert found.to_pylist() == expected
    assert [len(chunk) for chunk in found["number"].chunks] == [4] * (len(put) // 4) + [len(put) % 4] * (
        len(put) % 4 > 0
    )
