"""Words: the language of a page, and its text as counted stems.

A *word* is a run of letters, digits and the marks that belong to them; everything else, `_` and `'` included, stands
between words. Scripts written without spaces (Chinese, Japanese, Thai …) are cut by a segmenter, else into pairs of
characters, on any page whatever its language. A *stem* is the word case-folded and put through its language's Snowball
stemmer (English: Porter's own, the papers'). Left out: stop words, single characters (but not 猫), words of more than
`LONGEST_WORD` characters, numbers of more than `LONGEST_NUMBER` digits.

Words repeat from page to page, so each is stemmed once per language and remembered; and on a page they are counted
before they are looked at.
"""

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import distribution
from importlib.util import find_spec
from itertools import chain
from operator import sub
from runpy import run_path
from threading import Lock, local
from unicodedata import normalize

import Stemmer

from pagekin.errors import MissingExtraError, unknown
from pagekin.model import Term

LONGEST_WORD = 40  # longer ones are hashes, keys and base64; the longest stems of real languages are shorter
LONGEST_NUMBER = 4  # a year, a port or a course number says something about a page; a telephone number does not
DEFAULT_LANGUAGE = "en"

# The vote on a page that declares no language. Its first characters decide if they are clear, else some more do; but
# only if there is this much to go on, so that a list of names does not become Estonian.
VOTERS = (500, 4000)
CLEAR = 2  # times the votes of the runner-up
LEAST_VOTES = 5
LEAST_SHARE = 0.1  # of the words, or of the characters for a script; running text has a third or more

_REMEMBERED = 1 << 17  # words per language, about 15 MB; then the memory starts anew

# Kana and Han, then the other scripts without spaces: Thai, Lao, Myanmar, Khmer.
_KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_OTHER = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u108f\u1780-\u17d3"
# `\w` knows letters and digits, not the vowel signs and accents inside words of these scripts.
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0971-\u0dff"
_PART = re.compile(f"[{_KANA}{_HAN}]+|[{_OTHER}]+|(?:(?![_{_KANA}{_HAN}{_OTHER}])[\\w{_MARKS}])+")
# What in ASCII is no letter or digit becomes a space, on bytes because that is one look-up a character: a third of the
# time of a regular expression that finds words, and `bees`, `bees,` and `(bees` are learnt once.
_SPACED = bytes(byte if byte > 127 or chr(byte).isalnum() else 32 for byte in range(256))
_WITHOUT_SPACES = re.compile(f"[{_KANA}{_HAN}{_OTHER}]")
_LETTER = re.compile(r"[^\W\d_]")
_IS_KANA, _IS_CJK = re.compile(f"[{_KANA}]"), re.compile(f"[{_KANA}{_HAN}]")
_SCRIPTS = {"ja": _IS_KANA, "ko": re.compile("[\uac00-\ud7a3]"), "zh": re.compile(f"[{_HAN}]")}  # Japanese has Han too

_DECLARED = re.compile(r"\s*([A-Za-z]{2,3})(?:[-_][A-Za-z0-9_-]*)?\s*")
_SAME_LANGUAGE = {"nb": "no", "nn": "no", "jp": "ja", "cn": "zh"}  # one list and stemmer; frequent mistakes
_NO_LANGUAGE = frozenset({"und", "mul", "zxx", "mis"})  # ISO 639-2: undetermined, several, none, uncoded

_NO_STEM = ""


