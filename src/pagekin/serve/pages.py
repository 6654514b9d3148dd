"""Pages for people, rendered on the server with Jinja. Text from crawled pages is escaped by the templates."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from pagekin.serve.held import Held
from pagekin.serve.questions import InfoQuestion

HERE = Path(__file__).parent
STATIC = HERE / "static"
_templates = Environment(
    loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)


def render(request: Request, template: str, **values: Any) -> HTMLResponse:
    """A template as a page; `root` is the address of the server, to which a proxy may add a path."""
    root = request.scope.get("root_path", "").rstrip("/")
    return HTMLResponse(_templates.get_template(template).render(root=root, **values))


def pages_router(held: Held) -> APIRouter:
    """The pages of one collection; `/` is its home."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    async def home(request: Request) -> HTMLResponse:
        info, _ = await held.ask(InfoQuestion())
        return render(request, "home.html", name=held.name, info=info)

    return router


def front_router(collections: Mapping[str, Held]) -> APIRouter:
    """The front page of a server of several collections: a list of them."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    async def front(request: Request) -> HTMLResponse:
        return render(request, "front.html", names=list(collections))

    return router
