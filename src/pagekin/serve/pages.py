"""Pages for people, rendered on the server. Each is a question to the collection and a template; `part=1` asks for the
results alone, which a script puts into the page that is open."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from pagekin.answers.report import CAPTIONS
from pagekin.errors import UnknownPageError
from pagekin.methods import REGISTRY
from pagekin.serve import asking, copies
from pagekin.serve.fields import SLIDER, sentence
from pagekin.serve.held import Held
from pagekin.serve.problems import problem
from pagekin.serve.questions import CompareQuestion, SearchQuestion
from pagekin.serve.rendering import STATIC, render
from pagekin.serve.view import View, checked, is_long, link, share
from pagekin.wording import command

__all__ = ["STATIC", "front_router", "pages_router", "render"]

MOST_COMPARED = 4  # columns that can be read side by side
COMPARED = ("fused", "assisted", "co-citation", "walk")  # unless others are chosen; the first three that can answer
CUT = 0.5  # where the tree of the map is cut at first

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


def pages_router(held: Held) -> APIRouter:
    """The pages of one collection; `/` is its home. Links lead to `/NAME/…`, which stays right beside others."""
    router = APIRouter(include_in_schema=False, route_class=_route_of(held))

    def shown(request: Request, template: str, **values: Any) -> HTMLResponse:
        return render(request, template, **common(request, held), **values)

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
        if url is None and "://" in q:  # an address that is not known: its page names the nearest
            url = q.strip()
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

    async def copy(request: Request) -> Response:
        """The results as text to paste elsewhere."""
        written = copies.FORMATS[request.url.path.rpartition(".")[2]]
        found, _ = await held.ask(asking.results(View.read(request.query_params)))
        return PlainTextResponse(written.write(found.ranking), media_type=written.media_type)

    for kind in copies.FORMATS:
        router.add_api_route(f"/page.{kind}", copy, methods=["GET"])

    @router.get("/why")
    async def why(request: Request) -> Response:
        """Why one page (`why`) is related to others, alone."""
        view = View.read(request.query_params)
        found, _ = await held.ask(asking.reasons(view, "".join(view.open[-1:])))
        return shown(request, "_why.html", view=view, reasons=found)

    @router.get("/map")
    async def around(request: Request) -> Response:
        view = View.read(request.query_params)
        if not view.urls:
            return RedirectResponse(_base(request, held) + "/", 303)
        cut = share(request.query_params.get("cut"))
        extra = [("cut", f"{cut:g}")] if cut != CUT else []
        if is_long(request.query_params) and "part" not in request.query_params:
            return RedirectResponse(link(_base(request, held), "map", view.pairs() + extra), 303)
        found, _ = await held.ask(asking.around(view, cut))
        values = {"view": view, "found": found, "cut": cut, "extra": extra, "slider": SLIDER}
        if "part" in request.query_params:
            return shown(request, "_map.html", **values)
        ready, _ = await held.ask(asking.methods())
        return shown(request, "map.html", ready=ready, methods=REGISTRY, sentence=sentence, **values)

    @router.get("/search")
    async def search(request: Request) -> Response:
        given = {name: value for name, value in request.query_params.items() if name in SearchQuestion.model_fields}
        if not given.get("q", "").strip():
            return shown(request, "search.html", asked=None, answer=None, pairs=[], near=[])
        asked = checked(SearchQuestion, given)
        pairs = [(name, value) for name, value in asked.model_dump(exclude_defaults=True).items()]
        if is_long(request.query_params) and "part" not in request.query_params:
            return RedirectResponse(link(_base(request, held), "search", pairs), 303)
        found, _ = await held.ask(asking.found_by_words(asked))
        template = "_hits.html" if "part" in request.query_params else "search.html"
        return shown(request, template, asked=asked, pairs=pairs, **found)

    @router.get("/compare")
    async def compare(request: Request) -> Response:
        url, given = request.query_params.get("url", "").strip(), request.query_params.getlist("method")
        ready, _ = await held.ask(asking.methods())
        named = list(dict.fromkeys(each for each in given if each))[:MOST_COMPARED]
        values = {"ready": ready, "methods": REGISTRY, "sentence": sentence, "most": MOST_COMPARED}
        if not url:
            return shown(request, "compare.html", url="", named=named, answer=None, k=15, **values)
        if len(named) < 2:
            named = [each for each in (*named, *COMPARED) if each in named or ready[each].ready][:3]
        asked = checked(CompareQuestion, {"url": url, "method": named, "k": request.query_params.get("k", "")})
        if is_long(request.query_params):
            pairs = [("url", url), *(("method", each) for each in named)]
            return RedirectResponse(link(_base(request, held), "compare", pairs), 303)
        found, _ = await held.ask(asking.Ask(asked.cost, asked.ask))
        return shown(request, "compare.html", url=url, named=named, answer=found, k=asked.k, **values)

    @router.get("/collection")
    async def collection(request: Request) -> Response:
        found, _ = await held.ask(asking.health())
        return shown(request, "collection.html", methods=REGISTRY, sentence=sentence, **found)

    @router.get("/report")
    async def report(request: Request) -> Response:
        found, _ = await held.ask(asking.to_mend())
        return shown(request, "report.html", report=found, captions=CAPTIONS, command=command("report", held.path))

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


def common(request: Request, held: Held) -> dict[str, Any]:
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


def _named_in(request: Request) -> Held | None:
    """The collection whose part of the server was asked, even if there is nothing at that address."""
    held: dict[str, Held] = request.app.state.held
    path = request.scope["path"].removeprefix(request.scope.get("root_path", ""))
    return held.get(path.split("/")[1]) if "/" in path else None


def error_page(request: Request, error: Exception, held: Held | None = None) -> HTMLResponse:
    """An error as a page: a sentence, and what to do."""
    found = problem(error)
    held = held or _named_in(request)
    nearest = list(error.nearest) if isinstance(error, UnknownPageError) else []
    known = common(request, held) if held else {}
    typed = request.query_params.get("url") or request.query_params.get("q") or ""
    template = "_error.html" if "part" in request.query_params else "error.html"
    about = request.query_params.get("url", "")
    values = {"found": found, "nearest": nearest, "typed": typed, "request_url": about}
    page = render(request, template, found.status, **values, **known)
    page.headers.update(found.headers)
    return page
