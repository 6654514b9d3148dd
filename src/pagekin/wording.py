"""Spell options and commands in messages as the user knows them: names in Python, flags in the shell, words on a page.

Messages and notes are written far below both. They name options and commands through this module, and so read

    try --method amsler; run: pagekin build site.kin                    in the shell
    try method="amsler"; run: Collection("site.kin").build()            in Python
    try method: amsler; run: pagekin build site.kin                     on a web page
"""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Literal

Voice = Literal["python", "shell", "page"]

_voice: ContextVar[Voice] = ContextVar("voice", default="python")
_first: ContextVar[Voice | None] = ContextVar("first", default=None)  # the voice of the outermost context
_PYTHON = {"from": "kind"}  # options whose name is a reserved word in Python


@contextmanager
def speaking(voice: Voice) -> Iterator[None]:
    """Inside this context, messages are worded for the shell, for Python or for a web page."""
    before, outer = _voice.set(voice), _first.set(_first.get() or voice)
    try:
        yield
    finally:
        _voice.reset(before)
        _first.reset(outer)


@contextmanager
def speaking_aloud() -> Iterator[None]:
    """Inside this context, messages are worded for the person who runs the process, whoever reads the answer.

    >>> with speaking("shell"), speaking("python"), speaking_aloud():
    ...     command("build", "s.kin")
    'pagekin build s.kin'
    """
    with speaking(_first.get() or "python"):
        yield


def voice() -> Voice:
    """For whom messages are worded now: what is kept of them depends on it."""
    return _voice.get()


def option(name: str, value: object = None) -> str:
    """An option, given by its Python name, with a value if there is one.

    >>> option("per_host"), option("method", "amsler")
    ('per_host', 'method="amsler"')
    >>> with speaking("shell"):
    ...     option("per_host"), option("method", "block(scope=site)")
    ('--per-host', "--method 'block(scope=site)'")
    >>> with speaking("shell"):
    ...     option("fetched", False)
    '--no-fetched'
    >>> with speaking("shell"):
    ...     option("index", ["text", "mirrors"])
    '--index text --index mirrors'
    >>> with speaking("page"):
    ...     option("per_host"), option("fetched", False)
    ('per host', 'fetched: no')
    """
    if _voice.get() == "shell" and isinstance(value, list):
        return " ".join(option(name, each) for each in value)
    if _voice.get() == "shell":
        flag = f"--{'no-' if value is False else ''}{name.replace('_', '-')}"
        return flag if value is None or isinstance(value, bool) else f"{flag} {shlex.quote(str(value))}"
    if _voice.get() == "page":
        shown = ("yes" if value else "no") if isinstance(value, bool) else value
        return name.replace("_", " ") + ("" if value is None else f": {shown}")
    name = _PYTHON.get(name, name)
    return name if value is None else f'{name}="{value}"' if isinstance(value, str) else f"{name}={value}"


def command(verb: str, path: Path | str, *words: str, **options: object) -> str:
    """A command to run on a collection, with positional words and options.

    >>> command("build", "a.kin", index="inverted")
    'Collection("a.kin").build(index="inverted")'
    >>> with speaking("shell"):
    ...     command("build", "a.kin", index="inverted")
    'pagekin build a.kin --index inverted'
    """
    if _voice.get() == "page":  # a page cannot run it; who reads it has a shell
        with speaking("shell"):
            return command(verb, path, *words, **options)
    given = [option(name, value) for name, value in options.items()]
    if _voice.get() == "shell":
        return " ".join(["pagekin", verb, str(path), *words, *given])
    inside = [*(f'"{word}"' for word in words), *given]
    return f'Collection("{path}").{verb}({", ".join(inside)})'
