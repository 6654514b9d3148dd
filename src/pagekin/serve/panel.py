"""The panel: the pages related to the one that a reader has open, narrow enough to stand beside it.

`/panel?url=…` is a page, which `pagekin open` and the bookmarklet show; `/panel.json?url=…` is the same for the
browser extension. Without a page, `/panel` says how to have it beside every page. A server of several collections
answers from the first that knows the page.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.datastructures import QueryParams
from starlette.responses import HTMLResponse, Response

from pagekin.answer import PageName
from pagekin.answers.entrances import Entrance, entrances
from pagekin.answers.ranking import Related
from pagekin.collection.lookup import find
from pagekin.collection.store import Store
from pagekin.errors import NotBuiltError, PagekinError, UnknownPageError
from pagekin.harmless import as_json
from pagekin.methods import REGISTRY
from pagekin.serve import asking
from pagekin.serve.asking import Ask, Readiness, Reasons, Shown
from pagekin.serve.fields import SLIDER, sentence
from pagekin.serve.held import Held
from pagekin.serve.pages import common
from pagekin.serve.problems import HttpError, problem
from pagekin.serve.questions import MOST_RESULTS, RelatedQuestion
from pagekin.serve.rendering import figure, name_of, render, where
from pagekin.serve.view import View
from pagekin.url import canonical, host
from pagekin.version import VERSION

FORMAT = 1  # of the JSON; an extension that knows another says so, and shows nothing
HOSTS = 6  # offered where a page is unknown
UNKNOWN = 404
NOT_KEPT = {"Cache-Control": "no-store"}  # what was read is nobody's to keep, not even a cache's


@dataclass(frozen=True)
class Panel:
    """What the panel shows: the results, or what is wrong and where to go instead."""

    view: View
    held: Held
    ready: Mapping[str, Readiness]  # method → whether it can answer; empty: nothing can be asked
    found: Shown | None = None
    problem: HttpError | None = None
    nearest: Sequence[PageName] = ()
    hosts: Sequence[Entrance] = ()

    @property
    def status(self) -> int:
        return self.problem.status if self.problem else 200

    @property
    def has_more(self) -> bool:
        k = self.view.asked.k
        return self.found is not None and len(self.found.ranking) == k < MOST_RESULTS


def panel_router(collections: Sequence[Held]) -> APIRouter:
    """The panel of one collection, or of several together."""
    router = APIRouter(include_in_schema=False)

    @router.get("/panel")
    async def page(request: Request) -> HTMLResponse:
        if "url" not in request.query_params:
            values = {"bookmarklet": bookmarklet(_here(request)), **common(request, collections[0])}
            return render(request, "beside.html", **values)
        panel = await answered(request.query_params, collections)
        template = "_panel.html" if "part" in request.query_params else "panel.html"
        values = {"methods": REGISTRY, "sentence": sentence, "slider": SLIDER, "place": "panel", "panel": panel}
        shown = render(request, template, panel.status, **vars(panel), **values, **common(request, panel.held))
        shown.headers.update(_headers(panel))
        return shown

    @router.get("/panel.json")
    async def data(request: Request) -> Response:
        names = [each.name for each in collections]
        about: dict[str, Any] = {"pagekin": VERSION, "panel": FORMAT, "collections": names}
        if "url" not in request.query_params:
            return Response(as_json(about), 200, NOT_KEPT, media_type="application/json")
        panel = await answered(request.query_params, collections)
        return Response(as_json(about | as_dict(panel)), panel.status, _headers(panel), media_type="application/json")

    return router


async def answered(given: QueryParams, collections: Sequence[Held]) -> Panel:
    """The panel that an address means. Whatever is wrong is a part of it: its reader has no other page to look at."""
    view, wrong = _view(given)
    held = await _knowing(collections, view.urls)
    try:
        panel: Panel = (await held.ask(_question(view, held, wrong))).answer
    except Exception as error:
        return Panel(view, held, {}, problem=problem(error))
    return replace(panel, hosts=await _hosts(collections)) if panel.status == UNKNOWN else panel


def _view(given: QueryParams) -> tuple[View, HttpError | None]:
    """The view, and what is wrong with the address; then the view is as by default, so that one can choose anew."""
    try:
        return View.read(given), None
    except (HttpError, PagekinError) as error:
        wrong = problem(error)
    with suppress(HttpError, PagekinError):
        return View.read(QueryParams([("url", url) for url in given.getlist("url")])), wrong
    return View(RelatedQuestion()), wrong


def _question(view: View, held: Held, wrong: HttpError | None) -> Ask:
    def question(_: Held) -> Panel:
        empty = Panel(view, held, asking.methods().ask(held), problem=wrong)
        if wrong:
            return empty
        try:
            return replace(empty, found=asking.results(view, drawn=False).ask(held))
        except UnknownPageError as error:
            urls = [url for url in error.nearest if _host(url) == _host(error.asked[0])]
            nearest = held._ask(lambda store: _titled(store, urls))
            return replace(empty, problem=problem(error), nearest=nearest)
        except NotBuiltError as error:  # of this method: another can be chosen
            return replace(empty, problem=problem(error))

    return Ask(("panel", view.method.name, bool(view.open)), question)


async def _knowing(collections: Sequence[Held], urls: Sequence[str]) -> Held:
    """The first collection that has the page; if none has, the first of all."""
    if len(collections) > 1 and urls:
        question = Ask("knows", lambda held: held._ask(lambda store: find(store, urls[0]) is not None))
        for held in collections:
            with suppress(PagekinError, OSError):  # one that is gone knows nothing
                if (await held.ask(question)).answer:
                    return held
    return collections[0]


async def _hosts(collections: Sequence[Held]) -> list[Entrance]:
    """The hosts with most pages, of all collections."""
    question = Ask("hosts", lambda held: held._ask(lambda store: entrances(store, HOSTS)))
    found: list[Entrance] = []
    for held in collections:
        with suppress(PagekinError, OSError):
            found += (await held.ask(question)).answer
    return sorted(found, key=lambda each: (-each.pages, each.host))[:HOSTS]


def _host(text: str) -> str:
    """The host of an address, with or without www."""
    return host(canonical(text) or "").removeprefix("www.")


def _titled(store: Store, urls: Sequence[str]) -> list[PageName]:
    found = ((url, find(store, url)) for url in urls)
    return [PageName(url, store.title(each.page) if each else "") for url, each in found]


def as_dict(panel: Panel) -> dict[str, Any]:
    """A panel as the extension reads it: names and addresses are cleaned and cut, as on a page."""
    ranking = panel.found.ranking if panel.found else None
    wrong, method = panel.problem, panel.view.method.name
    best = max((row.score for row in ranking), default=0.0) if ranking else 0.0
    return {
        "collection": panel.held.name,
        "page": _page(*ranking.query[0]) if ranking else None,
        "method": method,
        "says": sentence(method),
        "alpha": panel.view.slider,
        "methods": [{"name": name, "ready": about.ready} for name, about in sorted(panel.ready.items())],
        "note": ranking.note if ranking else None,
        "results": [_row(row, best, panel.found.why) for row in ranking] if ranking and panel.found else [],
        "more": panel.has_more,
        "problem": {"status": wrong.status, "error": wrong.error, "hint": wrong.hint} if wrong else None,
        "nearest": [_page(*each) for each in panel.nearest],
        "hosts": [{"host": each.host, "pages": each.pages, **_page(each.url, each.title)} for each in panel.hosts],
    }


def _page(url: str, title: str) -> dict[str, str]:
    return {"url": url, "title": name_of(url, title), "where": where(url)}


def _row(row: Related, best: float, why: Mapping[str, Reasons]) -> dict[str, Any]:
    """A result; `why` is null unless its evidence was asked for."""
    said = why.get(row.url)
    return {
        "rank": row.rank, **_page(row.url, row.title), "linked": row.linked, "score": figure(row.score),
        "share": row.score / best if best > 0 else 0,
        "why": None if said is None else [[piece._asdict() for piece in each] for each in said.sentences],
    }  # fmt: skip


def _headers(panel: Panel) -> dict[str, str]:
    return NOT_KEPT | (panel.problem.headers if panel.problem else {})


def bookmarklet(panel: str) -> str:
    """A bookmark that opens a panel about the page one reads, in a window of its own; it puts nothing into that page.

    >>> bookmarklet("http://127.0.0.1:8420/panel")[:60]
    "javascript:void(open('http://127.0.0.1:8420/panel?url='+enco"
    """
    asked = f"'{quote(panel, safe=':/[]')}?url='+encodeURIComponent(location.href.split('#')[0])"
    return f"javascript:void(open({asked},'_blank','noopener,width=400,height=860'))"


def _here(request: Request) -> str:
    """The address of the panel of all collections, as the browser knows this server."""
    root = request.scope.get("root_path", "").rstrip("/")
    return f"{request.url.scheme}://{request.headers['host']}{root}/panel"
