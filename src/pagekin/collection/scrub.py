"""The scrub pass (paper 5, 3.1): checks every byte of a collection, repairs what it can, and says what it did.

In this order, since each step relies on the ones before it: the manifest is rebuilt if it is lost (`recover`); damaged
parts are replaced by what can be salvaged of them, and kept in `damaged/` (`salvage`); inconsistent rows are mended or
dropped (`mend`); the graph is compared with one made afresh from the parts; indexes that fail their checksums are made
again. What is lost is always named.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from pagekin.collection import barred, files, tuned
from pagekin.collection import graph as graphs
from pagekin.collection import manifest as manifests
from pagekin.collection import parts as part_files
from pagekin.collection.manifest import BARRED, GRAPH, TUNED, BuiltIndex, LostManifestError, Manifest, Part
from pagekin.collection.mend import mend
from pagekin.collection.recover import recovered
from pagekin.collection.salvage import intact, salvaged, set_aside
from pagekin.collection.schema import SCHEMAS
from pagekin.collection.snapshot import merged
from pagekin.collection.writer import Writer, locked
from pagekin.engine.watch import rows_done, step
from pagekin.errors import CollectionError, PagekinError
from pagekin.url import CANONICAL_VERSION
from pagekin.wording import command

Remake = Callable[[Writer, list[str]], None]  # makes the named indexes again


def scrub(path: Path, remake: Remake) -> Iterator[str]:
    """Check a collection and repair it; yields a sentence for each repair, and for what could not be checked."""
    if not path.exists():
        raise CollectionError(f"there is no collection {path}")
    lost = _lost_manifest(path)
    with locked(path):
        said = 0
        for line in _steps(path, lost, remake):
            said += 1
            yield line
        if not said:
            held = manifests.read(path)
            rows, indexes = sum(part.rows["pages"] for part in held.parts), len(held.indexes)
            named = "index" if indexes == 1 else "indexes"
            yield f"nothing to repair: {len(held.parts)} parts, {rows:,} page rows, {indexes} {named} checked"


def _lost_manifest(path: Path) -> LostManifestError | None:
    try:
        manifests.read(path)
    except LostManifestError as error:
        return error
    return None


def _steps(path: Path, lost: LostManifestError | None, remake: Remake) -> Iterator[str]:
    if lost:
        yield from recovered(path, str(lost).partition(";")[0])
    writer = Writer(path, manifests.read(path))
    for repair in (_leftovers, _damaged, _malformed, _descriptions, _graph, _form):
        yield from repair(writer)
    yield from _indexes(writer, remake)


def _leftovers(writer: Writer) -> Iterator[str]:
    gone = writer.sweep()
    if gone:
        yield f"removed folders that an interrupted command left behind ({len(gone)}): {', '.join(gone)}"


def _damaged(writer: Writer) -> Iterator[str]:
    """Replace the parts whose files are not what was written by what can be salvaged of them."""
    for part in _counted("checking files of parts", writer.manifest.parts):
        if all(intact(writer.path, part, table) for table in part.checksums):
            continue
        aside = set_aside(writer.path, part.name)
        found = salvaged(writer.path, part, writer.manifest.icann_only)
        version = writer.manifest.version if found.whole else _next(writer)  # indexes stay good if nothing is lost
        holds = part.holds if found.whole else ()
        new = writer.new_part(found.tables, version, holds) if found.tables["pages"].num_rows else None
        _replace(writer, part, new, version)
        writer.remove(part.path)  # a copy is set aside: whoever rebuilds a lost manifest need not salvage it again
        yield from found.sentences(aside)


def _counted(what: str, parts: tuple[Part, ...]) -> Iterator[Part]:
    """The parts, one by one, for whoever looks on."""
    for done, part in enumerate(parts):
        rows_done(done, len(parts), what)
        yield part


def _next(writer: Writer) -> int:
    return writer.manifest.version + 1


def _replace(writer: Writer, old: Part, new: Part | None, version: int) -> None:
    """Commit a part in place of another, without the graph, which no longer matches and is rebuilt later."""
    parts = tuple(new if part == old else part for part in writer.manifest.parts)
    writer.commit(parts=tuple(part for part in parts if part), indexes=_without_graph(writer.manifest), version=version)


def _without_graph(state: Manifest) -> dict[str, BuiltIndex]:
    return {name: index for name, index in state.indexes.items() if name != GRAPH}


def _malformed(writer: Writer) -> Iterator[str]:
    """Mend or drop inconsistent rows, part by part."""
    for part in _counted("checking rows of parts", writer.manifest.parts):
        tables = {name: part_files.read(writer.path, part, name) for name in SCHEMAS}
        mended, findings = mend(tables, writer.manifest.icann_only)
        if findings:
            version = _next(writer)
            _replace(writer, part, writer.new_part(mended, version, part.holds), version)
            for what, count in sorted(findings.items()):
                yield f"part {part.name}: {count:,} {what}"


def _descriptions(writer: Writer) -> Iterator[str]:
    """Write again what parts and indexes say about themselves, if it is missing or damaged."""
    written = writer.describe()
    if written:
        yield f"descriptions that were missing or damaged were written again ({len(written)}): {', '.join(written)}"


def _graph(writer: Writer) -> Iterator[str]:
    """Rebuild the written graph if it is not what the parts give."""
    state: Manifest = writer.manifest
    with step("making the graph anew, to compare"):
        fresh = graphs.from_snapshot(merged([writer.store().contribution(i) for i in range(len(state.parts))]))
    held = state.indexes.get(GRAPH)
    if held and (_faults(writer, held) or held.parts == tuple(part.name for part in state.parts)):
        if _equals(writer, fresh):
            if not held.files:
                yield "the graph was made before files had checksums: written again"
        else:
            writer.commit(indexes=_without_graph(state))
            yield "the graph was damaged or did not match the parts: rebuilt"
    writer.fold()


def _equals(writer: Writer, fresh: graphs.Graph) -> bool:
    try:
        return graphs.equal(writer.store().graph, fresh)
    except PagekinError:
        return False


def _form(writer: Writer) -> Iterator[str]:
    """Record that the addresses, which were checked above, are in today's canonical form."""
    if writer.manifest.canonical != CANONICAL_VERSION:
        writer.commit(canonical=CANONICAL_VERSION)
        yield f"all addresses are now in version {CANONICAL_VERSION} of the canonical form"


def _indexes(writer: Writer, remake: Remake) -> Iterator[str]:
    """Make again the indexes whose files are not what was written; name those that nothing can be said about."""
    for name in writer.store().unsealed():
        remedy = command("build", writer.path)
        yield f"could not verify the index {name}: it was made before files had checksums; to make it again: {remedy}"
    with step("checking indexes"):
        wrong = {name: found for name, index in writer.manifest.indexes.items() if (found := _faults(writer, index))}
    if found := wrong.pop(TUNED, []):
        tuned.forget(writer)
        again = command("tune", writer.path, related="FILE")
        yield f"the tuned weights were damaged ({'; '.join(found)}) and are lost; to fit them again: {again}"
    if found := wrong.pop(BARRED, []):
        barred.forget(writer)
        again = command("remove", writer.path, "URL", for_good=True)
        what = f"the list of what was removed for good was damaged ({'; '.join(found)}) and is lost"
        yield f"{what}; to bar pages again: {again}"
    remake(writer, list(wrong))
    for name, found in wrong.items():
        yield f"the index {name} was damaged ({'; '.join(found)}): made again"


def _faults(writer: Writer, index: BuiltIndex) -> list[str]:
    return [f"{path.name} {what}" for path, what in files.faults(writer.path / index.path, index.files, in_full=True)]
