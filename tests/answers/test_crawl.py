"""`pagekin crawl` as a process: killed at any moment, interrupted, and what it says."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pagekin.acquire.crawl.source import Tally
from pagekin.answers import crawl as crawling
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from tests.loopback import Answer, Server, moved, page

SOURCE = str(Path(crawling.__file__).parents[2])
SMALL_PARTS = """
import sys
from pathlib import Path
from pagekin.acquire.crawl.settings import EVERYWHERE
from pagekin.answers.crawl import crawl
crawl(Path(sys.argv[1]), sys.argv[2:], private=EVERYWHERE, rate=0, radius=5, part_pages=7)
"""
COMMAND = "from pagekin.shell.main import main; main()"


def begin(code, *arguments):
    environment = os.environ | {"PYTHONPATH": SOURCE}
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], env=environment, stderr=subprocess.PIPE, text=True
    )


def ended(process):
    said = process.communicate()[1]
    return process.returncode, said


def answers(asked):
    """121 pages (the front page has two names) that link to each other, redirects, a missing page and a picture."""
    name = asked.path[1:]
    if name == "pic":
        return Answer(b"\x89PNG", 200, {"Content-Type": "image/png"})
    if name.startswith("r") and name[1:].isdigit():
        return moved(f"/{name[1:]}")
    number = int(name or 0) if (name or "0").isdigit() else 999
    if number > 120:
        return None
    targets = [f"/{number * 3 + n}" for n in (1, 2, 3)]
    return page("/", f"/r{(number * 7) % 121}", "/pic", "/gone", *targets, title=str(number))


def content(site):
    store = Store(site)
    urls = store.graph.pages["url"].to_pylist()
    ends = (
        (urls[a], urls[b])
        for a, b in zip(*(store.graph.links[end].to_pylist() for end in ("source", "target")), strict=True)
    )
    pages = zip(urls, (at is not None for at in store.graph.pages["fetched"].to_pylist()), strict=True)
    return set(pages), set(ends), {row["alias"] for row in store.graph.aliases.to_pylist()}


@pytest.mark.slow
def test_killed_at_random_moments_it_ends_as_if_undisturbed_and_fetches_nothing_twice(tmp_path):
    """A few kills; `make faults` has many."""
    rng, kills = random.Random(1), 0
    with Server(answers) as server:
        site = tmp_path / "killed.kin"
        while kills < 6:
            target = len(server.log) + rng.randrange(1, 16)
            process = begin(SMALL_PARTS, site, server.url)
            while len(server.log) < target and process.poll() is None:
                time.sleep(0.002)
            time.sleep(rng.random() * 0.01)
            assert process.poll() is None, process.communicate()
            process.kill()
            process.communicate()
            kills += 1
        assert ended(begin(SMALL_PARTS, site, server.url)) == (0, "")
        asked = server.paths()
        assert len(asked) - len(set(asked)) <= kills  # one at a time was in flight
        before = len(server.log)
        assert ended(begin(SMALL_PARTS, site, server.url)) == (0, "")
        assert server.log[before:] == []
        assert ended(begin(SMALL_PARTS, tmp_path / "undisturbed.kin", server.url)) == (0, "")
        assert content(site) == content(tmp_path / "undisturbed.kin")
        assert sum(held for _, held in content(site)[0]) == 122
        assert list((site / "spool").iterdir()) == []


def test_ctrl_c_finishes_the_page_in_hand_and_commits(tmp_path):
    site = tmp_path / "a.kin"
    with Server(answers) as server:
        process = begin(COMMAND, "crawl", site, server.url, "--allow-private", "--rate", "20", "--radius", "5")
        while len(server.log) < 8:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        code, said = ended(process)
        assert (code, "to continue" in said) == (130, True)
        answered = {path for path in server.paths() if path[1:2] != "r" and path not in ("/pic", "/gone")}
        assert {url for url, held in content(site)[0] if held} == {server.url + path[1:] for path in answered}
        assert len(answered) < 20


def test_what_it_says(tmp_path):
    with Server(answers) as server:
        command = ["crawl", tmp_path / "a.kin", server.url, "--allow-private", "--rate", "0", "--radius", "1"]
        code, said = ended(begin(COMMAND, *command))
        assert (code, said.splitlines()[:2]) == (0, ["added 5 pages", "skipped 2:"])
        code, said = ended(begin(COMMAND, *command))
        assert (code, said) == (0, "nothing to fetch: every page within reach is already in the collection\n")


@pytest.mark.parametrize(
    ("urls", "options", "said"),
    [
        (["docs.example.org"], {}, "not a web address"),
        (["http://a b/"], {}, "not a web address"),
        (["http://a.example/"], {"radius": -1}, "radius must be at least 0"),
        (["http://a.example/"], {"rate": -1.0}, "rate must be"),
        (["http://a.example/"], {"timeout": 0.0}, "timeout must be"),
        (["http://a.example/"], {"max_pages": 0}, "max_pages must be"),
        (["http://a.example/"], {"include": ("(",)}, "not a regular expression"),
        (["http://a.example/"], {"refresh_after": "soon"}, "is not an age"),
    ],
)
def test_wrong_usage_is_said_before_anything_is_done(tmp_path, urls, options, said):
    with pytest.raises(UsageError, match=said):
        crawling.crawl(tmp_path / "a.kin", urls, **options)
    assert not (tmp_path / "a.kin").exists()


def test_the_live_line_says_what_goes_wrong():
    tally = Tally(pages=1200, waiting=30, depth=2)
    tally.errors["status 404"] = 7
    assert crawling.line(tally).startswith("1,200 pages, 30 waiting, depth 2, ")
    assert crawling.line(tally).endswith(", 7 status 404")
