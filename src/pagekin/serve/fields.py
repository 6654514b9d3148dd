"""The parameters of a method as fields of a form, made from its dataclass: type, choices, default, and the comment
beside the field as its help."""

import dataclasses
import inspect
import re
import types
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pagekin.methods import REGISTRY, Method

_COMMENT = re.compile(r"^    (\w+): [^#\n]*#\s*(.+)$", re.MULTILINE)
SLIDER = "alpha"  # the parameter that is a slider of its own, named so in the address of a page


@dataclass(frozen=True)
class Field:
    """One parameter: what to show, and what may be chosen."""

    name: str
    kind: Literal["number", "whole", "choice"]
    value: str
    default: str
    choices: tuple[str, ...] = ()
    optional: bool = False  # may be left empty, for none
    help: str = ""

    @property
    def label(self) -> str:
        return self.name.replace("_", " ")


def fields_of(method: Method) -> list[Field]:
    """The parameters of a method; those that name a file are left out, since they are not for strangers."""
    hints = get_type_hints(type(method))
    found = (
        _field(item, hints[item.name], getattr(method, item.name), helps(type(method)).get(item.name, ""))
        for item in dataclasses.fields(method)  # type: ignore[arg-type]
    )
    return [field for field in found if field]


def _field(item: "dataclasses.Field[Any]", hint: Any, value: Any, said: str) -> Field | None:
    optional = get_origin(hint) in (Union, types.UnionType)
    plain = next(part for part in get_args(hint) if part is not type(None)) if optional else hint
    if plain is str:
        return None
    if plain is bool:
        choices: tuple[str, ...] = ("true", "false")
    elif get_origin(plain) is Literal:
        choices = (*get_args(plain), *(("none",) if optional else ()))
    else:
        kind: Literal["number", "whole"] = "whole" if plain is int else "number"
        return Field(item.name, kind, _text(value), _text(item.default), (), optional, said)
    return Field(item.name, "choice", _text(value) or "none", _text(item.default) or "none", choices, optional, said)


def _text(value: Any) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


@cache
def helps(cls: type[Method]) -> dict[str, str]:
    """Parameter → the comment beside it, of the class or the one that it has it from; none if there is no source."""
    found: dict[str, str] = {}
    for each in reversed(cls.__mro__):
        if dataclasses.is_dataclass(each):
            try:
                found |= dict(_COMMENT.findall(inspect.getsource(each)))
            except OSError:
                continue
    return found


def sentence(name: str) -> str:
    """What a method does, in one plain sentence: the first line of its docstring."""
    return (REGISTRY[name].__doc__ or "").partition("\n")[0]
