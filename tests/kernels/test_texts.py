"""Numbers of texts are those of a dict that numbers texts as they come, however the table is filled."""

import random

import pyarrow as pa
import pytest

from pagekin.collection.arrow_files import Codes
from pagekin.kernels import texts as kernel

TEXTS = ["", "a", "ä", "aa", "a\0", "\0", "aa\0b", "日本", "www.h1.example", "www.h2.example", *map(str, range(3000))]


def twin(batches):
    known = {}
    return [[None if text is None else known.setdefault(text, len(known)) for text in batch] for batch in batches]


@pytest.mark.parametrize("meeting", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_texts_get_the_numbers_of_a_dict(seed, meeting, monkeypatch):
    """`meeting`: all texts meet in one slot, as those of an attacker who knew the seed would."""
    dice = random.Random(seed)
    few = TEXTS[: 200 if meeting else len(TEXTS)]
    batches = [dice.choices([*few, None], k=dice.choice([0, 1, 7, 400])) for _ in range(30)]
    codes = Codes(slots=2)
    if meeting:
        for name in ("numbered", "placed", "_is"):
            monkeypatch.setattr(kernel, name, getattr(kernel, name).py_func)
        monkeypatch.setattr(kernel, "_hash", lambda *_: 1)
    kinds = [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())]
    chunks = [pa.array(batch, pa.string()).cast(dice.choice(kinds)) for batch in batches]
    found = [codes.of(pa.chunked_array([chunk])).to_pylist() for chunk in chunks]
    named = [[None if at is None else codes.values[at].as_py() for at in numbers] for numbers in found]
    assert named == batches
    assert sorted(codes.values.to_pylist()) == sorted({text for batch in batches for text in batch} - {None})


def test_texts_come_in_their_order():
    dice = random.Random(9)
    batches = [dice.choices(TEXTS, k=500) for _ in range(20)]
    codes = Codes()
    assert [codes.of(pa.chunked_array([batch], pa.string())).to_pylist() for batch in batches] == twin(batches)


def test_what_is_behind_the_rows_of_a_slice_is_not_read():
    codes = Codes()
    codes.learn(pa.array(["long text", "b", "c", "more"]).slice(1, 2))
    assert codes.values.to_pylist() == ["b", "c"]
