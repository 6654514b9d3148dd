"""Reads the front matter of a Markdown file: what stands above the text, as YAML, TOML or JSON.

    ---                          +++
    title: "Bees: a start"       title = "Bees: a start"
    tags: [wax, honey]           tags = ["wax", "honey"]
    ---                          +++

Every value is a text or a list of texts. What is nested deeper is passed over, and so are the aliases of YAML: nothing
can grow.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any, NamedTuple

MOST = 1 << 16  # characters; front matter is written by hand
BROKEN = "front matter that cannot be read; the text is taken"

Said = dict[str, str | list[str]]

_FENCE = re.compile(r"\ufeff?(---|\+\+\+)[ \t]*\r?\n")
_ENDS = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*(?:\r?\n|\Z)", re.MULTILINE),
}
_LINE = re.compile(r"^(\w[\w-]{0,100}):[ \t]+(\S.*)$", re.MULTILINE)


class Front(NamedTuple):
    """What a file says about itself, and its text."""

    said: Said
    text: str
    broken: bool = False  # there is front matter, but it is neither YAML nor TOML


def split(text: str) -> Front:
    """The front matter of a file, with keys in lower case, and the text below it.

    >>> split("---\\ntitle: Bees\\ntags: [wax, 'honey']\\n---\\nText")
    Front(said={'title': 'Bees', 'tags': ['wax', 'honey']}, text='Text', broken=False)
    >>> split("Text").said
    {}
    """
    if text.startswith(("{\n", "{\r\n", '{"')):
        return _json(text)
    fence = _FENCE.match(text)
    end = _ENDS[fence[1]].search(text, fence.end(), fence.end() + MOST) if fence else None
    if fence is None or end is None:  # a line across the page is none
        return Front({}, text.removeprefix("\ufeff"))
    inside, rest = text[fence.end() : end.start()].replace("\r\n", "\n"), text[end.end() :]
    try:
        return Front(_plain((_yaml if fence[1] == "---" else tomllib.loads)(inside)), rest)
    except (ValueError, RecursionError):
        # A title with a colon is the usual mistake.
        return Front({key.lower(): value.strip("\"' \t") for key, value in _LINE.findall(inside)}, rest, broken=True)


def _yaml(text: str) -> dict[str, Any]:
    """The texts of the top level, and lists of texts. There are no types, so a version `1.10` and a title `No` stay
    what they are.

    The events of the parser are enough, and come one after the other: its loader goes down into what is nested, and the
    one in C does so until the process ends.
    """
    import yaml

    found: dict[str, Any] = {}
    depth, key, items = 0, None, None  # type: int, str | None, list[str] | None
    try:
        for event in yaml.parse(text, getattr(yaml, "CBaseLoader", yaml.BaseLoader)):
            match event:
                case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                    depth += 1
                    if depth == 2:
                        items = [] if isinstance(event, yaml.SequenceStartEvent) else None
                    elif depth == 1 and isinstance(event, yaml.SequenceStartEvent):
                        raise ValueError("a list")
                case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                    depth -= 1
                    if depth == 1:
                        if items is not None and key is not None:
                            found[key] = items
                        key = "" if key is None else None  # or it was a key itself
                case yaml.ScalarEvent() | yaml.AliasEvent():
                    value = getattr(event, "value", "")  # of an alias, nothing
                    if depth == 0:
                        raise ValueError("a text")
                    if depth == 1 and key is None:
                        key = value
                    elif depth == 1:
                        found[str(key)], key = value, None
                    elif depth == 2 and items is not None:
                        items.append(value)
    except yaml.YAMLError as error:
        raise ValueError("not YAML") from error
    return found


def _json(text: str) -> Front:
    try:
        found, end = json.JSONDecoder().raw_decode(text[:MOST])
    except (ValueError, RecursionError):
        return Front({}, text)
    return Front(_plain(found), text[end:].lstrip("\r\n")) if isinstance(found, dict) else Front({}, text)


def _plain(found: Mapping[Any, Any]) -> Said:
    """Texts and lists of texts; Zola's `taxonomies`, one level down, are taken up."""
    below = found.get("taxonomies")
    said: Said = {}
    for key, value in (*(below.items() if isinstance(below, dict) else ()), *found.items()):
        if isinstance(value, list):
            said[_text(key).lower()] = [_text(each) for each in value if not isinstance(each, list | dict)]
        elif not isinstance(value, dict):
            said[_text(key).lower()] = _text(value)
    return said


def _text(value: object) -> str:
    if isinstance(value, list | dict | tuple) or value is None:  # YAML's keys may be anything
        return ""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # an escape can name half a character


def texts(said: Said, *keys: str) -> list[str]:
    """The texts under the first of these keys that has any, be they one or a list; one with commas is several.

    >>> texts({"tags": "wax, honey"}, "tags"), texts({"tags": ["a, b"]}, "tag", "tags"), texts({}, "tags")
    (['wax', 'honey'], ['a, b'], [])
    """
    value = next((said[key] for key in keys if said.get(key)), "")
    found = value if isinstance(value, list) else value.split(",")
    return [text.strip() for text in found if text.strip()]


def text(said: Said, *keys: str) -> str:
    """The text under the first of these keys that has one, else nothing."""
    return next((value.strip() for key in keys if isinstance(value := said.get(key), str) and value.strip()), "")


def is_true(said: Said, key: str) -> bool:
    return text(said, key).lower() in ("true", "yes", "on")


def is_false(said: Said, key: str) -> bool:
    return text(said, key).lower() in ("false", "no", "off")
