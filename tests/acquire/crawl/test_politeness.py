"""When a host may be asked, on a clock of our own."""

import random

import pytest

from pagekin.acquire.crawl.politeness import BROKEN, LATER, MOST_FAILURES, Host, retry_after
from pagekin.model import Visit


def test_no_request_begins_within_the_interval_after_an_answer():
    host, now, rng = Host(interval=1.0), 0.0, random.Random(1)
    ended = -1.0
    for _ in range(200):
        now += host.wait(now)
        assert now >= ended + 1.0 - 1e-9
        host.begins(now)
        now += rng.random() * 3
        host.ends(now)
        ended = now
        now += rng.random() * 2


def test_several_at_once_begin_an_interval_apart():
    host = Host(interval=0.5, one_at_a_time=False)
    host.begins(10.0)
    host.ends(12.0)
    assert host.wait(10.1) == pytest.approx(0.4)
    assert host.wait(12.0) == 0


def test_a_crawl_delay_slows_down_and_never_speeds_up():
    host = Host(interval=1.0)
    host.slow_down(0.1)
    assert host.interval == 1.0
    host.slow_down(5.0)
    assert host.interval == 5.0
    host.slow_down(None)
    assert (host.interval, host.lost) == (5.0, None)
    host.slow_down(86_400)
    assert host.lost


def test_refusals_wait_longer_each_time_and_an_answer_forgives():
    host = Host(interval=1.0)
    waits = []
    for _ in range(3):
        host.refused(0.0, None)
        waits.append(host.wait(0.0))
    assert waits == [10.0, 20.0, 40.0]
    host.answered()
    assert host.failures == 0


def test_what_retry_after_asks_for_is_given():
    host = Host(interval=1.0)
    host.refused(100.0, 30.0)
    assert host.wait(100.0) == 30.0
    host.refused(100.0, 86_400.0)
    assert host.lost == LATER


def test_a_host_that_always_fails_is_given_up():
    host = Host(interval=1.0)
    for _ in range(MOST_FAILURES - 1):
        host.failed()
    assert host.lost is None
    host.failed()
    assert host.lost == BROKEN


def test_the_nearest_comes_first_and_of_those_the_first():
    host = Host(interval=1.0)
    for name, depth in (("a", 2), ("b", 1), ("c", 2), ("d", 1)):
        host.push(Visit(name, depth))
    assert host.waiting == 4
    assert [host.pop().url for _ in range(4)] == ["b", "d", "a", "c"]
    assert host.pop() is None
    assert host.waiting == 0


@pytest.mark.parametrize("header", [None, "", "-1", "1e9", "tomorrow", "٣", "Mon, 99 Foo 2020"])
def test_a_retry_after_that_says_nothing(header):
    assert retry_after(header, 0.0) is None
