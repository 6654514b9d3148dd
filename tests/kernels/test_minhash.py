"""Signatures: two texts agree in as many entries as their shingles resemble each other."""

import numpy as np

from pagekin.kernels.minhash import LARGEST, shingles, signatures


def letters(text):
    return np.frombuffer(text.encode(), np.uint8)


def test_a_shingle_is_a_run_of_words_whatever_stands_between():
    assert shingles(letters("a b  c\n d "), 2).tolist() == shingles(letters("a b c d"), 2).tolist()
    assert len(set(shingles(letters("a b c d"), 2).tolist())) == 3
    assert shingles(letters("a b a b"), 2)[0] == shingles(letters("a b a b"), 2)[2]
    assert shingles(letters("ab c"), 2)[0] != shingles(letters("a bc"), 2)[0]
    assert shingles(letters("a b"), 3).size == 0


def test_signatures_agree_as_often_as_texts_resemble():
    rng = np.random.default_rng(1)
    common, one, other = ([f"w{n}" for n in rng.integers(0, 10**6, 400)] for _ in range(3))
    texts = [" ".join(common + one[:100]), " ".join(common + other[:100]), ""]
    start = np.cumsum([0, *(len(text) for text in texts)])
    signed = np.full((3, 512), LARGEST, np.uint64)
    signatures(letters("".join(texts)), start, 1, 512, signed)
    assert abs((signed[0] == signed[1]).mean() - 400 / 600) < 0.08
    assert (signed[2] == LARGEST).all()
