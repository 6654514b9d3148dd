"""Methods and indexes as text, a name with settings: `amsler(direct=false)`, `similarity(measure=coupling, delta=0.1)`.

Both are frozen dataclasses whose fields are their settings. The text is made from the fields, is the same in the shell,
in JSON and in Python, and can be parsed back.
"""

import dataclasses
import re
import types
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pagekin.errors import UsageError, unknown

LARGEST = 2**31 - 1  # the largest whole number allowed: kernels count pages in 32 bits


def text(thing: Any) -> str:
    """A method or index as text: its name, and the settings that differ from their defaults; worked out once."""
    held: str | None = thing.__dict__.get(_TEXT)
    if held is None:
        held = thing.__dict__[_TEXT] = _text(thing)  # not by setattr, which a frozen dataclass refuses
    return held


_TEXT = "as text"


def _text(thing: Any) -> str:
    shown = [
        f"{item.name}={_shown(getattr(thing, item.name))}"
        for item in dataclasses.fields(thing)
        if getattr(thing, item.name) != item.default
    ]
    return f"{thing.name}({', '.join(shown)})" if shown else str(thing.name)


def _shown(value: Any) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


_CALL = re.compile(r"([A-Za-z0-9_-]+)\s*(?:\((.*)\))?", re.DOTALL)
_MARKS = re.compile(r"[(),]")


def read(kind: str, written: str, known: Mapping[str, type[Any]]) -> Any:
    """Parse a text into one of the `known` classes; `kind` (method, index) is for error messages.

    A name, parameter or value that does not exist raises a `UsageError` that lists those that do.
    """
    call = _CALL.fullmatch(written.strip())
    if call is None:
        raise UsageError(f"cannot read the {kind} '{written}'; write name or name(parameter=value, …)")
    name, inside = call[1], call[2]
    if name not in known:
        raise unknown(kind, name, known)
    cls = known[name]
    hints = _hints(cls)  # type: ignore[arg-type]  # a class is hashable
    names = [item.name for item in dataclasses.fields(cls)]
    given: dict[str, Any] = {}
    for setting in filter(None, map(str.strip, _settings(inside or ""))):
        parameter, equals, value = (part.strip() for part in setting.partition("="))
        if not equals:
            raise UsageError(f"cannot read '{setting}' in '{written}'; write parameter=value")
        if parameter not in names:
            raise unknown(f"parameter of {name}", parameter, names)
        if parameter in given:
            raise UsageError(f"{parameter} is given twice in '{written}'")
        given[parameter] = _value(f"{name}({parameter})", value, hints[parameter])
    return cls(**given)


@cache
def _hints(cls: type[Any]) -> dict[str, Any]:
    """The types of the fields of a class; to work them out takes longer than to parse a text."""
    return get_type_hints(cls)


def _settings(inside: str) -> Iterator[str]:
    """Split at commas, but not at those of a value that has settings itself: answers(method=link(theta=0.1, k=5))."""
    begin = depth = 0
    for mark in _MARKS.finditer(inside):
        if mark[0] == ",":
            if depth == 0:
                yield inside[begin : mark.start()]
                begin = mark.end()
        else:
            depth = max(0, depth + (1 if mark[0] == "(" else -1))
    yield inside[begin:]


def _value(what: str, value: str, kind: Any) -> Any:
    """Parse the value of a parameter by the type of its field."""
    origin, options = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        if value == "none":
            return None
        return _value(what, value, next(option for option in options if option is not type(None)))
    if origin is Literal:
        if value not in options:
            raise unknown(f"value of {what}", value, options)
        return value
    if kind is bool:
        if value not in ("true", "false"):
            raise UsageError(f"{what} is true or false, not '{value}'")
        return value == "true"
    try:
        number = kind(value)
        if kind is int and abs(number) > LARGEST:
            raise ValueError
        return number
    except ValueError:
        expected = {int: "a whole number", float: "a number"}.get(kind, kind.__name__)
        raise UsageError(f"{what} must be {expected}, not '{value}'") from None
