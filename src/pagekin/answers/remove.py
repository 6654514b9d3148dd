"""`remove`: take pages out of a collection, and report what went and what is still said of them elsewhere."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pagekin.answer import Report
from pagekin.answers.build import to_make
from pagekin.answers.progress import Tell, reporting_rows
from pagekin.collection import barred
from pagekin.collection.removal import Choice, Removal, addresses, matching, named, sources
from pagekin.collection.removal import remove as removal
from pagekin.collection.store import Store
from pagekin.collection.writer import Writer, writing
from pagekin.errors import PagekinError, UsageError
from pagekin.wording import command, option

FIRST = 10  # pages that the report names
FILES = 3  # files and archives that a sentence names


@dataclass(frozen=True)
class Wanted:
    """What is to be removed."""

    urls: tuple[str, ...]
    matching: str | None
    and_links: bool
    for_good: bool

    def __post_init__(self) -> None:
        if bool(self.urls) == (self.matching is not None):
            glob = option("matching", "https://blog.example/drafts/*")
            raise UsageError(f"name the pages to remove, either by their addresses or by a pattern: {glob}")

    def chosen(self, store: Store) -> Choice:
        also = self.and_links or self.for_good  # these concern pages that are only linked to as well
        return matching(store, self.matching, also) if self.matching is not None else named(store, self.urls, also)


@dataclass(frozen=True, repr=False)
class Removed(Report):
    """The report of a `remove`: what went, or would go, and what is left of it elsewhere."""

    collection: str
    urls: tuple[str, ...]  # the pages that go
    others: int = 0  # further addresses of theirs: redirects
    done: bool = False  # or they would go
    linked: int = 0  # addresses that only they linked to, which went too
    mentioned: int = 0  # pages that went, but others still link to them
    only_linked: tuple[str, ...] = ()  # asked for, but nothing of theirs was held: other pages link to them
    indexes: tuple[str, ...] = ()  # that went: they were made from these pages
    remake: str = ""  # the command that makes them again
    sources: tuple[str, ...] = ()  # files and archives that still hold them, outside the collection
    barred: int = 0  # addresses that are not taken again
    finished: int = 0  # folders that an interrupted command had left behind
    again: tuple[str, ...] = ()  # addresses that were removed for good, and may be taken again now
    notes: tuple[str, ...] = ()

    @property
    def plan(self) -> list[str]:
        """How many pages go, and the first of them."""
        also = f", with {_count(self.others, 'other address')} of theirs" if self.others else ""
        if self.again:
            return list(self.notes)
        verb = "goes" if len(self.urls) == 1 else "go"
        more = len(self.urls) - FIRST
        return [
            *self.notes,
            f"{_count(len(self.urls), 'page')} {verb}{also}{':' if self.urls else ''}",
            *(f"  {url}" for url in self.urls[:FIRST]),
            *([f"  … and {more:,} more"] if more > 0 else []),
        ]

    @property
    def lines(self) -> list[str]:
        return self.plan + self.outcome

    @property
    def outcome(self) -> list[str]:
        """What happened, and what is left to do."""
        return list(self._said())

    def _said(self) -> Iterator[str]:
        if self.finished:
            yield f"finished what an interrupted command had left: {_count(self.finished, 'folder')} removed"
        if self.only_linked:
            yield (
                f"nothing is held of {_few(self.only_linked, FILES)}: other pages link there; to remove these links: "
                f"{option('and_links')}"
            )
        if self.again:
            them = "it" if len(self.again) == 1 else "them"
            yield f"{_few(self.again, FIRST)} may be taken again: add or crawl {them}"
        if not self.urls:
            return
        if not self.done:
            yield "nothing was removed"
            return
        with_them = f", and {_count(self.linked, 'address')} that only they linked to" if self.linked else ""
        yield f"removed {_count(len(self.urls), 'page')}{with_them}"
        if self.barred:
            allow = command("remove", self.collection, "URL", take_again=True)
            yield f"{_count(self.barred, 'address')} will not be taken again; to allow one: {allow}"
        if self.mentioned:
            count = f"{self.mentioned:,} of them" if len(self.urls) > 1 else "it"
            yield f"other pages still link to {count}; to remove these links as well: {option('and_links')}"
        if self.indexes:
            gone = f"the indexes made from them are removed, too ({len(self.indexes)})"
            yield f"{gone}; to make them again: {self.remake}"
        if self.sources:
            yield f"not touched, and may still hold them: {_few(self.sources, FILES)}"


def remove(
    path: Path, wanted: Wanted, dry_run: bool, agree: Callable[[Removed], bool], tell: Tell = lambda progress: None
) -> Removed:
    """Remove pages from a collection."""
    store = Store(path)  # raises if there is no collection: nothing is made here
    if dry_run:
        return _planned(store, wanted.chosen(store))
    with writing(path) as writer:
        swept = len(writer.sweep())
        return _removed(writer, wanted, agree, swept, tell)


def take_again(path: Path, urls: Sequence[str]) -> Removed:
    """Take addresses off the list of those that were removed for good."""
    if not urls:
        raise UsageError(
            "name the addresses that may be taken again: only their hashes are kept, so no list can be shown"
        )
    with writing(path) as writer:
        listed = len(barred.barred(writer.store()).hashes)
        again = {url: found for url in urls if (found := barred.listed(barred.barred(writer.store()), url))}
        unknown = [url for url in urls if url not in again]
        why = f"not among the {_count(listed, 'address')} that were removed for good: {_few(unknown, FIRST)}"
        if not again:
            raise PagekinError(why if listed else f"nothing was removed for good from {path}")
        barred.take_again(writer, again.values())
    return Removed(str(path), (), done=True, again=tuple(again.values()), notes=(why,) if unknown else ())


def _removed(writer: Writer, wanted: Wanted, agree: Callable[[Removed], bool], swept: int, tell: Tell) -> Removed:
    store = writer.store()
    try:
        choice = wanted.chosen(store)
    except PagekinError:
        if not swept:
            raise
        # The same command was killed when the pages had gone, but not yet their files.
        writer.fold()
        return Removed(str(writer.path), (), finished=swept)
    plan = replace(_planned(store, choice), finished=swept)
    if plan.urls and not agree(plan):
        return plan
    every = addresses(store, choice.pages).size
    with reporting_rows(tell, f"removing {_count(len(plan.urls), 'page')}"):
        done: Removal = removal(writer, choice.pages, and_links=wanted.and_links, for_good=wanted.for_good)
    return replace(
        plan, done=True, linked=done.linked, mentioned=done.mentioned, indexes=done.indexes,
        remake=to_make(writer.store(), done.indexes) if done.indexes else "",
        barred=every if wanted.for_good else 0, notes=(*plan.notes, *_aside(done.aside)),
    )  # fmt: skip


def _planned(store: Store, choice: Choice) -> Removed:
    urls = tuple(sorted(store.values("url", choice.pages)))
    others = addresses(store, choice.pages).size - len(urls)
    return Removed(
        str(store.path), urls, others, only_linked=choice.linked, sources=tuple(sources(store, choice.pages)),
        notes=choice.notes,
    )  # fmt: skip


def _aside(folders: Sequence[str]) -> Iterator[str]:
    if "damaged" in folders:
        yield "removed what scrub had set aside in damaged/: it may have held some of these pages"
    if "spool" in folders:
        yield "removed what an interrupted crawl had fetched and not added: to fetch it again, crawl again"


def confirmed(plan: Removed, yes: bool, ask: Callable[[], bool] | None = None) -> bool:
    """Whether to remove these pages: one, or if that was said, or if somebody says so now."""
    if yes or len(plan.urls) <= 1:
        return True
    if ask is None:
        raise UsageError(f"{len(plan.urls):,} pages would go; to remove them: {option('yes', True)}")
    return ask()


def _few(names: Sequence[str], most: int) -> str:
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}{'es' if noun.endswith('s') else 's'}"
