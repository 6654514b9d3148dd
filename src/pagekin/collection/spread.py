"""Archives become parts on the engine's machines, file by file; the collection takes in all of them in one step.

Each task reads one archive as `ingest` does on one core, and writes its parts into the collection's folder, where they
do not count. When all are there, one commit lists them. A task that is run again, because its machine died, writes its
parts again under other names; what is not listed then is swept up, as it is if the whole job fails.
"""

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from pagekin.acquire.remote import Received
from pagekin.collection import parts as part_files
from pagekin.collection.ingest import PART_PAGES, Ingest, Intake, filling
from pagekin.collection.manifest import Manifest, Part
from pagekin.collection.schema import Tables
from pagekin.collection.store import Store
from pagekin.collection.writer import Writer
from pagekin.engine.base import over_addresses, over_files
from pagekin.engine.watch import step
from pagekin.model import Item


@dataclass
class Beside:
    """What takes the place of a `Writer` in a task: it writes parts that nothing lists yet."""

    path: Path
    manifest: Manifest
    parts: list[Part] = field(default_factory=list)

    def store(self) -> Store:
        return Store(self.path, self.manifest)

    def add(self, tables: Tables) -> bool:
        state = replace(self.manifest, version=self.manifest.version + 1)
        self.parts.append(part_files.write(self.path, f"{state.version:06d}-{uuid.uuid4().hex[:8]}", tables, state))
        return True

    def renew(self, tables: Tables) -> None:
        raise NotImplementedError("only a crawl confirms pages")

    def fold(self) -> None:
        raise NotImplementedError("only a crawl folds between its rounds")


def spread(
    path: Path | str,
    sources: Sequence[Iterable[Item]],
    *,
    remote: Sequence[str] = (),
    kind: str = "auto",
    text: bool = True,
    icann_only: bool = False,
    respect_noindex: bool = False,
    part_pages: int = PART_PAGES,
    progress: Callable[[Intake], None] = lambda report: None,
) -> Intake:
    """Add what archives yield to a collection, as `ingest` does, with each archive read by a task of the engine.

    remote: archives that the engine finds and reads itself, by address; kind: what they are.
    """
    folder, report = Path(path).absolute(), Intake()
    with filling(folder, icann_only) as writer:
        manifest = writer.manifest

        def read(source: Iterable[Item]) -> tuple[list[Part], Intake]:
            beside, own = Beside(folder, manifest), Intake()
            Ingest(beside, own, text, part_pages, lambda intake: None, respect_noindex, cores=1).run([source])
            return beside.parts, own

        try:
            made: list[Part] = []
            with step("reading archives"):
                here = over_files(read, sources)
                there = over_addresses(lambda address, body: read(Received(address, body, kind)), remote)
                for parts, own in chain(here, there):
                    made += parts
                    report.count(own)
                    progress(report)
            _take(writer, made)
            writer.fold()
        except BaseException:
            writer.sweep()
            raise
    return report


def _take(writer: Writer, made: Sequence[Part]) -> None:
    """Commit the parts whose rows were not added before, nor twice now."""
    known = {held for part in writer.manifest.parts for held in part.holds}
    fresh = list({part.holds[0]: part for part in made if part.holds[0] not in known}.values())
    if fresh:
        writer.commit(parts=(*writer.manifest.parts, *fresh), version=writer.manifest.version + 1)
    else:
        writer.sweep()
