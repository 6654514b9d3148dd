"""The kernels of fingerprints against their formulas in plain Python."""

import numpy as np

from pagekin.kernels import frozen
from pagekin.kernels.prints import added, joined, of_texts

WORD = 2**64


def mix(value):
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        value = (value ^ (value >> shift)) * factor % WORD
    return value ^ (value >> 31)


def test_texts():
    texts = [b"", b"bee", b"\xff" * 9]
    start = np.cumsum([0, *map(len, texts)])
    expected = []
    for text in texts:
        value = 0xCBF29CE484222325
        for letter in text:
            value = (value ^ letter) * 0x100000001B3 % WORD
        expected.append(mix(value))
    assert of_texts(frozen(start), frozen(np.frombuffer(b"".join(texts), np.uint8))).tolist() == expected


def test_joined_and_added():
    step, prints = 0x9E3779B97F4A7C15, np.array([3, WORD - 1], np.uint64)
    values = np.array([5, WORD - 2], np.uint64)
    expected = [mix(((int(a) ^ int(b)) * step + step) % WORD) for a, b in zip(prints, values, strict=True)]
    joined(prints, frozen(values))
    assert prints.tolist() == expected
    sums = np.zeros(2, np.uint64)
    added(frozen(np.array([1, 1])), frozen(prints), sums)
    assert sums.tolist() == [0, sum(expected) % WORD]
