"""Which pages may answer a question that says more than words: -word, title:word, site:host, "exact phrase".

A phrase is looked for in title and text, whatever stands between its words but other words, in capitals or not. Texts
are read best page first until enough pages have it.
"""

import re
from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.store import Store
from pagekin.index.inverted import Postings
from pagekin.index.spooled import Bools
from pagekin.parse.words import HAN, KANA
from pagekin.search.question import Condition, Question, Word

_WORD = re.compile(r"\w+")
_WITHOUT_SPACES = re.compile(f"[{KANA}{HAN}]")


def narrowed(store: Store, postings: Postings, asked: Question) -> Bools | None:
    """Which pages meet the conditions of a question, phrases by their words alone; None if there are none."""
    if not asked.conditions:
        return None
    allowed = np.ones(postings.length.size, bool)
    sites = [each for each in asked.conditions if each.kind == "site" and each.wanted]
    if sites:
        allowed &= np.any([_on_site(store, each.text) for each in sites], axis=0)
    for each in asked.conditions:
        if each.kind == "site":
            allowed &= each.wanted | ~_on_site(store, each.text)
        elif each.wanted or each.kind != "phrase":
            allowed &= _has_all(postings, each) == each.wanted
    return allowed


def _has_all(postings: Postings, condition: Condition) -> Bools:
    found = np.ones(postings.length.size, bool)
    for word in condition.words:
        found &= _has(postings, word, condition.kind == "title")
    return found


def _has(postings: Postings, word: Word, titled: bool) -> Bools:
    found = np.zeros(postings.length.size, bool)
    for term in word.terms:
        rows = postings.rows(term)
        found[postings.page[rows][postings.titled[rows]] if titled else postings.page[rows]] = True
    return found


def _on_site(store: Store, site: str) -> Bools:
    """Which pages are on a host, or on one below it; `press.example/books` also names the beginning of their path."""
    host, _, path = re.sub("^[a-z]+://", "", site.lower()).partition("/")
    hosts, urls = (store.graph.pages[name].cast(pa.large_string()) for name in ("host", "url"))
    found = pc.or_(pc.equal(hosts, host), pc.ends_with(hosts, f".{host}"))
    if path:
        found = pc.and_(found, pc.match_substring_regex(urls, f"^[^/]*//[^/]*/{re.escape(path)}", ignore_case=True))
    return np.asarray(found.fill_null(False).to_numpy())


class Phrases:
    """The phrases of a question, to be found in texts."""

    def __init__(self, asked: Question) -> None:
        self.wanted = [(_pattern(each.text), each.wanted) for each in asked.conditions if each.kind == "phrase"]

    def __bool__(self) -> bool:
        return bool(self.wanted)

    def met(self, store: Store, pages: Iterable[int]) -> Iterator[bool]:
        """Whether each page has all phrases that it must have, and none that it must not."""
        numbers = list(pages)
        for page, text in zip(numbers, store.texts(numbers), strict=True):
            whole = f"{store.title(page)}\n{text}"
            yield all((pattern.search(whole) is not None) == wanted for pattern, wanted in self.wanted)


def _pattern(phrase: str) -> re.Pattern[str]:
    """
    >>> bool(_pattern("queen bee").search("The Queen-Bee")), bool(_pattern("queen bee").search("queen beetle"))
    (True, False)
    """
    between = r"\W*" if _WITHOUT_SPACES.search(phrase) else r"\W+"
    edge = "" if _WITHOUT_SPACES.search(phrase) else r"\b"
    return re.compile(edge + between.join(map(re.escape, _WORD.findall(phrase))) + edge, re.IGNORECASE)


def has_text(store: Store) -> bool:
    """Whether the collection keeps the texts of its pages."""
    return any(part.rows.get("text") for part in store.manifest.parts)
