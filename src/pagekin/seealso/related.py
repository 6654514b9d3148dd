"""The related pages of every page of a folder that gets a list, by one method, for all pages at once."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from pagekin.answers.filters import Facts, Filters, Sieve
from pagekin.collection.store import Store
from pagekin.index.base import is_built
from pagekin.kernels.numbers import number_in
from pagekin.methods import Method
from pagekin.methods.narrowed import lists
from pagekin.seealso.titles import without_site
from pagekin.url import page_id


@dataclass(frozen=True)
class Wanted:
    """Which related pages a list names."""

    k: int
    method: Method
    filters: Filters
    unlinked: bool = False  # none that the page's own text already links to

    def with_k(self, k: int) -> "Wanted":
        return replace(self, k=k)


def related(store: Store, wanted: Wanted, asking: Collection[str], named: Collection[str]) -> dict[str, list[str]]:
    """Address → the addresses of its related pages, best first, of those that may be named."""
    number = {url: at for url in {*asking, *named} if (at := _number(store, url)) is not None}
    pages = np.array(sorted(number[url] for url in asking if url in number), np.int32)
    may_be = np.zeros(store.size, bool)
    may_be[[number[url] for url in named if url in number]] = True
    facts, content = Facts(store, wanted.filters), store.seeing(links="content", words="all").arrays
    asked = wanted.method.answering(store)

    def passes(page: int) -> Callable[[int, float], bool]:
        sieve = Sieve(store, wanted.filters, [page], facts)
        linked = set(content.targets(page).tolist()) if wanted.unlinked else set()
        return lambda other, score: bool(may_be[other]) and other not in linked and sieve.lets_pass(other, score)

    sizes, found, _ = lists(asked, store, wanted.k, pages, True, wanted.filters.fold, passes)
    urls = {at: url for url, at in number.items()}
    return {
        urls[page]: [urls[other] for other in found[row, : sizes[row]].tolist()]
        for row, page in enumerate(pages.tolist())
    }


def linked(store: Store, urls: Collection[str]) -> set[str]:
    """The addresses of the pages that these link to, or that link to them, in their text."""
    numbers = [at for url in urls if (at := _number(store, url)) is not None]
    arrays = store.seeing(links="content", words="all").arrays
    return {store.url(int(other)) for number in numbers for other in arrays.linked(number)}


def _number(store: Store, url: str) -> int | None:
    at = number_in(store.graph.ids, page_id(url))
    return at if at is not None and store.url(at) == url else None


def unbuilt(store: Store, method: Method) -> bool:
    """Whether the index of a method is missing or older than the pages."""
    index = method.chosen_for(store).index
    if index is None or not index.is_for(store):
        return False
    return not is_built(store, index) or repr(index) in store.stale()


def texts(store: Store, urls: Collection[str]) -> Mapping[str, tuple[str, str]]:
    """Address → the lines that a page says itself, and those that its site repeats."""
    numbers = {url: at for url in urls if (at := _number(store, url)) is not None}
    found = {}
    for url, text in zip(numbers, store.texts(list(numbers.values())), strict=True):
        own = store.own_text(numbers[url], text)
        said = set(own.split("\n"))
        found[url] = own, "\n".join(line for line in text.split("\n") if line not in said)
    return found


@dataclass(frozen=True)
class Names:
    """The titles of pages, without the name of their site, and their languages."""

    titles: Mapping[str, str]
    languages: Mapping[str, str]

    @classmethod
    def read(cls, store: Store, urls: Collection[str]) -> "Names":
        numbers = {url: at for url in urls if (at := _number(store, url)) is not None}
        languages = {url: store.value("language", at) for url, at in numbers.items()}
        titles: dict[str, str] = {}
        for language in set(languages.values()):  # the site's name may be translated
            own = {url: store.title(at) for url, at in numbers.items() if languages[url] == language}
            shorter = without_site(own.values())
            titles |= {url: shorter[title] for url, title in own.items()}
        return cls(titles, languages)

    def title(self, url: str) -> str:
        return self.titles.get(url, "")

    def language(self, url: str) -> str:
        return self.languages.get(url, "")
