"""The related pages of every page as a folder of small JSON files, made for documentation sites.

    index.json      address → file
    9f86d0….json    what `pagekin related --json` prints for that page

A file is named after the first 32 hexadecimal digits of the SHA-256 of the page's address. That is a valid name on
every file system, and a browser can compute it without the index.
"""

import json
import re
import shutil
import uuid
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from pagekin.answers.export.files import cannot_write
from pagekin.answers.export.tables import covered
from pagekin.answers.filters import Filters
from pagekin.answers.ranking import Ranking
from pagekin.answers.related import related
from pagekin.collection.store import Store
from pagekin.engine.watch import rows_done
from pagekin.errors import PagekinError
from pagekin.harmless import as_json
from pagekin.methods import Method
from pagekin.methods import method as named

INDEX = "index.json"
DIGITS = 32

_OURS = re.compile(rf"[0-9a-f]{{{DIGITS}}}\.json")


def file_name(url: str) -> str:
    """The name of a page's file.

    >>> file_name("http://a.example/")
    '217fbabc0e7aa17115435afd966b734a.json'
    """
    return sha256(url.encode()).hexdigest()[:DIGITS] + ".json"


def write_folder(store: Store, path: Path, method: str, k: int, filters: Filters) -> int:
    """Write a file for each page that has related pages. Returns the number of files.

    All files are written to a temporary folder before the first is moved into place. Files of an earlier export are
    replaced, or removed if their page is gone; other files in the folder are left alone.
    """
    asked = named(method)
    former = _earlier_files(path) if path.exists() else set()
    beside = (path if path.exists() else path.parent) / f".pagekin-{uuid.uuid4().hex[:12]}"
    try:
        beside.mkdir()
        pages = _write(_rankings(store, asked, k, filters), beside)
        _put_in_place(beside, path, former)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return pages


def _earlier_files(path: Path) -> set[str]:
    """The file names of an earlier export; an error if the folder was not made by an export."""
    try:
        index = json.loads((path / INDEX).read_text("utf-8")) if (path / INDEX).exists() else {}
    except (OSError, ValueError):
        index = None
    if (path / "manifest.json").exists():
        raise PagekinError(f"{path} is a collection; name another folder to export to")
    if not isinstance(index, dict) or not all(
        isinstance(name, str) and _OURS.fullmatch(name) for name in index.values()
    ):
        raise PagekinError(f"{path / INDEX} was not written by an export and is left alone; name another folder")
    return set(index.values())


def _rankings(store: Store, method: Method, k: int, filters: Filters) -> Iterator[tuple[str, Ranking]]:
    pages = covered(store, filters).tolist()
    for done, page in enumerate(pages, 1):
        ranking = related(store, [store.url(page)], k, method, filters=filters)
        rows_done(done, len(pages))
        if ranking.results:
            yield store.url(page), ranking


def _write(rankings: Iterator[tuple[str, Ranking]], folder: Path) -> int:
    pages = 0
    with (folder / INDEX).open("w", encoding="utf-8") as index:
        for url, ranking in rankings:
            name = file_name(url)
            (folder / name).write_text(as_json(ranking.as_dict()), "utf-8")
            index.write(f"{',' if pages else '{'}\n{as_json(url)}: {json.dumps(name)}")
            pages += 1
        index.write("\n}\n" if pages else "{}\n")
    return pages


def _put_in_place(beside: Path, path: Path, former: set[str]) -> None:
    if not path.exists():
        beside.rename(path)
        return
    names = {file.name for file in beside.iterdir()}
    for name in sorted(names, key=lambda name: name == INDEX):  # the index last, when all the files it names are there
        (beside / name).replace(path / name)
    for name in former - names:
        (path / name).unlink(missing_ok=True)
