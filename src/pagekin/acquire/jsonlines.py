"""Reads links as JSON lines: an object on each line, as `export graph` and Scrapy's feeds write them.

    {"source": "http://a.example/", "target": "http://b.example/", "anchor": "Bees"}
    {"url": "http://a.example/", "links": ["/b.html", {"href": "/c.html", "text": "Wax"}]}

Keys are known like the headers of tables (`headers`). A list of targets is a link to each of them; what is not a whole
address is relative to the source.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from pagekin.acquire.capture import spelled
from pagekin.acquire.headers import role_of
from pagekin.acquire.layout import SAMPLE, Asked, roles_in
from pagekin.acquire.tables import Positions
from pagekin.acquire.text import blocks, decoded, unmarked
from pagekin.errors import SourceError
from pagekin.model import Item, Rows, Skipped
from pagekin.url import WEB_SCHEMES, canonical, join

LONGEST_CELL = 1 << 16  # characters; no address and no anchor is as long
NOT_A_LINK = "not a link"
ANYWHERE = "http://site.invalid/"  # what a list of references is relative to, while only its kind matters

Links = list[tuple[str, str, str]]


def recognises(path: Path, head: bytes) -> bool:
    """Whether the first lines are JSON objects whose keys name both ends of links."""
    try:
        return head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{") and bool(_roles(path, head, None))
    except SourceError:
        return False


def described(path: Path, head: bytes, asked: Asked | None = None) -> str:
    """Which keys are taken, for people; a `SourceError` with a sample if that is in doubt."""
    roles = _roles(path, head, asked)
    return ", ".join(f"{role}={key}" for role, key in roles.items())


def read(path: Path, asked: Asked | None = None) -> Iterator[Item]:
    """The links in file order; lines that are none are reported and left out."""
    positions, roles, number, name = Positions(), None, 0, spelled(path.name)
    for block in blocks(path):
        if isinstance(block, Skipped):
            yield block
            continue
        roles = roles or _roles(path, block, asked)
        links: Links = []
        for line in block.splitlines():
            number += 1
            if not line.strip():
                continue
            found, why = _links(_object(line), roles)
            links += found
            if why:
                yield Skipped(f"{name}:{number}: {decoded(line[:80])}", why)
        yield _rows(links, positions)
    if roles is None:
        raise SourceError(f"{spelled(path)} is empty; expected a JSON object on each line")


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _roles(path: Path, head: bytes, asked: Asked | None) -> dict[str, str]:
    """The key of each role, from the keys and values of the first lines; an error if that is in doubt."""
    lines = b"".join(unmarked([head])).splitlines()[:SAMPLE]
    objects = [found for line in lines if (found := _object(line))]
    keys = list(dict.fromkeys(key for found in objects for key in found))
    if not keys:
        raise SourceError(f"{spelled(path)} has no JSON object on each line")
    rows = [[_sampled(found.get(key)) for key in keys] for found in objects]
    roles = roles_in(spelled(path), keys, rows, len(keys), asked)
    return {role: keys[column] for role, column in roles.items()}


def _sampled(value: Any) -> str:
    """A value as a cell: of a list, its first element as an address; of an object in it, its address."""
    if isinstance(value, list):
        value = _address(value[0])[0] if value and isinstance(value[0], dict) else value[0] if value else None
        value = join(ANYWHERE, value) if isinstance(value, str) else None
    return "" if value is None or isinstance(value, list | dict) else str(value)[:LONGEST_CELL]


def _address(value: dict[str, Any]) -> tuple[Any, Any]:
    """The address and the anchor in the object of a link."""
    found = {role: each for key, each in value.items() if (role := role_of(key)) is not None}
    return found.get("target", found.get("")), found.get("anchor", "")


def _links(found: dict[str, Any], roles: dict[str, str]) -> tuple[Links, str]:
    """The links of an object, and a reason if some of it is none."""
    source = _name(found.get(roles["source"]))
    targets = found.get(roles["target"])
    anchor = found.get(roles["anchor"], "") if "anchor" in roles else ""
    links: Links = []
    many = targets if isinstance(targets, list) else [targets]
    for each in many:
        target, text = _address(each) if isinstance(each, dict) else (each, anchor)
        name = _name(target, source)
        if source is not None and name is not None:
            links.append((source, name, text if isinstance(text, str) else ""))
    return links, NOT_A_LINK if len(links) < len(many) else ""


def _name(value: Any, source: str | None = None) -> str | None:
    if isinstance(value, bool) or not isinstance(value, str | int) or len(str(value)) > LONGEST_CELL:
        return None
    text = str(value)
    if source is not None and source.startswith(WEB_SCHEMES):
        return join(source, text)
    return None if "\0" in text else canonical(text)


def _rows(links: Links, positions: Positions) -> Rows:
    source, target, anchor = (pa.array([link[end] for link in links], pa.string()) for end in range(3))
    at = pa.array(positions.next(source.dictionary_encode()), pa.int32())
    return Rows(links=pa.table({"source": source, "target": target, "anchor": anchor, "position": at}))
