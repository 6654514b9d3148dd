"""Fingerprints: equal for equal values, and for hardly any others."""

import numpy as np
import pyarrow as pa

from pagekin.index.prints import mixed, of_texts, summed


def test_texts_by_their_letters_however_they_are_held():
    texts = ["", "bee", "bees", "Bee", "büne", "x" * 1_000, "x" * 1_001]
    plain = of_texts(pa.array(texts))
    assert np.unique(plain).size == len(texts)
    for held in (
        pa.array(texts, pa.large_string()), pa.array(texts).dictionary_encode(),
        pa.chunked_array([texts[:2], texts[2:]]), pa.array(["before", *texts]).slice(1),
        pa.array([None, *texts[1:]]), pa.array([None, *texts[1:]]).dictionary_encode(),
    ):  # fmt: skip
        assert of_texts(held).tolist() == plain.tolist()
    assert of_texts(pa.chunked_array([], pa.string())).size == 0


def test_numbers_count_with_their_place():
    assert mixed([1, 2], [2, 1])[0] != mixed([1, 2], [2, 1])[1]
    assert mixed([1, 1], 7).tolist() == mixed([1, 1], [7, 7]).tolist()
    assert mixed(np.array([0.5, -0.5]))[0] != mixed(np.array([0.5, -0.5]))[1]
    assert mixed(np.empty(0, np.int32), 3).size == 0
    many = mixed(np.repeat(np.arange(300), 300), np.tile(np.arange(300), 300))
    assert np.unique(many).size == many.size
    bits = np.unpackbits(many.view(np.uint8)).reshape(-1, 64).mean(axis=0)
    assert abs(bits - 0.5).max() < 0.01  # every bit is set as often as not


def test_sums_do_not_depend_on_the_order():
    prints, group = mixed(np.arange(100)), np.arange(100) % 7
    order = np.random.default_rng(1).permutation(100)
    found = summed(group, prints, 8)
    assert found.tolist() == summed(group[order], prints[order], 8).tolist()
    assert int(found[3]) == sum(map(int, prints[group == 3])) % 2**64
    assert found[7] == 0
