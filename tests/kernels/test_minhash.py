"""Signatures: two texts agree in as many entries as their shingles resemble each other."""

import numpy as np

from pagekin.kernels import frozen
from pagekin.kernels.minhash import LARGEST, signatures
from pagekin.kernels.shingles import shingles


def letters(text):
    return np.frombuffer(text.encode(), np.uint8)


def test_signatures_agree_as_often_as_texts_resemble():
    rng = np.random.default_rng(1)
    common, one, other = ([f"w{n}" for n in rng.integers(0, 10**6, 400)] for _ in range(3))
    texts = [" ".join(common + one[:100]), " ".join(common + other[:100]), ""]
    start = np.cumsum([0, *(len(text) for text in texts)])
    signed = np.full((3, 512), LARGEST, np.uint64)
    signatures(frozen(letters("".join(texts))), frozen(start), signed)
    one, other = (set(shingles(frozen(letters(text))).tolist()) for text in texts[:2])
    assert abs((signed[0] == signed[1]).mean() - len(one & other) / len(one | other)) < 0.08
    assert (signed[2] == LARGEST).all()
