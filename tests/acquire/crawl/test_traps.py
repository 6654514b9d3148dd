"""Endless sites end."""

import pytest

from pagekin.acquire.crawl.traps import GOES_ROUND, PER_SESSION, SESSION, TOO_MANY, Traps, pattern


@pytest.mark.parametrize(
    ("url", "common"),
    [
        ("http://a.example/", None),
        ("http://a.example/wiki/Hive", None),
        ("http://a.example:81/cal/2024-05?day=3&view=week", "a.example:81/cal/#-#?day&view"),
        ("http://a.example/p;jsessionid=0A1B2C", "a.example/p;jsessionid"),
        ("http://a.example/node/deadbeef12/x", "a.example/node/#/x"),
    ],
)
def test_patterns(url, common):
    assert pattern(url) == common


def test_a_calendar_ends_and_what_was_visited_before_counts():
    traps = Traps(per_pattern=20)
    for day in range(5):
        traps.count(f"http://a.example/calendar/{day}")
    answers = [traps.against(f"http://a.example/calendar/{day}") for day in range(5, 100)]
    assert answers == [None] * 15 + [TOO_MANY] * 80
    assert traps.against("http://b.example/calendar/1") is None


def test_session_ids_end_sooner():
    traps = Traps(per_pattern=1000)
    answers = [traps.against(f"http://a.example/page?sid={n}") for n in range(50)]
    assert answers == [None] * PER_SESSION + [SESSION] * 40


@pytest.mark.parametrize("path", ["/a/a/a/a/", "/x/a/b/a/b/a/b/a/b", "/en/en/en/en/en?q=1"])
def test_paths_that_go_round(path):
    assert Traps(1000).against("http://a.example" + path) == GOES_ROUND


@pytest.mark.parametrize("path", ["/a/a/", "/2024/2024/x", "/a/b/a/b/c"])
def test_paths_that_do_not(path):
    assert Traps(1000).against("http://a.example" + path) is None
