"""What each word weighs on its page, by the fields that have it: BM25 over fields (Robertson, Zaragoza 2004).

    tf_F(t, v) = Σ_{f ∈ F} w_f · tf_f(t, v) / (1 − b_f + b_f · l_f(v) / l̄_f)
    T, N       = tf_F of the text: body, headings (once more); of the names: title, anchors, address
    x(t, v)    = (k + 1) T / (T + k) + w N / (N + m)          a question multiplies it by the word's rarity

tf_f(t, v) is how often field f of page v has term t (a title has it once, or not: repeating it gains nothing), l_f(v)
how many words the field has there, and l̄_f its mean length on the pages that have it. The anchors of a page are those
of authors' links that lead there, a term once for each page that says it. Text and names are bounded each by itself: a
long page that says a word a hundred times is not the page that is called by it.

`python -m leaderboard.fit_search` fits the numbers, on CACM's questions and the index of Python's documentation.
"""

from collections.abc import Mapping
from urllib.parse import unquote_plus, urlsplit

import numpy as np
import numpy.typing as npt

from pagekin.index.spooled import FIELDS
from pagekin.kernels import Longs

WEIGHT = {"body": 1.0, "headings": 0.5, "title": 2.0, "anchors": 1.0, "address": 2.0}
B = {"body": 0.5, "headings": 0.5, "title": 0.2, "anchors": 0.2, "address": 0.2}
BOUNDS = {"k": 0.8, "w": 2.0, "m": 3.2}
PAGES_AT_ONCE = 1 << 18

Singles = npt.NDArray[np.float32]


def factors(lengths: Longs, weight: Mapping[str, float] = WEIGHT, b: Mapping[str, float] = B) -> Singles:
    """Pages × fields: w_f / (1 − b_f + b_f · l_f / l̄_f)."""
    mean = lengths.sum(axis=0) / np.maximum(np.count_nonzero(lengths, axis=0), 1)
    w, slope = (np.array([of[field] for field in FIELDS]) for of in (weight, b))
    found = np.empty(lengths.shape, np.float32)
    for first in range(0, len(lengths), PAGES_AT_ONCE):
        some = slice(first, first + PAGES_AT_ONCE)
        found[some] = w / (1 - slope + slope * lengths[some] / np.maximum(mean, 1))
    return found


def words_of(url: str) -> str:
    """The words of an address: those of its path and its query, without the file's extension.

    >>> words_of("http://git.example/howto/git-rebase.html")
    'howto git-rebase'
    """
    parts = urlsplit(url)
    path, dot, extension = parts.path.rpartition(".")
    path = path if dot and extension.isalnum() else parts.path
    return " ".join(unquote_plus(f"{path}/{parts.query}").replace("&", "/").replace("=", "/").split("/")).strip()
