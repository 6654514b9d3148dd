"""The soak notices what is planted; and a few seconds of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from trials import sites
from trials.rounds import PAGES, captures, rounds_in, targets, wrong
from trials.soak import Seen

ROOT = Path(__file__).parents[2]


def answer(*texts):
    return {"results": [{"title": text} for text in texts]}


def test_a_round_is_named_by_all_that_a_page_says():
    first, later = captures(1), captures(2)
    assert len(first) == PAGES
    assert first[5].url == later[5].url
    assert first[5].fetched < later[5].fetched
    assert first[5].body.count(b"round 1") == 3 + len(targets(5, 1))
    assert targets(5, 1) != targets(5, 2)


@pytest.mark.parametrize(
    ("name", "got", "problem"),
    [
        ("related", answer("Page 1 of round 7", "Page 2 of round 7"), ""),
        ("related", answer("Page 1 of round 7", "Page 2 of round 8"), "related names the rounds [7, 8]"),
        ("related", answer(), "related names the rounds []"),
        ("search", answer("Page 1 of round 6"), "search goes back from round 7 to 6"),
        ("info", {"pages": PAGES, "fetched": PAGES}, ""),
        ("info", {"pages": PAGES - 1, "fetched": PAGES}, "info counts 199 pages"),
    ],
)
def test_a_planted_mixture_is_noticed(name, got, problem):
    assert wrong(name, got, 1, before=7) == problem


def blocks(turn, *urls):
    return {"results": [{"links": [{"url": url, "anchor": f"in round {turn}"} for url in urls]}]}


def test_links_of_another_round_are_noticed():
    assert rounds_in(blocks(7, sites.address(1))) == {7}
    assert wrong("blocks", blocks(7, *targets(3, 7)), 3, before=7) == ""
    assert wrong("blocks", blocks(7, *targets(3, 6)), 3, before=7) == "blocks has other links than round 7"
    assert wrong("blocks", blocks(7, sites.address(1)), 3, before=7) == "blocks has other links than round 7"


def test_memory_that_grows_is_measured_from_the_first_third():
    assert Seen("", memory=[(float(at), 100) for at in range(60)]).growth == 0
    assert Seen("", memory=[(float(at), 100 * at) for at in range(60)]).growth == 4000
    assert Seen("").growth == 0


@pytest.mark.slow
def test_a_few_seconds_of_questions_and_rounds():
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    command = [sys.executable, "-m", "trials.soak", "5"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "questions in 5 s, 0 faults" in done.stdout
