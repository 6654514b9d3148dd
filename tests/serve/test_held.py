"""A collection is replaced while it is asked: no question fails, and each answer comes from one whole state."""

import asyncio
import random
import re
import threading

import pytest

from pagekin import Collection
from pagekin.collection.ingest import ingest
from pagekin.model import Capture
from tests.serve.conftest import client

PAGES, ROUNDS, ASKERS = 8, 3, 4
ROOT = "http://r.example/"


def captures(turn):
    """A site whose titles, words and anchors all name the round in which it was read."""

    def page(number):
        links = "".join(
            f"<li><a href={ROOT}{(number + n) % PAGES}>{(number + n) % PAGES} round{turn}</a>" for n in (1, 2, 3)
        )
        text = f"clover honey and lavender round{turn} number{number}"
        html = f"<title>page {number} round{turn}</title><p>{text}</p><ul>{links}</ul>"
        return Capture(f"{ROOT}{number}", html.encode(), "text/html", fetched=1_000 + turn, origin="test")

    return [page(number) for number in range(PAGES)]


QUESTIONS = (
    "/api/related?url={}&method=amsler&why=true", "/api/related?url={}", "/api/page?url={}",
    "/api/search?q=clover&alpha=0", "/api/blocks?url={}", "/api/suggest?prefix=page", "/api/map?url={}&method=amsler",
)  # fmt: skip


@pytest.mark.parametrize("questions", [50 * ASKERS, pytest.param(10_000, marks=pytest.mark.slow)])
def test_questions_while_the_collection_is_rebuilt(tmp_path, questions):
    path, ended, failures = tmp_path / "r.kin", threading.Event(), []
    ingest(path, [captures(1)])
    Collection(path).build(index=["inverted", "completions"])
    server = client(path)

    def write():
        try:
            for turn in range(2, ROUNDS + 2):
                ingest(path, [captures(turn)])
                Collection(path).build(index=["inverted", "completions"])
        finally:
            ended.set()

    seen, tags = set(), {}

    async def ask(seed):
        dice = random.Random(seed)
        async with server.at_once() as several:
            asked = 0
            while not ended.is_set() or asked < questions // ASKERS:
                question = dice.choice(QUESTIONS).format(f"{ROOT}{dice.randrange(PAGES)}")
                answer = await several.get(question)
                rounds = set(re.findall(r"round(\d+)", answer.text))
                if answer.status_code != 200 or len(rounds) != 1:
                    failures.append((question, answer.status_code, rounds, answer.text[:300]))
                if tag := answer.headers.get("etag"):  # one tag, one answer
                    failures.extend([question] if tags.setdefault(tag, answer.content) != answer.content else [])
                seen.update(rounds)
                asked += 1

    async def asking():
        await asyncio.gather(*map(ask, range(ASKERS)))

    writer = threading.Thread(target=write)
    writer.start()
    asyncio.run(asking())
    writer.join()
    assert failures == []
    assert str(ROUNDS + 1) in seen
    fresh = server.get(f"/api/page?url={ROOT}0", headers={"If-None-Match": ", ".join(tags)})
    assert fresh.status_code in (200, 304)


def test_a_new_state_has_another_tag(tmp_path):
    path = tmp_path / "r.kin"
    ingest(path, [captures(1)])
    server = client(path)
    before = server.get("/api/info").headers["etag"]
    assert server.get("/api/info", headers={"If-None-Match": before}).status_code == 304
    ingest(path, [captures(2)])
    after = server.get("/api/info", headers={"If-None-Match": before})
    assert after.status_code == 200
    assert after.headers["etag"] != before
