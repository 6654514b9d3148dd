"""Ctrl-C on a terminal, at any moment: one line, exit code 130, no traceback of anybody, no process left, and a
collection that is whole.

A command is stopped at a moment by a function that it calls there: it marks that it is there, and waits.
"""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import pagekin
from pagekin import Collection
from tests.gates import gates
from tests.loopback import Server
from tests.loopback import page as served
from tests.small_webs import collection, page

URL = "http://a.example/{}".format
SOURCE = str(Path(pagekin.__file__).parents[1])
LONG_S = 120  # for what never takes that long
SAID = "pagekin: interrupted; what was committed is kept; run the same command again to continue"

BEGIN = """
import pkgutil, signal, sys, time
from pathlib import Path
signal.signal(signal.SIGINT, signal.default_int_handler)  # tests that a shell runs in the background ignore it
MARK = Path(sys.argv.pop(1))

def stay(*_):
    MARK.touch()
    while True:
        time.sleep(0.05)

def at(name):
    "Stay where this function is called."
    owner, _, last = name.rpartition(".")
    setattr(pkgutil.resolve_name(owner), last, stay)
"""
END = """
from pagekin.shell.main import main
main()
"""
IMPORTING = """
class Finder:
    def find_spec(name, path=None, target=None):
        if name == "typer":
            stay()
sys.meta_path.insert(0, Finder)
"""
# A worker that stays in Python code, and says whether it hears the signal at all, from its very start.
IN_A_WORKER = """
from pagekin.collection import workers
real, mark = workers.make_tables, str(MARK)

def slow(work, settings, guarded=False):
    if not guarded:
        return real(work, settings)
    import pathlib, signal, time
    deaf = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    pathlib.Path(mark).write_text("deaf" if deaf else "hears")
    while True:
        time.sleep(0.05)

workers.make_tables, workers.FEW_PAGES, workers.cores = slow, 0, lambda: 2
"""
IN_THREADS = """
from pagekin.engine.local import over_rows
from pagekin.index.text.index import Text
Text.make = lambda *_: over_rows(stay, 4, workers=2)
"""
THROWN_AWAY = """
from pagekin.index.text.index import Text
class Thrown:
    def __del__(self):
        stay()
def make(*_):
    Thrown()
    while True:
        time.sleep(0.05)
Text.make = make
"""


STARTED = []


@pytest.fixture(autouse=True)
def _ended():
    """A test that fails leaves nothing running."""
    yield
    while STARTED:
        process = STARTED.pop()
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


class Screen:
    """A command on a terminal of its own, with what it shows."""

    def __init__(self, moment, mark, *argv):
        mark.unlink(missing_ok=True)
        self.mark, (master, slave) = mark, os.openpty()
        command = [sys.executable, "-c", BEGIN + moment + END, str(mark), *map(str, argv)]
        environment = os.environ | {"PYTHONPATH": SOURCE, "COLUMNS": "300", "TERM": "xterm"}
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
        )
        os.close(slave)
        self.shown = b""
        self.reading = threading.Thread(target=self._read, args=(master,), daemon=True)
        self.reading.start()
        STARTED.append(self.process)

    def _read(self, master):
        try:
            while got := os.read(master, 1 << 16):
                self.shown += got
        except OSError:  # all of its processes have closed it
            pass
        os.close(master)

    def press(self):
        """Ctrl-C: a terminal sends the signal to every process of the command."""
        os.killpg(self.process.pid, signal.SIGINT)

    def there(self):
        self.until(self.mark.exists)

    def until(self, holds):
        for _ in range(LONG_S * 20):
            if holds():
                return
            assert self.process.poll() is None, self.shown.decode()
            time.sleep(0.05)
        raise AssertionError(self.shown.decode())

    def end(self):
        """The exit code and the lines on the screen; every process is gone."""
        code = self.process.wait(LONG_S)
        self.reading.join(LONG_S)
        assert not self.reading.is_alive()  # nobody has the terminal open any more
        return code, lines(self.shown.decode())