def pairs(run: str) -> list[str]:
    """The overlapping pairs of characters of a run without spaces; a single character is its own.

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
    # What cutter.initialize() does, without its cache: a file of fixed name in the shared temporary directory, which
    # is unmarshalled whoever wrote it.
    cutter.FREQ, cutter.total = cutter.gen_pfdict(cutter.get_dict_file())
    cutter.initialized = True
    return cutter.lcut  # type: ignore[no-any-return]


@lru_cache(1)
def _fugashi() -> Callable[[str], Iterable[str]]:
    import fugashi  # type: ignore[import-untyped]

    tagger, lock = fugashi.Tagger(), Lock()  # MeCab's objects are for one thread at a time

    def cut(run: str) -> list[str]:
        with lock:
            return [word.surface for word in tagger(run)]

    return cut


# name → language, modules it needs, how to get it
_SEGMENTERS: dict[str, tuple[str, tuple[str, ...], Callable[[], Callable[[str], Iterable[str]]]]] = {
    "jieba": ("zh", ("jieba",), _jieba),
    "fugashi": ("ja", ("fugashi", "unidic_lite"), _fugashi),
}
_PAIRS = "bigrams"


def _installed(name: str) -> bool:
    return all(find_spec(module) for module in _SEGMENTERS[name][1])


def segmenters() -> dict[str, str]:
    """Which segmenter this machine uses for which language; a collection records it, so that questions agree with it.

    >>> sorted(segmenters())
    ['ja', 'zh']
    """
    return {language: name if _installed(name) else _PAIRS for name, (language, *_) in _SEGMENTERS.items()}


@dataclass(frozen=True)
class Analyser:
    """Analysis with a fixed choice of segmenters: `Analyser(**recorded)` reads words as the collection's index did.

    >>> Analyser(zh="bigrams").stems("The 網頁 of bee-keeping", "en")
    ['網頁', 'bee', 'keep']
    """

    zh: str = _PAIRS
    ja: str = _PAIRS

    def __post_init__(self) -> None:
        for language, name in (("zh", self.zh), ("ja", self.ja)):
            known = [_PAIRS, *(other for other, (of, *_) in _SEGMENTERS.items() if of == language)]
            if name not in known:
                raise unknown(f"segmenter for {language}", name, known)
            if name != _PAIRS and not _installed(name):
                raise MissingExtraError(f"{name}, with which this collection's words were cut,", language)

    def stems(self, text: str, language: str) -> list[str]:
        """The stems of a text in order, repeats and all: what `analyse` counts."""
        return _reader(self, language).stems(text)

    def reading(self, language: str) -> Callable[[str], list[str]]:
        """`stems` in one language, for many short texts."""
        return _reader(self, language).stems

    def analyse(self, text: str, title: str, language: str) -> tuple[Term, ...]:
        """A page's terms, counted apart in text and title, each with its commonest surface."""
        reader = _reader(self, language)
        counts, titled = reader.count(text), reader.count(title)
        in_title: Counter[str] = Counter()
        for surface, count in titled.items():
            counts[surface] += count
            in_title[reader[surface]] += count
        del in_title[_NO_STEM]
        totals: dict[str, int] = {}
        best: dict[str, str] = {}
        for surface, count in counts.items():
            stem = reader[surface]
            if not stem:
                continue
            if stem not in totals:
                totals[stem], best[stem] = count, surface
                continue
            totals[stem] += count
            rival = best[stem]
            if (-count, surface) < (-counts[rival], rival):
                best[stem] = surface
        of_title = {**dict.fromkeys(totals, 0), **in_title}.values()
        return tuple(map(Term, totals, best.values(), map(sub, totals.values(), of_title), of_title))


class _Local(local):
    """A stemmer for each thread: they keep state while they work."""

    def __init__(self, language: str) -> None:
        self.stem = _stemmer(language)


class _Reader(dict[str, str]):
    """Word → stem in one language; a word it does not know, it learns. A word that does not count has no stem."""

    def __init__(self, analyser: Analyser, language: str) -> None:
        super().__init__()
        self.analyser = analyser
        self.language = language
        self.fold = _fold_turkish if language in ("tr", "az") else str.casefold
        self.local = _Local(language)
        self.stop = {self.fold(part) for word in _stop_words(language) for part in _PART.findall(word)}
        self.split = lru_cache(_REMEMBERED >> 3)(self._split)

    def stems(self, text: str) -> list[str]:
        """The stems of a text in order."""
        runs = [text] if text.isascii() and text.isalnum() else _runs(text)
        return [stem for run in runs for word in self.words(run) if (stem := self[word])]

    def count(self, text: str) -> Counter[str]:
        """How often each word is in a text. Only runs with more than ASCII in them can hold several."""
        counts = Counter(_runs(text))
        if not text.isascii():
            for run in [run for run in counts if not run.isascii()]:
                times = counts.pop(run)
                for word in self.words(run):
                    counts[word] += times
        return counts

    def words(self, run: str) -> list[str]:
        """The words of a run of non-space characters."""
        if run.isascii():
            return [run]
        return self.split(run) if len(run) <= LONGEST_WORD else self._split(run)

    def _split(self, run: str) -> list[str]:
        parts = _PART.findall(normalize("NFKC", run))
        return [word for part in parts for word in (self._cut(part) if _WITHOUT_SPACES.match(part) else (part,))]

    def __missing__(self, word: str) -> str:
        stem = self._stem(word)
        if len(word) <= LONGEST_WORD:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[word] = stem
        return stem

    def _stem(self, word: str) -> str:
        length = len(word)
        if length > LONGEST_WORD or (length > LONGEST_NUMBER and word.isdigit()):
            return _NO_STEM
        folded = self.fold(word)
        if folded in self.stop or (length == 1 and not _WITHOUT_SPACES.match(word)):
            return _NO_STEM
        return self.local.stem(folded)

    def _cut(self, run: str) -> Iterable[str]:
        if not _IS_CJK.match(run):
            return pairs(run)
        japanese = self.language == "ja" or (self.language != "zh" and _IS_KANA.search(run))
        name = self.analyser.ja if japanese else self.analyser.zh
        return pairs(run) if name == _PAIRS else _SEGMENTERS[name][2]()(run)


def _runs(text: str) -> list[str]:
    return text.encode("utf-8", "replace").translate(_SPACED).decode().split()


def _fold_turkish(word: str) -> str:
    return word.replace("I", "ı").replace("İ", "i").casefold()  # where I is the capital of ı


@lru_cache(256)
def _reader(analyser: Analyser, language: str) -> _Reader:
    return _Reader(analyser, language)


