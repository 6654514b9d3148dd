"""Why one page is related to others: the evidence of a method for one result, with the names of the pages in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pagekin.answer import PageName
from pagekin.answers.quotes import Quote, quotes
from pagekin.answers.related import evidence_between
from pagekin.answers.telling import every_line
from pagekin.collection.lookup import find, known
from pagekin.collection.store import Store
from pagekin.methods import Method
from pagekin.model import Evidence

NAMING = ("page", "from", "to", "path", "strongest", "pages", "seed")  # details that are addresses of pages

EACH = 3  # reasons of one kind that are spelled out; the rest are counted


@dataclass(frozen=True)
class Why:
    """The evidence for a result, and the pages that it names."""

    evidence: tuple[Evidence, ...]
    pages: tuple[PageName, ...]
    quotes: tuple[Quote, ...] = ()  # what authors wrote around the links

    def sentences(self) -> list[str]:
        """The evidence in words, a few reasons of each kind, with pages by their addresses."""
        return every_line((reason.as_dict() for reason in self.evidence), most=EACH)


def why(store: Store, pages: Sequence[str], other: str, method: Method) -> Why:
    """Why a page is related to the pages asked about; pages that are not in the collection are passed over."""
    asked = method.answering(store)
    seeds = list(dict.fromkeys(found.page for page in pages if (found := find(store, page))))
    reasons = tuple(evidence_between(asked, asked.seen(store), seeds, known(store, other).page))
    urls = dict.fromkeys(url for reason in reasons for url in _addresses(reason))
    named = ((url, find(store, url)) for url in urls)
    names = tuple(PageName(url, store.title(each.page)) for url, each in named if each)
    return Why(reasons, names, tuple(quotes(store, reasons, [*seeds, known(store, other).page])))


def _addresses(reason: Evidence) -> Iterator[str]:
    for name in NAMING:
        value: Any = reason.detail.get(name)
        yield from [value] if isinstance(value, str) else value or ()
