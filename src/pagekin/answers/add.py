"""`add`: take in pages from archives, folders, tables of links and other collections, and report what happened."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pagekin.answer import Report
from pagekin.answers.progress import Progress, Tell, reporting_rows
from pagekin.errors import SourceError, UsageError
from pagekin.wording import command, option

if TYPE_CHECKING:
    from pagekin.acquire.sources import FoundSource
    from pagekin.answers.sync import Sync
    from pagekin.collection.ingest import Intake
    from pagekin.collection.join import Joined

_WEB = re.compile(r"(https?):/+")
ARCHIVES = ("warc", "wacz")  # each file is read by itself, and takes a while: a task of an engine that spreads work
EXAMPLES = 2  # skipped items that a sentence names for each reason


@dataclass(frozen=True, repr=False)
class Added(Report):
    """The report of an `add`: what was taken in, and what was not."""

    pages: int = 0  # fetched pages taken in
    unchanged: int = 0  # already in the collection, in this version or a later one
    rows: int = 0  # rows of tables taken in
    broken_links: int = 0  # references that are not addresses
    skipped: Mapping[str, int] = field(default_factory=dict)  # reason → how many
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # reason → a few of them
    joined: "tuple[Joined, ...]" = ()  # the collections added, with their share of these counts
    vectors: int = 0  # vectors of pages taken in
    unchanged_vectors: int = 0  # those that pages had already
    length: int = 0  # numbers in a vector
    replaced: int = 0  # vectors of another length, which no longer count
    compared: int | None = None  # pages held that were compared with the folder or the site they came from
    gone: int = 0  # pages that are gone from where they came from, and were removed
    dropped: tuple[str, ...] = ()  # indexes that went with them
    unindexed: int = 0  # pages whose words are left out, because they say noindex
    warnings: tuple[str, ...] = ()  # what may be wrong with a path, and how to mend it

    @property
    def nothing_read(self) -> bool:
        vectors = self.vectors or self.unchanged_vectors
        return not (self.pages or self.unchanged or self.rows or self.joined or vectors)

    @property
    def lines(self) -> list[str]:
        return list(self._said())

    def _said(self) -> Iterator[str]:
        for each in self.joined:
            if each.parts or each.unchanged:
                yield _taken(each.pages, each.rows, each.unchanged, f" from {each.collection}")
            else:
                yield f"added nothing from {each.collection}: all of it was already in the collection"
            if each.vectors:
                yield f"added {_count(each.vectors, 'vector')} from {each.collection}"
            if each.barred:
                yield f"left out {_count(each.barred, 'page')} of {each.collection}: removed for good from here"
            if each.unfit:
                unfit = _count(each.unfit, "vector")
                yield f"{unfit} of the collection have another length than the latest and do not count"
            if each.uncut:
                yield (
                    f"searches may miss words of {_count(each.uncut, 'page')} from {each.collection}: its Chinese or "
                    "Japanese was cut in another way, and there is no text to cut again"
                )
        own = [getattr(self, name) - sum(getattr(each, name) for each in self.joined) for name in COUNTS]
        if any(own) or not (self.joined or self.length):
            yield _taken(*own)
        if self.length:
            yield from self._of_vectors()
        if self.gone:
            indexes = f", and the indexes made from them ({len(self.dropped)})" if self.dropped else ""
            yield f"removed {_count(self.gone, 'page')} that {'is' if self.gone == 1 else 'are'} gone{indexes}"
        elif self.compared is not None:
            held = f"compared {_count(self.compared, 'page')} that came from there before"
            yield f"{held}: none is gone" if self.compared else "no page had come from there before: nothing to compare"
        if self.broken_links:
            yield f"left out {_count(self.broken_links, 'link')} whose target is not an address"
        if self.unindexed:
            yield f"left out the words of {_count(self.unindexed, 'page')} with noindex"
        if self.skipped:
            yield f"skipped {sum(self.skipped.values()):,}:"
        for why, count in sorted(self.skipped.items(), key=lambda item: -item[1]):
            named = ", ".join(self.examples[why][:EXAMPLES]) + (" …" if count > EXAMPLES else "")
            yield f"  {count:,} {why}: {named}"
        yield from self.warnings

    def _of_vectors(self) -> Iterator[str]:
        held = f"; {self.unchanged_vectors:,} were already in the collection" if self.unchanged_vectors else ""
        yield f"added vectors of {_count(self.vectors, 'page')}, each of {_count(self.length, 'number')}{held}"
        if self.replaced:
            yield f"they replace those of {_count(self.replaced, 'page')}, which had another length and no longer count"


COUNTS = ("pages", "rows", "unchanged")


def _taken(pages: int, rows: int, unchanged: int, where: str = "") -> str:
    """What was taken in, as a sentence."""
    taken = [_count(pages, "page")] if pages or not rows else []
    taken += [_count(rows, "row") + " of tables"] if rows else []
    held = f"; {unchanged:,} were already in the collection" if unchanged or (where and pages) else ""
    return f"added {' and '.join(taken)}{where}{held}"


def add(
    path: Path, paths: list[Path], kind: str, base_url: str | None, follow_symlinks: bool, text: bool,
    icann_only: bool, vectors: Path | None, columns: Mapping[str, str] | None, respect_noindex: bool,
    sync: "Sync | None", tell: Tell, stdin: bool = False, addresses: Sequence[str] = (),
) -> Added:  # fmt: skip
    """Read everything at some paths into a collection, and vectors for its pages; `stdin`: standard input, too.

    addresses: of archives in file systems that only the engine knows.
    """
    from pagekin.acquire.folder import is_collection
    from pagekin.acquire.sources import open_sources
    from pagekin.acquire.standard import open_received, received
    from pagekin.answers.uncut import uncut
    from pagekin.collection.add_vectors import add_vectors
    from pagekin.collection.ingest import Intake, ingest
    from pagekin.collection.join import join
    from pagekin.collection.spread import spread
    from pagekin.engine.base import engine

    for given in paths:
        if (web := _WEB.match(str(given))) and not given.exists():
            url = f"{web[1]}://{str(given)[web.end() :]}"  # a path has lost one of the slashes
            raise UsageError(f"{url} is a web address, not a path; to fetch it, run: {command('crawl', path, url)}")
    if sync and (stdin or not paths):
        raise UsageError(f"{option('sync')} compares a folder with the collection; name the folder")
    if not paths and not stdin and not addresses and vectors is None:
        raise UsageError("nothing to add; name at least one archive, folder of HTML, table of links or collection")
    collections = [each for each in paths if is_collection(each)]
    others = [each for each in paths if each not in collections]
    _check_options(collections, others, kind, base_url)
    with ExitStack() as until_read:
        tell(Progress("looking at what is there"))
        sources = open_sources(others, kind, base_url, follow_symlinks, columns) if others else []
        if stdin:
            sources += open_received(until_read.enter_context(received()), kind, columns)
        remote = _listed(addresses, kind, tell)
        for said in (*map(_described, collections), *(source.said for source in sources if not _is(source, path))):
            tell(Progress(said, lasting=True))
        intake = Intake()
        joined: tuple[Joined, ...] = ()
        with reporting_rows(tell, "add"):
            gone = sync.before_add(path, paths) if sync else {}
            if collections:
                joined = join(path, collections, text=text, icann_only=icann_only, progress=_joining(tell))
            settings = {"text": text, "icann_only": icann_only, "respect_noindex": respect_noindex}
            archives = [source for source in sources if source.kind in ARCHIVES] if engine().spreads else []
            if archives or remote:
                intake = spread(path, archives, remote=remote, kind=kind, **settings, progress=reading(tell, None))
            if rest := [source for source in sources if source not in archives]:
                files = [source.files for source in rest]
                counting = reading(tell, None if None in files else sum(map(int, filter(None, files))))
                intake.count(ingest(path, rest, **settings, progress=counting))
            if vectors is not None:
                add_vectors(path, vectors, intake, lambda intake: tell(Progress("reading vectors", intake.vectors)))
        for each in joined:
            intake.pages, intake.rows = intake.pages + each.pages, intake.rows + each.rows
            intake.unchanged += each.unchanged
        warnings = tuple(each.warning for each in sources if each.warning)
        warnings += uncut(path) if intake.pages else ()
        return replace(added(intake), joined=joined, warnings=warnings, **gone)


def _check_options(collections: list[Path], others: list[Path], kind: str, base_url: str | None) -> None:
    """Refuse options that say something about paths which are collections: these are taken as they are."""
    if collections and kind != "auto":
        raise UsageError(f"{collections[0]} is a collection; {option('from')} is for other paths: add them separately")
    if collections and not others and base_url is not None:
        raise UsageError(
            f"{collections[0]} is a collection, whose pages have addresses; leave out {option('base_url')}"
        )


def _listed(addresses: Sequence[str], kind: str, tell: Tell) -> list[str]:
    """The archives at addresses, as the engine lists them; of a folder, what its name says is one."""
    from pagekin.acquire.remote import is_archive
    from pagekin.engine.base import engine

    if addresses and kind not in ("auto", *ARCHIVES):
        raise UsageError(f"of {addresses[0]} only archives are read; leave out {option('from', kind)}")
    found: list[str] = []
    for address in addresses:
        files = engine().listed(address)
        archives = [file for file in files if is_archive(file)] if len(files) > 1 else files
        if not archives:
            raise SourceError(f"no archive at {address} among {_count(len(files), 'file')}; expected WARC, WACZ or ARC")
        tell(Progress(f"{address}: {_count(len(archives), 'web archive')}", lasting=True))
        found += archives
    return list(dict.fromkeys(found))


def _described(collection: Path) -> str:
    from pagekin.collection import manifest

    return f"{collection.name}: a collection ({_count(len(manifest.read(collection).parts), 'part')})"


def _is(source: "FoundSource", path: Path) -> bool:
    """Whether a source is the very collection that is added to, in the folder that it is made from."""
    return source.kind == "collection" and path.exists() and source.path.samefile(path)


def _joining(tell: Tell) -> Callable[[Path, int, int], None]:
    return lambda other, done, parts: tell(Progress(f"joining {other.name}", done, parts))


def reading(tell: Tell, files: int | None) -> "Callable[[Intake], None]":
    """A callback that reports how far an ingestion is; `files`: how many pages there may be, if that is known."""

    def told(intake: "Intake") -> None:
        pages = intake.pages + intake.parsed + intake.unchanged + sum(intake.skipped.values())
        if files is not None:
            tell(Progress("reading files", min(pages, files), files))
        else:
            tell(Progress("reading pages", pages) if pages else Progress("reading rows", intake.rows))

    return told


def added(intake: "Intake") -> Added:
    """The report of an ingestion."""
    examples = {why: tuple(some) for why, some in intake.examples.items()}
    counts = intake.pages, intake.unchanged, intake.rows, intake.broken_links
    vectors = {
        name: getattr(intake, name) for name in ("vectors", "unchanged_vectors", "length", "replaced", "unindexed")
    }
    return Added(*counts, Counter(intake.skipped), examples, **vectors)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