def _stemmer(language: str) -> Callable[[str], str]:
    try:
        return Stemmer.Stemmer("porter" if language == "en" else language, 0).stemWord  # type: ignore[no-any-return]
    except KeyError:
        return str


def _common_words(language: str) -> Iterable[str]:
    import stopwordsiso  # 0.2 MB of JSON for all languages at once, and `related` never needs it

    return stopwordsiso.stopwords(language) if stopwordsiso.has_lang(language) else ()


def _stop_words(language: str) -> Iterable[str]:
    """The words that two published lists agree on, where there are two.

    stopwordsiso's lists unite many others and go far: its English one has computer, system, web, page and research,
    which people search for. bm25s has the short lists of Snowball and NLTK, for the larger languages.
    """
    common, shorter = set(_common_words(language)), _shorter_lists().get(language)
    return common if shorter is None else common & shorter


_IN_BM25S = {
    "EN_PLUS": "en", "CHINESE": "zh", "DANISH": "da", "DUTCH": "nl", "FRENCH": "fr", "GERMAN": "de", "ITALIAN": "it",
    "KOREAN": "ko", "NORWEGIAN": "no", "PORTUGUESE": "pt", "RUSSIAN": "ru", "SPANISH": "es", "SWEDISH": "sv",
    "TURKISH": "tr",
}  # fmt: skip


@lru_cache(1)
def _shorter_lists() -> dict[str, set[str]]:
    """Language → bm25s's stop words. The one file is run, not the package, which would import numba."""
    lists = run_path(str(distribution("bm25s").locate_file("bm25s/stopwords.py")))
    return {language: set(lists[f"STOPWORDS_{name}"]) for name, language in _IN_BM25S.items()}


@lru_cache(64)
def _widely_common(language: str) -> frozenset[str]:
    return frozenset(part.casefold() for word in _common_words(language) for part in _PART.findall(word))


def is_common(word: str, language: str) -> bool:
    """Whether a word says little beside others: one that long lists of stop words have, though pages keep it.

    >>> is_common("interested", "en"), is_common("computer", "en"), is_common("compiler", "en")
    (True, True, False)
    """
    return all(part in _widely_common(language) for part in _PART.findall(normalize("NFKC", word).casefold()))


def language_of(text: str, *declared: str | None) -> str:
    """The language of a page: the first usable declaration (`lang` attribute, HTTP header), else a vote, else English.

    Each stop word votes for every language whose list has it; a page in Kana, Hangul or Han needs no vote.

    >>> language_of("", None, "de-AT"), language_of("whatever", "x-default"), language_of("どの頁も猫の頁です")
    ('de', 'en', 'ja')
    >>> language_of("la casa de mi abuela está en el centro de la ciudad y no es muy grande")
    'es'
    """
    for value in declared:
        match = _DECLARED.fullmatch(value or "")
        if match and (code := match[1].lower()) not in _NO_LANGUAGE:
            return _SAME_LANGUAGE.get(code, code)
    return _by_script(text[: VOTERS[0]]) or _by_vote(text) or DEFAULT_LANGUAGE


def _by_script(sample: str) -> str | None:
    if sample.isascii():
        return None
    enough = LEAST_SHARE * len(sample)
    return next((code for code, script in _SCRIPTS.items() if len(script.findall(sample)) > enough), None)


def _by_vote(text: str) -> str | None:
    best = None
    for size in VOTERS:
        runs = text[:size].casefold().split()
        votes = Counter(chain.from_iterable(filter(None, map(_voters().get, runs))))
        ranked = sorted(votes, key=lambda language: (-votes[language], language))[:2]
        least = max(LEAST_VOTES, LEAST_SHARE * len(runs))
        best = ranked[0] if ranked and votes[ranked[0]] >= least else None
        if best and votes[best] >= CLEAR * votes[ranked[-1]]:
            break
    return best


@lru_cache(1)
def _voters() -> dict[str, list[str]]:
    """Stop word → the languages that have it and a stemmer."""
    import stopwordsiso

    voters: dict[str, list[str]] = {}
    for language in sorted(stopwordsiso.langs()):
        if _stemmer(language) is not str:
            for word in filter(_LETTER.search, stopwordsiso.stopwords(language)):  # some lists have ":" and "2"
                voters.setdefault(word.casefold(), []).append(language)
    return voters


@lru_cache(1)
def _default() -> Analyser:
    return Analyser(**segmenters())


def stems(text: str, language: str) -> list[str]:
    """The stems of a query or an anchor, equal to what `analyse` makes of the same words.

    >>> stems("The keepers' bees", "en")
    ['keeper', 'bee']
    """
    return _default().stems(text, language)


def analyse(text: str, title: str, language: str) -> tuple[Term, ...]:
    """The terms of a page, by this machine's segmenters.

    >>> analyse("A bee, some bees; the bees' keeper", "Bees", "en")
    (Term(term='bee', surface='bees', body=3, title=1), Term(term='keeper', surface='keeper', body=1, title=0))
    """
    return _default().analyse(text, title, language)
