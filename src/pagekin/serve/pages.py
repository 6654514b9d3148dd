"""Pages for people, rendered on the server. Each is a question to the collection and a template; `part=1` asks for the
results alone, which a script puts into the page that is open."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from pagekin.errors import UnknownPageError
from pagekin.methods import REGISTRY
from pagekin.serve import asking, copies
from pagekin.serve.fields import SLIDER, sentence
from pagekin.serve.held import Held
from pagekin.serve.problems import problem
from pagekin.serve.rendering import STATIC, render
from pagekin.serve.view import View, is_long, link

__all__ = ["STATIC", "front_router", "pages_router"]

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


def pages_router(held: Held) -> APIRouter:
    """The pages of one collection; `/` is its home. Links lead to `/NAME/…`, which stays right beside others."""
    router = APIRouter(include_in_schema=False, route_class=_route_of(held))

    def shown(request: Request, template: str, **values: Any) -> HTMLResponse:
        return render(request, template, **_common(request, held), **values)

    @router.get("/")
    async def home(request: Request) -> Response:
        found, _ = await held.ask(asking.home())
        return shown(request, "home.html", **found)

    @router.get("/go")
    async def go(request: Request, q: str = "") -> Response:
        """Where what was typed into the box leads: to a page, or to a search."""
        if not q.strip():
            return RedirectResponse(_base(request, held) + "/", 303)
        url, _ = await held.ask(asking.meant(q))
        page, pairs = ("search", {"q": q}) if url is None else ("page", {"url": url})
        return RedirectResponse(link(_base(request, held), page, pairs), 303)

    @router.get("/page")
    async def page(request: Request) -> Response:
        view = View.read(request.query_params)
        if is_long(request.query_params) and "part" not in request.query_params:
            return RedirectResponse(link(_base(request, held), "page", view.pairs()), 303)
        if not view.urls:
            return RedirectResponse(_base(request, held) + "/", 303)
        found, _ = await held.ask(asking.results(view))
        if "part" in request.query_params:
            return shown(request, "_results.html", view=view, found=found)
        beside, _ = await held.ask(asking.trimmings(found.ranking.query[0].url))
        ready, _ = await held.ask(asking.methods())
        return shown(
            request, "page.html", view=view, found=found, ready=ready, methods=REGISTRY, sentence=sentence,
            slider=SLIDER, **beside,
        )  # fmt: skip

    @router.get("/page.{kind}")
    async def copy(request: Request, kind: str) -> Response:
        """The results as a file to paste elsewhere."""
        view = View.read(request.query_params)
        written = copies.checked(kind)
        found, _ = await held.ask(asking.results(view))
        return PlainTextResponse(written.write(found.ranking), media_type=written.media_type)

    return router


def front_router(collections: Mapping[str, Held]) -> APIRouter:
    """The front page of a server of several collections: a list of them."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    async def front(request: Request) -> HTMLResponse:
        return render(request, "front.html", name="", base="", names=list(collections))

    return router


def _base(request: Request, held: Held) -> str:
    root: str = request.scope.get("root_path", "").rstrip("/")
    return f"{root}/{held.name}"


def _common(request: Request, held: Held) -> dict[str, Any]:
    """What every template of a collection may use."""
    base = _base(request, held)
    return {"name": held.name, "base": base, "link": lambda page, pairs=(): link(base, page, pairs)}


def _route_of(held: Held) -> type[APIRoute]:
    """Routes whose errors are pages."""

    class PageRoute(APIRoute):
        def get_route_handler(self) -> Handler:
            answer: Callable[[Request], Awaitable[Response]] = super().get_route_handler()

            async def handler(request: Request) -> Response:
                try:
                    return await answer(request)
                except Exception as error:
                    return error_page(request, error, held)

            return handler

    return PageRoute


def error_page(request: Request, error: Exception, held: Held | None = None) -> HTMLResponse:
    """An error as a page: a sentence, and what to do."""
    found = problem(error)
    nearest = list(error.nearest) if isinstance(error, UnknownPageError) else []
    common = _common(request, held) if held else {"name": "", "base": "", "link": lambda page, pairs=(): "/"}
    typed = request.query_params.get("url") or request.query_params.get("q") or ""
    template = "_error.html" if "part" in request.query_params else "error.html"
    page = render(request, template, found.status, found=found, nearest=nearest, typed=typed, **common)
    page.headers.update(found.headers)
    return page
