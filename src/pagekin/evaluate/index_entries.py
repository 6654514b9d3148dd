"""Truth for searches from documentation itself: what its indexes say about its pages.

An entry of a back-of-the-book index, or the one-line description of a page in a list (`parse.index_entries`), is a
question; the pages that it leads to are the answers. In the temporary collection (`held_out`) that is asked:

* indexes are left out, and other pages with a list of descriptions, unless they answer a question themselves;
* on the pages that stay, the entries with the wording of a question are cut out;
* the answers stay. An entry whose wording stands in the title or at the beginning of the page that it leads to is no
  question: any search would find it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.compute as pc

from pagekin.collection.store import Store
from pagekin.errors import PagekinError
from pagekin.evaluate.held_out import Pages, Tell, collect
from pagekin.evaluate.truth import Question, Relevance
from pagekin.model import Capture
from pagekin.parse.index_entries import LEAST_SUMMARIES, Listing, listing, stands_in, without_entries
from pagekin.url import page_id
from pagekin.wording import option


@dataclass
class IndexEntries:
    """The questions that the pages of a collection hold, and the pages without them."""

    pages: Pages
    listings: dict[str, Listing]
    answers: dict[str, set[str]] = field(default_factory=dict)  # wording → addresses
    outside: int = 0  # entries that lead to no page of the collection, or only to the list that they are in
    given_away: int = 0  # entries whose wording stands at the beginning of every page that they lead to
    entries: int = 0
    dropped: int = 0  # pages left out
    cut: int = 0  # pages that stay without their entries

    def ask(self) -> None:
        """Find the questions."""
        home = _Homes(self.pages.store)
        for url, found in self.listings.items():
            if not _is_list(found):
                continue
            for entry in found.entries:
                self.entries += 1
                leads = {home.of(target) for target in entry.targets} - {None, url}
                known = {lead for lead in leads if lead in self.listings and not self.listings[lead].is_index}
                hard = {lead for lead in known if not stands_in(entry.wording, self.listings[lead].opening)}
                self.outside += not known
                self.given_away += bool(known) and not hard
                if hard == known != set():
                    self.answers.setdefault(entry.wording, set()).update(hard)
        easy = [wording for wording, leads in self.answers.items() if self._stands(wording, leads)]
        for wording in easy:  # one list names a page that gives it away, another list names other pages
            del self.answers[wording]
        self.given_away += len(easy)

    def _stands(self, wording: str, leads: set[str]) -> bool:
        return any(stands_in(wording, self.listings[lead].opening) for lead in leads)

    def __iter__(self) -> Iterator[Capture]:
        answering = {lead for leads in self.answers.values() for lead in leads}
        self.dropped = self.cut = 0
        for page in self.pages:
            found = self.listings.get(page.url)
            asked = found is not None and any(entry.wording in self.answers for entry in found.entries)
            if found is None or not asked:
                if found is not None and found.is_index:
                    self.dropped += 1
                else:
                    yield page
            elif found.is_index or (_is_list(found) and page.url not in answering):
                self.dropped += 1
            else:
                self.cut += 1
                yield without_entries(page, self.answers)

    @property
    def hidden(self) -> str:
        return (
            f"{self.dropped:,} of {self.pages.read:,} pages, which are indexes or lists of descriptions, "
            f"and such entries on {self.cut:,} other pages"
        )

    def notes(self) -> Iterator[str]:
        if self.outside:
            yield f"{self.outside:,} of {self.entries:,} entries lead to no other page of the collection"
        if self.given_away:
            yield f"{self.given_away:,} stand in the title or at the beginning of the page they lead to: no questions"


class _Homes:
    """Where addresses lead: an alias to its page."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.known: dict[str, str | None] = {}

    def of(self, url: str) -> str | None:
        if url not in self.known:
            number = self.store.number(page_id(url))
            there = number is not None and self.store.url(number) == url
            self.known[url] = self.store.url(int(self.store.graph.page_of[number])) if there else None
        return self.known[url]


def _is_list(found: Listing) -> bool:
    return found.is_index or len(found.entries) >= LEAST_SUMMARIES


def hide(store: Store, folder: Path, tell: Tell = lambda done, pages: None) -> tuple[Store, Relevance]:
    """Make the collection without index entries in a folder, and the questions that they are."""
    pages = Pages(store, lambda done, size: tell(done, 2 * size))
    found = IndexEntries(pages, {page.url: listing(page) for page in pages})
    found.ask()
    if not found.answers:
        none = "has no entry that is a question" if found.entries else "has no index and no list of descriptions"
        instead = f"give {option('queries')} and {option('qrels')} files with questions and answers"
        said = f"{store.path} {none}, so there is nothing to evaluate; {instead}"
        raise PagekinError("; ".join([said, *pages.notes, *found.notes()]))
    pages.tell = lambda done, size: tell(size + done, 2 * size)
    skipped = collect(store, found, folder)
    seen = Store(folder)
    numbers = _numbers(seen)
    relevant: dict[Question, dict[int, int]] = {}
    words: dict[Question, str] = {}
    for number, (wording, leads) in enumerate(sorted(found.answers.items()), 1):
        if there := {numbers[lead]: 1 for lead in sorted(leads) if lead in numbers}:
            relevant[str(number)], words[str(number)] = there, wording
    notes = (*pages.notes, *skipped, *found.notes())
    return seen, Relevance(relevant, notes, found.hidden, "index-entries", words)


def _numbers(store: Store) -> dict[str, int]:
    """The fetched pages by address."""
    pages = store.graph.pages
    fetched = pc.is_valid(pages["fetched"]).to_pylist()
    return {url: number for number, url in enumerate(pages["url"].to_pylist()) if fetched[number]}
