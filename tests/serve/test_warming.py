"""A worker asks its collections before anybody else does; one that cannot be asked does not stop it."""

import asyncio
import shutil

from pagekin.serve.held import Held
from pagekin.serve.warming import warm, warming
from tests.serve.blog import captures
from tests.serve.conftest import client
from tests.small_webs import collection, from_edges


def asked_for(monkeypatch):
    """The collections that are asked for related pages from now on, by name."""
    names, related = [], Held.related
    monkeypatch.setattr(Held, "related", lambda self, *a, **b: names.append(self.name) or related(self, *a, **b))
    return names


def test_each_collection_is_asked_once_and_a_broken_one_is_passed_over(blog, tmp_path, monkeypatch):
    collection(tmp_path / "gone.kin", *captures())
    from_edges(tmp_path / "links.kin", [("http://a.example/", "http://b.example/")])  # nobody fetched a page
    app = client(tmp_path / "gone.kin", tmp_path / "links.kin", blog).app
    shutil.rmtree(tmp_path / "gone.kin")
    names = asked_for(monkeypatch)
    asyncio.run(warm(app.state.held.values()))
    assert names == ["blog"]


def test_an_app_begins_with_it_and_does_not_wait_for_it(blog, monkeypatch):
    app, names = client(blog).app, asked_for(monkeypatch)

    async def lived(until):
        async with warming(app), asyncio.timeout(60):
            assert names == []
            await until()

    async def asked():
        while not names:
            await asyncio.sleep(0.01)

    asyncio.run(lived(lambda: asyncio.sleep(0)))
    assert names == []
    asyncio.run(lived(asked))
    assert names == ["blog"]
