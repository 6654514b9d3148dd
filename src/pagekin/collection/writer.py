"""Changes a collection on disk: one process at a time, each change whole or not at all.

NAME.kin/lock is held by the one writer, and released when its process ends.
"""

import fcntl
import os
import re
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path

from pagekin.collection import graph as graphs
from pagekin.collection import manifest as manifests
from pagekin.collection import parts as part_files
from pagekin.collection import sealed
from pagekin.collection.files import all_known
from pagekin.collection.fold import fold
from pagekin.collection.manifest import GRAPH, BuiltIndex, Manifest, Part
from pagekin.collection.schema import Tables
from pagekin.collection.store import Store
from pagekin.engine.watch import step
from pagekin.errors import CollectionError, PagekinError
from pagekin.failures import explained, plain, said

DESCRIPTION = "index.json"
OUR_FOLDER = re.compile(r"([a-z-]+\.)?\d{6,}-[0-9a-f]{8}")  # 000012-0a1b2c3d, graph.000012-0a1b2c3d
OUR_FILES = (".parquet", ".npy", ".arrow", ".arrows", ".json", ".new", ".tmp")  # .tmp: what a build needs meanwhile


class Writer:
    """Changes a collection, as the only process that may. Every method leaves a complete collection behind."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path, self.manifest = path, manifest

    def store(self) -> Store:
        """The current state, for reading; whatever is read of it is verified in full."""
        return Store(self.path, in_full=True)

    def add(self, tables: Tables) -> bool:
        """Commit the tables as a new part; False if exactly the same rows were added before."""
        part = self.new_part(tables, self.manifest.version + 1)
        if any(part.holds[0] in other.holds for other in self.manifest.parts):
            shutil.rmtree(self.path / part.path)
            return False
        self.commit(parts=(*self.manifest.parts, part), version=self.manifest.version + 1)
        return True

    def renew(self, tables: Tables) -> None:
        """Commit rows that are held already, with later times. The content is the same, and indexes stay good."""
        part = self.new_part(tables, self.manifest.version)
        self.commit(parts=(*self.manifest.parts, part))

    def new_part(self, tables: Tables, version: int, holds: tuple[str, ...] = ()) -> Part:
        """Write a part that the state of a version will list; see `parts.write`."""
        return part_files.write(self.path, self.new_name(), tables, replace(self.manifest, version=version), holds)

    def fold(self, parts: tuple[Part, ...] | None = None) -> None:
        """Write the graph of these parts (by default, of the current ones) and commit both in one step.

        Does nothing if the written graph already covers them.
        """
        state = self.manifest if parts is None else self.manifest.following(parts=parts)
        names = tuple(part.name for part in state.parts)
        held = state.indexes.get(GRAPH)
        if held and not held.files:  # made before files had checksums: nothing may follow from it
            state = replace(state, indexes={name: index for name, index in state.indexes.items() if name != GRAPH})
        elif held and held.parts == names:
            return
        index = BuiltIndex(f"index/{GRAPH}.{self.new_name()}", state.version, names)

        def fill(folder: Path) -> None:
            with step("making the graph of links"):
                fold(Store(self.path, state, in_full=True).runs(held=True), folder)
            with step("counting the words of templates"):
                made = Store(self.path, replace(state, indexes={GRAPH: index}), in_full=True)
                graphs.write_boilerplate(made.count_boilerplate(), folder)

        index = self._fill(GRAPH, index, fill)
        self.commit(parts=state.parts, indexes=self.manifest.indexes | {GRAPH: index})

    def derive(self, name: str, fill: Callable[[Path], None]) -> None:
        """Let `fill` write an index into a new folder, and commit it as the index `name`."""
        self.commit(indexes=self.manifest.indexes | {name: self.new_index(name, fill)})

    def new_index(self, name: str, fill: Callable[[Path], None]) -> BuiltIndex:
        """Let `fill` write an index into a new folder; it does not count until it is committed."""
        made = BuiltIndex(f"index/{name.partition('(')[0]}.{self.new_name()}", self.manifest.version)
        return self._fill(name, made, fill)

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A folder for what is needed meanwhile; if this process is killed, the next writer removes it."""
        folder = self.path / f"index/scratch.{self.new_name()}"
        folder.mkdir(parents=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def describe(self) -> list[str]:
        """Have all parts and indexes describe themselves, as new ones do; returns the paths of those that did not."""
        parts = [part for part in self.manifest.parts if not part_files.is_described(self.path, part)]
        store = self.store()
        for part in parts:
            for table in part.checksums:
                store.verify(part, table)
            part_files.write_description(self.path, part, self.manifest)
        held = self.manifest.indexes.items()
        indexes = [(name, index) for name, index in held if index.files and not is_described(self.path, name, index)]
        for name, index in indexes:
            write_description(self.path, name, index)
        return [part.path for part in parts] + [index.path for _, index in indexes]

    def commit(self, **changes: object) -> None:
        """Write the changed manifest, then remove what neither it nor the previous state needs."""
        new = self.manifest.following(**changes)
        manifests.write(self.path, new)
        self.manifest = new
        self.sweep()

    def purge(self, **changes: object) -> None:
        """Commit, and keep nothing of earlier states: a reader in between reads the manifest again.

        An error names what could not be removed, since somebody put other files there.
        """
        new = replace(self.manifest.following(**changes), retired=())
        manifests.write(self.path, new)
        self.manifest = new
        self.sweep()
        if left := list(self._unlisted()):
            raise CollectionError(
                f"the pages are removed from {self.path}, but {', '.join(left)} could not be removed: it holds other "
                "files, or a symbolic link leads there; remove it by hand"
            )

    def sweep(self) -> list[str]:
        """Remove folders that no state needs: left by a killed writer, or retired a generation ago."""
        return [folder for folder in list(self._unlisted()) if self.remove(folder)]

    def _unlisted(self) -> Iterator[str]:
        """Folders with such a name as ours have that no state needs."""
        needed = self.manifest.paths() | set(self.manifest.retired)
        for kind in ("parts", "index"):
            for each in sorted((self.path / kind).glob("*")):
                if OUR_FOLDER.fullmatch(each.name) and (folder := f"{kind}/{each.name}") not in needed:
                    yield folder

    def remove(self, folder: str) -> bool:
        """Remove a folder, but only if it is certainly ours; returns whether it was.

        It has such a name as `new_name` gives, holds nothing but files of our kinds, and is directly in `parts/` or
        `index/`. Where one of these is a link, what it leads to may be anybody's.
        """
        found = self.path / folder
        if found.parent.is_symlink() or not _is_ours(found):
            return False
        shutil.rmtree(found, ignore_errors=True)
        return True

    def _fill(self, name: str, index: BuiltIndex, fill: Callable[[Path], None]) -> BuiltIndex:
        """Make an index's folder with what `fill` writes into it, safe on disk, or no folder at all."""
        target = self.path / index.path
        try:
            target.mkdir(parents=True)
            fill(target)
            for file in target.iterdir():
                with file.open("rb") as opened:
                    os.fsync(opened.fileno())
            index = replace(index, files=all_known(target))
            write_description(self.path, name, index)
            sealed.sync(target.parent)
        except BaseException:
            shutil.rmtree(target, ignore_errors=True)
            raise
        return index

    def new_name(self) -> str:
        return f"{self.manifest.version + 1:06d}-{uuid.uuid4().hex[:8]}"


def _is_ours(folder: Path) -> bool:
    """Whether a folder is one that a writer made: by its name, and by all that is in it."""
    if folder.is_symlink() or not folder.is_dir() or not OUR_FOLDER.fullmatch(folder.name):
        return False
    return all(not file.is_symlink() and (file.is_dir() or file.suffix in OUR_FILES) for file in folder.rglob("*"))


def write_description(folder: Path, name: str, index: BuiltIndex) -> None:
    """Write, beside an index's files, all that the manifest says about it."""
    (folder / index.path).mkdir(parents=True, exist_ok=True)  # lost with its files, which scrub makes again
    sealed.write(folder / index.path / DESCRIPTION, {"name": name, "index": asdict(index)})


def is_described(folder: Path, name: str, index: BuiltIndex) -> bool:
    """Whether an index says about itself what the manifest says about it."""
    try:
        found, is_sealed = sealed.read(folder / index.path / DESCRIPTION)
        return is_sealed and found["name"] == name and BuiltIndex.read(found["index"]) == index
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


@contextmanager
def writing(path: Path | str, **settings: object) -> Iterator[Writer]:
    """Lock a collection for writing, making it if there is none; `settings` (icann_only …) apply to a new one."""
    folder = Path(path)
    if not folder.exists():
        _create(folder, Manifest(**settings))  # type: ignore[arg-type]
    manifests.read(folder)  # not a collection: say so before leaving a lock file in it
    with locked(folder):
        yield Writer(folder, manifests.read(folder))


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of the one writer, and say what an error of the disk means for the collection."""
    try:
        with (folder / "lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CollectionError(f"another process is writing to {folder}; wait for it to end") from None
            yield
    except PagekinError:
        raise
    except Exception as error:
        found = explained(error, folder)
        if found is None and not isinstance(error, OSError):
            raise
        wrong, remedy = found or (plain(error), "check the disk and run the same command again")
        raise CollectionError(
            f"writing {folder} failed: {wrong}; what was committed before is safe; {remedy}"
        ) from error


def _create(folder: Path, manifest: Manifest) -> None:
    """Make a new, empty collection, which appears complete or not at all."""
    beside = folder.with_name(f".{folder.name}.{uuid.uuid4().hex[:8]}")
    try:
        beside.mkdir(parents=True)
        manifests.write(beside, manifest)
        beside.rename(folder)
    except OSError as error:
        shutil.rmtree(beside, ignore_errors=True)
        if not folder.exists():  # if it exists, another process was faster, and its collection will do
            raise CollectionError(f"cannot make {folder}: {said(error, folder)}") from None
