"""Cuts Chinese and Japanese pages into words again, when a collection that is joined was cut by another segmenter.

A collection records how it cuts (`parse.words`), and a search cuts its words in the same way. Words that were cut in
another way would never be found. The text is kept with a page, unless `--no-text` left it out.
"""

from collections.abc import Mapping
from dataclasses import fields

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.page_order import in_page_order
from pagekin.collection.schema import Tables, table
from pagekin.model import Term
from pagekin.parse.words import HAN, KANA, Analyser

_WITHOUT_SPACES = f"[{KANA}{HAN}]"


def cut_in(segmenters: Mapping[str, str]) -> dict[str, str]:
    """Language → how a collection with these settings cuts it.

    >>> cut_in({"zh": "jieba"})
    {'zh': 'jieba', 'ja': 'bigrams'}
    """
    return {item.name: str(item.default) for item in fields(Analyser)} | dict(segmenters)


def cut_like(wanted: Mapping[str, str], given: Mapping[str, str], tables: Tables) -> tuple[pa.Table, int]:
    """The terms of a part, cut as `wanted` instead of as `given`; and how many pages have no text to cut again."""
    terms = tables["terms"]
    pages = _affected(tables, {name for name, how in cut_in(wanted).items() if cut_in(given)[name] != how})
    if not pages.num_rows:
        return terms, 0
    analyser = Analyser(**cut_in(wanted))
    wordy = set(terms.filter(pc.greater(terms["body"], 0))["page"].to_pylist())  # they have words besides a title's
    text = tables["text"].filter(pc.is_in(tables["text"]["page"], pages["id"].combine_chunks()))
    texts = dict(zip(text["page"].to_pylist(), text["text"].to_pylist(), strict=True))
    headings = _headings(tables["stretches"], texts)
    new = {}
    for row in pages.to_pylist():
        page = row["id"]
        if page in texts or page not in wordy:
            new[page] = analyser.analyse(texts.get(page, ""), row["title"], row["language"], headings.get(page, ""))
    found = [(page, *term) for page, counted in new.items() for term in counted]
    names = ("page", *Term._fields)
    columns = zip(*found, strict=True) if found else [()] * len(names)
    made = table("terms", dict(zip(names, map(list, columns), strict=True)))
    kept = ~np.isin(terms["page"].to_numpy(), list(new))
    terms = pa.concat_tables([terms.filter(pa.array(kept)), made])
    return in_page_order("terms", terms), pages.num_rows - len(new)


def _headings(stretches: pa.Table, texts: Mapping[int, str]) -> dict[int, str]:
    """The headings of pages, which are lines of their texts."""
    of_page: dict[int, list[bool]] = {}
    for page, heading in zip(stretches["page"].to_pylist(), stretches["heading"].to_pylist(), strict=True):
        of_page.setdefault(page, []).append(heading)
    return {
        page: " ".join(line for line, heading in zip(texts[page].split("\n"), flags, strict=False) if heading)
        for page, flags in of_page.items()
        if page in texts
    }


def _affected(tables: Tables, languages: set[str]) -> pa.Table:
    """The fetched pages with Chinese or Japanese words, if it may matter for them how these languages are cut."""
    terms, pages = tables["terms"], tables["pages"].select(["id", "title", "language", "fetched"])
    found = terms.filter(pc.match_substring_regex(terms["term"], _WITHOUT_SPACES))["page"].unique()
    others = pa.array({"zh", "ja"} - languages, pa.string())  # all words of a page in that language are cut its way
    mask = pc.and_(pc.is_in(pages["id"], found), pc.is_valid(pages["fetched"]))
    return pages.filter(pc.and_(mask, pc.invert(pc.is_in(pages["language"], others))))
