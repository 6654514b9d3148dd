"""The JSON of every question at `/api/…`: what the shell prints with `--json`, with an ETag for each state."""

import re
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from hashlib import blake2b
from typing import Annotated, Any, get_origin
from urllib.parse import parse_qsl

import orjson
from fastapi import APIRouter, Query, Request
from pydantic import ValidationError
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pagekin.harmless import as_json, escaped
from pagekin.serve import questions as asking
from pagekin.serve import shapes
from pagekin.serve.held import Held, Stamp
from pagekin.serve.problems import problem, respond, wrong_parameter
from pagekin.serve.questions import Question
from pagekin.version import VERSION

# Address → what may be asked there, and the shape of the answer.
ROUTES: Mapping[str, tuple[type[Question], type[Any]]] = {
    "related": (asking.RelatedQuestion, shapes.Related),
    "search": (asking.SearchQuestion, shapes.Search),
    "keywords": (asking.KeywordsQuestion, shapes.Words),
    "suggest": (asking.SuggestQuestion, shapes.Suggested),
    "clusters": (asking.ClustersQuestion, shapes.AnyClusters),
    "compare": (asking.CompareQuestion, shapes.Comparison),
    "blocks": (asking.BlocksQuestion, shapes.Blocks),
    "map": (asking.MapQuestion, shapes.Map),
    "page": (asking.PageQuestion, shapes.Page),
    "info": (asking.InfoQuestion, shapes.Info),
}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": shapes.Problem, "description": "A parameter is unknown, missing or wrong."},
    404: {"model": shapes.Problem, "description": "The page is not in the collection; the hint names the nearest."},
    409: {"model": shapes.Problem, "description": "An index is not built; the hint says how to build it."},
    421: {"model": shapes.Problem, "description": "This server is not called by the name in Host."},
    503: {"model": shapes.Problem, "description": "Too busy, or the collection is gone or damaged; see Retry-After."},
}
UNCHANGED: dict[int | str, dict[str, Any]] = {304: {"description": "Not changed since the answer with this ETag."}}


class Api:
    """Answers questions in front of the app, which documents them: its layers take longer than an answer looked up."""

    def __init__(self, app: ASGIApp, routes: Mapping[str, tuple[Held, type[Question]]]) -> None:
        """`routes`: path → what is asked there of which collection."""
        self.app, self.routes = app, routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = self.routes.get(scope["path"]) if scope["type"] == "http" and scope["method"] == "GET" else None
        if asked is None:
            await self.app(scope, receive, send)
            return
        try:
            held, kind = asked
            response = await answer(scope, held, read(kind, scope["query_string"]))
        except Exception as error:
            response = respond(Request(scope), problem(error))
        await response(scope, receive, send)


def read(kind: type[Question], query: bytes) -> Question:
    """The question that a query string asks; of a parameter that is given twice, and is no list, the last counts."""
    given: dict[str, Any] = {}
    lists = list_fields(kind)
    for name, value in parse_qsl(query.decode("latin-1"), keep_blank_values=True, errors="replace"):
        if name in lists:
            given.setdefault(name, []).append(value)
        else:
            given[name] = value
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        raise wrong_parameter(error, kind.model_fields) from None


@cache
def list_fields(kind: type[Question]) -> frozenset[str]:
    """The parameters that may be given several times."""
    return frozenset(name for name, field in kind.model_fields.items() if get_origin(field.annotation) is list)


def api_router(held: Held) -> APIRouter:
    """The routes of one collection, for the OpenAPI document; `Api` answers."""
    router = APIRouter()
    for name, (question, shape) in ROUTES.items():
        router.add_api_route(
            f"/api/{name}",
            _endpoint(question),
            methods=["GET"],
            name=f"api_{name}",
            summary=(question.__doc__ or "").partition("\n")[0],
            response_class=Response,
            responses={200: {"model": shape, "description": "The answer."}} | UNCHANGED | PROBLEMS,
        )
    return router


def routes_of(held: Held, prefix: str) -> dict[str, tuple[Held, type[Question]]]:
    """Path → what is asked there, for one collection."""
    return {f"{prefix}/api/{name}": (held, question) for name, (question, _) in ROUTES.items()}


def _endpoint(kind: type[Question]) -> Callable[..., Awaitable[Response]]:
    async def endpoint(asked: Annotated[kind, Query()]) -> Response:  # type: ignore[valid-type]
        raise NotImplementedError

    return endpoint


async def answer(scope: Scope, held: Held, asked: Question) -> Response:
    """The answer to a question as JSON, or 304 if the asker has it."""
    known, question = None, scope["path"].encode() + scope["query_string"]
    for name, value in scope["headers"]:
        if name == b"if-none-match":
            known = value.decode("latin-1")
    if known is not None and tag(held, question, stamp := held.stamp()) in re.findall(r'W/"[^"]*"', known):
        return Response(None, 304, _headers(held, question, stamp))
    text, state = await held.ask(asked, _as_json)
    return Response(text, 200, _headers(held, question, state), media_type="application/json")


def _as_json(found: Any) -> str:
    return escaped(orjson.dumps(found.as_dict()).decode())  # Python's own took a tenth of the time of an answer


def json_response(value: Any) -> Response:
    """A value as the shell would print it."""
    return Response(as_json(value), media_type="application/json")


def _headers(held: Held, question: bytes, stamp: Stamp | None) -> dict[str, str]:
    """`no-cache`: keep it, and ask each time whether it is still so."""
    return {"Cache-Control": "no-cache"} | ({} if stamp is None else {"ETag": tag(held, question, stamp)})


def tag(held: Held, question: bytes, stamp: Stamp) -> str:
    """The ETag of an answer: it depends on the state of the collection and on what was asked, as it was written. Weak:
    the answer may be packed."""
    state = f"{VERSION} {held.name} {stamp} ".encode()
    return f'W/"{blake2b(state + question, digest_size=12).hexdigest()}"'
