"""Stop words, which say too little to be terms of a page, from published lists."""

from functools import lru_cache
from importlib.metadata import distribution
from runpy import run_path


def stop_words(language: str) -> set[str]:
    """The stop words of a language: those that two published lists agree on, if there are two.

    stopwordsiso's lists combine many others and go too far: the English one has computer, system, web, page and
    research, which people search for. bm25s has the short lists of Snowball and NLTK, for the larger languages.

    >>> {"the", "computer"} & stop_words("en")
    {'the'}
    """
    common, shorter = longest_list(language), _shorter_lists().get(language)
    return common if shorter is None else common & shorter


def longest_list(language: str) -> set[str]:
    """stopwordsiso's list for a language, empty if it has none."""
    import stopwordsiso  # 0.2 MB of JSON for all languages at once, and `related` never needs it

    return set(stopwordsiso.stopwords(language)) if stopwordsiso.has_lang(language) else set()


def languages() -> list[str]:
    """The languages that have a list."""
    import stopwordsiso

    return sorted(stopwordsiso.langs())


_IN_BM25S = {
    "EN_PLUS": "en", "CHINESE": "zh", "DANISH": "da", "DUTCH": "nl", "FRENCH": "fr", "GERMAN": "de", "ITALIAN": "it",
    "KOREAN": "ko", "NORWEGIAN": "no", "PORTUGUESE": "pt", "RUSSIAN": "ru", "SPANISH": "es", "SWEDISH": "sv",
    "TURKISH": "tr",
}  # fmt: skip


@lru_cache(1)
def _shorter_lists() -> dict[str, set[str]]:
    """Language → bm25s's stop words. Only this file is run: importing the package would import numba."""
    lists = run_path(str(distribution("bm25s").locate_file("bm25s/stopwords.py")))
    return {language: set(lists[f"STOPWORDS_{name}"]) for name, language in _IN_BM25S.items()}
