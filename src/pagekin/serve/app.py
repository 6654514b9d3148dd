"""The app: every collection under `/NAME/`, and at the root if there is only one."""

import logging

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from pagekin.errors import PagekinError
from pagekin.serve import openapi, problems
from pagekin.serve.api import Api, api_router, json_response, routes_of
from pagekin.serve.guard import Guard
from pagekin.serve.held import Held
from pagekin.serve.lanes import Lanes
from pagekin.serve.metrics import Metrics
from pagekin.serve.pages import STATIC, front_router, pages_router
from pagekin.serve.panel import panel_router
from pagekin.serve.settings import Settings
from pagekin.serve.warming import warming
from pagekin.version import VERSION

PACKED_FROM = 1_000  # bytes of an answer: a shorter one fits into a packet or two as it is
PACKING = 4  # gzip's level: a tenth larger than at 9, in a fourth of the time


def create_app(settings: Settings) -> FastAPI:
    """The server of some collections."""
    lanes, metrics = Lanes(settings.slow, settings.budget), Metrics(settings.metrics)
    held = {name: Held(name, path, lanes) for name, path in settings.collections.items()}

    app = App(
        title="pagekin", version=VERSION, docs_url=None, redoc_url=None, lifespan=warming,
        description="Finds the pages related to a page from the way pages link to each other, and says why.",
    )  # fmt: skip
    app.state.held, app.state.lanes, app.state.metrics, app.state.settings = held, lanes, metrics, settings
    problems.install(app, list(held))
    openapi.install(app, settings.root_path)
    counted: list[str] = ["/openapi.json", "/static"]
    root = settings.root_path
    routes = {path: to for name, each in held.items() for path, to in routes_of(each, f"{root}/{name}").items()}

    def include(router: APIRouter, prefix: str = "", listed: bool = True) -> None:
        app.include_router(router, prefix=prefix, include_in_schema=listed)
        counted.extend(prefix + route.path for route in router.routes if isinstance(route, APIRoute))

    if len(held) == 1:  # first, because routes are tried in order
        (only,) = held.values()
        routes |= routes_of(only, root)
        include(api_router(only))
    include(_own_router(held, lanes, metrics))
    include(openapi.docs_router(app))
    if len(held) == 1:
        include(pages_router(only))
    else:
        include(front_router(held))
    include(panel_router(list(held.values())))
    for name, each in held.items():
        include(api_router(each), f"/{name}", listed=len(held) > 1)
        include(pages_router(each), f"/{name}")
        include(panel_router([each]), f"/{name}")
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    metrics.know(counted)

    front: ASGIApp = Packing(Api(app.behind, routes), minimum_size=PACKED_FROM, compresslevel=PACKING)
    if settings.origins:
        front = CORSMiddleware(front, settings.origins, allow_methods=["GET"], expose_headers=["ETag"])
    app.front = Guard(front, settings, metrics)
    return app


class App(FastAPI):
    """FastAPI behind layers of our own: a question that these answer does not wait for its layers, too."""

    front: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = self
        await self.front(scope, receive, send)

    async def behind(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What the layers in front leave over."""
        await super().__call__(scope, receive, send)


class Packing(GZipMiddleware):
    """Packs answers for askers who take them packed. For the others nothing is looked at: that takes a while, too."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        packed = any(name == b"accept-encoding" and b"gzip" in value for name, value in scope.get("headers", ()))
        await (super().__call__ if packed else self.app)(scope, receive, send)


def from_environment() -> FastAPI:
    """The app of a worker."""
    # Nobody logs these, and to find them out for each request takes longer than to write the line.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    return create_app(Settings.from_environment())


def _own_router(held: dict[str, Held], lanes: Lanes, metrics: Metrics) -> APIRouter:
    """What is asked about the server itself."""
    router = APIRouter(include_in_schema=False)

    @router.get("/healthz")
    async def healthz() -> Response:
        """200 if at least one collection can be asked."""
        states = {name: _state(each) for name, each in held.items()}
        if "ok" not in states.values():
            raise problems.HttpError(
                503, f"no collection can be asked: {', '.join(states)}", "; ".join(states.values())
            )
        return json_response({"status": "ok", "collections": states})

    @router.get("/metrics")
    async def counts() -> Response:
        gauges = {
            "pagekin_questions": (
                "Questions that are answered or wait, in this worker.",
                {f'{{lane="{lane.name}"}}': float(lane.active) for lane in (lanes.quick, lanes.slow)},
            ),
            "pagekin_collection_up": (
                "Whether a collection can be asked.",
                {f'{{collection="{name}"}}': float(_state(each) == "ok") for name, each in held.items()},
            ),
        }
        return Response(metrics.text(gauges), media_type="text/plain; version=0.0.4")

    return router


def _state(held: Held) -> str:
    try:
        held.stamp()
    except PagekinError as error:
        return str(error)
    return "ok"
