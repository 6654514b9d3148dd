"""Translations: two fetched pages that are the same in different languages, as their author says it.

By address: two addresses of a host that are equal but for an element that names the language each page is in, or that
one of them lacks: /en/hive and /de/hive, hive.html.en and hive.html.de, index.fr.html and index.html. The element
counts if the page is in that language, or if two others vouch for it; so /it/ may be a department and /no/ an answer.

By `hreflang`: each of the two names the other. One that is named without answering does not count, on the same site
or another: else anybody could hide a page of others under their own, or their own under a page of others.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.store import Store
from pagekin.kernels import Ints, Longs
from pagekin.kernels.numbers import numbers_in
from pagekin.parse.language import language_of
from pagekin.url import page_id

_TAG = r"[a-z]{2,3}(?:[-_][a-z0-9]{2,4})?"
_ELEMENT = re.compile(rf"(?<=[/.]){_TAG}(?=[/.]|$)", re.IGNORECASE)
# What may hold such an element, for Arrow: most addresses do not, and need not be looked at one by one.
_MAYBE = rf"^https?://[^/?]+/(?:[^?]*[/.])?(?i:{_TAG})(?:[/.][^?]*)?$"
TAG_BYTES = 8  # of the longest that the pattern takes: zho-hans
NO_PREFERENCE = "x-default"
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class ByAddress:
    """Pages whose addresses are equal but for the language: page numbers, the group of each, and its language."""

    pages: Ints
    group: Ints
    tag: npt.NDArray[np.bytes_]


def differ(a: str, b: str) -> bool:
    """Whether two tags name different languages, or the same for different regions.

    >>> differ("en", "de"), differ("zh-cn", "zh-tw"), differ("en-us", "en"), differ("nb", "no")
    (True, True, False, False)
    """
    one, other = _parts(a), _parts(b)
    return one[0] != other[0] or bool(one[1] and other[1] and one[1] != other[1])


@lru_cache(4096)
def _parts(tag: str) -> tuple[str, str]:
    """A tag's language, as pages have it, and the rest."""
    return language_of("", tag), tag.partition("-")[2]


def without_language(url: str) -> Iterator[tuple[str, str]]:
    """An address without an element that may name a language, and that element, for each such element.

    >>> list(without_language("http://a.example/de/hive.html")), list(without_language("http://a.example/hive.pt-BR"))
    ([('http://a.example/hive.html', 'de')], [('http://a.example/hive', 'pt-br')])
    """
    begin = url.find("/", url.find("://") + 3)
    for found in _ELEMENT.finditer(url, begin + 1):
        tag = found[0].lower().replace("_", "-")
        first, last = found.span()
        if url[first - 1] == ".":
            if "/" not in url[last:]:  # in the name of the page, not of a folder
                yield url[: first - 1] + url[last:], tag
        elif last == len(url):
            yield url[: max(first - 1, begin + 1)], tag
        elif url[last] == "/":  # and not a file that is called en.html
            yield url[:first] + url[last + 1 :], tag


Groups = dict[str, list[tuple[int, str]]]  # the address without a language → pages, each with its language


def by_address(store: Store, fetched: Flags) -> ByAddress:
    """The pages of each group, in page order."""
    rows: list[tuple[int, int, str]] = []
    for number, (url, named) in enumerate(_by_rest(store, fetched).items()):
        plain = store.number(page_id(url))
        if plain is not None and fetched[plain] and store.url(plain) == url and plain not in dict(named):
            named.append((plain, store.value("language", plain)))
        if _several(named):
            rows += [(page, number, tag) for page, tag in named]
    rows = sorted({row[0]: row for row in reversed(rows)}.values())
    return ByAddress(
        np.array([page for page, _, _ in rows], np.int32),
        np.array([group for _, group, _ in rows], np.int32),
        np.array([tag.encode()[:TAG_BYTES] for _, _, tag in rows], f"S{TAG_BYTES}"),
    )


def _by_rest(store: Store, fetched: Flags) -> Groups:
    """The pages whose addresses name their languages, by the address without it.

    An element counts if the page is in that language. Once two languages of an address are certain, so are the others,
    although the language of those pages was not recognised.
    """
    urls, languages = store.graph.pages["url"], store.graph.pages["language"]
    maybe = pc.match_substring_regex(urls, _MAYBE).to_numpy(zero_copy_only=False).astype(bool) & fetched
    pages = np.flatnonzero(maybe).astype(np.int32)
    groups: Groups = {}
    doubtful: list[tuple[int, list[tuple[str, str]]]] = []
    for page, url, language in zip(pages.tolist(), *_taken(pages, urls, languages), strict=True):
        elements = list(without_language(url))
        certain = next(((rest, tag) for rest, tag in elements if language and _parts(tag)[0] == language), None)
        if certain:
            groups.setdefault(certain[0], []).append((page, certain[1]))
        elif elements:
            doubtful.append((page, elements))
    sure = {rest for rest, named in groups.items() if _several(named)} if doubtful else set()
    for page, elements in doubtful:
        for rest, tag in elements:
            if rest in sure:
                groups[rest].append((page, tag))
                break
    return groups


def _several(named: list[tuple[int, str]]) -> bool:
    """Whether some pages are in different languages."""
    return any(differ(named[0][1], tag) for _, tag in named[1:])


def by_hreflang(store: Store, fetched: Flags) -> tuple[Ints, Ints]:
    """The pairs of pages that name each other, both ways round, ascending."""
    ids, page_of, n = store.graph.ids, store.graph.page_of, store.size
    said: dict[int, str] = {}  # source · n + target → the language
    for source, target, tags in _named(store):
        here, there = numbers_in(ids, source), numbers_in(ids, target)
        there = np.where(there >= 0, page_of[there], there)
        kept = (here >= 0) & (there >= 0) & (here != there)
        kept[kept] &= fetched[here[kept]] & fetched[there[kept]]
        keys = here[kept].astype(np.int64) * n + there[kept]
        for key, tag in zip(keys.tolist(), tags.filter(pa.array(kept)).to_pylist(), strict=True):
            if tag != NO_PREFERENCE and tag < said.get(key, "~"):
                said[key] = tag
            else:
                said.setdefault(key, "")
    pairs = []
    for key, tag in said.items():
        one, other = divmod(key, n)
        back = said.get(other * n + one)
        if back is not None and differ(tag or store.value("language", other), back or store.value("language", one)):
            pairs.append(key)
    ones, others = np.divmod(np.sort(np.array(pairs, np.int64)), max(n, 1))
    return ones.astype(np.int32), others.astype(np.int32)


def _named(store: Store) -> Iterator[tuple[Longs, Longs, pa.ChunkedArray]]:
    parts = [at for at, part in enumerate(store.manifest.parts) if part.rows.get("alternates")]
    for rows in store.rows("alternates", parts=parts):
        yield rows["page"].to_numpy(), rows["target"].to_numpy(), rows["language"]


def _taken(pages: Ints, *columns: pa.ChunkedArray) -> Iterator[list[str]]:
    return (column.take(pa.array(pages)).to_pylist() for column in columns)
