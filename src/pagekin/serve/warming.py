"""The first question to a worker loads kernels and opens files, which takes a second or more. So a worker asks each
collection a question of its own when it starts, while it already answers others."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress

from fastapi import FastAPI
from starlette.datastructures import QueryParams

from pagekin.serve import asking
from pagekin.serve.held import Held
from pagekin.serve.view import View


@asynccontextmanager
async def warming(app: FastAPI) -> AsyncIterator[None]:
    """The life of an app, which begins with these questions; what is left of them ends with it."""
    task = asyncio.create_task(warm(app.state.held.values()))
    yield
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def warm(collections: Iterable[Held]) -> None:
    """Ask each collection what its pages will: what is in it, and what is related to its first example."""
    for held in collections:
        with suppress(Exception):  # whoever asks next is told what is wrong
            home, _ = await held.ask(asking.home())
            for page in home["examples"][:1]:
                await held.ask(asking.results(View.read(QueryParams(url=page.url))))
                await held.ask(asking.trimmings(page.url))
