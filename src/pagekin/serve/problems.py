"""Errors as HTTP answers, `{"error": what is wrong, "hint": what to do}`: never a 500, never a stack trace."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from pagekin.errors import NotBuiltError, PagekinError, UnknownPageError, UsageError, unknown
from pagekin.failures import explained, said
from pagekin.harmless import as_json
from pagekin.serve.lanes import BusyError
from pagekin.serve.settings import RESERVED

RETRY_S = {"busy": 2, "gone": 10}  # when to ask again: a question ends soon, a collection takes longer to come back
SEE = "see /docs for what can be asked"
_log = logging.getLogger("pagekin.serve")

# How pydantic names what is wrong with a parameter → how we say it.
_EXPECTED = {
    "missing": "{name} is missing",
    "greater_than_equal": "{name} must be at least {ge}, not {input}",
    "less_than_equal": "{name} must be at most {le}, not {input}",
    "greater_than": "{name} must be more than {gt}, not {input}",
    "too_long": "{name} may be given at most {max_length} times, not {actual_length}",
    "string_too_long": "{name} may have at most {max_length} characters",
    "int_parsing": "{name} must be a whole number, not {input}",
    "int_parsing_size": "{name} must be a smaller number",
    "float_parsing": "{name} must be a number, not {input}",
    "finite_number": "{name} must be a finite number, not {input}",
    "bool_parsing": "{name} is true or false, not {input}",
    "literal_error": "{name} is {expected}, not {input}",
}


class HttpError(Exception):
    """Something that cannot be answered, as HTTP says it."""

    def __init__(self, status: int, error: str, hint: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(error)
        self.status, self.error, self.hint, self.headers = status, error, hint, dict(headers or {})


def problem(error: BaseException) -> HttpError:
    """Any error as a `HttpError`; one that nobody foresaw is logged."""
    if isinstance(error, HttpError):
        return error
    if isinstance(error, HTTPException):
        return HttpError(error.status_code, str(error.detail), SEE, error.headers)
    if isinstance(error, UnknownPageError):
        near = ", ".join(error.nearest)
        what = f"not in the collection: {', '.join(error.asked)}"
        return HttpError(404, what, f"the nearest addresses are: {near}" if near else "add the page to the collection")
    if isinstance(error, BusyError):
        return _said(503, error, RETRY_S["busy"])
    if isinstance(error, UsageError):
        return _said(400, error)
    if isinstance(error, NotBuiltError):
        return _said(409, error)
    if isinstance(error, PagekinError):  # a collection that is gone, damaged, locked; an extra that is missing
        return _said(503, error, RETRY_S["gone"])
    if explained(error):
        return _said(503, PagekinError(said(error)), RETRY_S["gone"])
    _log.error("a question failed", exc_info=error)
    return _said(503, PagekinError("the question could not be answered; the log of the server says why"), 10)


def _said(status: int, error: PagekinError, retry: int | None = None) -> HttpError:
    """What our messages say is: what is wrong; what to do."""
    what, _, todo = str(error).partition("; ")
    return HttpError(status, what, todo or SEE, {"Retry-After": str(retry)} if retry else {})


def wrong_parameter(error: ValidationError, parameters: Iterable[str]) -> HttpError:
    """What is wrong with a question; `parameters` are those that it has."""
    found: Mapping[str, Any] = error.errors()[0]
    place = [str(part) for part in found["loc"] if not isinstance(part, int)]
    name = place[-1] if place else "the question"
    if found["type"] == "extra_forbidden":
        return _said(400, unknown("parameter", name, parameters))
    values = {**(found.get("ctx") or {}), "name": name, "input": repr(found.get("input"))[:100]}
    said_as = _EXPECTED.get(found["type"], "{name}: " + str(found["msg"]).replace("{", "{{").replace("}", "}}"))
    return HttpError(400, said_as.format(**values), SEE)


def nowhere(path: str, collections: Sequence[str]) -> HttpError:
    """The answer to an address at which there is nothing."""
    first, *rest = path.strip("/").split("/")
    if first in (*collections, *RESERVED) or not rest:
        return HttpError(404, f"there is nothing at {path}", SEE)
    wrong, _, todo = str(unknown("collection", first, collections)).partition("; ")
    return HttpError(404, wrong, todo)


def respond(request: Request, found: HttpError) -> Response:
    """The answer to a request that has a problem: a page for a person, JSON for a program."""
    if "/api/" not in request.url.path and "text/html" in request.headers.get("accept", ""):
        from pagekin.serve.pages import error_page

        return error_page(request, found)
    body = as_json({"error": found.error, "hint": found.hint})
    return Response(body, found.status, found.headers, media_type="application/json")


def install(app: FastAPI, collections: Sequence[str]) -> None:
    """Let every error of an app be answered by `respond`; `collections` are the names of those that it serves."""

    async def handle(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException) and error.status_code == 404:
            error = nowhere(request.scope["path"].removeprefix(request.scope["root_path"]), collections)
        return respond(request, problem(error))

    for kind in (HttpError, PagekinError, HTTPException, OSError, MemoryError):
        app.add_exception_handler(kind, handle)
