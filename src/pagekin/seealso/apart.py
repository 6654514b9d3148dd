"""What is written beside the pages: related pages as JSON, and the stylesheet. Each says that it is ours.

related.json          {"made_by": "pagekin see-also", "checksum": …, "pages": {"a.html": [{"path", "url", "title"}]}}
a.related.json        the same for one page, beside a.html: {…, "pages": {"a.html": […]}}
pagekin.css           how lists look, if the site does not say
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pagekin.errors import PagekinError
from pagekin.harmless import as_json
from pagekin.parse.listed import checksum
from pagekin.wording import option

JSON, PER_PAGE, STYLESHEET = "related.json", ".related.json", "pagekin.css"
MADE_BY = "pagekin see-also"
_CSS_SIGN = re.compile(rb"/\* pagekin see-also ([0-9a-f]{16}) \*/\n")
_CSS = b"""\
.pagekin {
  margin-block: 2.5em 1em;
  padding-block-start: 0.75em;
  border-block-start: 1px solid;
  border-color: color-mix(in srgb, currentColor 25%, transparent);
  clear: both;
}
.pagekin > :is(h2, h3, h4, h5, h6) {
  margin-block: 0 0.5em;
  font-size: 1.1em;
}
.pagekin > ul {
  margin: 0;
  padding-inline-start: 1.25em;
}
.pagekin > ul > li {
  margin-block: 0.25em;
}
"""

Entries = Mapping[str, Sequence[Mapping[str, str]]]  # path in the folder → what its list names


def stylesheet() -> bytes:
    return b"/* pagekin see-also " + checksum(_CSS) + b" */\n" + _CSS


def document(pages: Entries) -> bytes:
    """Lists as JSON, one related page on a line."""
    lines = [
        f"{as_json(path)}: [\n  " + ",\n  ".join(as_json(entry) for entry in entries) + "\n ]"
        for path, entries in sorted(pages.items())
    ]
    inside = "{\n " + ",\n ".join(lines) + "\n}" if lines else "{}"
    return f'{{"made_by": "{MADE_BY}", "checksum": "{_sum(pages)}", "pages": {inside}}}\n'.encode("utf-8", "replace")


def _sum(pages: Any) -> str:
    return checksum(json.dumps(pages, sort_keys=True, default=list).encode()).decode()


def documents(root: Path, pages: Entries, each: bool) -> dict[Path, bytes]:
    """The files for all pages together, or for each."""
    if not each:
        return {root / JSON: document(pages)}
    return {(root / path).with_name(_stem(path) + PER_PAGE): document({path: pages[path]}) for path in pages}


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def is_ours(path: Path, data: bytes) -> bool:
    """Whether a file is one of these and nobody has changed it since."""
    if path.suffix == ".css":
        sign = _CSS_SIGN.match(data)
        return sign is not None and sign[1] == checksum(data[sign.end() :])
    try:
        held = json.loads(data)
        return bool(held["made_by"] == MADE_BY and held["checksum"] == _sum(held["pages"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def differing(wanted: Mapping[Path, bytes]) -> Iterator[tuple[Path, bytes]]:
    """The files to write: those that are missing, or ours and not as they should be."""
    for path, data in wanted.items():
        held = path.read_bytes() if path.exists() else None
        if held is not None and held != data and not is_ours(path, held):
            what = option("stylesheet") if path.suffix == ".css" else option("into")
            raise PagekinError(f"{path} was not written by pagekin, or was changed since; move it, or leave out {what}")
        if held != data:
            yield path, data


def found(root: Path) -> Iterator[Path]:
    """The files of a folder that may be ours, by name."""
    yield from (path for path in (root / JSON, root / STYLESHEET) if path.is_file() and not path.is_symlink())
    yield from sorted(path for path in root.rglob(f"*{PER_PAGE}") if path.is_file() and not path.is_symlink())
