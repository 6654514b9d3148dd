"""The children of these crawls are forks of one process that has loaded Scrapy: a tenth of the time of a new one.

A crawl that starts its children as users do is in tests/answers/test_crawl.py.
"""

import os
import sys
from multiprocessing import get_context
from multiprocessing.connection import Connection
from subprocess import DEVNULL
from types import SimpleNamespace

import pytest

from pagekin.acquire.crawl import source

FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(["pagekin.acquire.crawl.child", "scrapy.crawler"])


class Forked:
    """Stands for `subprocess.Popen`, with as much of it as a crawl uses."""

    def __init__(self, command, *, pass_fds, **_):
        self.process = FORKS.Process(target=child, args=[Connection(os.dup(end)) for end in pass_fds])
        self.process.start()

    def wait(self):
        self.process.join()
        return self.process.exitcode


def child(down, up):
    from pagekin.acquire.crawl.child import main

    os.setsid()
    sys.argv = ["child", str(os.dup(down.fileno())), str(os.dup(up.fileno()))]
    down.close()
    up.close()
    main()


@pytest.fixture(autouse=True)
def forked(monkeypatch):
    monkeypatch.setattr(source, "subprocess", SimpleNamespace(Popen=Forked, DEVNULL=DEVNULL))
