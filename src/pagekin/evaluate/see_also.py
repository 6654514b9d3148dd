"""Truth from documentation itself: the pages that a page's author names under "See also".

The sections (`parse.see_also`) are hidden, their links and their words, in a temporary collection (`held_out`), and
their links are the truth: to the question "what is related to this page" the author's answer is relevant. It goes one
way, from the page to those that it names. Only links to other fetched pages count, and not to pages that so many name
that a tool must have done it: javadoc adds "Serialized Form" to a third of its sections.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.compute as pc

from pagekin.collection.store import Store
from pagekin.errors import PagekinError
from pagekin.evaluate.held_out import Pages, Tell, collect, some
from pagekin.evaluate.truth import Relevance
from pagekin.model import Capture
from pagekin.parse.see_also import without_see_also
from pagekin.url import page_id
from pagekin.wording import option

# So many pages do not choose to name the same page. Of OpenJDK's, 32 % name the serialized form, and
# 10 to 13 % the constant values, Object, HashMap and System; elsewhere the largest share is 5 % (PostgreSQL).
BY_A_TOOL = 0.1
LEAST = 20  # in a small collection a tenth is soon reached


@dataclass
class SeeAlso:
    """The pages without their "See also" sections; iterating reads them, and notes what was hidden."""

    pages: Pages
    targets: dict[str, list[str]] = field(default_factory=dict)  # page → where its hidden links lead
    sections: int = 0
    emptied: list[str] = field(default_factory=list)  # pages of which nothing is left

    def __iter__(self) -> Iterator[Capture]:
        self.targets, self.sections, self.emptied = {}, 0, []
        for page in self.pages:
            found = without_see_also(page)
            if found.sections:
                self.sections += len(found.sections)
                self.targets[page.url] = [link.target for links in found.sections for link in links]
                self.emptied += [page.url] if found.nothing_left else []
            yield found.capture

    @property
    def hidden(self) -> str:
        links = sum(map(len, self.targets.values()))
        return (
            f"{self.sections:,} “See also” sections on {len(self.targets):,} of {self.pages.read:,} pages: "
            f"their {links:,} links, and their words"
        )


def hide(store: Store, folder: Path, tell: Tell = lambda done, pages: None) -> tuple[Store, Relevance]:
    """Make the collection without "See also" sections in a folder, and the truth that they hold."""
    found = SeeAlso(Pages(store, tell))
    skipped = collect(store, found, folder)
    seen = Store(folder)
    truth = _truth(seen, found)
    notes = [*found.pages.notes, *skipped, *truth.notes]
    if not truth.of:
        none = "has no “See also” section" if not found.sections else "has no “See also” link to another of its pages"
        instead = f"give {option('related')} a file with rows page,page, or {option('labels')} one with page,label"
        raise PagekinError("; ".join([f"{store.path} {none}, so there is nothing to evaluate; {instead}", *notes]))
    return seen, Relevance(truth.of, tuple(notes), found.hidden, "see-also")


def _truth(seen: Store, found: SeeAlso) -> Relevance:
    """Page → the fetched pages that its hidden links lead to, without itself."""
    fetched = pc.is_valid(seen.graph.pages["fetched"]).to_numpy()
    named: dict[int, dict[int, int]] = {}
    outside = own = 0
    for url, targets in found.targets.items():
        page = _page(seen, url)
        for target in (_page(seen, target) for target in targets):
            if page is None or target is None or not fetched[target]:
                outside += 1
            elif target == page:
                own += 1
            else:
                named.setdefault(page, {})[target] = 1
    count = Counter(target for targets in named.values() for target in targets)
    common = {target for target in count if count[target] > max(LEAST, BY_A_TOOL * len(named))}
    chosen = {page: kept for page in sorted(named) if (kept := {to: 1 for to in named[page] if to not in common})}
    notes = list(_notes(seen, found, chosen, outside, own))
    if common:
        often = some([seen.url(page) for page, _ in count.most_common(len(common))])
        notes.append(
            f"{len(common):,} pages do not count: more than {BY_A_TOOL:.0%} of the pages name them, "
            f"which authors would not: {often}"
        )
    return Relevance(dict(chosen.items()), tuple(notes))


def _notes(seen: Store, found: SeeAlso, named: dict[int, dict[int, int]], outside: int, own: int) -> Iterator[str]:
    pairs = sum(map(len, named.values()))
    linked = sum(target in seen.arrays.targets(page) for page, targets in named.items() for target in targets)
    mutual = sum(page in named.get(target, ()) for page, targets in named.items() for target in targets) // 2
    without = len(found.targets) - len(named)
    if outside:
        yield f"{outside:,} of the hidden links lead to no page of the collection and do not count"
    if own:
        yield f"{own:,} lead to the page that they are on and do not count"
    if without:
        yield f"{without:,} pages have a “See also” section that names no page that counts, and are not asked about"
    if linked:
        yield f"{linked:,} of the {pairs:,} pages named are also linked elsewhere on the page; those links stay"
    if mutual:
        yield f"{mutual:,} pairs of pages name each other"
    if found.emptied:
        yield f"of {len(found.emptied):,} pages nothing is left: {some(found.emptied)}"


def _page(store: Store, url: str) -> int | None:
    number = store.number(page_id(url))
    return None if number is None or store.url(number) != url else int(store.graph.page_of[number])