def lines(shown):
    """What is to be read on a terminal in the end: a new line, up a line, clear a line, back to its beginning."""
    rows, row = [""], 0
    for text in re.split(r"(\r\n|\r|\x1b\[[0-9;?]*[A-Za-z])", shown):
        if text == "\r\n":
            row += 1
            rows += [""] * (row == len(rows))
        elif text == "\x1b[1A":
            row -= 1
        elif text == "\x1b[2K":
            rows[row] = ""
        elif text and text[0] not in "\r\x1b":
            rows[row] += text
    return [row.strip() for row in rows if row.strip()]


@pytest.fixture
def site(tmp_path):
    collection(tmp_path / "s.kin", *(page(URL(n), URL((n + 1) % 9), words=f"bee honey w{n % 2}") for n in range(9)))
    return tmp_path / "s.kin"


@pytest.fixture
def web(tmp_path):
    (tmp_path / "web").mkdir()
    for number in range(30):
        (tmp_path / "web" / f"{number}.html").write_text(f"<title>{number}</title><a href={number + 1}.html>next</a>")
    return tmp_path / "web"


def whole(path):
    assert Collection(path).scrub().lines[-1].startswith(("nothing to repair", "removed folders that an interrupted"))


BUILDS = {
    "as it starts": IMPORTING,
    "writing the graph": 'at("pagekin.collection.writer.fold")',
    "making an index": 'at("pagekin.index.text.index.Text.make")',
    "in threads": IN_THREADS,
    "where nothing can be raised": THROWN_AWAY,
    "committing": 'at("pagekin.collection.manifest.write")',
}


@pytest.mark.parametrize("moment", gates(BUILDS, "in threads"))
def test_a_build(site, tmp_path, moment):
    if moment == "writing the graph":
        collection(site, page(URL("new"), URL(1)))
    screen = Screen(BUILDS[moment], tmp_path / "mark", "build", site)
    screen.there()
    screen.press()
    code, said = screen.end()
    assert (code, said[-1]) == (130, SAID)
    assert "Traceback" not in screen.shown.decode()
    assert [line for line in said[:-1] if not line.startswith(("graph: ", "compacted ", "mirrors: "))] == []
    whole(site)
    Collection(site).build()
    assert Collection(site).related(URL(1)).note is None


ADDS = {
    "as it starts": IMPORTING,
    "looking": 'at("pagekin.acquire.sources.open_sources")',
    "parsing here": 'at("pagekin.collection.workers.make_tables")',
    "parsing in a worker": IN_A_WORKER,
    "committing": 'at("pagekin.collection.parts.write")',
    "writing the graph": 'at("pagekin.collection.writer.fold")',
}


@pytest.mark.parametrize("moment", gates(ADDS, "parsing in a worker"))
def test_an_add(web, tmp_path, moment):
    path, mark = tmp_path / "added.kin", tmp_path / "mark"
    screen = Screen(ADDS[moment], mark, "add", path, web, "--base-url", URL(""))
    screen.there()
    if moment == "parsing in a worker":
        screen.until(mark.read_text)
        assert mark.read_text() == "deaf"
    screen.press()
    code, said = screen.end()
    assert (code, said[-1]) == (130, SAID)
    assert "Traceback" not in screen.shown.decode()
    assert [line for line in said[:-1] if not line.startswith("web: a folder of HTML at")] == []
    if path.exists():
        whole(path)
    Collection(path).add(web, base_url=URL(""))
    assert Collection(path).info().fetched == 30


def answers(asked):
    name = asked.path[1:] or "0"
    return served(f"/{int(name) + 1}", title=name) if name.isdigit() and int(name) < 5 else None


@pytest.mark.parametrize(("moment", "presses"), [("as it starts", 1), ("writing the graph", 2)])
def test_a_crawl(tmp_path, moment, presses):
    path = tmp_path / "crawled.kin"
    with Server(answers) as server:
        asked = ("crawl", path, server.url, "--allow-private", "--rate", "0", "--radius", "9")
        screen = Screen(ADDS[moment], tmp_path / "mark", *asked)
        screen.there()
        for _ in range(presses):  # the first lets it go on to its end, which is here
            screen.press()
            time.sleep(0.2)
        assert screen.end() == (130, [SAID])
        if path.exists():
            whole(path)
        code, said = Screen("", tmp_path / "mark", *asked).end()
        assert code == 0, said
        assert Collection(path).info().fetched == 5
