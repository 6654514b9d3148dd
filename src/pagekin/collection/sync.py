"""What is gone from where it came from: files of a folder, pages below the start of a crawl.

Only a file that is missing is gone, and only an address that answers 404 or 410. A folder that cannot be read, a
server that does not answer, a page that has moved say nothing.
"""

import os
from collections.abc import Collection as Collected
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pagekin.acquire.capture import place
from pagekin.acquire.origin import files_of
from pagekin.collection.store import Store
from pagekin.errors import CollectionError
from pagekin.failures import plain
from pagekin.kernels import Ints

GONE = (404, 410)  # RFC 9110, 15.5.5 and 15.5.11
MOST_GONE = 0.2  # of the pages from one place: more than that is rather a mistake, such as an empty folder


@dataclass(frozen=True)
class Compared:
    """The pages that came from a place, and those of them that are gone from there, by number."""

    held: Ints
    gone: Ints

    @property
    def too_many(self) -> bool:
        return bool(self.gone.size > MOST_GONE * self.held.size)


def with_folders(store: Store, folders: Iterable[Path]) -> Compared:
    """The pages whose winning capture came from a file in these folders or below, and those whose file is missing."""
    found = [_with_folder(store, folder) for folder in folders]
    held, gone = (np.concatenate([np.empty(0, np.int32), *each]) for each in zip(*found, strict=True))
    return Compared(np.unique(held), np.unique(gone))


def _with_folder(store: Store, folder: Path) -> tuple[Ints, Ints]:
    top = place(folder).rstrip("/") + "/"
    origins = store.graph.pages["origin"].to_pylist()
    held = [page for page, origin in enumerate(origins) if origin and origin.startswith(top)]
    there = set(_files(folder)) if held else set()
    gone = [page for page in held if _is_missing(origins[page], there)]
    return np.array(held, np.int32), np.array(gone, np.int32)


def _files(folder: Path) -> Iterator[str]:
    """All files below a folder, spelled as an origin spells them: a name need not be text."""

    def refused(error: OSError) -> None:
        raise CollectionError(f"cannot tell what is gone from {folder}: {error.filename}: {plain(error)}")

    for inside, _, names in os.walk(folder, onerror=refused):
        yield from (place(Path(inside, name)) for name in names)


def _is_missing(origin: str, there: Collected[str]) -> bool:
    """Whether neither the walk nor the file system knows the file, by any reading of its name."""
    return not any(file in there or _exists(file) for file in files_of(origin))


def _exists(file: str) -> bool:
    try:
        os.lstat(file)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:  # no permission …: it may be there
        return True
    return True


def below(store: Store, starts: Iterable[str]) -> Ints:
    """The fetched pages in the folders of these addresses: of `https://a.example/docs/x`, all under /docs/."""
    tops = tuple(start[: start.rindex("/") + 1] for start in starts)
    urls = store.graph.pages["url"].to_pylist()
    fits = np.fromiter((url.startswith(tops) for url in urls), bool, len(urls))
    return np.flatnonzero(fits & store.fetched).astype(np.int32)


def with_answers(store: Store, starts: Iterable[str], gone: Collected[str]) -> Compared:
    """The pages below the starts of a crawl, and those of them that have answered that they are gone."""
    held = below(store, starts)
    return Compared(held, np.array([page for page in held.tolist() if store.url(page) in gone], np.int32))
