"""Writes the index of a WARC file as CDXJ, by which pywb and others find the answer for an address and a time.

    example,bees)/hive 20260101120000 {"url": "http://bees.example/hive", "mime": "text/html", "status": "200", …}

The first word is the address in SURT form: the host's names from the last to the first, then the path, in lower case.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from pagekin.acquire import http
from pagekin.acquire.records import Records

_HEAD_BYTES = 64 << 10
_WWW = re.compile(r"^www\d*\.")
_SLASHES = re.compile(r"//+")


def index_of(archive: Path) -> Path:
    """Where the index of an archive is: beside it."""
    return archive.with_name(archive.name.removesuffix(".gz").removesuffix(".warc") + ".cdxj")


def write(archive: Path) -> Path:
    """Write the index of an archive beside it, sorted, whole or not at all."""
    path = index_of(archive)
    beside = path.with_name(f".{path.name}")
    beside.write_text("".join(sorted(_lines(archive))), encoding="utf-8")
    return beside.replace(path)


def surt(url: str) -> str:
    """The key of an address: without its scheme, user, `www.` and fragment, the parts of its query in order.

    >>> surt("https://www.Bees.example:8080/Hive//Wax/?b=2&a=1#top")
    'example,bees:8080)/hive/wax?a=1&b=2'
    """
    rest = url.partition("://")[2].partition("#")[0].lower()
    host, _, path = rest.partition("/")
    name, colon, port = host.rpartition("@")[2].partition(":")
    labels = _WWW.sub("", name).split(".")[::-1]
    path, _, query = path.partition("?")
    asked = "?" + "&".join(sorted(query.split("&"))) if query else ""
    return f"{','.join(labels)}{colon}{port})/{_SLASHES.sub('/', path).rstrip('/')}{asked}"


def _lines(archive: Path) -> Iterator[str]:
    """A line for each answer. A record ends where the next begins."""
    pending = None
    with archive.open("rb") as file:
        for at, record in Records(file):
            if pending is not None:
                yield _line(archive, *pending, at)
                pending = None
            if isinstance(record, str) or str(record.record_type) != "response":
                continue
            status, headers, _ = http.split(record.reader.read(_HEAD_BYTES))
            date = record.record_date
            given = {
                "url": (record.headers.get_bytes(b"WARC-Target-URI") or b"").decode("utf-8", "replace"),
                "mime": (headers.get("content-type") or "unk").partition(";")[0].strip() or "unk",
                "status": str(status or ""),
                "digest": record.headers.get("WARC-Payload-Digest") or "",
            }
            pending = (at, f"{date:%Y%m%d%H%M%S}" if date else "0" * 14, given)
    if pending is not None:
        yield _line(archive, *pending, archive.stat().st_size)


def _line(archive: Path, at: int, when: str, given: dict[str, str], end: int) -> str:
    said = given | {"length": str(end - at), "offset": str(at), "filename": archive.name}
    return f"{surt(given['url'])} {when} {json.dumps(said)}\n"
