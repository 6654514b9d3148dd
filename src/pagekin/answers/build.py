"""`build`: fold new parts into the graph, compact small parts, and make the indexes that methods need."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pagekin import search as search  # whose indexes it enters in the registry, as `methods` does with theirs
from pagekin.answer import Report, Row
from pagekin.answers.plan import Plan
from pagekin.answers.progress import Progress, Tell, reporting_rows
from pagekin.collection.compact import compact
from pagekin.collection.manifest import GRAPH, KEPT
from pagekin.collection.store import Store
from pagekin.collection.writer import Writer, writing
from pagekin.engine.watch import step
from pagekin.errors import CollectionError, NotBuiltError, PagekinError, UsageError, unknown
from pagekin.index.answers import Answers
from pagekin.index.base import INDEXES, Index, derive, index, is_built, opened
from pagekin.methods import REGISTRY, Method, method
from pagekin.wording import command, option

# Of the usual indexes: what the default method needs first, then what searches do. The registry has them in the order
# in which their modules happened to be imported.
ORDER = ("mirrors", "text", "vectors", "inverted", "completions", "subrelevant")


@dataclass(frozen=True)
class MadeIndex(Row):
    """An index that was made, with its own one-line description."""

    name: str
    said: str


@dataclass(frozen=True, repr=False)
class Built(Report):
    """What a build did."""

    compacted: tuple[int, int] | None  # the number of parts before and after
    pages: int
    links: int
    made: tuple[MadeIndex, ...] = ()
    ready: tuple[str, ...] = ()  # methods asked for that need no index, only the graph
    dropped: tuple[str, ...] = ()  # indexes that were removed, as was asked for

    @property
    def lines(self) -> list[str]:
        return [
            *([f"compacted {self.compacted[0]} parts to {self.compacted[1]}"] if self.compacted else []),
            f"graph: {self.pages:,} pages, {self.links:,} links",
            *(f"{each.name}: {each.said}" for each in self.made),
            *(f"{name} needs only the graph" for name in self.ready),
            *(f"{name}: removed" for name in self.dropped),
        ]


def build(
    path: Path,
    indexes: Sequence[str],
    methods: Sequence[str],
    tell: Tell,
    drop: Sequence[str] = (),
    everything: bool = False,
) -> Built:
    """Make the named indexes and those that named methods need, even if they exist.

    Without names: what the default method and `search` need and is missing, and what is stale; with `everything`, what
    any method needs. A named method that keeps its answers (`index.answers`) also gets them computed for all pages.
    `drop` names indexes to remove instead.
    """
    if drop:
        if indexes or methods or everything:
            raise UsageError(f"{option('drop')} removes indexes and makes none; run it on its own")
        return _dropped(path, drop, tell)
    if everything and (indexes or methods):
        named_too = option("index" if indexes else "method")
        raise UsageError(
            f"{option('all')} makes the indexes of all methods; leave out {named_too}, or run it afterwards"
        )
    named, asked = [_index(name) for name in indexes if name != GRAPH], [method(name) for name in methods]
    Store(path)  # raises if there is no collection: build never creates one
    with writing(path) as writer:
        with reporting_rows(tell, GRAPH):
            gone = compact(writer)
            writer.describe()  # parts of a collection that was made before they did
            parts = len(writer.manifest.parts)
            writer.fold()
        store = writer.store()
        done = Built((gone + parts, parts) if gone else None, store.arrays.size, store.arrays.links)
        for line in done.lines:
            tell(Progress(line, lasting=True))
        asked = [each.chosen_for(store) for each in asked]
        wanted = (
            {repr(each): each for each in (*named, *_needed(store, asked), *_answers(asked))}
            if indexes or methods
            else _missing_or_stale(store, everything)
        )
        made, ordered = list[MadeIndex](), _with_needs(store, wanted)
        plan = Plan.of(ordered, store)
        for line in plan.lines:
            tell(Progress(line, lasting=True))
        for number, (text, each) in enumerate(ordered.items(), 1):
            with reporting_rows(tell, f"{text} ({', '.join([f'{number} of {len(ordered)}', *plan.left(text)])})"):
                made.append(MadeIndex(text, derive(writer, each)))
            plan.done(text)
            tell(Progress(f"{text}: {made[-1].said}", lasting=True))
    ready = tuple(repr(each) for each in asked if each.index is None)
    for name in ready:
        tell(Progress(f"{name} needs only the graph", lasting=True))
    return Built(done.compacted, done.pages, done.links, tuple(made), ready)


def _dropped(path: Path, names: Sequence[str], tell: Tell) -> Built:
    """Remove indexes by their names; a name without settings stands for all of that name."""
    Store(path)
    with writing(path) as writer:
        held = {name: index for name, index in writer.manifest.indexes.items() if name not in KEPT and name != GRAPH}
        going: dict[str, None] = {}
        for name in names:
            found = [each for each in held if name in (each, each.partition("(")[0])]
            if not found:
                raise unknown("built index", name, held) if held else CollectionError(f"{path} has no index to remove")
            going |= dict.fromkeys(found)
        kept = {name: index for name, index in writer.manifest.indexes.items() if name not in going}
        writer.commit(indexes=kept)
        store = writer.store()
        done = Built(None, store.arrays.size, store.arrays.links, dropped=tuple(going))
    for line in done.lines[1:]:
        tell(Progress(line, lasting=True))
    return done


def remake(writer: Writer, names: Sequence[str]) -> None:
    """Make some indexes again, those that others depend on first."""

    def depth(each: Index) -> int:
        return 1 + max(map(depth, each.needs), default=0)

    for each in sorted(map(index, names), key=depth):
        with step(f"making {each!r} again"):
            derive(writer, each)


def _needed(store: Store, methods: Iterable[Method]) -> list[Index]:
    indexes = [index for each in methods if each.index is not None for index in (each.index, *each.ahead)]
    return [index for index in indexes if index.is_for(store)]


def _answers(methods: Iterable[Method]) -> list[Index]:
    return [Answers(repr(each)) for each in methods if each.most_kept]


def _with_needs(store: Store, wanted: dict[str, Index]) -> dict[str, Index]:
    """The wanted indexes, each preceded by the indexes it depends on, unless those are up to date."""
    fresh = store.manifest.indexes.keys() - set(store.stale())
    full: dict[str, Index] = {}
    for text, each in wanted.items():
        full |= {repr(other): other for other in each.needs if repr(other) not in fresh}
        full[text] = each
    return full


def _index(written: str) -> Index:
    try:
        return index(written)
    except UsageError:
        if written.partition("(")[0].strip() in INDEXES:
            raise
        raise unknown("index", written, [GRAPH, *INDEXES]) from None


def to_make(store: Store, names: Iterable[str]) -> str:
    """The command that makes some indexes that are missing."""
    named = set(names)
    if named <= {repr(each) for each in _usual(store)}:
        return command("build", store.path)
    if named <= {repr(each) for each in (*_usual(store), *_of_all_methods(store))}:
        return command("build", store.path, all=True)
    return command("build", store.path, index=sorted(named))


def _usual(store: Store) -> list[Index]:
    """What plain `build` makes: what the default method and `search` answer from, and the copies of results."""
    usual = [cls() for cls in INDEXES.values() if cls.usual]
    return [each for each in sorted(usual, key=lambda each: ORDER.index(each.name)) if each.is_for(store)]


def _of_all_methods(store: Store) -> list[Index]:
    needed = _needed(store, (cls().chosen_for(store) for cls in REGISTRY.values()))
    return [other for each in needed for other in (*each.needs, each)]


def _outgrown(store: Store) -> list[Index]:
    """The indexes that suit the collection now, of methods that answer from one that suited it formerly."""
    pairs = ((cls().answering(store).index, cls().chosen_for(store).index) for cls in REGISTRY.values())
    return [now for held, now in pairs if held and now and held != now and is_built(store, held)]


def _of_another_version(store: Store) -> Iterator[str]:
    for text in store.manifest.indexes:
        if text.partition("(")[0] in INDEXES:
            try:
                opened(store, index(text))
            except NotBuiltError:
                yield text
            except PagekinError:  # damaged: that is for scrub
                continue


def _missing_or_stale(store: Store, everything: bool) -> dict[str, Index]:
    """The indexes to make if none is named: stale, without checksums or of another version, and missing ones."""
    others = _of_all_methods(store) if everything else _outgrown(store)
    needed = {repr(each): each for each in (*_usual(store), *others)}
    missing = {text: each for text, each in needed.items() if text not in store.manifest.indexes}
    doubtful = sorted({*store.stale(), *store.unsealed(), *_of_another_version(store)})
    stale = {text: index(text) for text in doubtful if text.partition("(")[0] in INDEXES}
    return stale | missing
