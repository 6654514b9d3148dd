"""The JSON of every question at `/api/…`: what the shell prints with `--json`, with an ETag for each state."""

import re
from collections.abc import Awaitable, Callable, Mapping
from hashlib import blake2b
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from pagekin.harmless import as_json
from pagekin.serve import questions as asking
from pagekin.serve import shapes
from pagekin.serve.held import Held, Stamp
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


def api_router(held: Held) -> APIRouter:
    """The routes of one collection."""
    router = APIRouter()
    for name, (question, shape) in ROUTES.items():
        router.add_api_route(
            f"/api/{name}",
            _endpoint(held, question),
            methods=["GET"],
            name=f"api_{name}",
            summary=(question.__doc__ or "").partition("\n")[0],
            response_class=Response,
            responses={200: {"model": shape, "description": "The answer."}} | UNCHANGED | PROBLEMS,
        )
    return router


def _endpoint(held: Held, kind: type[Question]) -> Callable[..., Awaitable[Response]]:
    async def endpoint(request: Request, asked: Annotated[kind, Query()]) -> Response:  # type: ignore[valid-type]
        return await answer(request, held, asked)

    endpoint.question = kind  # type: ignore[attr-defined]  # `problems` names its parameters
    return endpoint


async def answer(request: Request, held: Held, asked: Question) -> Response:
    """The answer to a question as JSON, or 304 if the asker has it."""
    if tag(held, asked, held.stamp()) in known_tags(request):
        return Response(None, 304, _headers(held, asked, held.stamp()))
    found, stamp = await held.ask(asked)
    return json_response(found.as_dict(), _headers(held, asked, stamp))


def json_response(value: Any, headers: Mapping[str, str] | None = None) -> Response:
    """A value as the shell would print it."""
    return Response(as_json(value), 200, headers, media_type="application/json")


def _headers(held: Held, asked: Question, stamp: Stamp | None) -> dict[str, str]:
    """`no-cache`: keep it, and ask each time whether it is still so."""
    return {"Cache-Control": "no-cache"} | ({} if stamp is None else {"ETag": tag(held, asked, stamp)})


def tag(held: Held, asked: Question, stamp: Stamp) -> str:
    """The ETag of an answer: it depends on the state of the collection and on the question. Weak: it may be packed."""
    said = f"{VERSION} {held.name} {stamp} {type(asked).__name__} {asked!r}"
    return f'W/"{blake2b(said.encode("utf-8", "replace"), digest_size=12).hexdigest()}"'


def known_tags(request: Request) -> set[str]:
    """The ETags of the answers that the asker has."""
    return set(re.findall(r'W/"[^"]*"', request.headers.get("if-none-match", "")))
