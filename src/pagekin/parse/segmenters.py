"""Cuts text of scripts written without spaces into words: a segmenter for each language, else pairs of characters."""

import warnings
from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib.util import find_spec
from threading import Lock

# Characters without a space or a sign that a segmenter is given at once. MeCab crashes on some hundred thousand, and
# jieba takes a kB of memory for each; no author writes more than a few hundred.
LONGEST_RUN = 1_000
PAIRS = "bigrams"  # the name of cutting into pairs, which needs nothing


def pairs(run: str) -> list[str]:
    """The overlapping pairs of characters in a run without spaces; a single character stays alone.

    >>> pairs("検索機"), pairs("猫")
    (['検索', '索機'], ['猫'])
    """
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


@lru_cache(1)
def _jieba() -> Callable[[str], Iterable[str]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its regular expressions are not raw strings
        import jieba  # type: ignore[import-untyped]
    cutter = jieba.Tokenizer()
    # This does what cutter.initialize() does, without its cache: a file of fixed name in the shared temporary folder,
    # which is unmarshalled no matter who wrote it.
    cutter.FREQ, cutter.total = cutter.gen_pfdict(cutter.get_dict_file())
    cutter.initialized = True
    return cutter.lcut  # type: ignore[no-any-return]


@lru_cache(1)
def _fugashi() -> Callable[[str], Iterable[str]]:
    import fugashi  # type: ignore[import-untyped]

    tagger, lock = fugashi.Tagger(), Lock()  # MeCab's objects serve one thread at a time

    def cut(run: str) -> list[str]:
        with lock:
            return [word.surface for word in tagger(run)]

    return cut


# name → language, modules it needs, how to get it
SEGMENTERS: dict[str, tuple[str, tuple[str, ...], Callable[[], Callable[[str], Iterable[str]]]]] = {
    "jieba": ("zh", ("jieba",), _jieba),
    "fugashi": ("ja", ("fugashi", "unidic_lite"), _fugashi),
}


def installed(name: str) -> bool:
    return all(find_spec(module) for module in SEGMENTERS[name][1])


def segmenters() -> dict[str, str]:
    """The segmenter that this machine uses for each language; a collection records them, for questions to match.

    >>> sorted(segmenters())
    ['ja', 'zh']
    """
    return {language: name if installed(name) else PAIRS for name, (language, *_) in SEGMENTERS.items()}


def cut(name: str, run: str) -> Iterable[str]:
    """The words of a run, by a segmenter."""
    if name == PAIRS:
        return pairs(run)
    words, places = SEGMENTERS[name][2](), range(0, len(run), LONGEST_RUN)
    return words(run) if len(places) == 1 else [word for at in places for word in words(run[at : at + LONGEST_RUN])]
