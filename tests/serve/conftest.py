"""A built collection of a small blog, and a client that asks an app about it in this process."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from pagekin import Collection
from pagekin.serve.app import create_app
from pagekin.serve.settings import Settings
from tests.serve.blog import captures
from tests.small_webs import collection


class Client:
    """Asks an app without a network, one request at a time or several at once."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app

    def get(self, path: str, **given: Any) -> httpx.Response:
        return self.request("GET", path, **given)

    def head(self, path: str, **given: Any) -> httpx.Response:
        return self.request("HEAD", path, **given)

    def request(self, method: str, path: str, **given: Any) -> httpx.Response:
        async def ask() -> httpx.Response:
            async with self.at_once() as several:
                return await several.request(method, path, **given)

        return asyncio.run(ask())

    def at_once(self) -> httpx.AsyncClient:
        """A client for several requests at once."""
        return httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url="http://localhost")


def client(*paths: Path, **settings: Any) -> Client:
    """A client of a server of these collections."""
    return Client(create_app(Settings({path.stem: str(path) for path in paths}, **settings)))


@pytest.fixture(scope="session")
def blog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection with every index that questions need."""
    path = tmp_path_factory.mktemp("serve") / "blog.kin"
    collection(path, *captures())
    Collection(path).build(all=True)
    Collection(path).build(index=["subrelevant", "subrelevant(kind=fan-in, tau=25)"])
    return path


@pytest.fixture(scope="session")
def ask(blog: Path) -> Client:
    """A client of a server of the blog."""
    return client(blog)
